// What buckets do between rounds, for each width of ids and each type of priorities.
#include <gcompile/omp/order/bucket_rounds.h>

#include <cstdint>

namespace gc {

template class Buckets<std::uint32_t, std::int32_t>;
template class Buckets<std::uint64_t, std::int32_t>;
template class Buckets<std::uint32_t, Greatest<std::int32_t>>;
template class Buckets<std::uint64_t, Greatest<std::int32_t>>;
template class Buckets<std::uint32_t, std::int64_t>;
template class Buckets<std::uint64_t, std::int64_t>;
template class Buckets<std::uint32_t, Greatest<std::int64_t>>;
template class Buckets<std::uint64_t, Greatest<std::int64_t>>;
template class Buckets<std::uint32_t, float>;
template class Buckets<std::uint64_t, float>;
template class Buckets<std::uint32_t, Greatest<float>>;
template class Buckets<std::uint64_t, Greatest<float>>;
template class Buckets<std::uint32_t, double>;
template class Buckets<std::uint64_t, double>;
template class Buckets<std::uint32_t, Greatest<double>>;
template class Buckets<std::uint64_t, Greatest<double>>;

} // namespace gc
