// Segments, for each width of ids and each form of the lists.
#include <gcompile/core/packed_graph.h>
#include <gcompile/omp/segments_cut.h>

#include <cstdint>

namespace gc {

template class Segments<std::uint32_t>;
template class Segments<std::uint64_t>;
template class Segments<std::uint32_t, Packed>;
template class Segments<std::uint64_t, Packed>;
template class ChosenSegments<std::uint32_t>;
template class ChosenSegments<std::uint64_t>;
template class ChosenSegments<std::uint32_t, Packed>;
template class ChosenSegments<std::uint64_t, Packed>;

} // namespace gc
