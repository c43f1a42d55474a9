// The parts of the asynchronous runtime, each with many threads, against the plainest code that gives the same answer.
// The same file is built with ThreadSanitizer.
#include "in_threads.h"

#include <gcompile/omp/async/worklist.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

TEST(Chunk, IsARing) {
  gc::async::Chunk<int, 9> chunk;
  std::queue<int> expected;
  std::mt19937 random(1);
  for (int step = 0; step < 10000; ++step) {
    ASSERT_EQ(chunk.size(), expected.size());
    ASSERT_EQ(chunk.empty(), expected.empty());
    ASSERT_EQ(chunk.full(), expected.size() == 9);
    if (!chunk.full() && (chunk.empty() || random() % 2)) {
      chunk.push(step);
      expected.push(step);
    } else {
      ASSERT_EQ(chunk.pop(), expected.front());
      expected.pop();
    }
  }
}

TEST(ChunkPool, ReusesWhatOtherThreadsGaveBack) {
  // One thread only takes chunks, another only gives them back: the memory stays that of the most in use at a time.
  gc::async::ChunkPool<int, 8> pool;
  gc::async::ChunkPool<int, 8>::Stock producer(pool), consumer(pool);
  std::set<const void *> seen;
  for (int round = 0; round < 100; ++round) {
    std::vector<gc::async::Chunk<int, 8> *> used;
    for (int i = 0; i < 50; ++i)
      used.push_back(producer.take());
    ASSERT_EQ(std::set<void *>(used.begin(), used.end()).size(), 50u);
    for (auto *chunk : used) {
      seen.insert(chunk);
      consumer.give(chunk);
    }
  }
  EXPECT_LE(seen.size(), 256u);
}

TEST(Topology, NumbersGroups) {
  const gc::Topology two({0, 1, 1, 0});
  EXPECT_EQ(two.groups(), 2u);
  EXPECT_EQ(two.group_of(2), 1u);
  EXPECT_EQ(two.group_of(3), 0u);
  EXPECT_EQ(two.group_of(99), 0u);
  EXPECT_EQ(two.group_of(-1), 0u);
  EXPECT_EQ(gc::Topology().groups(), 1u);
}

/// What a kernel says of one CPU; -1: nothing.
struct DescribedCpu {
  int package, node;
  std::string last_cache; ///< the CPUs that share it
};

/// The groups of a machine of such CPUs, of which the kernel says it in files.
std::vector<unsigned> groups_of(const std::vector<DescribedCpu> &cpus) {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "gcompile-topology-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  const auto write = [](const fs::path &path, const std::string &text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  };
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const fs::path cpu = fs::path(name) / ("cpu" + std::to_string(i));
    if (cpus[i].package >= 0)
      write(cpu / "topology/physical_package_id", std::to_string(cpus[i].package));
    if (cpus[i].node >= 0)
      write(cpu / ("node" + std::to_string(cpus[i].node)) / "cpulist", "");
    const std::vector<std::pair<std::string, std::string>> caches{
        {"1", std::to_string(i)}, {"1", std::to_string(i)}, {"3", cpus[i].last_cache}, {"2", std::to_string(i)}};
    for (std::size_t k = 0; k < caches.size() && !cpus[i].last_cache.empty(); ++k) {
      write(cpu / ("cache/index" + std::to_string(k)) / "level", caches[k].first);
      write(cpu / ("cache/index" + std::to_string(k)) / "shared_cpu_list", caches[k].second);
    }
  }
  const gc::Topology topology = gc::Topology::described(name, cpus.size());
  fs::remove_all(name);
  std::vector<unsigned> groups;
  for (std::size_t i = 0; i < cpus.size(); ++i)
    groups.push_back(topology.group_of(static_cast<int>(i)));
  return groups;
}

TEST(Topology, GroupsShareTheLastCacheAndTheNode) {
  using Groups = std::vector<unsigned>;
  EXPECT_EQ(groups_of({}), Groups());
  // A package of two complexes with a cache each, whose numbers alternate; another package; one CPU that is off.
  EXPECT_EQ(
      groups_of(
          {{0, 0, "0,2"}, {0, 0, "1,3"}, {0, 0, "0,2"}, {0, 0, "1,3"}, {1, 1, "4-5"}, {1, 1, "4-5"}, {-1, -1, ""}}),
      Groups({0, 1, 0, 1, 2, 2, 0}));
  // Numbers of nodes leave gaps, as on a POWER machine.
  EXPECT_EQ(groups_of({{0, 8, "0-3"}, {0, 8, "0-3"}, {0, 252, "0-3"}, {0, 252, "0-3"}}), Groups({0, 0, 1, 1}));
  // Two nodes share a cache; two packages a node that is not known; no cache is known.
  EXPECT_EQ(groups_of({{0, 0, "0-3"}, {0, 0, "0-3"}, {0, 1, "0-3"}, {0, 1, "0-3"}}), Groups({0, 0, 1, 1}));
  EXPECT_EQ(groups_of({{7, -1, "0-1"}, {7, -1, "0-1"}, {9, -1, "2-3"}, {9, -1, "2-3"}}), Groups({0, 0, 1, 1}));
  EXPECT_EQ(groups_of({{3, 0, ""}, {3, 0, ""}, {4, 0, ""}}), Groups({0, 0, 1}));
  // A virtual machine gives each CPU a cache of its own: the package counts.
  EXPECT_EQ(groups_of({{0, 0, "0"}, {0, 0, "1"}, {0, 0, "2"}}), Groups({0, 0, 0}));
}

