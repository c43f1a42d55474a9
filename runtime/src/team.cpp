// The threads of kernels: see team.h.
#ifdef _OPENMP
#include <gcompile/omp/threads/region_team.h>
#else
#include <gcompile/omp/threads/team.h>

namespace gc::detail {

void run(Together, Work *, Work *alone, const void *job) { alone(job, Share()); }

} // namespace gc::detail
#endif
