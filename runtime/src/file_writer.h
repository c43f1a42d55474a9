// Files that appear only when they are complete.
#ifndef GCOMPILE_SRC_FILE_WRITER_H
#define GCOMPILE_SRC_FILE_WRITER_H

#include <cstddef>
#include <string>
#include <string_view>

namespace gc::detail {

/// Throws a resource Error if the file cannot be written. Leaves nothing behind. "-" is standard output.
void check_writable(const std::string &path);

/// Writes to a temporary file beside the target, which replaces the target in commit(). Without commit(), also after an
/// interrupt, the temporary file is removed. Things that are no regular files, such as /dev/null, are written directly.
class FileWriter {
public:
  explicit FileWriter(const std::string &path);
  FileWriter(const FileWriter &) = delete;
  FileWriter &operator=(const FileWriter &) = delete;
  ~FileWriter();

  /// Throws a resource Error when the disk is full, for example.
  void write(const void *data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

private:
  std::string path_, target_, temporary_;
  int fd_ = -1;
};

} // namespace gc::detail

#endif
