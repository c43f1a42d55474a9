#include "scotch.h"

#include "scotch_graph.h"

#include <gcompile/core/error.h>

namespace gc::detail {

Scotch::Scotch() : library_({"libscotch-7.0.so", "libscotch.so"}) {
  if (!library_.find("SCOTCH_graphPart"))
    throw Error(ErrorKind::resource, "--partition=scotch: Scotch is not installed: install it, as libscotch-dev of "
                                     "Debian, or PT-Scotch, as libptscotch-7.0, on all machines");
}

template <class V>
std::vector<std::uint32_t> Scotch::parts(const Graph<V> &graph, int parts, MemoryBudget &budget) const {
  if (parts == 1 || graph.num_vertices() == 0)
    return std::vector<std::uint32_t>(graph.num_vertices(), 0);
  return library_.number_bits() == 32 ? parts_with<std::int32_t>(graph, parts, budget)
                                      : parts_with<std::int64_t>(graph, parts, budget);
}

template <class Number, class V>
std::vector<std::uint32_t> Scotch::parts_with(const Graph<V> &graph, int parts, MemoryBudget &budget) const {
  const std::uint64_t n = graph.num_vertices();
  const ScotchGraph<Number> arrays = scotch_graph<Number>(graph, VertexBlock{0, n}, budget);
  const ScotchLibrary::Object scotch = library_.make("SCOTCH_graphAlloc"),
                              strategy = library_.make("SCOTCH_stratAlloc");
  std::vector<Number> found(n, 0);
  const auto require = [](int status) {
    if (status != 0)
      throw Error(ErrorKind::resource, "--partition=scotch: Scotch could not divide the graph");
  };
  library_.seed<Number>();
  require(library_.function<int(void *)>("SCOTCH_graphInit")(scotch.get()));
  require(library_.function<int(void *)>("SCOTCH_stratInit")(strategy.get()));
  using Array = const Number *;
  require(library_.function<int(void *, Number, Number, Array, Array, Array, Array, Number, Array, Array)>(
      "SCOTCH_graphBuild")(scotch.get(), 0, static_cast<Number>(n), arrays.begins.data(), nullptr, arrays.work.data(),
                           nullptr, static_cast<Number>(arrays.lists.size()), arrays.lists.data(), arrays.arcs.data()));
  require(library_.function<int(void *, Number, Number, double)>("SCOTCH_stratGraphMapBuild")(
      strategy.get(), 0, static_cast<Number>(parts), ScotchLibrary::most_imbalance));
  require(library_.function<int(void *, Number, void *, Number *)>("SCOTCH_graphPart")(
      scotch.get(), static_cast<Number>(parts), strategy.get(), found.data()));
  library_.function<void(void *)>("SCOTCH_stratExit")(strategy.get());
  library_.function<void(void *)>("SCOTCH_graphExit")(scotch.get());
  return {found.begin(), found.end()};
}

template std::vector<std::uint32_t> Scotch::parts(const Graph<std::uint32_t> &, int, MemoryBudget &) const;
template std::vector<std::uint32_t> Scotch::parts(const Graph<std::uint64_t> &, int, MemoryBudget &) const;

} // namespace gc::detail
