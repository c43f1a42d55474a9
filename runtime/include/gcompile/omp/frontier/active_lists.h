// The lists of the vertices that a push comes from.
#ifndef GCOMPILE_OMP_FRONTIER_ACTIVE_LISTS_H
#define GCOMPILE_OMP_FRONTIER_ACTIVE_LISTS_H

#include <gcompile/core/locality.h>
#include <gcompile/core/packed_graph.h>
#include <gcompile/core/unpacked_choice.h>
#include <gcompile/omp/frontier/cut_lists.h>
#include <gcompile/omp/prefetch.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace gc::detail {

constexpr std::size_t fetched_ahead = 8; ///< vertices whose neighbours' values are fetched: prefetch_push

// Lists of vertices that a thread comes to one after the other. `take`: some of a block, of whose vertices `known` are
// known to follow each other, and whose lists are left alone if they are longer than `longest`; it gives how many. They
// go by their numbers among these.

/// They are read where they are.
template <class V, class A> class ListsInPlace {
public:
  static constexpr bool taken_out = false;

  explicit ListsInPlace(const Graph<V, A> &graph)
      : graph_(graph), fetches_(fetching_pays(graph)), fetches_values_(fetches_ && fetching_values_pays(graph)) {}
  const Graph<V, A> &graph() const { return graph_; }

  std::size_t take(const V *, std::size_t count, std::size_t, ArcId) { return count; }

  /// The neighbours of a vertex, or, if there are more than `longest`, those at the arcs that part() gives.
  template <class Part> auto neighbors(std::size_t, V v, ArcId longest, const Part &part) {
    const auto whole = graph_.out_neighbors(v);
    if (whole.size() <= longest)
      return whole;
    const Arcs some = part();
    const auto targets = graph_.targets_at(v);
    return std::decay_t<decltype(whole)>{targets + some.begin, targets + some.end};
  }
  /// What gives, for each of some arcs of the vertex, its target.
  auto targets(std::size_t, V v, Arcs) { return graph_.targets_at(v); }

  /// Has what pushes from later vertices need fetched: `vertex(i)` is the i-th of `follow` vertices, from the k-th on.
  template <class Vertex, class... Fetched>
  GCOMPILE_FETCHES void prefetch(std::size_t, std::size_t follow, const Vertex &vertex,
                                 const Fetched &...fetched) const {
    if (fetches_)
      prefetch_lists<fetched_ahead>(follow, vertex, graph_, fetched...);
    if (fetches_values_)
      prefetch_neighbors<fetched_ahead>(follow, vertex, graph_, fetched...);
  }

private:
  const Graph<V, A> graph_;
  const bool fetches_, fetches_values_;
};

