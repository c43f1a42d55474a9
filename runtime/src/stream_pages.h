// The pages of a streamed file: where each block is, and how it comes and goes.
#ifndef GCOMPILE_SRC_STREAM_PAGES_H
#define GCOMPILE_SRC_STREAM_PAGES_H

#include "kept_blocks.h"
#include "streamed_file.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gc::detail {

/// Addresses are reserved for the whole file. Behind those of a block that is not in memory there is nothing. A block
/// is read elsewhere and then moved there with its page table, so that no thread sees half of it.
struct StreamedFile::Pages {
  Pages(std::string name, std::uint64_t size, const StreamPlan &how);
  ~Pages();

  /// What a thread does that has met a missing block. False: the address is not of this file.
  bool meet(const char *address);
  void require_below(std::uint64_t begin, std::uint64_t end, int width, std::uint64_t limit);

  const std::string path;
  const std::uint64_t bytes;
  const StreamPlan plan;
  const std::uint64_t block; ///< bytes of one
  const std::size_t blocks;
  int file = -1;
  bool direct = false;
  char *reserved = nullptr;
  std::uint64_t reserved_bytes = 0;
  char *base = nullptr;
  StreamTraffic counts;
  mutable std::mutex mutex; // of all that follows, too

private:
  enum class Place : std::uint8_t {
    absent,
    queued,  ///< absent, and to be read ahead
    loading, ///< some thread reads it
    closed,  ///< in memory; a thread that comes there is noticed
    open     ///< in memory, and readable
  };

  struct Check {
    std::uint64_t begin, end;
    int width;
    std::uint64_t limit;
  };

  using Block = KeptBlocks::Block;
  using Lock = std::unique_lock<std::mutex>;

  char *at(Block b) const { return base + b * block; }
  std::uint64_t size_of(Block b) const { return std::min(block, bytes - b * block); }
  bool load(Block b, Lock &lock, bool before_its_turn);
  /// What is wrong with a block; nothing may be allocated where a thread has met a missing one.
  struct Problem {
    std::array<char, 160> text{};
    bool empty() const { return text[0] == 0; }
  };
  Problem read_into(char *frame, Block b) const;
  bool is_sound(const char *frame, Block b) const;
  void visited(Block b);
  void look_ahead(Block b);
  char *fresh_frame() const;
  char *move_out(Block b);
  void drop(Block b);
  void empty(char *frame) const;
  void forget(Block b);
  void make_room();
  void adapt();
  void let_go_of_unused();
  void read_ahead();
  void allow(Block b, int protection) const;
  [[noreturn]] void fail(const char *problem) const;
  [[noreturn]] void fail_mapping() const;

  std::array<Check, 4> checks;
  std::atomic<std::size_t> num_checks{0};
  const std::size_t most; // blocks in memory
  std::size_t room;       // and how many may be there now
  const std::size_t line; // those that came last: see KeptBlocks
  std::vector<Place> places;
  std::vector<std::uint64_t> times; // of the last visit
  std::vector<std::uint8_t> runs;   // blocks in order that led there
  std::vector<bool> untouched;      // read ahead, and nobody has come yet
  std::size_t present = 0, ahead = 0;
  static constexpr std::uint64_t near = 64; // visits after which a block no longer counts as just read
  std::uint64_t clock = near, arrivals = 0;
  KeptBlocks kept;
  std::array<char *, 16> slots; // of addresses where blocks are read, and then moved away
  std::size_t free_slots = 0;
  std::vector<Block> wanted; // to be read ahead, in a circle
  std::size_t first_wanted = 0, num_wanted = 0;
  bool stop = false;
  std::condition_variable work, arrival;
  std::vector<std::thread> readers;
};

} // namespace gc::detail

#endif