TEST(Bag, PrefersItsOwnGroup) {
  using Bag = gc::async::Bag<int, 8>;
  gc::async::ChunkPool<int, 8> pool;
  Bag bag(3);
  using Stock = gc::async::ChunkPool<int, 8>::Stock;
  Bag::Place first{0, Stock(pool)}, second{1, Stock(pool)}, third{2, Stock(pool)};
  Bag::Part a, b, c;
  for (int i = 0; i < 8; ++i) {
    a.add(bag, first, i);
    b.add(bag, second, 100 + i);
  }
  a.add(bag, first, 8); // stays with its thread
  int task = 0;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(b.take(bag, second, task));
    EXPECT_EQ(task, 100 + i);
  }
  for (int i = 0; i < 8; ++i) { // nothing is left in groups 1 and 2
    ASSERT_TRUE(c.take(bag, third, task));
    EXPECT_EQ(task, i);
  }
  EXPECT_FALSE(c.take(bag, third, task));
  ASSERT_TRUE(a.take(bag, first, task));
  EXPECT_EQ(task, 8);
  EXPECT_FALSE(a.take(bag, first, task));
  a.add(bag, first, 9);
  EXPECT_EQ(pool.waiting(), 0u);
  a.leave(bag, first); // what a thread leaves is for all
  EXPECT_EQ(pool.waiting(), 1u);
  ASSERT_TRUE(c.take(bag, third, task));
  EXPECT_EQ(task, 9);
  EXPECT_EQ(pool.waiting(), 0u);
}

/// Calls `work` on all threads, phase after phase, until nothing waits.
template <class Pool, class Work> void in_phases(std::size_t threads, const Pool &pool, Work work) {
  gc::async::Phases phases;
  bool first = true;
  while (std::exchange(first, false) || pool.waiting() > 0) {
    phases.begin(threads * 1000);
    in_threads(threads, [&](std::size_t thread) { work(phases, thread); });
  }
}

/// Tasks make further tasks: task k > 0 makes two of k - 1. Every one must be taken exactly once, by whatever thread.
template <std::size_t N> void countsTree(std::size_t threads, unsigned groups, int depth) {
  using Bag = gc::async::Bag<int, N>;
  using Stock = typename gc::async::ChunkPool<int, N>::Stock;
  gc::async::ChunkPool<int, N> pool;
  Bag bag(groups);
  {
    typename Bag::Place place{0, Stock(pool)};
    typename Bag::Part part;
    part.add(bag, place, depth);
    part.leave(bag, place);
  }
  std::vector<std::uint64_t> taken(threads);
  in_phases(threads, pool, [&](gc::async::Phases &phases, std::size_t thread) {
    typename Bag::Place place{static_cast<unsigned>(thread) % groups, Stock(pool)};
    typename Bag::Part part;
    int task = 0;
    auto take = [&] {
      return part.take_on(place, task) || (!phases.over(pool.waiting() * N, false) && part.take(bag, place, task));
    };
    while (phases.wait(false, take)) {
      ++taken[thread];
      for (int i = 0; task > 0 && i < 2; ++i)
        part.add(bag, place, task - 1);
    }
    part.leave(bag, place);
  });
  EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), std::uint64_t(0)), (std::uint64_t(2) << depth) - 1);
}
TEST(Bag, GivesEveryTaskOnce) {
  for (std::size_t threads : {1, 2, 5, 8})
    for (unsigned packages : {1u, 2u, 4u}) {
      countsTree<8>(threads, packages, 12);
      countsTree<64>(threads, packages, 13);
    }
}

TEST(Phases, SayWhenAThreadLeaves) {
  constexpr std::size_t little = 1, much = GCOMPILE_MOST_ALONE / 32 + 1;
  gc::async::Phases phases;
  phases.begin(little);
  EXPECT_FALSE(phases.shared());
  EXPECT_FALSE(phases.over(little, true));
  EXPECT_TRUE(phases.over(much, true)); // the others may come
  phases.begin(much);
  EXPECT_TRUE(phases.shared());
  EXPECT_FALSE(phases.over(much, true)); // nobody has come, and nobody will
  EXPECT_FALSE(phases.over(much, false));
  int calls = 0;
  EXPECT_TRUE(phases.wait(false, [&] { return ++calls == 3; }));
  EXPECT_FALSE(phases.over(much, false));
  EXPECT_FALSE(phases.wait(false, [] { return false; })); // a thread has left
  EXPECT_FALSE(phases.over(little, false));
  EXPECT_TRUE(phases.over(much, false)); // all of them are to come again
  phases.begin(little);
  EXPECT_FALSE(phases.over(little, true));
  phases.give_up();
  EXPECT_TRUE(phases.over(little, true));
  EXPECT_TRUE(phases.over(little, false));
}

