// The calls of a loop of kernels on the host: each starts a kernel.
#ifndef GCOMPILE_CUDA_LOOP_HOST_H
#define GCOMPILE_CUDA_LOOP_HOST_H

#include <gcompile/cuda/algorithms/mode.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/frontier/frontier.h>
#include <gcompile/cuda/kernels/copy.h>
#include <gcompile/cuda/kernels/filter.h>
#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/order/kept_index.h>
#include <gcompile/cuda/order/near_far.h>

#include <cstdint>
#include <utility>

namespace gc {
namespace cuda {

/// Lists of arcs that are not those of the loop's graph, as the host and as kernels see them.
template <class V> struct LoopLists {
  explicit LoopLists(const Graph<V> &graph) : host(&graph), view(graph.view()), arcs(graph.num_arcs()) {}
  const Graph<V> *host;
  gc::Graph<V> view;
  ArcId arcs;
};

/// The work of an ordered propagate, as the host and as kernels see it.
template <class V, class P> struct LoopOrder {
  explicit LoopOrder(NearFar<V, P> &work) : host(&work), view(work.lend()) {}
  NearFar<V, P> *host;
  detail::NearFarView<V, P> view;
};

/// The host, which runs a loop.
template <class V> class LoopHost {
public:
  /// `frontier`: nullptr where the loop has no propagate.
  LoopHost(const Graph<V> &graph, VertexSet<V> *const *sets, Frontier<V> *frontier = nullptr)
      : graph_(graph), sets_(sets), frontier_(frontier) {}
  const gc::Graph<V> &graph() const { return graph_.host(); }
  template <class F> auto for_vertices(const F &f) const { return cuda::for_vertices(graph_, f); }
  template <class F> auto for_vertices(unsigned set, const F &f) const {
    return cuda::for_vertices(graph_, *sets_[set], f);
  }
  template <class F> auto for_out_edges(const F &f) const { return cuda::for_out_edges(graph_, f); }
  template <class F> auto for_out_edges(unsigned set, const F &f) const {
    return cuda::for_out_edges(graph_, *sets_[set], f);
  }
  template <class F> auto for_out_edges(const LoopLists<V> &lists, const F &f) const {
    return cuda::for_out_edges(*lists.host, f);
  }
  template <class F> auto for_out_edges(const LoopLists<V> &lists, unsigned set, const F &f) const {
    return cuda::for_out_edges(*lists.host, *sets_[set], f);
  }
  template <class F> auto for_edges_of(V u, const F &f) const { return cuda::for_edges_of(graph_, u, f); }
  template <class F> auto for_edges_of(const LoopLists<V> &lists, V u, const F &f) const {
    return cuda::for_edges_of(*lists.host, u, f);
  }
  template <class F> auto for_arcs(const F &f) const { return cuda::for_arcs(graph_, f); }
  template <class F> auto for_pairs(const F &f) const { return cuda::for_pairs(graph_, f); }
  template <class F> void once(const F &f) const { cuda::once(f); }
  template <class F> typename F::Parts once(const F &f, const typename F::Parts &parts) const {
    return cuda::once(f, parts);
  }
  template <class Segments> bool segments_pay(Segments *segments, unsigned value_bytes) const {
    return segments->pay(value_bytes);
  }
  template <class Segments, class F>
  void segments_gather(Segments *segments, const F &f, typename F::Value *results) const {
    segments->gather(f, results);
  }
  template <class T> void copy_per_vertex(T *to, const T *from) const { copy(to, from, graph_.num_vertices()); }
  template <class T> void copy_per_arc(T *to, const T *from) const { copy(to, from, graph_.num_arcs()); }
  template <class T> void copy_per_pair(const DenseView<T> &to, const DenseView<T> &from) const {
    copy(to.values, from.values, from.n * from.n);
  }
  template <class T, class Matrix> void copy_column(T *to, const Matrix &from, std::size_t j) const {
    detail::copy_column(to, from, j);
  }
  template <class T> T read(const T *at) const {
    T value;
    check(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost), "copy from the device");
    return value;
  }
  template <class T> void write(T *at, const gc::detail::SameAs<T> &value) const {
    check(cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice), "copy to the device");
  }
  ModeRoom emptied(const ModeRoom &room) const {
    write(room.used, 0);
    return room;
  }

