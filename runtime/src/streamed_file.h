// A file whose bytes appear in memory when they are read, and leave it again.
#ifndef GCOMPILE_SRC_STREAMED_FILE_H
#define GCOMPILE_SRC_STREAMED_FILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gc::detail {

/// How a file is streamed.
struct StreamPlan {
  std::uint64_t block_bytes = 0;   ///< a power of two, at least a page
  std::uint64_t room = 0;          ///< bytes for blocks in memory
  std::uint64_t most_resident = 0; ///< of the process: blocks make room for what else it needs; 0: no such limit
  int readers = 4;                 ///< threads that read ahead
};

/// The bytes that the fewest blocks of a plan take: so many that no thread's block leaves before it has been read.
std::uint64_t least_room(std::uint64_t block_bytes);

/// A plan for a file of so many bytes: the greatest blocks that let enough of them into the room.
StreamPlan plan_stream(std::uint64_t file_bytes, std::uint64_t room, std::uint64_t most_resident);

/// What has gone through a streamed file.
struct StreamTraffic {
  std::uint64_t bytes = 0;    ///< read from the file
  std::uint64_t blocks = 0;   ///< of these
  std::uint64_t in_order = 0; ///< blocks that a thread came to behind the one before
  std::uint64_t visited = 0;  ///< blocks that a thread came to
  double waited = 0;          ///< seconds that threads stood still, all together

  /// What has gone through since.
  StreamTraffic operator-(const StreamTraffic &before) const {
    return {bytes - before.bytes, blocks - before.blocks, in_order - before.in_order, visited - before.visited,
            waited - before.waited};
  }
};

/// The bytes of a file at consecutive addresses, to be read by any thread as if they were in memory. A block of them is
/// read when a thread comes to it, or before where threads go through the file in order, past the page cache where the
/// file system lets it. Others leave for it. A thread may still be reading there: it finds the block missing and brings
/// it back. So what a thread reads is right whatever leaves when. A block where nobody reads is never brought.
///
/// It works by page faults (SIGSEGV), so system calls must not be given these addresses: they would fail with EFAULT.
/// A file that cannot be read ends the process with one line and exit status 2.
class StreamedFile {
public:
  /// The first `bytes` bytes of the file. Throws Error if it cannot be opened.
  StreamedFile(const std::string &path, std::uint64_t bytes, const StreamPlan &plan);
  StreamedFile(const StreamedFile &) = delete;
  ~StreamedFile();

  const char *data() const;
  /// From now on a block is refused where the values from byte `begin` to byte `end`, each `width` bytes wide, are not
  /// below `limit`: another process has changed the file.
  void require_below(std::uint64_t begin, std::uint64_t end, int width, std::uint64_t limit);
  StreamTraffic traffic() const;
  const StreamPlan &plan() const;

private:
  struct Pages;
  std::unique_ptr<Pages> pages_;
};

} // namespace gc::detail

#endif
