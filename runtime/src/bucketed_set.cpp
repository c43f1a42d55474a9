// Bucketed sets, for each width of ids and each type of priorities.
#include <gcompile/omp/order/bucketed_set_questions.h>

#include <cstdint>

namespace gc {

template class BucketedSet<std::uint32_t, std::int32_t>;
template class BucketedSet<std::uint64_t, std::int32_t>;
template class BucketedSet<std::uint32_t, std::int64_t>;
template class BucketedSet<std::uint64_t, std::int64_t>;

} // namespace gc
