#include "layout.h"

#include "csr_build.h"

#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <numeric>

namespace gc::detail {

namespace {

/// The vertices by descending out-degree, of equal degree in their order: a counting sort.
template <class V> std::vector<std::uint64_t> by_degree(const Graph<V> &g) {
  const std::uint64_t n = g.n;
  std::uint64_t greatest = 0;
#pragma omp parallel for schedule(static) reduction(max : greatest)
  for (std::uint64_t v = 0; v < n; ++v)
    greatest = std::max<std::uint64_t>(greatest, g.out_end(static_cast<V>(v)) - g.out_begin(static_cast<V>(v)));
  auto key = [&](std::uint64_t v) {
    return greatest - (g.out_end(static_cast<V>(v)) - g.out_begin(static_cast<V>(v)));
  };
  std::vector<std::uint64_t> starts(greatest + 2, 0), order(n);
  for (std::uint64_t v = 0; v < n; ++v)
    ++starts[key(v) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  for (std::uint64_t v = 0; v < n; ++v)
    order[starts[key(v)]++] = v;
  return order;
}

/// The vertices as a breadth-first search meets them: first the one with the most out-arcs, then all that it reaches,
/// and again from the heaviest that is left (of equal degree: the one with the smallest number). The children of a
/// vertex follow one another in the order of its list.
///
/// A level with little work is done by one thread with a queue. In a larger one, each vertex is claimed by the earliest
/// vertex of the level before that has it, and then listed by the one that claimed it: as the queue would do it.
template <class V> class BreadthFirstOrder {
public:
  explicit BreadthFirstOrder(const Graph<V> &graph) : g(graph), claims(graph.n, none<V>()), order(graph.n) {
    for (const std::uint64_t root : by_degree(g)) {
      if (claims[root] != none<V>())
        continue;
      claims[root] = 0; // before all claims
      order[end] = root;
      visit(end++);
    }
  }

  std::vector<std::uint64_t> take() { return std::move(order); }

private:
  /// Lists all that the vertex at position `begin`, the last one so far, reaches.
  void visit(std::uint64_t begin) {
    while (begin < end) {
      const std::uint64_t stop = end;
      ArcId work = 0;
      for (std::uint64_t i = begin; i < stop && work <= alone; ++i)
        work += 1 + arcs_at(i);
      if (work <= alone || omp_get_max_threads() == 1)
        expand_alone(begin, stop);
      else
        expand_together(begin, stop);
      begin = stop;
    }
  }

  ArcId arcs_at(std::uint64_t position) const {
    const V v = static_cast<V>(order[position]);
    return g.out_end(v) - g.out_begin(v);
  }

  void expand_alone(std::uint64_t begin, std::uint64_t stop) {
    for (std::uint64_t i = begin; i < stop; ++i)
      for (const V v : g.out_neighbors(static_cast<V>(order[i])))
        if (claims[v] == none<V>()) {
          claims[v] = static_cast<V>(i + 1);
          order[end++] = v;
        }
  }

  void expand_together(std::uint64_t begin, std::uint64_t stop) {
    const std::uint64_t size = stop - begin;
    std::vector<ArcId> starts(size + 1); // where the lists of the level begin, one after the other
#pragma omp parallel for schedule(static)
    for (std::uint64_t i = 0; i < size; ++i)
      starts[i] = arcs_at(begin + i);
    exclusive_scan(starts.data(), size);
    const ArcId arcs = starts[size];
    const std::uint64_t parts = std::min<std::uint64_t>(arcs / 1024 + 1, 16 * omp_get_max_threads());
    // Runs f(position, arc) for a part of these arcs, in their order. A part may begin within a list.
    const auto for_part = [&](std::uint64_t part, const auto &f) {
      ArcId from = arcs / parts * part;
      const ArcId to = part + 1 == parts ? arcs : arcs / parts * (part + 1);
      auto i = static_cast<std::uint64_t>(std::upper_bound(starts.begin(), starts.end(), from) - starts.begin() - 1);
      for (; from < to; ++i) {
        const ArcId first = g.out_begin(static_cast<V>(order[begin + i])), last = std::min(to, starts[i + 1]);
        for (; from < last; ++from)
          f(begin + i, first + (from - starts[i]));
      }
    };
#pragma omp parallel for schedule(dynamic, 1)
    for (std::uint64_t part = 0; part < parts; ++part)
      for_part(part, [&](std::uint64_t i, ArcId e) { claim(g.target(e), static_cast<V>(i + 1)); });
    std::vector<std::vector<V>> found(parts);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::uint64_t part = 0; part < parts; ++part)
      for_part(part, [&](std::uint64_t i, ArcId e) {
        const V v = g.target(e);
        const bool repeats = e > g.out_begin(static_cast<V>(order[i])) && g.target(e - 1) == v;
        if (claims[v] == i + 1 && !repeats)
          found[part].push_back(v);
      });
    std::vector<std::uint64_t> at(parts, end);
    for (std::uint64_t part = 0; part < parts; ++part) {
      at[part] = end;
      end += found[part].size();
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (std::uint64_t part = 0; part < parts; ++part)
      std::copy(found[part].begin(), found[part].end(), order.begin() + static_cast<std::ptrdiff_t>(at[part]));
  }

  /// Lowers the claim on v to `by`. What an earlier level reached has a lower one.
  void claim(V v, V by) {
    V known = __atomic_load_n(&claims[v], __ATOMIC_RELAXED);
    while (by < known &&
           !__atomic_compare_exchange_n(&claims[v], &known, by, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
  }

  static constexpr ArcId alone = 8192; ///< the arcs and vertices of a level that one thread expands sooner than several
  const Graph<V> &g;
  std::vector<V> claims; ///< one more than the position of the vertex that reached it; 0 of a root
  std::vector<std::uint64_t> order;
  std::uint64_t end = 0; ///< of what is listed so far
};

/// Sorts adjacency lists by `place` of the neighbours: the new list of v, from offsets[v] on, has what was the list of
/// row(v), each neighbour as name(its place), and `from` says where each arc was. Parallel arcs stay in their order.
template <class V, class Row, class Name>
void sort_lists(std::uint64_t n, const ArcId *old_offsets, const V *old_lists, const std::vector<V> &place, Row row,
                Name name, const ArcId *offsets, V *lists, ArcId *from) {
#pragma omp parallel
  {
    std::vector<std::pair<V, ArcId>> list;
#pragma omp for schedule(dynamic, 256)
    for (std::uint64_t v = 0; v < n; ++v) {
      const std::uint64_t old = row(v);
      list.clear();
      for (ArcId e = old_offsets[old]; e < old_offsets[old + 1]; ++e)
        list.emplace_back(place[old_lists[e]], e);
      std::sort(list.begin(), list.end());
      ArcId at = offsets[v];
      for (const auto &[neighbour, e] : list) {
        lists[at] = name(neighbour);
        from[at++] = e;
      }
    }
  }
}

/// The columns of the arcs in their new order.
template <class V> void move_columns(GraphStorage &storage, const Array<ArcId> &from) {
  Graph<V> &g = storage.arrays<V>().view;
  const ArcId arcs = from.size();
  storage.column_data.resize(storage.columns.size());
  for (std::size_t k = 0; k < storage.columns.size(); ++k)
    with_type(storage.columns[k].type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      ColumnData data = allocate_column(storage.columns[k].type, arcs);
      const T *values = g.template edge_column<T>(static_cast<int>(k));
      T *out = reinterpret_cast<T *>(data.words.data());
#pragma omp parallel for schedule(static)
      for (ArcId e = 0; e < arcs; ++e)
        out[e] = values[from[e]];
      storage.column_data[k] = std::move(data);
      g.columns[k] = storage.column_data[k].values;
    });
}

/// The place of each vertex in an order.
template <class V> std::vector<V> places_in(const std::vector<std::uint64_t> &order) {
  std::vector<V> place(order.size());
  for (std::uint64_t v = 0; v < order.size(); ++v)
    place[order[v]] = static_cast<V>(v);
  return place;
}

} // namespace

template <class V> std::vector<std::uint64_t> vertices_in(VertexOrder order, const Graph<V> &graph) {
  std::vector<std::uint64_t> vertices;
  switch (order) {
  case VertexOrder::input:
    vertices.resize(graph.n);
    std::iota(vertices.begin(), vertices.end(), std::uint64_t(0));
    break;
  case VertexOrder::by_degree:
    vertices = by_degree(graph);
    break;
  case VertexOrder::by_bfs:
    vertices = BreadthFirstOrder<V>(graph).take();
    break;
  }
  return vertices;
}

template <class V>
void order_vertices(VertexOrder by, const std::vector<std::uint32_t> &parts, GraphStorage &storage,
                    const ReadContext &context) {
  const char *const what = by == VertexOrder::by_bfs      ? "ordering the vertices by breadth-first search"
                           : by == VertexOrder::by_degree ? "ordering the vertices by degree"
                                                          : "ordering the vertices by parts";
  context.progress.update(what);
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const std::uint64_t n = g.n;
  const ArcId arcs = g.num_arcs();
  context.budget.require(static_cast<double>(8 * (4 * n + 1) + (sizeof(V) + 8 + 8 * storage.columns.size()) * arcs),
                         what);
  std::vector<std::uint64_t> order = vertices_in(by, g);
  if (!parts.empty())
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t u, std::uint64_t v) { return parts[u] < parts[v]; });
  const std::vector<V> place = places_in<V>(order);