TEST(Obim, TakesTheLeastLevelFirst) {
  using Obim = gc::async::Obim<int, 8>;
  Obim obim(2, 1);
  Obim::Worker worker(obim, 0, 0);
  std::mt19937 random(3);
  std::multimap<std::int64_t, int> expected;
  for (int i = 0; i < 2000; ++i) {
    const auto level = static_cast<std::int64_t>(random() % 40) - 20;
    worker.add(level, static_cast<int>(level));
    expected.emplace(level, 0);
  }
  int task = 0, last = -100;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(worker.take(task)) << i;
    ASSERT_LE(last, task);
    last = task;
  }
  EXPECT_FALSE(worker.take(task));
  worker.add(std::numeric_limits<std::int64_t>::max(), 7);
  worker.add(std::numeric_limits<std::int64_t>::min(), 6);
  ASSERT_TRUE(worker.take(task));
  EXPECT_EQ(task, 6);
  ASSERT_TRUE(worker.take(task));
  EXPECT_EQ(task, 7);
}

TEST(Obim, SeesBagsOfOtherThreads) {
  using Obim = gc::async::Obim<int, 8>;
  Obim obim(2, 2);
  Obim::Worker one(obim, 0, 0), other(obim, 1, 1);
  int task = 0;
  for (int i = 0; i < 8; ++i)
    one.add(5, 5);
  for (int i = 0; i < 8; ++i)
    one.add(3, 3);
  ASSERT_TRUE(other.take(task)); // a full chunk, of another package, of a bag that it did not know
  EXPECT_EQ(task, 3);
  for (int i = 0; i < 8; ++i)
    one.add(1, 1);
  for (int i = 0; i < 7; ++i) { // the chunk at hand first
    ASSERT_TRUE(other.take(task));
    EXPECT_EQ(task, 3);
  }
  ASSERT_TRUE(other.take(task)); // then the best
  EXPECT_EQ(task, 1);
}

TEST(Obim, GivesEveryTaskOnce) {
  for (std::size_t threads : {1, 3, 8}) {
    using Obim = gc::async::Obim<std::pair<int, int>, 8>;
    Obim obim(threads, 2);
    std::vector<std::uint64_t> taken(threads);
    std::vector<char> begun(threads);
    in_phases(threads, obim, [&](gc::async::Phases &phases, std::size_t thread) {
      Obim::Worker &worker = obim.worker(thread, thread % 2);
      std::mt19937 random(static_cast<unsigned>(thread));
      if (!std::exchange(begun[thread], 1))
        worker.add(0, {10, 0});
      std::pair<int, int> task;
      auto take = [&] {
        return worker.take_on(task) || (!phases.over(obim.waiting() * 8, false) && worker.take_best(task));
      };
      while (phases.wait(false, take)) {
        ++taken[thread];
        for (int i = 0; task.first > 0 && i < 2; ++i)
          worker.add(task.second + static_cast<int>(random() % 7) - 2, {task.first - 1, task.second + 1});
      }
      worker.leave();
    });
    EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), std::uint64_t(0)), threads * ((2u << 10) - 1));
  }
}

TEST(PriorityLevels, RoundDown) {
  gc::PriorityLevels<int> whole(4);
  EXPECT_EQ(whole.of(7), 1);
  EXPECT_EQ(whole.of(-1), -1);
  EXPECT_EQ(gc::PriorityLevels<int>(3).of(-1), -1);
  EXPECT_EQ(gc::PriorityLevels<double>(0.5).of(1.6), 3);
  EXPECT_EQ(gc::PriorityLevels<double>(0.5).of(-0.1), -1);
  EXPECT_EQ(gc::PriorityLevels<double>(0.5).of(std::numeric_limits<double>::infinity()), 4000000000000000000);
}

TEST(PriorityLevels, TakeTheGreatestFirst) {
  const gc::PriorityLevels<gc::Greatest<int>> whole(4);
  EXPECT_EQ(whole.of(7), whole.of(4));
  EXPECT_LT(whole.of(8), whole.of(7));
  EXPECT_LT(whole.of(0), whole.of(-1));
  EXPECT_LT(whole.of(gc::inf<int>()), whole.of(gc::inf<int>() - 4));
  const gc::PriorityLevels<gc::Greatest<std::int64_t>> least(1); // the lowest value has no opposite
  EXPECT_EQ(least.of(gc::lowest<std::int64_t>()), gc::inf<std::int64_t>());
  EXPECT_EQ(least.of(gc::inf<std::int64_t>()), gc::lowest<std::int64_t>());
  const gc::PriorityLevels<gc::Greatest<double>> real(0.5);
  EXPECT_LT(real.of(1.6), real.of(1.4));
  EXPECT_EQ(real.of(std::numeric_limits<double>::infinity()), -4000000000000000000);
}

} // namespace
