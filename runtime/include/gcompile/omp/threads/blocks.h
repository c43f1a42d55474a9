// The indices of a loop in blocks, which do not depend on how threads share it.
#ifndef GCOMPILE_OMP_THREADS_BLOCKS_H
#define GCOMPILE_OMP_THREADS_BLOCKS_H

#include <gcompile/omp/threads/per_thread.h>
#include <gcompile/omp/threads/share.h>

#include <algorithm>
#include <cstddef>

namespace gc {

class BlockPart;

/// Blocks of so many indices, but for the last one.
class Blocks {
public:
  explicit Blocks(std::size_t count) : count_(count) {}

  std::size_t size() const { return (count_ + length - 1) / length; }
  std::size_t begin(std::size_t block) const { return block * length; }
  std::size_t end(std::size_t block) const { return std::min(begin(block) + length, count_); }
  /// A thread's blocks, of which it takes one at a time.
  BlockPart of(const Share &mine) const;

private:
  static constexpr std::size_t length = 512;
  std::size_t count_;
};

/// A thread's blocks of a loop: `while (block.next())` visit the indices begin to end - 1.
class BlockPart {
public:
  std::size_t begin = 0, end = 0;

  BlockPart(const Blocks &blocks, const Share &mine) : blocks_(blocks), part_(mine.dynamic(blocks.size(), 1)) {}

  /// The block's number.
  std::size_t number() const { return number_; }

  /// Not inlined: so the loop over the blocks takes no registers from the loops inside of it.
  [[gnu::noinline]] bool next() {
    if (++number_ >= part_.end) {
      if (!part_.next())
        return false;
      number_ = part_.begin;
    }
    begin = blocks_.begin(number_);
    end = blocks_.end(number_);
    return true;
  }

private:
  const Blocks &blocks_;
  Part<std::size_t> part_;
  std::size_t number_ = 0;
};

inline BlockPart Blocks::of(const Share &mine) const { return BlockPart(*this, mine); }

/// One value for each block. Sums of real numbers are the same from run to run.
template <class T> class PerBlock : public detail::Partial<T> {
public:
  explicit PerBlock(const Blocks &blocks, T neutral = T()) : detail::Partial<T>(blocks.size(), neutral) {}

  T &operator[](const BlockPart &block) { return this->at(block.number()); }
};

} // namespace gc

#endif
