// Teams, with few threads and with more than there are processors.
#include <gcompile/omp/threads/in_order.h>
#include <gcompile/omp/threads/team.h>
#include <gcompile/omp/threads/worth.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

class Teams : public testing::TestWithParam<int> {
protected:
  void SetUp() override { omp_set_num_threads(GetParam()); }
  void TearDown() override { omp_set_num_threads(before_); }
  int before_ = omp_get_max_threads();
};

TEST_P(Teams, VisitEachIndexOnceInEachOfManyKernels) {
  std::vector<int> visits(1000, 0);
  int alone = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = static_cast<std::size_t>(round) % visits.size();
    gc::parallel(round % 3 != 0, [&](const gc::Share &mine) {
      alone += round % 3 == 0;
      for (auto part = round % 2 ? mine.dynamic(size, 7) : mine.equal(size); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          ++visits[i];
    });
  }
  EXPECT_EQ(alone, 667);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(visits[static_cast<std::size_t>(i)], 2 * (999 - i)) << i;
}

TEST_P(Teams, PassOnWhatIsThrown) {
  // By any thread in a kernel, after which the team goes on.
  int caught = 0, after = 0;
  for (int round = 0; round < 50; ++round)
    try {
      gc::parallel_for(true, 100, [](std::size_t i) {
        if (i % 9 == 0)
          throw std::runtime_error("kernel");
      });
    } catch (const std::runtime_error &) {
      ++caught;
    }
  gc::parallel_for(true, 100, [&](std::size_t) { __atomic_fetch_add(&after, 1, __ATOMIC_RELAXED); });
  EXPECT_EQ(caught, 50);
  EXPECT_EQ(after, 100);
}

TEST_P(Teams, RunKernelsInsideOfKernelsAlone) {
  long sum = 0;
  gc::parallel_for(true, 64, [&](std::size_t) {
    long own = 0; // of one thread: no atomic operation
    gc::parallel_for(true, 10, [&](std::size_t i) { own += static_cast<long>(i); });
    __atomic_fetch_add(&sum, own, __ATOMIC_RELAXED);
  });
  EXPECT_EQ(sum, 64 * 45);
}

TEST_P(Teams, RunKernelsInsideOfParallelRegionsOfOthersAlone) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    long own = 0;
    gc::parallel_for(true, 10, [&](std::size_t i) { own += static_cast<long>(i); });
    sum += own;
  }
  EXPECT_EQ(sum, 45 * GetParam());
}

TEST_P(Teams, AgreeOnTheNumberOfThreads) {
  // All of them, whatever the caller asks for in between; and each is asked for by its number.
  for (const int asked : {GetParam(), 3, GetParam()}) {
    omp_set_num_threads(asked);
    int wrong = 0;
    for (int round = 0; round < 100; ++round)
      gc::parallel(true, [&](const gc::Share &mine) {
        const bool right = omp_get_max_threads() == asked && omp_get_thread_num() < asked;
        for (auto part = mine.dynamic(10, 1); part.next();)
          __atomic_fetch_add(&wrong, right ? 0 : 1, __ATOMIC_RELAXED);
      });
    EXPECT_EQ(wrong, 0) << asked;
  }
}

TEST_P(Teams, BelongToTheThreadThatLeadsThem) {
  // Programs of several threads have a team each, which ends with its thread.
  std::vector<std::thread> leaders;
  std::vector<long> sums(4, 0);
  for (long &sum : sums)
    leaders.emplace_back([&sum] {
      omp_set_num_threads(GetParam());
      for (int round = 0; round < 100; ++round)
        gc::parallel_for(true, 100,
                         [&](std::size_t i) { __atomic_fetch_add(&sum, static_cast<long>(i), __ATOMIC_RELAXED); });
    });
  for (std::thread &leader : leaders)
    leader.join();
  EXPECT_EQ(sums, std::vector<long>(4, 495000));
}

