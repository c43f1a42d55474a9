#include "runtime/tool_support/thread_count.h"

#include "runtime/tool_support/command_line.h"

#include <gcompile/core/error.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/process_group.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace gc::detail {

namespace {

/// More than the processors of any machine. OpenMP keeps a record of each thread on the stack, which ends somewhere.
constexpr int most_threads = 4096;

std::string range() { return "1 to " + std::to_string(most_threads); }

void *wait_for(void *gate) {
  const std::lock_guard<std::mutex> lock(*static_cast<std::mutex *>(gate));
  return nullptr;
}

/// The error of the system when it refuses to run `count` threads at a time; 0: it does not.
int refusal(int count) {
  std::mutex gate;
  std::vector<pthread_t> threads;
  int error = 0;
  {
    const std::lock_guard<std::mutex> closed(gate);
    for (int i = 1; i < count && error == 0; ++i) {
      pthread_t thread;
      error = pthread_create(&thread, nullptr, wait_for, &gate);
      if (error == 0)
        threads.push_back(thread);
    }
  }
  for (const pthread_t thread : threads)
    pthread_join(thread, nullptr);
  return error;
}

/// Words of Companions: the machine, and the processors of a cpu_set_t.
constexpr std::size_t place_words = 1 + CPU_SETSIZE / 64;

/// Where this process runs, as companions_of reads it.
std::vector<std::uint64_t> own_place() {
  // The name may be that of many machines; the number is of one, since it was started.
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  std::string machine = name, boot;
  if (std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot))
    machine = boot;
  std::vector<std::uint64_t> place(place_words, 0);
  place[0] = std::hash<std::string>()(machine);
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == 0)
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &processors))
        place[1 + i / 64] |= std::uint64_t(1) << (i % 64);
  return place;
}

} // namespace

int thread_count(const std::string &text) {
  const int count = positive("--threads", text);
  if (count > most_threads)
    throw Error(ErrorKind::argument, "--threads is " + range() + ", not " + text);
  return count;
}

double granted_processors(const std::string &membership, const std::string &root) {
  double least = std::numeric_limits<double>::infinity();
  std::ifstream groups(membership);
  for (std::string line; std::getline(groups, line);) { // NUMBER:CONTROLLERS:/PATH
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && ("," + controllers + ",").find(",cpu,") == std::string::npos)
      continue;
    const std::string mounted = root + (controllers.empty() ? "" : "/" + controllers);
    // A quota of any group above counts too. In a container the path may be that outside of it.
    for (std::string path = line.substr(second + 1); true; path.resize(std::min(path.size(), path.rfind('/')))) {
      if (path == "/")
        path.clear();
      double quota = 0, period = 0;
      if (std::ifstream both(mounted + path + "/cpu.max"); both >> quota >> period && quota > 0 && period > 0)
        least = std::min(least, quota / period);
      std::ifstream quota_file(mounted + path + "/cpu.cfs_quota_us"),
          period_file(mounted + path + "/cpu.cfs_period_us");
      if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
        least = std::min(least, quota / period);
      if (path.empty())
        break;
    }
  }
  return least;
}

Companions companions_of(const std::vector<std::uint64_t> &places, std::size_t words, std::size_t own) {
  const std::uint64_t *const mine = places.data() + own * words;
  const auto anywhere = [&](const std::uint64_t *place) {
    return std::all_of(place + 1, place + words, [](std::uint64_t bits) { return bits == 0; });
  };
  Companions companions{0, 0};
  for (const std::uint64_t *place = places.data(); place != places.data() + places.size(); place += words) {
    if (place[0] != mine[0])
      continue;
    ++companions.on_machine;
    bool meet = anywhere(place) || anywhere(mine);
    for (std::size_t i = 1; i < words; ++i)
      meet |= (place[i] & mine[i]) != 0;
    companions.on_processors += meet;
  }
  return companions;
}

int default_threads(int processors, double granted, const Companions &companions) {
  const int by_affinity = processors / companions.on_processors;
  // A process alone may use a part of a processor; several would have more threads than that.
  const double quota = granted / companions.on_machine;
  const double by_quota = companions.on_machine > 1 ? std::floor(quota) : std::ceil(quota);
  return static_cast<int>(std::max(1.0, std::min<double>(by_affinity, by_quota)));
}

void use_threads(int asked, ProcessGroup *group) {
  const Companions companions =
      group ? companions_of(group->all(own_place()), place_words, static_cast<std::size_t>(group->rank()))
            : Companions();
  if (asked > 0)
    omp_set_num_threads(asked);
  else if (std::getenv("OMP_NUM_THREADS") == nullptr && omp_get_max_threads() == omp_get_num_procs())
    omp_set_num_threads(
        default_threads(omp_get_num_procs(), granted_processors("/proc/self/cgroup", "/sys/fs/cgroup"), companions));
  const int count = omp_get_max_threads();
  if (count > most_threads)
    throw Error(ErrorKind::argument, "OMP_NUM_THREADS is " + range() + ", not " + std::to_string(count));
  // The threads that read files are others than those of kernels.
  if (const int error = refusal(count > 1 ? 2 * count : 1))
    throw Error(ErrorKind::resource, "cannot start " + std::to_string(count) + " threads: " + std::strerror(error) +
                                         "; --threads=N asks for fewer");
}

std::string crowding() {
  const int threads = omp_get_max_threads(), processors = omp_get_num_procs();
  const long all = sysconf(_SC_NPROCESSORS_ONLN);
  if (threads < 2 * processors || processors >= all)
    return "";
  return "note: a rank has " + std::to_string(threads) + " threads and may use " + std::to_string(processors) + " of " +
         std::to_string(all) + " processors: where mpirun binds ranks, --bind-to none lets them use all\n";
}

void start_team() {
#ifdef _OPENMP
  if (omp_get_max_threads() > 1)
    Team::led();
#endif
}

} // namespace gc::detail
