#include "runtime/tool_support/thread_count.h"

#include "runtime/tool_support/command_line.h"

#include <gcompile/core/error.h>
#include <gcompile/omp/threads/threads.h>

#include <cerrno>
#include <cstring>
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

void require_threads() {
  const int count = omp_get_max_threads();
  if (count > most_threads)
    throw Error(ErrorKind::argument, "OMP_NUM_THREADS is " + range() + ", not " + std::to_string(count));
  if (const int error = refusal(count))
    throw Error(ErrorKind::resource, "cannot start " + std::to_string(count) + " threads: " + std::strerror(error) +
                                         "; --threads=N asks for fewer");
}

} // namespace gc::detail