/// Packed lists are taken out of their fields before the first vertex has its turn, and values of neighbours are
/// fetched by the same ids. That pays where lists have some length, or where no processor foresees their ends.
template <class V> class ListsTakenOut {
public:
  static constexpr bool taken_out = true;

  static bool pay(const Graph<V, Packed> &graph) {
    constexpr ArcId longer = 3;   // in the mean
    constexpr double least = 0.2; // of ends that nobody foresees
    const V n = graph.num_vertices();
    return graph.num_arcs() > longer * n || unforeseen_ends(V(0), n, [&](V v) { return graph.out.size(v); }) >= least;
  }

  explicit ListsTakenOut(const Graph<V, Packed> &graph) : graph_(graph), fetches_values_(fetching_values_pays(graph)) {}
  const Graph<V, Packed> &graph() const { return graph_; }

  std::size_t take(const V *vertices, std::size_t count, std::size_t known, ArcId longest) {
    const std::size_t taken = lists_.take(graph_.out, vertices, count, longest);
    fetch_next(vertices, taken, known);
    return taken;
  }

  template <class Part> Span<V> neighbors(std::size_t k, V v, ArcId longest, const Part &part) {
    if (lists_.has(k))
      return lists_.list(k);
    Arcs some = {graph_.out_begin(v), graph_.out_end(v)};
    if (some.end - some.begin > longest)
      some = part();
    return lists_.take_arcs(graph_.out, v, some.begin, some.end);
  }
  /// The targets of arcs from `first` on.
  struct Targets {
    const V *at;
    ArcId first;
    V operator[](ArcId e) const { return at[e - first]; }
  };
  Targets targets(std::size_t k, V v, Arcs arcs) {
    return {(lists_.has(k) ? lists_.list(k) : lists_.take_arcs(graph_.out, v, arcs.begin, arcs.end)).first, arcs.begin};
  }

  /// Calls f(source, target) for the arcs of some of the vertices that follow, in any order, and gives of how many.
  /// `part(v)`: those of the arcs of v, where it has more than `longest`.
  template <class F, class Part, class... Fetched>
  std::size_t each_arc(const V *vertices, std::size_t count, std::size_t known, ArcId longest, const F &f,
                       const Part &part, const Fetched &...fetched) {
    const std::size_t taken = lists_.take_with_sources(graph_.out, vertices, count, longest);
    fetch_next(vertices, taken, known, fetched...);
    const V *const targets = lists_.targets(), *const sources = lists_.sources();
    const std::size_t arcs = lists_.arcs();
    if (sizeof...(Fetched) > 0 && fetches_values_) {
      for (std::size_t e = 0; e < arcs; ++e) {
        (fetched.at(targets[e + UnpackedChoice<V>::most_ahead]), ...);
        f(sources[e], targets[e]);
      }
    } else {
      for (std::size_t e = 0; e < arcs; ++e)
        f(sources[e], targets[e]);
    }
    for (std::uint64_t left = lists_.left(); left; left &= left - 1) {
      const auto k = static_cast<std::size_t>(__builtin_ctzll(left));
      const V u = vertices[k];
      for (const V v : neighbors(k, u, longest, [&] { return part(u); }))
        f(u, v);
    }
    return taken;
  }

  template <class Vertex, class... Fetched>
  GCOMPILE_FETCHES void prefetch(std::size_t k, std::size_t follow, const Vertex &vertex,
                                 const Fetched &...fetched) const {
    if constexpr (sizeof...(Fetched) > 0) {
      if (follow > 2 * fetched_ahead) {
        const V v = vertex(2 * fetched_ahead);
        (fetched.edges_from(graph_.out_begin(v)), ...);
        (fetched.own(v), ...);
      }
      if (!fetches_values_)
        return;
      const V *const near = lists_.near(k + fetched_ahead);
      for (std::size_t i = 0; i < UnpackedChoice<V>::most_near; ++i)
        (fetched.at(near[i]), ...);
    }
  }

private:
  /// Has the lists of the vertices behind those taken fetched, and where the next ones are.
  template <class... Fetched>
  GCOMPILE_FETCHES void fetch_next(const V *vertices, std::size_t taken, std::size_t known,
                                   const Fetched &...fetched) const {
    for (std::size_t k = taken; k < std::min(2 * taken, known); ++k) {
      const V v = vertices[k];
      prefetch_lines(graph_.out_list(v));
      (fetched.edges_from(graph_.out_begin(v)), ...);
      (fetched.own(v), ...);
    }
    for (std::size_t k = 2 * taken; k < std::min(3 * taken, known); ++k)
      __builtin_prefetch(graph_.out_place(vertices[k]));
  }

  const Graph<V, Packed> graph_;
  const bool fetches_values_;
  UnpackedChoice<V> lists_;
};

/// A thread's share of a push for which lists are taken out.
template <class Mine> class TakingOut : public Mine {
public:
  explicit TakingOut(const Mine &mine) : Mine(mine) {}
};

/// Whether a push is worth more than one thread, and whether lists are taken out for it.
struct PushWidth {
  bool wide, takes_out;
};

} // namespace gc::detail

namespace gc {

/// The same as of team.h for a push: the job gets a share that says whether lists are taken out. It has a form for
/// each, as a compiler finds too few registers for both in one.
template <class Job> void parallel(detail::PushWidth width, const Job &job) {
  if (width.takes_out)
    parallel(width.wide, [&job](const auto &mine) { job(detail::TakingOut<std::decay_t<decltype(mine)>>(mine)); });
  else
    parallel(width.wide, job);
}

} // namespace gc

#endif
