// Sets of vertices on the device.
#ifndef GCOMPILE_CUDA_SETS_VERTEX_SET_H
#define GCOMPILE_CUDA_SETS_VERTEX_SET_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/graph.h>
#include <gcompile/cuda/sets/queue.h>
#include <gcompile/cuda/sets/set_view.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace gc {
namespace cuda {

namespace detail {

/// Word i of the bitmap of all vertices.
GCOMPILE_HD inline std::uint32_t word_of_all(std::uint64_t n, std::uint64_t i) {
  return n - i * 32 >= 32 ? ~std::uint32_t(0) : (std::uint32_t(1) << (n - i * 32)) - 1;
}

template <class V> __global__ void set_all_kernel(std::uint32_t *words, V n) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < (std::uint64_t(n) + 31) / 32;
       i += std::uint64_t(gridDim.x) * block_threads)
    words[i] = word_of_all(n, i);
}

template <class V> __global__ void mark_kernel(std::uint32_t *words, const V *items, std::uint64_t count) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < count;
       i += std::uint64_t(gridDim.x) * block_threads)
    atomicOr(&words[items[i] / 32], 1u << (items[i] % 32));
}

enum class SetKernel { unite, intersect, subtract };

GCOMPILE_HD inline std::uint32_t combined(SetKernel kind, std::uint32_t a, std::uint32_t b) {
  return kind == SetKernel::unite ? a | b : kind == SetKernel::intersect ? a & b : a & ~b;
}

/// Combines two bitmaps, the result in the first, and counts its members into `count`.
template <class Word>
__global__ void combine_kernel(SetKernel kind, Word *to, const Word *from, std::uint64_t words,
                               unsigned long long *count) {
  unsigned mine = 0;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i < words;
       i += std::uint64_t(gridDim.x) * block_threads) {
    const std::uint32_t word = combined(kind, to[i], from[i]);
    to[i] = word;
    mine += static_cast<unsigned>(__popc(word));
  }
  mine = WarpLanes<32>().sum(mine);
  if (mine > 0 && lane_of_warp() == 0)
    atomicAdd(count, static_cast<unsigned long long>(mine));
}

/// Adds the members of a bitmap of so many words to a list. The threads of all blocks call.
template <class V> __device__ void list_members(const std::uint32_t *words, std::uint64_t count, Outbox<V> &outbox) {
  const std::uint64_t step = std::uint64_t(gridDim.x) * block_threads;
  for (std::uint64_t i = blockIdx.x * std::uint64_t(block_threads) + threadIdx.x; i / 32 < count; i += step) {
    if (words[i / 32] >> (i % 32) & 1u)
      outbox.push(static_cast<V>(i));
    outbox.collect();
  }
  outbox.finish();
}

template <class V>
__global__ void list_kernel(gc::Graph<V> graph, const std::uint32_t *words, std::uint64_t count, Queue<V> queue) {
  GCOMPILE_CUDA_SHARED(OutboxMemory<V>, memory);
  Outbox<V> outbox(graph, queue, memory);
  list_members(words, count, outbox);
}

} // namespace detail

/// A set as a kernel sees it that may change it: a bitmap, and where `listed` a list with the arcs before each member.
/// There is room for all vertices in both.
template <class V> struct LoopSet {
  std::uint32_t *words;
  V *items;
  ArcId *before;
  std::uint64_t size;
  ArcId arcs;
  bool listed;
};

