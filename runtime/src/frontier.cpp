// What frontiers do between rounds, for each width of ids and each form of the lists.
#include <gcompile/core/packed_graph.h>
#include <gcompile/omp/frontier/rounds.h>

#include <cstdint>

namespace gc {

template class Frontier<std::uint32_t>;
template class Frontier<std::uint64_t>;
template class Frontier<std::uint32_t, Packed>;
template class Frontier<std::uint64_t, Packed>;

} // namespace gc
