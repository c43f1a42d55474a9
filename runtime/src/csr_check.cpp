#include "csr_check.h"

#include "symmetry.h"

namespace gc::detail {

/// What each process of a group has found is combined: whether all is sound, and sums.
static void combine(ProcessGroup *group, bool &sound, std::uint64_t &first, std::uint64_t &second) {
  if (!group)
    return;
  const std::vector<std::uint64_t> sums = group->sums({!sound, first, second});
  sound = sums[0] == 0;
  first = sums[1];
  second = sums[2];
}

/// Checks the neighbours in lists whose places are sound.
template <class V, class A>
static CsrCheck check_lists(const Graph<V, A> &g, const VertexBlock &own, ProcessGroup *group) {
  bool targets_ok = true;
  std::uint64_t balance = 0, loops = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : targets_ok) reduction(+ : balance, loops)
  for (std::uint64_t v = own.begin; v < own.end; ++v) {
    std::uint64_t last = 0;
    for (const std::uint64_t u : g.out_neighbors(static_cast<V>(v))) {
      targets_ok = targets_ok && u < g.n && last <= u;
      last = u;
      loops += u == v;
      if (!g.is_directed && u != v)
        balance += arc_balance(v, u);
    }
  }
  combine(group, targets_ok, balance, loops);
  if (!targets_ok)
    return {"the targets are corrupt"};
  if (balance != 0)
    return {"the arcs of an undirected graph are not symmetric"};
  return {nullptr, edges_of_arcs(g.num_arcs(), loops, g.is_directed)};
}

/// Whether both sides have the same arcs, and those by their targets stand in lists that ascend.
template <class V, class A> static bool sides_match(const Graph<V, A> &g, const VertexBlock &own, ProcessGroup *group) {
  bool sound = true;
  std::uint64_t out = 0, in = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : sound) reduction(+ : in)
  for (std::uint64_t v = own.begin; v < own.end; ++v) {
    std::uint64_t last = 0;
    for (const std::uint64_t u : g.in_neighbors(static_cast<V>(v))) {
      sound = sound && u < g.n && last <= u;
      last = u;
      in += splitmix(u ^ splitmix(v));
    }
  }
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : out)
  for (std::uint64_t u = own.begin; u < own.end; ++u)
    for (const std::uint64_t v : g.out_neighbors(static_cast<V>(u)))
      out += splitmix(u ^ splitmix(v));
  combine(group, sound, in, out);
  return sound && in == out;
}

/// Whether offsets begin at 0, ascend by no more than a degree can be, and end at `arcs`.
template <class V> static bool offsets_are_sound(const ArcId *offsets, const Graph<V> &g, ArcId arcs) {
  bool sound = offsets[0] == 0 && offsets[g.n] == arcs;
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::uint64_t v = 0; v < g.n; ++v)
    sound = sound && offsets[v] <= offsets[v + 1] && offsets[v + 1] <= arcs && offsets[v + 1] - offsets[v] <= INT32_MAX;
  return sound;
}

template <class V> CsrCheck check_csr(const Graph<V> &g, ArcId arcs, ProcessGroup *group) {
  if (!offsets_are_sound(g.out_offsets, g, arcs))
    return {"the offsets are corrupt"};
  return check_lists(g, block_of(g, group), group);
}

template <class V> CsrCheck check_packed(const PackedGraph<V> &g) {
  return check_lists(g, VertexBlock{0, g.n}, nullptr);
}

template <class V> bool in_arrays_match(const Graph<V> &g, ProcessGroup *group) {
  return offsets_are_sound(g.in_offsets, g, g.num_arcs()) && sides_match(g, block_of(g, group), group);
}

template <class V> bool in_arrays_match(const PackedGraph<V> &g) {
  return sides_match(g, VertexBlock{0, g.n}, nullptr);
}

template CsrCheck check_packed(const PackedGraph<std::uint32_t> &);
template CsrCheck check_packed(const PackedGraph<std::uint64_t> &);
template bool in_arrays_match(const PackedGraph<std::uint32_t> &);
template bool in_arrays_match(const PackedGraph<std::uint64_t> &);
template CsrCheck check_csr(const Graph<std::uint32_t> &, ArcId, ProcessGroup *);
template CsrCheck check_csr(const Graph<std::uint64_t> &, ArcId, ProcessGroup *);
template bool in_arrays_match(const Graph<std::uint32_t> &, ProcessGroup *);
template bool in_arrays_match(const Graph<std::uint64_t> &, ProcessGroup *);

} // namespace gc::detail
