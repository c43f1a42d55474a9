// Where the threads of a kernel meet: at the chunks of a loop, and at the places in a list.
#ifndef GCOMPILE_OMP_THREADS_MEETINGS_H
#define GCOMPILE_OMP_THREADS_MEETINGS_H

#include <gcompile/omp/threads/chunks.h>
#include <gcompile/omp/threads/in_order.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <sched.h>

namespace gc {

GCOMPILE_OF_LIBRARY Chunks::Chunks(std::size_t threads) : taken_(threads) {}
GCOMPILE_OF_LIBRARY Chunks::~Chunks() = default;

GCOMPILE_OF_LIBRARY void Chunks::restart() {
  for (Taken &part : taken_)
    part.count.store(0, std::memory_order_relaxed);
}

GCOMPILE_OF_LIBRARY Chunks::Way::Way(std::size_t count) : count_(count), size_(count) {}
GCOMPILE_OF_LIBRARY Chunks::Way::Way(Chunks &chunks, std::size_t thread, std::size_t count, bool one_part)
    : chunks_(&chunks), parts_(one_part ? 1 : chunks.threads()), count_(count) {
  enter(thread % parts_);
}

inline void Chunks::Way::enter(std::size_t part) {
  part_ = part;
  first_ = part * count_ / parts_;
  size_ = (part + 1) * count_ / parts_ - first_;
}

GCOMPILE_OF_LIBRARY bool Chunks::Way::take(std::size_t &chunk) {
  if (!chunks_) {
    chunk = first_++;
    return chunk < size_;
  }
  while (true) {
    std::atomic<std::size_t> &taken = chunks_->taken_[part_].count;
    if (taken.load(std::memory_order_acquire) < size_) {
      const std::size_t at = taken.fetch_add(1, std::memory_order_acq_rel);
      if (at < size_) {
        chunk = first_ + at;
        return true;
      }
    }
    if (++seen_ >= parts_)
      return false;
    enter(part_ + 1 < parts_ ? part_ + 1 : 0);
  }
}

namespace detail {

GCOMPILE_OF_LIBRARY void IndexPart::start(std::size_t size, std::size_t chunk, bool ascending) {
  size_ = size;
  chunk_ = chunks_ ? chunk : size;
  way_ =
      chunks_ ? Chunks::Way(*chunks_, thread_, (size + chunk - 1) / chunk, ascending) : Chunks::Way(size > 0 ? 1 : 0);
}

GCOMPILE_OF_LIBRARY void IndexPart::start_equal(std::size_t size) {
  start(size, chunks_ ? size / (4 * chunks_->threads()) + 1 : 1, false);
}

GCOMPILE_OF_LIBRARY bool IndexPart::next(std::size_t &begin, std::size_t &end) {
  std::size_t at = 0;
  if (!way_.take(at))
    return false;
  begin = at * chunk_;
  end = std::min((at + 1) * chunk_, size_);
  return true;
}

} // namespace detail

GCOMPILE_OF_LIBRARY InOrder::InOrder(std::size_t threads) : threads_(threads) {}
GCOMPILE_OF_LIBRARY InOrder::~InOrder() = default;

GCOMPILE_OF_LIBRARY void InOrder::restart(bool on) {
  ++kernel_;
  on_ = on && static_cast<std::size_t>(omp_get_max_threads()) <= threads_.size();
}

GCOMPILE_OF_LIBRARY bool InOrder::enter() {
  if (!on_)
    return false;
  mine().state.store(2 * kernel_, std::memory_order_release);
  return true;
}

GCOMPILE_OF_LIBRARY std::size_t InOrder::place(std::size_t count) {
  Thread &own = mine();
  own.count = count;
  own.state.store(2 * kernel_ + 1, std::memory_order_release);
  std::size_t before = 0;
  for (Thread *other = threads_.data(); count > 0 && other != &own; ++other) {
    int looks = 0;
    while (other->state.load(std::memory_order_acquire) == 2 * kernel_)
      if (++looks > 2000)
        sched_yield();
    if (other->state.load(std::memory_order_relaxed) == 2 * kernel_ + 1)
      before += other->count;
  }
  return before;
}

} // namespace gc

#endif