  void start(unsigned from) const { start(graph_, from); }
  void start(const LoopLists<V> &lists, unsigned from) const { start(*lists.host, from); }
  /// From one vertex, for which a kernel has that set.
  void start_at(unsigned, V v) const { start_at(graph_, v); }
  void start_at(const LoopLists<V> &lists, unsigned, V v) const { start_at(*lists.host, v); }
  bool frontier_empty() const { return frontier_->empty(); }
  template <class Push, class Pull, class Commit>
  void propagate(const Push &push, const Pull &pull, const Commit &commit, const Rounds &rounds) const {
    frontier_->propagate(push, pull, commit, rounds);
  }

  template <class P, class Push> void ordered(const LoopOrder<V, P> &order, unsigned from, const Push &push) const {
    order.host->run(*sets_[from], push);
  }
  /// From one vertex, for which a kernel has that set.
  template <class P, class Push> void ordered_at(const LoopOrder<V, P> &order, unsigned, V v, const Push &push) const {
    order.host->run({v}, push);
  }

  template <class K, bool least> IndexNotes<V> notes(const LoopIndex<V, K, least> &index) const {
    return index.host->notes();
  }
  template <class K, bool least> auto best(const LoopIndex<V, K, least> &index) const { return index.host->best(); }
  template <class K, bool least, class Keys> void reindex(const LoopIndex<V, K, least> &index, const Keys &keys) const {
    index.host->reindex(keys);
  }

  std::int64_t size(unsigned set) const { return sets_[set]->size(); }
  bool contains(unsigned set, V v) const { return sets_[set]->contains(v); }
  SetView<V> view(unsigned set) const { return sets_[set]->view(); }
  template <class F> unsigned filter(unsigned to, const F &f) const { return put(to, cuda::filter(graph_, f)); }
  template <class F> unsigned filter(unsigned to, unsigned from, const F &f) const {
    return put(to, cuda::filter(graph_, *sets_[from], f));
  }
  unsigned set_all(unsigned to) const { return put(to, VertexSet<V>::all(graph_)); }
  template <class... Vertices> unsigned set_of(unsigned to, Vertices... vertices) const {
    return put(to, VertexSet<V>::of(graph_, {static_cast<V>(vertices)...}));
  }
  unsigned out_neighbors(unsigned to, V v) const { return put(to, VertexSet<V>::of(graph_, graph().out_neighbors(v))); }
  unsigned in_neighbors(unsigned to, V v) const { return put(to, VertexSet<V>::of(graph_, graph().in_neighbors(v))); }
  unsigned both_neighbors(unsigned to, V v) const {
    return put(to, VertexSet<V>::of(graph_, gc::both_neighbors(graph(), v)));
  }
  unsigned copy_set(unsigned to, unsigned from) const {
    *sets_[to] = *sets_[from];
    return to;
  }
  void move_set(unsigned to, unsigned from) const { std::swap(*sets_[to], *sets_[from]); }
  unsigned unite(unsigned to, unsigned other) const {
    *sets_[to] += *sets_[other];
    return to;
  }
  unsigned intersect(unsigned to, unsigned other) const {
    *sets_[to] &= *sets_[other];
    return to;
  }
  unsigned subtract(unsigned to, unsigned other) const {
    *sets_[to] -= *sets_[other];
    return to;
  }

private:
  void start(const Graph<V> &graph, unsigned from) const {
    frontier_->follow(graph);
    frontier_->start(*sets_[from]);
  }
  void start_at(const Graph<V> &graph, V v) const {
    frontier_->follow(graph);
    frontier_->start({v});
  }
  unsigned put(unsigned to, VertexSet<V> &&set) const {
    *sets_[to] = std::move(set);
    return to;
  }
  template <class T> static void copy(T *to, const T *from, std::size_t size) {
    check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToDevice, 0), "copy on the device");
  }
  const Graph<V> &graph_;
  VertexSet<V> *const *sets_;
  Frontier<V> *frontier_;
};

} // namespace cuda
} // namespace gc

#endif