  Array<ArcId> offsets(n + 1);
#pragma omp parallel for schedule(static)
  for (std::uint64_t v = 0; v < n; ++v)
    offsets[v] = g.out_end(static_cast<V>(order[v])) - g.out_begin(static_cast<V>(order[v]));
  exclusive_scan(offsets.data(), n);
  Array<V> targets(arcs);
  Array<ArcId> from(arcs); // where each arc was
  sort_lists(
      n, g.out_offsets, g.out_targets, place, [&](std::uint64_t v) { return order[v]; }, [](V p) { return p; },
      offsets.data(), targets.data(), from.data());
  move_columns<V>(storage, from);
  arrays.out_offsets = std::move(offsets);
  arrays.out_targets = std::move(targets);
  g.out_offsets = arrays.out_offsets.data();
  g.out_targets = arrays.out_targets.data();
  if (storage.input_edges.size() > 0) {
    Array<std::uint64_t> input(n);
#pragma omp parallel for schedule(static)
    for (std::uint64_t v = 0; v < n; ++v)
      input[v] = storage.input_edges[order[v]];
    storage.input_edges = std::move(input);
  }
  storage.ids.reorder(std::move(order));
}

template <class V> void order_neighbors_by_degree(GraphStorage &storage, const ReadContext &context) {
  context.progress.update("ordering the neighbours by degree");
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const std::uint64_t n = g.n;
  const ArcId arcs = g.num_arcs();
  const double lists = g.is_directed && g.in_sources ? 2 : 1, numbers = g.in_edges ? 3 : 1;
  context.budget.require(static_cast<double>(16 * n) +
                             (lists * sizeof(V) + 8 * numbers + 8 * static_cast<double>(storage.columns.size())) *
                                 static_cast<double>(arcs),
                         "ordering the neighbours by degree");
  const std::vector<std::uint64_t> order = by_degree(g);
  const std::vector<V> place = places_in<V>(order);
  const auto same = [](std::uint64_t v) { return v; };
  const auto name = [&](V p) { return static_cast<V>(order[p]); };

  Array<V> targets(arcs);
  Array<ArcId> from(arcs); // where each arc was
  sort_lists(n, g.out_offsets, g.out_targets, place, same, name, g.out_offsets, targets.data(), from.data());
  move_columns<V>(storage, from);
  if (g.in_sources) {
    Array<ArcId> to, in_from; // where each out-arc is now, and where each in-arc was
    if (g.is_directed) {
      Array<V> sources(arcs);
      in_from = Array<ArcId>(arcs);
      sort_lists(n, g.in_offsets, g.in_sources, place, same, name, g.in_offsets, sources.data(), in_from.data());
      arrays.in_sources = std::move(sources);
    }
    if (g.in_edges) {
      to = Array<ArcId>(arcs);
      const ArcId *const in_arc = g.is_directed ? in_from.data() : from.data();
      Array<ArcId> edges(arcs);
#pragma omp parallel for schedule(static)
      for (ArcId e = 0; e < arcs; ++e)
        to[from[e]] = e;
#pragma omp parallel for schedule(static)
      for (ArcId k = 0; k < arcs; ++k)
        edges[k] = to[g.in_edges[in_arc[k]]];
      arrays.in_edges = std::move(edges);
      g.in_edges = arrays.in_edges.data();
    }
  }
  arrays.out_targets = std::move(targets);
  g.out_targets = arrays.out_targets.data();
  if (g.in_sources)
    g.in_sources = g.is_directed ? arrays.in_sources.data() : g.out_targets;
}

template void order_neighbors_by_degree<std::uint32_t>(GraphStorage &, const ReadContext &);
template void order_neighbors_by_degree<std::uint64_t>(GraphStorage &, const ReadContext &);
template void order_vertices<std::uint32_t>(VertexOrder, const std::vector<std::uint32_t> &, GraphStorage &,
                                            const ReadContext &);
template void order_vertices<std::uint64_t>(VertexOrder, const std::vector<std::uint32_t> &, GraphStorage &,
                                            const ReadContext &);
template std::vector<std::uint64_t> vertices_in(VertexOrder, const Graph<std::uint32_t> &);
template std::vector<std::uint64_t> vertices_in(VertexOrder, const Graph<std::uint64_t> &);

} // namespace gc::detail