TEST_P(Teams, AreLeftBehindByACopyOfTheProcess) {
  gc::parallel_for(true, 10, [](std::size_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20)); // until the others sleep: nobody can be woken in the copy
  const pid_t copy = fork();
  ASSERT_GE(copy, 0);
  if (copy == 0) { // it has one thread, and does all of it
    int visits = 0;
    for (int job = 0; job < 3; ++job)
      gc::parallel_for(true, 1000, [&](std::size_t) { __atomic_fetch_add(&visits, 1, __ATOMIC_RELAXED); });
    _exit(visits == 3000 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(copy, &status, 0), copy);
  EXPECT_EQ(status, 0);
}

TEST_P(Teams, SleepWhileTheProgramIsSerial) {
  std::this_thread::sleep_for(std::chrono::milliseconds(500)); // until the threads of other regions sleep
  const std::clock_t before = std::clock();                    // of all threads
  gc::parallel_for(true, 10, [](std::size_t) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  gc::parallel_for(true, 10, [](std::size_t) {});
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.2);
}

TEST(QuickClock, CountsNanoseconds) {
  using namespace std::chrono_literals;
  gc::QuickClock::now();
  const auto before = std::chrono::steady_clock::now();
  const auto begun = gc::QuickClock::now();
  std::this_thread::sleep_for(20ms);
  const double counted = static_cast<double>((gc::QuickClock::now() - begun).count());
  const double took = static_cast<double>((std::chrono::steady_clock::now() - before).count());
  EXPECT_GT(counted, 20e6 * 0.95);
  EXPECT_LT(counted, took * 1.05);
}

TEST(Worth, IsWhatTheThreadsComputed) {
  using namespace std::chrono_literals;
  const gc::Stopwatch::Clock::time_point start(1h);
  struct Kernel {
    gc::Worth::Time took, computed;
    bool shares; // the next one
  };
  for (const Kernel &kernel : {Kernel{5ms, 9ms, true},      // the threads computed side by side
                               Kernel{5ms, 2ms, false},     // the leader waited for one that was stopped
                               Kernel{5ms, 5500us, true},   // on one processor, and nothing was lost
                               Kernel{60ms, 90ms, true},    // stopped, and still of help
                               Kernel{60ms, 45ms, false},   // stopped for longer than it helped
                               Kernel{900us, 100us, true},  // less than a turn
                               Kernel{20ms, 18ms, true}}) { // too little to speak of
    gc::Worth worth;
    EXPECT_TRUE(worth.shares());
    worth.add(kernel.computed);
    const auto end = start + kernel.took;
    worth.close(start, end);
    const auto lost = kernel.took - kernel.computed;
    EXPECT_EQ(worth.shares(end), kernel.shares);
    EXPECT_EQ(worth.shares(end + lost / 2), kernel.shares);
    EXPECT_TRUE(worth.shares(end + lost)); // it tries again
    worth.add(kernel.took);
    worth.close(start, end); // of the next kernel nothing is known
    EXPECT_TRUE(worth.shares(end + lost));
  }
}

TEST(Worth, TriesLaterWhereThreadsAreStoppedAgainAndAgain) {
  using namespace std::chrono_literals;
  gc::Worth worth;
  gc::Stopwatch::Clock::time_point now(1h);
  constexpr auto lost = 3ms;
  const auto lose = [&] { // how many times what was lost it is alone after that
    worth.add(2ms);
    worth.close(now, now + 2ms + lost);
    now += 2ms + lost;
    int times = 0;
    for (; !worth.shares(now); now += lost)
      ++times;
    return times;
  };
  for (const int times : {1, 2, 4, 8, 16, 16})
    EXPECT_EQ(lose(), times);
  now += 17 * lost; // in which it has been of help
  EXPECT_EQ(lose(), 1);
  EXPECT_EQ(lose(), 2);
}

TEST(Team, LeavesItsLeaderAloneWhereThreadsAreStopped) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(2);
  auto is_shared = [] {
    std::atomic<bool> shared{false};
    gc::parallel(true, [&](const auto &mine) {
      if (!std::is_same<std::decay_t<decltype(mine)>, gc::Alone>::value)
        shared = true;
    });
    return shared.load();
  };
  bool left_alone = false, shared_again = false;
  for (int attempt = 0; attempt < 100 && !left_alone; ++attempt) { // the other thread may come too late
    gc::parallel(true, [](const gc::Share &mine) {
      for (auto part = mine.dynamic(2, 1); part.next();)
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // computes nothing, like one that is stopped
    });
    left_alone = !is_shared();
  }
  EXPECT_TRUE(left_alone);
  for (int attempt = 0; attempt < 1000 && !shared_again; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    shared_again = is_shared();
  }
  EXPECT_TRUE(shared_again);
  omp_set_num_threads(before);
}

