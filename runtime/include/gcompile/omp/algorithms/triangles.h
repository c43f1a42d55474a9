// Counting triangles: every edge directed from the smaller end, common successors of the two ends of each edge.
#ifndef GCOMPILE_OMP_ALGORITHMS_TRIANGLES_H
#define GCOMPILE_OMP_ALGORITHMS_TRIANGLES_H

#include <gcompile/core/adjacency.h>
#include <gcompile/core/graph.h>
#include <gcompile/core/packed_lists.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

namespace detail {

/// Whether a few vertices hold so many of the arcs that an order by degree pays.
template <class V, class A> inline bool is_skewed(const Graph<V, A> &graph) {
  const V n = graph.num_vertices();
  const ArcId arcs = graph.num_arcs();
  if (n == 0 || arcs / n < 10)
    return false;
  constexpr std::size_t samples = 1000;
  std::vector<ArcId> degrees(std::min<std::size_t>(samples, n));
  std::uint64_t state = 0, total = 0;
  for (ArcId &degree : degrees) {
    state += 0x9e3779b97f4a7c15u;
    const V v = static_cast<V>(mix(state) % n);
    degree = graph.out_end(v) - graph.out_begin(v);
    total += degree;
  }
  std::nth_element(degrees.begin(), degrees.begin() + degrees.size() / 2, degrees.end());
  return total / degrees.size() / 2 > degrees[degrees.size() / 2];
}

/// A graph whose vertices are numbered anew: for each, first the neighbours with smaller numbers, ascending, then the
/// others.
template <class V> struct Renumbered {
  Array<ArcId> offsets;
  Array<ArcId> middles; ///< where the others begin
  Array<V> targets;
  bool repeated = false; ///< some edge occurred several times
};

/// Numbers the vertices by falling degree. Self-loops and repeated edges go.
template <class V, class A> Renumbered<V> renumber_by_degree(const Graph<V, A> &graph) {
  const V n = graph.num_vertices();
  const auto degree = [&](V v) { return graph.out_end(v) - graph.out_begin(v); };
  ArcId greatest = 0;
  for (V v = 0; v < n; ++v)
    greatest = std::max(greatest, degree(v));
  // A counting sort; vertices of one degree stay in order.
  std::vector<V> starts(static_cast<std::size_t>(greatest) + 2, 0);
  for (V v = 0; v < n; ++v)
    ++starts[static_cast<std::size_t>(greatest - degree(v)) + 1];
  for (std::size_t d = 1; d < starts.size(); ++d)
    starts[d] += starts[d - 1];
  Array<V> order(n), rank(n);
  for (V v = 0; v < n; ++v) {
    const V r = starts[static_cast<std::size_t>(greatest - degree(v))]++;
    rank[v] = r;
    order[r] = v;
  }

  Renumbered<V> result;
  result.offsets = Array<ArcId>(static_cast<std::size_t>(n) + 1);
  result.middles = Array<ArcId>(n);
  result.offsets[0] = 0;
  for (V r = 0; r < n; ++r)
    result.offsets[r + 1] = result.offsets[r] + degree(order[r]);
  result.targets = Array<V>(result.offsets[n]);
  std::atomic<bool> repeated{false};
  const auto fill = [&](V r) {
    V *const first = result.targets.data() + result.offsets[r], *front = first;
    V *const last = result.targets.data() + result.offsets[r + 1], *back = last;
    V previous = none<V>();
    for (const V u : graph.out_neighbors(order[r])) {
      if (u == previous) {
        repeated.store(true, std::memory_order_relaxed);
        continue;
      }
      previous = u;
      const V other = rank[u];
      if (other < r)
        *front++ = other;
      else if (other > r)
        *--back = other;
    }
    std::sort(first, front);
    // Left out edges leave a gap, which repetitions of the last number fill.
    std::fill(front, back, none<V>());
    std::move(back, last, front);
    std::fill(front + (last - back), last, none<V>());
    result.middles[r] = static_cast<ArcId>(front - result.targets.data());
  };
  parallel(graph.wide(), [&](const Share &mine) {
    for (auto part = mine.dynamic(n, 256); part.next();)
      for (V r = part.begin; r < part.end; ++r)
        fill(r);
  });
  result.repeated = repeated;
  return result;
}

/// Neighbours that are compared, at most; more are marked.
constexpr std::size_t few_neighbors = 16;

/// A short list as an array: itself, or a copy of a packed one in `room`.
template <class V> Span<V> as_array(const Span<V> &list, V *) { return list; }
template <class V> Span<V> as_array(const PackedList<V> &list, V *room) {
  return {room, std::copy(list.begin(), list.end(), room)};
}

/// Where each triangle a < b < c is counted. At `middle`, b looks at the lists of its greater neighbours c up to b:
/// little where vertices are numbered by falling degree, since few neighbours are smaller. At `greatest`, c looks at
/// the lists of its smaller neighbours b up to b, all but the least: none where a tree is numbered from its root.
enum class Corner { middle, greatest };

/// Whether a vertex whose `own` neighbours could close a triangle searches for each of them in a list of `size`.
constexpr bool is_long_beside(std::size_t size, std::size_t own) { return size > 64 * own; }

/// How many of [first, last), ascending, one or few, are in the long `list`: intersected() that looks ahead there
/// alone.
template <class V, class List> std::int64_t count_by_search(const V *first, const V *last, const List &list) {
  if (last[-1] < *list.first) // that of a hub which knows no other
    return 0;
  std::int64_t count = 0;
  auto at = list.first;
  for (; first != last; ++first) {
    at = gallop(at, list.last, *first);
    count += at != list.last && *at == *first;
  }
  return count;
}

/// What count_closed counts at one vertex v, which has few neighbours: their lists are merged with its own. Sets
/// `repeated` if it has a smaller neighbour twice.
template <Corner corner, class V, class A>
std::int64_t count_closed_by_few(V v, const Graph<V, A> &graph, bool &repeated) {
  V room[few_neighbors];
  const Span<V> all = as_array(graph.out_neighbors(v), room);
  const V *const first = all.first, *last = all.last, *half = first;
  for (; half != last && *half < v; ++half)
    repeated |= corner == Corner::greatest && half != first && half[-1] == *half;
  const V *from = half, *to = last;
  if (corner == Corner::greatest) {
    from = first + 1;
    to = half;
  }
  if (half == first)
    return 0;
  std::int64_t count = 0;
  for (const V *u = from; u < to; ++u) {
    if (corner == Corner::middle && *u == none<V>()) // gaps
      break;
    const auto list = graph.out_neighbors(*u);
    if (corner == Corner::greatest && is_long_beside(list.size(), static_cast<std::size_t>(u - first))) {
      count += count_by_search(first, u, list);
      continue;
    }
    // The lists end no later than at v, and behind what is compared comes a greater one in v's own.
    const V end = corner == Corner::middle ? v : *u, *own = first;
    auto at = list.first;
    for (V w = *at; w < end; w = *++at) {
      while (*own < w)
        ++own;
      count += *own == w;
    }
  }
  return count;
}

/// The same at a vertex that has more, whose smaller neighbours, up to `half`, are marked in a bitmap meanwhile.
template <Corner corner, class V, class A, class P>
std::int64_t count_closed_by_marks(V v, const Graph<V, A> &graph, P half, std::uint64_t *marks, bool &repeated) {
  constexpr std::size_t ahead = 6; // lists that are fetched early
  const Span<V, P> all = graph.out_neighbors(v), smaller{all.first, half}, greater{half, all.last};
  if (corner == Corner::greatest) {
    V previous = none<V>();
    for (const V u : smaller) {
      repeated |= u == previous;
      previous = u;
    }
  }
  const Span<V, P> &others = corner == Corner::middle ? greater : smaller;
  if (smaller.empty() || others.empty())
    return 0;
  for (const V w : smaller)
    marks[w / 64] |= std::uint64_t(1) << (w % 64);
  std::uint64_t count = 0;
  const std::size_t size = others.size();
  for (std::size_t i = corner == Corner::middle ? 0 : 1; i < size; ++i) {
    if (i + ahead < size && others[i + ahead] != none<V>())
      __builtin_prefetch(graph.out_list(others[i + ahead]));
    const V u = others[i];
    if (u == none<V>()) // gaps
      break;
    // The list ends no later than at v.
    const V end = corner == Corner::middle ? v : u;
    auto at = graph.out_neighbors(u).first;
    for (V w = *at; w < end; w = *++at)
      count += (marks[w / 64] >> (w % 64)) & 1;
  }
  for (const V w : smaller)
    marks[w / 64] = 0;
  return static_cast<std::int64_t>(count);
}

/// What a thread takes of a graph at a time, so many vertices and arcs: where all others are short, long lists may
/// stand side by side.
constexpr std::uint64_t chunk_of_lists = 8192;

/// The first vertex of a chunk.
template <class V, class A> V first_of_chunk(const Graph<V, A> &graph, std::uint64_t chunk) {
  const std::uint64_t before = chunk * chunk_of_lists;
  V first = 0;
  for (V rest = graph.num_vertices(); rest > 0;) {
    const V half = rest / 2, v = first + half;
    const bool earlier = graph.out_begin(v) + v < before;
    first = earlier ? v + 1 : first;
    rest = earlier ? rest - half - 1 : half;
  }
  return first;
}

/// What count_closed counts at the vertices from `first` to `end` - 1. `bitmap`: empty until a vertex asks for it.
template <Corner corner, class V, class A, class Middle>
std::int64_t count_closed_from(V first, V end, const Graph<V, A> &whole, const Middle &middle,
                               std::vector<std::uint64_t> &bitmap, bool &repeated) {
  const Graph<V, A> graph = whole; // an own copy stays in registers
  std::int64_t found = 0;
  bool twice = false;
  for (V v = first; v < end; ++v) {
    if (graph.out_neighbors(v).size() <= few_neighbors) {
      found += count_closed_by_few<corner>(v, graph, twice);
      continue;
    }
    if (bitmap.empty())
      bitmap.resize(static_cast<std::size_t>(graph.num_vertices()) / 64 + 1, 0);
    found += count_closed_by_marks<corner>(v, graph, middle(v), bitmap.data(), twice);
  }
  repeated |= twice;
  return found;
}

/// The number of triples w < v < u of mutual neighbours, each counted at the `corner`. The neighbours of v are first
/// the smaller ones, ascending, then from middle(v) on the others, and possibly none. The smaller ones of a vertex with
/// many are marked in a bitmap, against which the beginnings of others' lists are tested. Less than 0 if some list has
/// a vertex twice; at the middle, it must not.
template <Corner corner, class V, class A, class Middle>
std::int64_t count_closed(const Graph<V, A> &graph, Middle middle) {
  const std::uint64_t chunks = (graph.num_arcs() + graph.num_vertices()) / chunk_of_lists + 1;
  std::atomic<std::int64_t> total{0};
  std::atomic<bool> repeated{false};
  parallel(graph.wide(), [&](const Share &mine) {
    std::vector<std::uint64_t> bitmap;
    std::int64_t found = 0;
    bool twice = false;
    // Vertices whose ids are close may share neighbours: a thread has those of its own part first.
    for (auto part = mine.dynamic(chunks, 1); part.next();)
      found += count_closed_from<corner>(first_of_chunk(graph, part.begin), first_of_chunk(graph, part.end), graph,
                                         middle, bitmap, twice);
    total += found;
    if (twice)
      repeated = true;
  });
  return repeated ? -1 : total.load();
}

} // namespace detail

