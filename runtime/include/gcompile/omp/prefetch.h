// Prefetching: pushes from a list of vertices have what they will read fetched while they work on earlier vertices.
#ifndef GCOMPILE_OMP_PREFETCH_H
#define GCOMPILE_OMP_PREFETCH_H

#include <gcompile/core/graph.h>
#include <gcompile/core/locality.h>
#include <gcompile/omp/threads/threads.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace gc {

/// A function that does nothing but fetch must be inlined: GCC takes it for one without effect, and drops its calls.
#define GCOMPILE_FETCHES [[gnu::always_inline]] inline

namespace detail {
/// What a processor reaches soon enough, as it looks ahead by itself: a few times its second-level cache. In bytes.
inline const std::size_t near_memory = 8 * second_level_cache();
} // namespace detail

/// Whether it saves time to have fetched what pushes need. Not where lists are short and the graph is small: then it
/// takes longer to ask for a vertex's data than to wait for them.
template <class V, class A> bool fetching_pays(const Graph<V, A> &graph) {
  const std::uint64_t n = graph.num_vertices(), arcs = graph.num_arcs();
  return arcs > 4 * n || sizeof(ArcId) * n + sizeof(V) * arcs > detail::near_memory;
}

/// Whether values of neighbours are among what saves time: not where caches nearly hold one for each vertex. Several
/// threads may share the cache of a core, whether they are told so or not.
template <class V, class A> bool fetching_values_pays(const Graph<V, A> &graph) {
  const std::size_t cache = detail::second_level_cache(), near = omp_get_max_threads() > 1 ? cache / 2 : 2 * cache;
  return sizeof(V) * graph.num_vertices() > near;
}

/// Has the first two cache lines from `first` on fetched.
template <class T> GCOMPILE_FETCHES void prefetch_lines(const T *first) {
  __builtin_prefetch(first);
  __builtin_prefetch(first + 64 / sizeof(T));
}

/// What pushes from a list of vertices need at the neighbours: it is fetched while earlier vertices are at work.
template <class T, class... Columns> struct Fetched {
  T *values;
  std::tuple<const Columns *...> columns; ///< of the edges

  GCOMPILE_FETCHES void edges_from(ArcId e) const {
    std::apply([e](auto... each) { (prefetch_lines(each + e), ...); }, columns);
  }
  template <class V> GCOMPILE_FETCHES void at(V v) const {
    __builtin_prefetch(values + v, std::is_const<T>::value ? 0 : 1);
  }
  template <class V> GCOMPILE_FETCHES void own(V) const {}
};
/// Values of the vertices of the list themselves.
template <class... T> struct OwnFetched {
  std::tuple<T *...> values;

  GCOMPILE_FETCHES void edges_from(ArcId) const {}
  template <class V> GCOMPILE_FETCHES void at(V) const {}
  template <class V> GCOMPILE_FETCHES void own(V v) const {
    std::apply([v](auto... each) { (__builtin_prefetch(each + v), ...); }, values);
  }
};

/// Has what is `fetched` at the first neighbours of the vertex `ahead` places on fetched, where the list is at hand.
template <std::size_t ahead, class V, class A, class Vertex, class... Fetched>
GCOMPILE_FETCHES void prefetch_neighbors(std::size_t follow, const Vertex &vertex, const Graph<V, A> &graph,
                                         const Fetched &...fetched) {
  if (follow > ahead) {
    const auto near = graph.out_neighbors(vertex(ahead));
    for (std::size_t k = 0; k < near.size() && k < 8; ++k)
      (fetched.at(near[k]), ...);
  }
}

/// Has the lists of later vertices fetched: where one is, its beginning and that of its edges' columns, and what is
/// `fetched` at the vertex itself.
template <std::size_t ahead, class V, class A, class Vertex, class... Fetched>
GCOMPILE_FETCHES void prefetch_lists(std::size_t follow, const Vertex &vertex, const Graph<V, A> &graph,
                                     const Fetched &...fetched) {
  if (sizeof...(Fetched) == 0)
    return;
  if (follow > 4 * ahead)
    __builtin_prefetch(graph.out_place(vertex(4 * ahead)));
  if (follow > 2 * ahead) {
    const V v = vertex(2 * ahead);
    prefetch_lines(graph.out_list(v));
    (fetched.edges_from(graph.out_begin(v)), ...);
    (fetched.own(v), ...);
  }
}

/// `vertex(k)`: the k-th of the `follow` vertices whose turn comes next. Each step uses what the one before has brought
/// some vertices earlier: where a list of neighbours is; what prefetch_lists names; what is at its first neighbours,
/// `ahead` vertices on.
template <std::size_t ahead, class V, class A, class Vertex, class... Fetched>
GCOMPILE_FETCHES void prefetch_push(std::size_t follow, const Vertex &vertex, const Graph<V, A> &graph,
                                    const Fetched &...fetched) {
  prefetch_lists<ahead>(follow, vertex, graph, fetched...);
  if (sizeof...(Fetched) > 0)
    prefetch_neighbors<ahead>(follow, vertex, graph, fetched...);
}

/// Has the list of a vertex, and the columns of its edges, fetched.
template <class V, class A, class... Columns>
GCOMPILE_FETCHES void prefetch_list(const Graph<V, A> &graph, V v, const Columns *...columns) {
  prefetch_lines(graph.out_list(v));
  (prefetch_lines(columns + graph.out_begin(v)), ...);
}

/// `values` of vertices that the pushes look at, with columns of the edges. They may write some: to fetch a value to
/// write takes its cache line from the other threads, which pays only where all are written.
template <class T, class... Columns> Fetched<const T, Columns...> fetch(const T *values, const Columns *...columns) {
  return {values, {columns...}};
}
/// `values` that they write at each arc.
template <class T, class... Columns> Fetched<T, Columns...> fetch_to_write(T *values, const Columns *...columns) {
  return {values, {columns...}};
}
/// Values of the vertices of the list themselves.
template <class... T> OwnFetched<T...> fetch_own(T *...values) { return {{values...}}; }

/// Has the element of `values` at the target of an arc some way after `e` fetched. `end`: of the list that e is in.
template <class V, class T>
GCOMPILE_FETCHES void prefetch_target(const Graph<V> &graph, ArcId e, ArcId end, const T *values) {
  if (e + 16 < end)
    __builtin_prefetch(values + graph.target(e + 16));
}

} // namespace gc

#endif
