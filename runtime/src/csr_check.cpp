#include "csr_check.h"

#include "symmetry.h"

namespace gc::detail {

template <class V> CsrCheck check_csr(const Graph<V> &g, ArcId arcs) {
  bool offsets_ok = g.out_offsets[0] == 0 && g.out_offsets[g.n] == arcs;
#pragma omp parallel for schedule(static) reduction(&& : offsets_ok)
  for (std::uint64_t v = 0; v < g.n; ++v)
    offsets_ok = offsets_ok && g.out_offsets[v] <= g.out_offsets[v + 1] && g.out_offsets[v + 1] <= arcs &&
                 g.out_offsets[v + 1] - g.out_offsets[v] <= INT32_MAX;
  if (!offsets_ok)
    return {"the offsets are corrupt"};
  bool targets_ok = true;
  std::uint64_t balance = 0, loops = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : targets_ok) reduction(+ : balance, loops)
  for (std::uint64_t v = 0; v < g.n; ++v)
    for (ArcId e = g.out_offsets[v]; e < g.out_offsets[v + 1]; ++e) {
      const std::uint64_t u = g.out_targets[e];
      targets_ok = targets_ok && u < g.n && (e == g.out_offsets[v] || g.out_targets[e - 1] <= u);
      loops += u == v;
      if (!g.is_directed && u != v)
        balance += arc_balance(v, u);
    }
  if (!targets_ok)
    return {"the targets are corrupt"};
  if (balance != 0)
    return {"the arcs of an undirected graph are not symmetric"};
  return {nullptr, edges_of_arcs(arcs, loops, g.is_directed)};
}

template CsrCheck check_csr(const Graph<std::uint32_t> &, ArcId);
template CsrCheck check_csr(const Graph<std::uint64_t> &, ArcId);

} // namespace gc::detail