/// The number of triangles u < v < w with each edge from u to v counted as often as it occurs.
template <class V, class A> std::int64_t count_with_repetitions(const Graph<V, A> &graph) {
  std::atomic<std::int64_t> total{0};
  parallel(graph.wide(), [&](const Share &mine) {
    std::int64_t found = 0;
    for (auto part = mine.dynamic(graph.num_vertices(), 64); part.next();)
      for (V u = part.begin; u < part.end; ++u)
        for (const V v : graph.out_neighbors(u))
          if (u < v)
            for (const V w : intersected(distinct(graph.out_neighbors(u)), distinct(graph.out_neighbors(v))))
              found += v < w;
    total += found;
  });
  return total;
}

/// The number of triangles of an undirected graph, each counted once; where an edge occurs several times, that of the
/// two smallest corners counts as often.
template <class V, class A> std::int64_t count_triangles(const Graph<V, A> &graph) {
  if (detail::is_skewed(graph)) {
    const detail::Renumbered<V> sorted = detail::renumber_by_degree(graph);
    Graph<V> renumbered;
    renumbered.n = graph.num_vertices();
    renumbered.out_offsets = sorted.offsets.data();
    renumbered.out_targets = sorted.targets.data();
    return sorted.repeated ? count_with_repetitions(graph)
                           : detail::count_closed<detail::Corner::middle>(
                                 renumbered, [&](V v) { return sorted.targets.data() + sorted.middles[v]; });
  }
  // In the order of the ids, the lists are sorted already.
  const std::int64_t count = detail::count_closed<detail::Corner::greatest>(graph, [&](V v) {
    const auto list = graph.out_neighbors(v);
    return detail::lower_bound(list.first, list.last, v);
  });
  return count < 0 ? count_with_repetitions(graph) : count;
}

} // namespace gc

#endif
