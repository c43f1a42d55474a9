// How many threads a process may ask for.
#ifndef GCOMPILE_TOOL_SUPPORT_THREAD_COUNT_H
#define GCOMPILE_TOOL_SUPPORT_THREAD_COUNT_H

#include <string>

namespace gc::detail {

/// The number after --threads. Throws Error (argument) unless it is from 1 to the most that a program takes.
int thread_count(const std::string &text);

/// Has OpenMP use `asked` threads; 0: those of OMP_NUM_THREADS, else as many as there are processors that the process
/// may use, by its affinity and by the quota of its control groups. Throws Error if they are more than a program takes,
/// or than the system gives to this process; OpenMP would end the process without a clear message.
void use_threads(int asked);

/// Has the threads of kernels begin, which takes some milliseconds on a machine with few processors. While the graph is
/// loaded they sleep.
void start_team();

/// The processors that the quotas of control groups leave to a process, of either version: 0.5 is half of one. Infinite
/// without a quota. `membership`: the groups as /proc/self/cgroup lists them; `root`: where they are mounted.
double granted_processors(const std::string &membership, const std::string &root);

} // namespace gc::detail

#endif
