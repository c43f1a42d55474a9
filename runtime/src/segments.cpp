// Segments, for each width of ids.
#include <gcompile/omp/segments_cut.h>

#include <cstdint>

namespace gc {

template class Segments<std::uint32_t>;
template class Segments<std::uint64_t>;
template class ChosenSegments<std::uint32_t>;
template class ChosenSegments<std::uint64_t>;

} // namespace gc