/// A set of the vertices 0..n-1 of a graph: a bitmap, and once it is asked for a list.
template <class V> class VertexSet {
public:
  VertexSet() = default;
  explicit VertexSet(const Graph<V> &graph) : graph_(&graph) { words_ = Buffer<std::uint32_t>(count_words()); }
  VertexSet(VertexSet &&) noexcept = default;
  VertexSet &operator=(VertexSet &&) noexcept = default;
  VertexSet(const VertexSet &other) { *this = other; }
  VertexSet &operator=(const VertexSet &other) {
    if (this == &other)
      return *this;
    if (!other.graph_)
      return *this = VertexSet();
    prepare(*other.graph_);
    words_.copy_from(other.words_, count_words());
    size_ = other.size_;
    host_ = other.host_;
    listed_ = other.listed_;
    if (listed_) {
      reserve_list();
      items_.copy_from(other.items_, size_);
      before_.copy_from(other.before_, size_);
      arcs_ = other.arcs_;
    }
    return *this;
  }

  static VertexSet all(const Graph<V> &graph) {
    VertexSet set(graph);
    set.size_ = graph.num_vertices();
    const unsigned blocks = blocks_for(set.count_words());
    GCOMPILE_CUDA_LAUNCH((detail::set_all_kernel<V>), blocks, block_threads, set.words_.data(), graph.num_vertices());
    return set;
  }
  /// The vertices of a range of the host, in any order, repeated or none.
  template <class Range> static VertexSet of(const Graph<V> &graph, const Range &range) {
    std::vector<V> members;
    for (V v : range)
      if (v < graph.num_vertices())
        members.push_back(v);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    Buffer<V> items(members.size());
    if (!members.empty())
      items.upload(members.data(), members.size());
    VertexSet set = of_items(graph, items.data(), members.size());
    set.host_ = std::move(members);
    return set;
  }
  /// The vertices of a list on the device, each once, in any order.
  static VertexSet of_items(const Graph<V> &graph, const V *items, std::size_t count) {
    VertexSet set(graph);
    set.words_.clear_bytes();
    set.size_ = count;
    if (count > 0) {
      GCOMPILE_CUDA_LAUNCH((detail::mark_kernel<V>), blocks_for(count), block_threads, set.words_.data(), items,
                           std::uint64_t(count));
      synchronize();
    }
    return set;
  }
  /// The vertices of a bitmap on the device, of as many words as the graph has vertices for, which are so many.
  static VertexSet of_words(const Graph<V> &graph, Buffer<std::uint32_t> words, std::size_t count) {
    VertexSet set;
    set.graph_ = &graph;
    set.words_ = std::move(words);
    set.size_ = count;
    return set;
  }
  static VertexSet of(const Graph<V> &graph, std::initializer_list<V> members) {
    return of<std::initializer_list<V>>(graph, members);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(size_); }
  /// Whether its list counts the arcs of this graph; an empty set counts none.
  bool lists(const Graph<V> &graph) const { return size_ == 0 || graph_->has_lists_of(graph); }
  bool is_all() const { return graph_ && size_ == graph_->num_vertices(); }
  bool contains(V v) const {
    if (!graph_ || v >= graph_->num_vertices())
      return false;
    std::uint32_t word;
    words_.download(&word, 1, v / 32);
    return (word >> (v % 32) & 1u) != 0;
  }
  SetView<V> view() const { return {words_.data(), graph_ ? graph_->num_vertices() : V(0), size()}; }
  /// The members on the host, ascending.
  std::vector<V> members() const {
    if (host_.size() == size_)
      return host_;
    if (size_ < count_words() / 8) {
      host_.resize(size_);
      list();
      items_.download(host_.data(), size_);
      std::sort(host_.begin(), host_.end());
      return host_;
    }
    host_.clear();
    std::vector<std::uint32_t> words(count_words());
    words_.download(words.data(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::uint32_t rest = words[i]; rest; rest &= rest - 1)
        host_.push_back(static_cast<V>(i * 32 + static_cast<unsigned>(__builtin_ctz(rest))));
    return host_;
  }

  VertexSet &operator+=(const VertexSet &other) { return combine(detail::SetKernel::unite, other); }
  VertexSet &operator-=(const VertexSet &other) { return combine(detail::SetKernel::subtract, other); }
  VertexSet &operator&=(const VertexSet &other) { return combine(detail::SetKernel::intersect, other); }
  VertexSet united(const VertexSet &other) const { return VertexSet(*this) += other; }
  VertexSet subtracted(const VertexSet &other) const { return VertexSet(*this) -= other; }
  VertexSet intersected(const VertexSet &other) const { return VertexSet(*this) &= other; }

  // ---- For the kernels of the runtime -------------------------------------------------------------------------------

  /// The members as a list, in no order.
  const V *items() const {
    list();
    return items_.data();
  }
  const ArcId *before() const {
    list();
    return before_.data();
  }
  /// The arcs out of the members.
  ArcId arcs() const {
    list();
    return arcs_;
  }
  /// Makes the set empty and its memory ready for a kernel that collects the members.
  Queue<V> start_collecting() {
    words_.clear_bytes();
    host_.clear();
    reserve_list();
    tally_.clear_bytes();
    return {items_.data(), before_.data(), tally_.data()};
  }
  std::uint32_t *words() { return words_.data(); }
  void finish_collecting() {
    unsigned long long tally = 0;
    check(cudaGetLastError(), "cannot start a kernel");
    tally_.download(&tally, 1);
    size_ = Tally::length(tally);
    arcs_ = Tally::arcs(tally);
    listed_ = true;
  }

  /// Its memory, for a kernel that may change what is there; a set of no graph becomes an empty one.
  LoopSet<V> lend(const Graph<V> &graph) {
    if (!graph_)
      *this = of_items(graph, nullptr, 0);
    if (!lists(graph))
      listed_ = false;
    graph_ = &graph;
    reserve_list();
    return {words_.data(), items_.data(), before_.data(), size_, size_ == 0 ? 0 : arcs_, listed_ || size_ == 0};
  }
  /// What a kernel has left in its memory.
  void take_back(const LoopSet<V> &set) {
    size_ = set.size;
    arcs_ = set.arcs;
    listed_ = set.listed;
    host_.clear();
  }

private:
  std::size_t count_words() const { return (static_cast<std::size_t>(graph_->num_vertices()) + 31) / 32; }
  void prepare(const Graph<V> &graph) {
    graph_ = &graph;
    words_.reserve_discard(count_words());
  }
  void reserve_list() const {
    items_.reserve_discard(graph_->num_vertices());
    before_.reserve_discard(graph_->num_vertices());
    tally_.reserve_discard(1);
  }
  void list() const {
    if (listed_ || !graph_)
      return;
    reserve_list();
    tally_.clear_bytes();
    GCOMPILE_CUDA_LAUNCH((detail::list_kernel<V>), blocks_for(count_words() * 32), block_threads, graph_->view(),
                         words_.data(), std::uint64_t(count_words()),
                         (Queue<V>{items_.data(), before_.data(), tally_.data()}));
    unsigned long long tally = 0;
    tally_.download(&tally, 1);
    arcs_ = Tally::arcs(tally);
    listed_ = true;
  }
  VertexSet &combine(detail::SetKernel kind, const VertexSet &other) {
    if (!other.graph_) {
      if (kind == detail::SetKernel::intersect && graph_)
        *this = of(*graph_, {});
      return *this;
    }
    if (!graph_)
      *this = of(*other.graph_, {});
    tally_.reserve_discard(1);
    tally_.clear_bytes();
    GCOMPILE_CUDA_LAUNCH((detail::combine_kernel<std::uint32_t>), blocks_for(count_words()), block_threads, kind,
                         words_.data(), other.words_.data(), std::uint64_t(count_words()), tally_.data());
    unsigned long long count = 0;
    check(cudaGetLastError(), "cannot start a kernel");
    tally_.download(&count, 1);
    size_ = count;
    listed_ = false;
    host_.clear();
    return *this;
  }

  const Graph<V> *graph_ = nullptr;
  std::uint64_t size_ = 0;
  Buffer<std::uint32_t> words_;
  mutable std::vector<V> host_; ///< the members, once the host has asked; of another length if it has not
  mutable bool listed_ = false;
  mutable ArcId arcs_ = 0;
  mutable Buffer<V> items_;
  mutable Buffer<ArcId> before_;
  mutable Buffer<unsigned long long> tally_;
};

} // namespace cuda
} // namespace gc

#endif
