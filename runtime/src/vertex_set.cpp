// Changes of sets, for each width of ids.
#include <gcompile/omp/sets/vertex_set_changes.h>

#include <cstdint>

namespace gc {

template class VertexSet<std::uint32_t>;
template class VertexSet<std::uint64_t>;
template class VertexSetBuilder<std::uint32_t>;
template class VertexSetBuilder<std::uint64_t>;

} // namespace gc
