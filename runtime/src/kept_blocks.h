// Which blocks of a streamed file stay in memory, and which of them leaves when there is no room.
#ifndef GCOMPILE_SRC_KEPT_BLOCKS_H
#define GCOMPILE_SRC_KEPT_BLOCKS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc::detail {

/// Blocks come, and one leaves for another. The last that came stand in a line; behind it some are kept. Which ones is
/// drawn by lot among all that have left the line once (Vitter, "Random sampling with a reservoir", 1985). So a program
/// that reads a file again and again finds the kept ones each time, spread over the file, where the least recently used
/// block would always be the one that it needs next. Allocates nothing after the constructor.
class KeptBlocks {
public:
  using Block = std::uint32_t;

  /// Of `blocks` blocks, numbered from 0, at most `room` are in memory, `line` of them in the line.
  KeptBlocks(std::size_t blocks, std::size_t room, std::size_t line);

  /// Changes how many may be kept beside the line.
  void set_room(std::size_t room) { most_kept_ = room > line_ ? room - line_ : 0; }

  std::size_t size() const { return waiting_ + kept_.size(); }
  void arrived(Block block);
  /// Takes out the block that is to leave. There must be one.
  Block take_out();
  /// Takes kept blocks out where `stays` says no.
  template <class Stays> void sort_out(const Stays &stays) {
    std::size_t left = 0;
    for (const Block block : kept_)
      if (stays(block))
        kept_[left++] = block;
    kept_.resize(left);
  }

private:
  Block take_first();
  std::size_t draw(std::size_t below);

  std::vector<Block> queue_; // the line, in a circle
  std::size_t first_ = 0, waiting_ = 0;
  std::vector<Block> kept_;
  std::vector<bool> drawn_; // has taken part in the draw
  std::size_t num_drawn_ = 0;
  const std::size_t line_;
  std::size_t most_kept_ = 0;
  std::uint64_t state_ = 1;
};

} // namespace gc::detail

#endif
