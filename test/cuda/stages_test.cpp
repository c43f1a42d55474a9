// Where the stages of a program of two forms run, and what is moved between the sides.
#include <gcompile/hybrid/stages.h>

#include <gtest/gtest.h>

namespace {

using gc::Side;
using gc::hybrid::Extent;
using gc::hybrid::Stage;
using gc::hybrid::Stages;
using gc::hybrid::Valid;

gc::hybrid::Task task(double vertices, double arcs, double runs = 1) {
  gc::hybrid::Task task;
  task.vertices = vertices;
  task.arcs = arcs;
  task.bytes = 4 * arcs;
  task.runs = runs;
  task.threads = 2;
  return task;
}

Stage over_edges(double times, gc::hybrid::States touches, gc::hybrid::States writes, Side on = Side::automatic) {
  return {on, {times, 0, 0, 0}, touches, writes};
}

TEST(Stages, StayTogetherOnTheCpuWhereTheGraphIsSmall) {
  const Stages stages = {{{4, Extent::each_vertex}}, 1, true, {over_edges(1, 1, 1), over_edges(10, 1, 1)}};
  EXPECT_EQ(gc::hybrid::choose_sides(stages, task(1e3, 1e4)), (std::vector<Side>{Side::cpu, Side::cpu}));
}

TEST(Stages, GoToTheGpuWhereTheGraphIsLarge) {
  const Stages stages = {{{4, Extent::each_vertex}}, 1, true, {over_edges(10, 1, 1), over_edges(10, 1, 1)}};
  EXPECT_EQ(gc::hybrid::choose_sides(stages, task(1e7, 1e9)), (std::vector<Side>{Side::gpu, Side::gpu}));
}

TEST(Stages, OneThatIsPlacedStays) {
  const Stages stages = {{{4, Extent::each_vertex}},
                         1,
                         true,
                         {over_edges(10, 1, 1), over_edges(10, 1, 1, Side::cpu), over_edges(10, 1, 1)}};
  EXPECT_EQ(gc::hybrid::choose_sides(stages, task(1e7, 1e9)), (std::vector<Side>{Side::gpu, Side::cpu, Side::gpu}));
}

TEST(Stages, WhatIsMovedCounts) {
  // The second one must be on the CPU. To be on the GPU, the first one has to be worth the way of all pairs.
  const auto sides = [](double times) {
    const Stages stages = {
        {{8, Extent::each_pair}}, 1, true, {over_edges(times, 1, 1), over_edges(1, 1, 1, Side::cpu)}};
    return gc::hybrid::choose_sides(stages, task(1e5, 1e8, 100)).front();
  };
  EXPECT_EQ(sides(1), Side::cpu);
  EXPECT_EQ(sides(1000), Side::gpu);
}

TEST(Stages, TheStartOfTheGpuIsPaidOnce) {
  const auto side = [](double runs) {
    const Stages stages = {{{4, Extent::once}}, 1, true, {over_edges(1, 1, 1)}};
    return gc::hybrid::choose_sides(stages, task(1e5, 1e7, runs)).front();
  };
  EXPECT_EQ(side(1), Side::cpu);
  EXPECT_EQ(side(1000), Side::gpu);
}

TEST(Stages, AStateIsMissingWhereTheOtherSideHasChangedIt) {
  Valid valid;
  const Stage first = over_edges(1, 0b011, 0b010), second = over_edges(1, 0b110, 0b100);
  EXPECT_EQ(valid.missing(first, Side::gpu), 0u);
  valid.pass(first, Side::gpu);
  EXPECT_EQ(valid.missing(second, Side::gpu), 0u);
  EXPECT_EQ(valid.missing(second, Side::cpu), 0b010u);
  valid.pass(second, Side::cpu); // which has it moved
  EXPECT_EQ(valid.missing(second, Side::gpu), 0b100u);
  EXPECT_EQ(valid.missing(first, Side::gpu), 0u);
}

TEST(Stages, CopiesInLoopsAndChoicesCountAsOftenAsTheyAreMade) {
  const auto conducts = [](unsigned inside, bool turns) { return Stage{Side::cpu, {}, 0, 0, inside, turns}; };
  const Stage one = over_edges(1, 1, 1, Side::gpu), other = over_edges(1, 1, 1, Side::cpu);
  const auto copies = [](const std::vector<Stage> &list) {
    const Stages stages = {{{4, Extent::each_vertex}}, 1, true, list};
    std::vector<Side> sides;
    for (const Stage &stage : list)
      sides.push_back(stage.on);
    const gc::hybrid::Task given = task(1000, 1e4);
    gc::hybrid::Copies copies = {stages, sides, given};
    copies.before(0, sides.size(), 1);
    return copies.seconds / gc::hybrid::copy_seconds(4000, given);
  };
  EXPECT_NEAR(copies({one, other}), 1, 1e-9); // at the beginning both have it
  EXPECT_NEAR(copies({conducts(2, true), one, other}), 19, 1e-9);
  EXPECT_NEAR(copies({conducts(2, false), one, other}), 1, 1e-9);
  EXPECT_NEAR(copies({conducts(3, true), conducts(2, true), one, other}), 199, 1e-9);
  EXPECT_NEAR(copies({conducts(3, true), conducts(2, false), one, other}), 19, 1e-9);
  EXPECT_NEAR(copies({conducts(2, true), one, other, one}), 20, 1e-9);
}

} // namespace
