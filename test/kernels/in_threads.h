// Threads of the standard library: ThreadSanitizer does not know OpenMP's.
#ifndef GCOMPILE_TEST_KERNELS_IN_THREADS_H
#define GCOMPILE_TEST_KERNELS_IN_THREADS_H

#include <cstddef>
#include <thread>
#include <vector>

/// Calls body(i) in each of so many threads.
template <class Body> void in_threads(std::size_t threads, Body body) {
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < threads; ++i)
    team.emplace_back([&body, i] { body(i); });
  for (std::thread &thread : team)
    thread.join();
}

#endif
