#include "runtime/tool_support/thread_count.h"

#include "runtime/tool_support/command_line.h"

#include <gcompile/core/error.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/threads.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <vector>

#include <pthread.h>

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

void use_threads(int asked) {
  if (asked > 0) {
    omp_set_num_threads(asked);
  } else if (std::getenv("OMP_NUM_THREADS") == nullptr && omp_get_max_threads() == omp_get_num_procs()) {
    const double granted = granted_processors("/proc/self/cgroup", "/sys/fs/cgroup");
    if (granted < omp_get_num_procs())
      omp_set_num_threads(static_cast<int>(std::ceil(granted)));
  }
  const int count = omp_get_max_threads();
  if (count > most_threads)
    throw Error(ErrorKind::argument, "OMP_NUM_THREADS is " + range() + ", not " + std::to_string(count));
  // The threads that read files are others than those of kernels.
  if (const int error = refusal(count > 1 ? 2 * count : 1))
    throw Error(ErrorKind::resource, "cannot start " + std::to_string(count) + " threads: " + std::strerror(error) +
                                         "; --threads=N asks for fewer");
}

void start_team() {
#ifdef _OPENMP
  if (omp_get_max_threads() > 1)
    Team::led();
#endif
}

} // namespace gc::detail
