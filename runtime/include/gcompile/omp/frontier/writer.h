// How a thread collects its part of the next frontier.
#ifndef GCOMPILE_OMP_FRONTIER_WRITER_H
#define GCOMPILE_OMP_FRONTIER_WRITER_H

#include <gcompile/omp/frontier/frontier.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gc {

/// Collects one thread's share of the next vertices in a push: marks them, or gathers them in a buffer of 16 KiB. In
/// the list of a short frontier those of the first thread come first, and so on: in the next round each thread begins
/// with those that it has found itself, which are in its cache.
template <class V, class A> class Frontier<V, A>::Writer {
public:
  explicit Writer(Frontier &frontier);
  Writer(const Writer &) = delete;
  ~Writer();
  /// Adds a vertex that nobody else adds.
  void push(V v) {
    if (bytes_) {
      __atomic_store_n(&bytes_[v], 1, __ATOMIC_RELAXED);
      count(v);
      return;
    }
    __builtin_prefetch(frontier_.graph_.out_place(v)); // its degree is added up soon
    buffer_[count_++] = v;
    if (count_ == flush_)
      in_order_ ? set_aside() : flush();
  }
  /// Adds a vertex unless it is there. `mine`: the thread's share.
  template <class Mine> void push_once(const Mine &mine, V v) {
    if (bytes_) {
      if (__atomic_load_n(&bytes_[v], __ATOMIC_RELAXED) == 0 &&
          __atomic_exchange_n(&bytes_[v], 1, __ATOMIC_RELAXED) == 0)
        count(v);
    } else if (mine.claim_bit(queued_, v)) {
      push(v);
    }
  }

  /// The same without other threads.
  void push_once(V v) { push_once(Alone(), v); }

  /// Claims a vertex in the bitmap of mark_claimed, and gives `target` the value of the one that did; whether this was
  /// it (S1: a visited bitmap, updated by test-and-test-and-set).
  template <class Mine, class T> bool claim(const Mine &mine, V v, T &target, detail::SameAs<T> desired) {
    if (!mine.claim_bit(claimed_, v))
      return false;
    store(target, desired);
    return true;
  }

private:
  static constexpr std::size_t capacity = 16384 / sizeof(V);

  void count(V v) {
    ++marked_;
    if (frontier_.counting_)
      count_arcs_of(v);
  }
  void flush();
  void set_aside();
  void append_in_order();
  void count_arcs();
  void count_arcs_of(V v) {
    const ArcId list = frontier_.graph_.out_end(v) - frontier_.graph_.out_begin(v);
    arcs_ += list;
    longest_ = std::max(longest_, list);
  }

  Frontier &frontier_;
  std::uint8_t *const bytes_;
  std::uint64_t *const queued_;
  std::uint64_t *const claimed_;
  const bool in_order_;
  const std::size_t flush_; // vertices that the buffer takes
  std::vector<V> aside_;    // what the buffer has no room for, where the order is kept
  std::size_t count_ = 0, marked_ = 0;
  ArcId arcs_ = 0, longest_ = 0; // of the lists
  V buffer_[capacity];
};

// What follows is compiled with the program: the test of mark_claimed is the program's, and the sum of the degrees
// takes wide registers, if the processor has them.

template <class V, class A> template <class IsClaimed> void Frontier<V, A>::mark_claimed(const IsClaimed &is_claimed) {
  if (knows_claimed_)
    return;
  knows_claimed_ = true;
  claimed_.set_where(graph_.wide(), graph_.num_vertices(), is_claimed);
  pace_.begin_again();
}

template <class V, class A> Frontier<V, A>::Writer::~Writer() {
  if (in_order_)
    append_in_order();
  else if (count_ > 0)
    flush();
  if (marked_ > 0)
    __atomic_fetch_add(&frontier_.next_size_, marked_, __ATOMIC_RELAXED);
  if (arcs_ > 0)
    __atomic_fetch_add(&frontier_.next_arcs_, arcs_, __ATOMIC_RELAXED);
  if (longest_ > CutLists<V>::longest)
    __atomic_store_n(&frontier_.next_has_long_, true, __ATOMIC_RELAXED);
}

template <class V, class A> void Frontier<V, A>::Writer::flush() {
  count_arcs();
  const std::size_t at = __atomic_fetch_add(&frontier_.next_size_, count_, __ATOMIC_RELAXED);
  std::copy(buffer_, buffer_ + count_, frontier_.next_list_.data() + at);
  count_ = 0;
}

template <class V, class A> void Frontier<V, A>::Writer::append_in_order() {
  count_arcs();
  const std::size_t at = frontier_.in_order_.place(aside_.size() + count_);
  __atomic_fetch_add(&frontier_.next_size_, aside_.size() + count_, __ATOMIC_RELAXED);
  V *const next = std::copy(aside_.begin(), aside_.end(), frontier_.next_list_.data() + at);
  std::copy(buffer_, buffer_ + count_, next);
}

template <class V, class A> void Frontier<V, A>::Writer::count_arcs() {
  if (!frontier_.counting_)
    return;
  ArcId sum = 0, longest = longest_; // in registers
  for (std::size_t i = 0; i < count_; ++i) {
    const ArcId list = frontier_.graph_.out_end(buffer_[i]) - frontier_.graph_.out_begin(buffer_[i]);
    sum += list;
    longest = std::max(longest, list);
  }
  arcs_ += sum;
  longest_ = longest;
}

/// Collects one thread's share of the next bitmap. Words belong to one thread each: chunks of a multiple of 64
/// vertices. Those of a block get a mark each, which become bits together: bits would wait for each other, where one
/// word takes several.
template <class V, class A> class Frontier<V, A>::BitWriter {
public:
  explicit BitWriter(Frontier &frontier) : frontier_(frontier), words_(frontier.next_bits_.data()) {}
  BitWriter(const BitWriter &) = delete;
  ~BitWriter() {
    set_marked();
    __atomic_fetch_add(&frontier_.next_size_, count_, __ATOMIC_RELAXED);
  }
  /// Adds a vertex of this thread's words. Those that follow each other are best of one block.
  void set(V v) {
    if (v / block_size != block_) {
      set_marked();
      block_ = v / block_size;
    }
    marks_[v % block_size] = 1;
  }
  /// Adds any vertex.
  void set_atomic(V v) { count_ += Bitmap::set_atomic(words_, v); }

private:
  static constexpr std::size_t block_size = 1024; // vertices

  void set_marked();

  Frontier &frontier_;
  std::uint64_t *words_;
  std::size_t count_ = 0, block_ = 0;
  alignas(64) std::uint8_t marks_[block_size] = {};
};

template <class V, class A> void Frontier<V, A>::BitWriter::set_marked() {
  std::uint64_t *word = words_ + block_ * (block_size / 64);
  for (std::size_t first = 0; first < block_size; first += 64, ++word) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, marks_ + first + i, 8);
      bits |= (eight * 0x0102040810204080 >> 56) << i; // the low bits of eight bytes
    }
    if (bits == 0)
      continue;
    count_ += static_cast<std::size_t>(__builtin_popcountll(bits & ~*word));
    *word |= bits;
  }
  std::memset(marks_, 0, block_size);
}

} // namespace gc

#endif
