// How many threads a process may ask for.
#ifndef GCOMPILE_TOOL_SUPPORT_THREAD_COUNT_H
#define GCOMPILE_TOOL_SUPPORT_THREAD_COUNT_H

#include <cstdint>
#include <string>
#include <vector>

namespace gc {
struct ProcessGroup;
}

namespace gc::detail {

/// The number after --threads. Throws Error (argument) unless it is from 1 to the most that a program takes.
int thread_count(const std::string &text);

/// Has OpenMP use `asked` threads; 0: those of OMP_NUM_THREADS, else as many as there are processors that the process
/// may use, by its affinity and by the quota of its control groups. The processes of a group divide those that they
/// share; each of them calls it. Throws Error if they are more than a program takes, or than the system gives to this
/// process; OpenMP would end the process without a clear message.
void use_threads(int asked, ProcessGroup *group = nullptr);

/// How many of several processes, this one among them, run on the machine of this one, and how many of these may use a
/// processor that this one may use.
struct Companions {
  int on_machine = 1, on_processors = 1;
};
/// Process `own` of those that have told where they run, one after the other: `words` numbers each, the first of which
/// says on which machine; the others are bits, one for each processor there. Without a bit it may run anywhere.
Companions companions_of(const std::vector<std::uint64_t> &places, std::size_t words, std::size_t own);

/// The threads for a process that may use `processors`, of which its control groups leave it and others `granted`.
int default_threads(int processors, double granted, const Companions &companions);

/// A line that tells of threads that are bound to too few of the machine's processors, as starters of ranks do; else
/// "".
std::string crowding();

/// Has the threads of kernels begin, which takes some milliseconds on a machine with few processors. While the graph is
/// loaded they sleep.
void start_team();

/// The processors that the quotas of control groups leave to a process, of either version: 0.5 is half of one. Infinite
/// without a quota. `membership`: the groups as /proc/self/cgroup lists them; `root`: where they are mounted.
double granted_processors(const std::string &membership, const std::string &root);

} // namespace gc::detail

#endif
