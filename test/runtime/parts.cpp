// Work on several threads of code that does without OpenMP, and work beside other work.
#include "runtime/src/beside.h"

#include <gcompile/program/parts.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

namespace {

TEST(Parts, MakeUpTheWholeAndAreEven) {
  const auto threads = static_cast<std::uint64_t>(omp_get_max_threads());
  for (std::uint64_t count = 0; count < 40; ++count) {
    std::vector<std::atomic<int>> visits(count);
    std::atomic<std::uint64_t> longest = 0;
    gc::detail::for_parts(count, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i)
        ++visits[i];
      for (std::uint64_t seen = longest; seen < end - begin && !longest.compare_exchange_weak(seen, end - begin);) {
      }
    });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int times) { return times == 1; })) << count;
    EXPECT_EQ(longest, (count + threads - 1) / threads) << count;
  }
}

std::atomic<int> calls = 0;

TEST(Beside, RunsUntilItIsJoinedOrGoes) {
  calls = 0;
  {
    gc::detail::Beside nothing(nullptr), joined([] { ++calls; });
    joined.join();
    EXPECT_EQ(calls, 1);
    gc::detail::Beside left([] { ++calls; });
  }
  EXPECT_EQ(calls, 2);
}

} // namespace
