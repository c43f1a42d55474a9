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

template <class V> CsrCheck check_csr(const Graph<V> &g, ArcId arcs, ProcessGroup *group) {
  bool offsets_ok = g.out_offsets[0] == 0 && g.out_offsets[g.n] == arcs;
#pragma omp parallel for schedule(static) reduction(&& : offsets_ok)
  for (std::uint64_t v = 0; v < g.n; ++v)
    offsets_ok = offsets_ok && g.out_offsets[v] <= g.out_offsets[v + 1] && g.out_offsets[v + 1] <= arcs &&
                 g.out_offsets[v + 1] - g.out_offsets[v] <= INT32_MAX;
  if (!offsets_ok)
    return {"the offsets are corrupt"};
  const VertexBlock own = block_of(g, group);
  bool targets_ok = true;
  std::uint64_t balance = 0, loops = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : targets_ok) reduction(+ : balance, loops)
  for (std::uint64_t v = own.begin; v < own.end; ++v)
    for (ArcId e = g.out_offsets[v]; e < g.out_offsets[v + 1]; ++e) {
      const std::uint64_t u = g.out_targets[e];
      targets_ok = targets_ok && u < g.n && (e == g.out_offsets[v] || g.out_targets[e - 1] <= u);
      loops += u == v;
      if (!g.is_directed && u != v)
        balance += arc_balance(v, u);
    }
  combine(group, targets_ok, balance, loops);
  if (!targets_ok)
    return {"the targets are corrupt"};
  if (balance != 0)
    return {"the arcs of an undirected graph are not symmetric"};
  return {nullptr, edges_of_arcs(arcs, loops, g.is_directed)};
}

template <class V> bool in_arrays_match(const Graph<V> &g, ProcessGroup *group) {
  const ArcId arcs = g.num_arcs();
  bool sound = g.in_offsets[0] == 0 && g.in_offsets[g.n] == arcs;
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::uint64_t v = 0; v < g.n; ++v)
    sound = sound && g.in_offsets[v] <= g.in_offsets[v + 1] && g.in_offsets[v + 1] <= arcs &&
            g.in_offsets[v + 1] - g.in_offsets[v] <= INT32_MAX;
  if (!sound)
    return false;
  const VertexBlock own = block_of(g, group);
  std::uint64_t out = 0, in = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : sound) reduction(+ : in)
  for (std::uint64_t v = own.begin; v < own.end; ++v)
    for (ArcId k = g.in_offsets[v]; k < g.in_offsets[v + 1]; ++k) {
      const std::uint64_t u = g.in_sources[k];
      sound = sound && u < g.n && (k == g.in_offsets[v] || g.in_sources[k - 1] <= u);
      in += splitmix(u ^ splitmix(v));
    }
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : out)
  for (std::uint64_t u = own.begin; u < own.end; ++u)
    for (ArcId e = g.out_offsets[u]; e < g.out_offsets[u + 1]; ++e)
      out += splitmix(u ^ splitmix(std::uint64_t(g.out_targets[e])));
  combine(group, sound, in, out);
  return sound && in == out;
}

template CsrCheck check_csr(const Graph<std::uint32_t> &, ArcId, ProcessGroup *);
template CsrCheck check_csr(const Graph<std::uint64_t> &, ArcId, ProcessGroup *);
template bool in_arrays_match(const Graph<std::uint32_t> &, ProcessGroup *);
template bool in_arrays_match(const Graph<std::uint64_t> &, ProcessGroup *);

} // namespace gc::detail