TEST(Chunks, AreTakenFromTheOwnPartFirst) {
  gc::Chunks chunks(3);
  std::size_t chunk = 0;
  auto take = [&](gc::Chunks::Way &way) { return way.take(chunk) ? static_cast<int>(chunk) : -1; };
  gc::Chunks::Way second(chunks, 1, 7), third(chunks, 5, 7); // 5: of a team that has become larger
  EXPECT_EQ(take(second), 2);
  EXPECT_EQ(take(third), 4);
  std::vector<int> rest;
  for (int i = 0; i < 6; ++i)
    rest.push_back(take(second));
  EXPECT_EQ(rest, (std::vector<int>{3, 5, 6, 0, 1, -1}));
  EXPECT_EQ(take(third), -1);
  chunks.restart();
  gc::Chunks::Way first(chunks, 0, 3, true), other(chunks, 2, 3, true); // in ascending order, whoever takes them
  EXPECT_EQ(take(other), 0);
  EXPECT_EQ(take(first), 1);
  EXPECT_EQ(take(other), 2);
  EXPECT_EQ(take(first), -1);
  EXPECT_EQ(take(other), -1);
  chunks.restart();
  gc::Chunks::Way none(chunks, 0, 0), few(chunks, 2, 2), alone(2);
  EXPECT_EQ(take(none), -1);
  EXPECT_EQ(take(few), 1);
  EXPECT_EQ(take(few), 0);
  EXPECT_EQ(take(few), -1);
  EXPECT_EQ(take(alone), 0);
  EXPECT_EQ(take(alone), 1);
  EXPECT_EQ(take(alone), -1);
}

TEST_P(Teams, PlaceWhatTheyHaveFoundInTheirOrder) {
  gc::InOrder in_order;
  std::vector<int> list(3000, -1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = static_cast<std::size_t>(round) * 10;
    gc::Chunks chunks;
    in_order.restart(round % 5 != 0);
    std::size_t total = 0;
#pragma omp parallel
    {
      const std::size_t thread = static_cast<std::size_t>(omp_get_thread_num());
      const bool keeps = in_order.enter();
      EXPECT_EQ(keeps, round % 5 != 0);
      std::size_t found = 0, chunk = 0;
      for (gc::Chunks::Way way(chunks, thread, size); way.take(chunk);)
        ++found;
      const std::size_t at = keeps ? in_order.place(found) : __atomic_fetch_add(&total, found, __ATOMIC_RELAXED);
      std::fill_n(list.begin() + static_cast<std::ptrdiff_t>(at), found, static_cast<int>(thread));
    }
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(size);
    if (round % 5 != 0) {
      EXPECT_TRUE(std::is_sorted(list.begin(), end)) << round;
    }
    for (auto it = list.begin(); it != end; ++it)
      ASSERT_NE(std::exchange(*it, -1), -1) << round; // each place is somebody's
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Teams, testing::Values(1, 2, 4, 16), testing::PrintToStringParamName());

} // namespace
