// A list of entries that a thread adds to.
#ifndef GCOMPILE_OMP_ORDER_ENTRY_LIST_H
#define GCOMPILE_OMP_ORDER_ENTRY_LIST_H

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace gc {

/// A vector whose add is a store or two: what finds room for more is apart from it. T is copied as it is in memory.
template <class T> class EntryList {
public:
  EntryList() = default;
  EntryList(EntryList &&other) noexcept { *this = std::move(other); }
  EntryList &operator=(EntryList &&other) noexcept {
    memory_ = std::move(other.memory_);
    end_ = std::exchange(other.end_, nullptr);
    limit_ = std::exchange(other.limit_, nullptr);
    return *this;
  }

  T *begin() { return memory_.get(); }
  T *end() { return end_; }
  const T *begin() const { return memory_.get(); }
  const T *end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - memory_.get()); }
  bool empty() const { return end_ == memory_.get(); }
  bool has_memory() const { return memory_ != nullptr; }
  bool full() const { return end_ == limit_; }

  /// Adds an entry, for which there is room.
  void add(const T &entry) { *end_++ = entry; }
  /// Makes room for as many again.
  void grow() {
    const std::size_t count = size(), room = std::max<std::size_t>(2 * count, 8);
    std::unique_ptr<T[]> memory(new T[room]);
    std::copy(begin(), end(), memory.get());
    memory_ = std::move(memory);
    end_ = memory_.get() + count;
    limit_ = memory_.get() + room;
  }

  /// Keeps the first `count` entries.
  void cut(std::size_t count) { end_ = memory_.get() + count; }
  void clear() { cut(0); }

private:
  std::unique_ptr<T[]> memory_;
  T *end_ = nullptr, *limit_ = nullptr;
};

} // namespace gc

#endif
