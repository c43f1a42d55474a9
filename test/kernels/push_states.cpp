// How rounds that push run: the rule, and the pace of rounds of one thread.
#include "small_graph.h"
#include "threads.h"

#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace {

TEST(PushRule, FollowsTheStateMachine) {
  using State = gc::PushState;
  const std::size_t n = 100000000; // T2 is a million
  gc::PushRule rule = gc::PushRule::hybrid(64, 0.01, 2048, 2, 2);
  EXPECT_EQ(rule.next(State::serial, 0, 1, n), State::serial);
  EXPECT_EQ(rule.next(State::serial, 1, 64, n), State::serial);
  EXPECT_EQ(rule.next(State::serial, 64, 65, n), State::queue);
  EXPECT_EQ(rule.next(State::queue, 65, 2048, n), State::queue) << "T3 is not passed";
  EXPECT_EQ(rule.next(State::queue, 2048, 4096, n), State::queue) << "growth is not above alpha";
  EXPECT_EQ(rule.next(State::queue, 2048, 4097, n), State::read);
  EXPECT_EQ(rule.next(State::serial, 1, 2049, n), State::read) << "the neighbours of a hub";
  EXPECT_EQ(rule.next(State::read, 4097, 8194, n), State::read) << "still growing";
  EXPECT_EQ(rule.next(State::read, 8194, 16000, n), State::queue) << "growth below beta";
  EXPECT_EQ(rule.next(State::queue, 900000, 1000001, n), State::read) << "T2 is passed";
  EXPECT_EQ(rule.next(State::read, 1000001, 1000002, n), State::read) << "large, though it does not grow";
  EXPECT_EQ(rule.next(State::read, 1000002, 1000000, n), State::queue);
  EXPECT_EQ(rule.next(State::queue, 1000000, 64, n), State::serial);
  rule = gc::PushRule::hybrid(64, 5000, 2048, 2, 2);
  EXPECT_EQ(rule.next(State::queue, 3000, 6001, n), State::read);
  EXPECT_EQ(rule.next(State::read, 6001, 5001, n), State::read) << "T2 as a number";
  EXPECT_EQ(rule.next(State::read, 5001, 10001, 1000), State::read);
  EXPECT_EQ(rule.next(State::read, 5001, 5000, n), State::queue);
  gc::PushRule small = gc::PushRule::hybrid(64, 0.01, 2048, 2, 2);
  EXPECT_EQ(small.next(State::queue, 200000, 1 << 18, 10000000), State::queue) << "T2 is at least 2^18";
  gc::PushRule fixed = gc::PushRule::hybrid(64, 0.01, 2048, 2, 2, 1 << 18);
  EXPECT_EQ(fixed.next(State::queue, 200000, 1 << 18, 1000000), State::queue) << "in graphs of any size, if it is said";
  EXPECT_EQ(fixed.next(State::queue, 200000, (1 << 18) + 1, 1000000), State::read);
  EXPECT_EQ(small.next(State::queue, 200000, (1 << 18) + 1, 10000000), State::read);
  EXPECT_EQ(small.next(State::queue, 60000, 62500, 1000000), State::queue) << "or a sixteenth of a smaller graph";
  EXPECT_EQ(small.next(State::queue, 60000, 62501, 1000000), State::read);
}

TEST(PushPace, SharesSmallerRoundsWhereVerticesTakeLong) {
  using Clock = gc::detail::PushPace::Clock;
  using std::chrono::nanoseconds;
  gc::detail::PushPace pace;
  const auto run = [&](std::size_t size, int of_a_vertex) {
    const Clock::time_point now = Clock::now();
    pace.begin(now);
    pace.end(size, now + nanoseconds(of_a_vertex) * static_cast<int>(size));
  };
  EXPECT_FALSE(pace.shares(511)) << "as usual";
  for (int i = 0; i < 20; ++i)
    run(200, 4);
  EXPECT_FALSE(pace.shares(511));
  for (int i = 0; i < 40; ++i)
    run(200, 20);
  EXPECT_FALSE(pace.shares(190));
  EXPECT_TRUE(pace.shares(210));
  run(128, 1000000);
  EXPECT_FALSE(pace.shares(150)) << "one round was interrupted";
  EXPECT_TRUE(pace.shares(190));
  for (int i = 0; i < 1000; ++i)
    pace.shares(400);
  EXPECT_FALSE(pace.shares(400)) << "it is time to measure again";
}

TEST(PushPace, IsObeyedUnlessTheScheduleSaysHowManyVerticesAreWorthSharing) {
  using V = std::uint32_t;
  const Threads two(2);
  const V n = 1000;
  const SmallGraph<V> g = random_graph<V>(n, n, false, true, 3);
  // The state of the last of some rounds over `size` vertices that take a millisecond each; or a bitmap of what is
  // claimed takes it, before the round.
  const auto last_state = [&](V size, const gc::PushRule &rule, bool by_bitmap = false) {
    gc::Frontier<V> frontier(g.graph);
    std::string state;
    frontier.start({0});
    frontier.push_by(rule);
    for (V round = 0; round < 15; ++round) {
      frontier.begin_push();
      state = frontier.state();
      if (round > 0 && state == "serial" && !by_bitmap)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (by_bitmap) {
        frontier.begin_pull(); // behind which the bitmap is put together again
        frontier.begin_push();
        frontier.mark_claimed([&](V v) {
          if (v == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return false;
        });
      }
      {
        auto next = frontier.writer();
        for (V v = 0; v < size; ++v)
          next.push(v);
      }
      frontier.advance();
    }
    return state;
  };
  EXPECT_EQ(last_state(200, gc::PushRule()), "queue");
  EXPECT_EQ(last_state(200, gc::PushRule::queue(32)), "queue");
  EXPECT_EQ(last_state(200, gc::PushRule::queue(32, 511)), "serial");
  EXPECT_EQ(last_state(gc::detail::PushPace::fewest - 1, gc::PushRule()), "serial");
  EXPECT_EQ(last_state(200, gc::PushRule(), true), "serial") << "that is not the round's time";
  const Threads one(1);
  EXPECT_EQ(last_state(200, gc::PushRule()), "serial");
}

} // namespace
