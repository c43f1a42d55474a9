// What buckets do between rounds, for each width of ids and each type of priorities.
#include <gcompile/omp/order/bucket_rounds.h>

#include <cstdint>

namespace gc {

#define GCOMPILE_BUCKETS_OF(P)                                                                                         \
  template class Buckets<std::uint32_t, P>;                                                                            \
  template class Buckets<std::uint64_t, P>;                                                                            \
  template class Buckets<std::uint32_t, Greatest<P>>;                                                                  \
  template class Buckets<std::uint64_t, Greatest<P>>;
GCOMPILE_BUCKETS_OF(std::int32_t)
GCOMPILE_BUCKETS_OF(std::int64_t)
GCOMPILE_BUCKETS_OF(float)
GCOMPILE_BUCKETS_OF(double)

} // namespace gc
