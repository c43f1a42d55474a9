// Graphs that are too large for a GPU are refused: with few bits for vertices, or for arcs, that are small ones.
#include <gcompile/cuda.h>
#include <gcompile/program/load.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

using gc::cuda::Tally;

/// What is said against a graph on the device; empty: nothing.
std::string refusal(const std::string &generator) {
  gc::LoadOptions options;
  options.progress = options.notes = false;
  const gc::LoadedGraph loaded = gc::load_graph(generator, options);
  try {
    const gc::cuda::Graph<std::uint32_t> graph(loaded.view<std::uint32_t>(), gc::ProgramInfo());
    EXPECT_EQ(graph.num_vertices(), loaded.num_vertices());
    EXPECT_EQ(gc::cuda::VertexSet<std::uint32_t>::all(graph).arcs(), graph.num_arcs());
    return "";
  } catch (const gc::Error &error) {
    EXPECT_EQ(error.kind, gc::ErrorKind::resource);
    return error.what();
  }
}

TEST(Limits, AGraphHasFewerVerticesThanTheBitsSay) {
  if (Tally::length_bits != 5)
    GTEST_SKIP() << "with " << Tally::length_bits << " bits";
  EXPECT_EQ(refusal("path:31"), "");
  EXPECT_EQ(
      refusal("path:40"),
      "the graph is too large for the GPU: it has 40 vertices and 78 arcs, and this program is for fewer than 2^5 "
      "vertices and 2^59 arcs; compile it with --gpu-vertex-bits=29, for fewer than 2^29 vertices and 2^35 arcs");
  EXPECT_NE(refusal("path:32"), "");
}

TEST(Limits, AGraphHasFewerArcsThanTheOtherBitsSay) {
  if (Tally::length_bits != 60)
    GTEST_SKIP() << "with " << Tally::length_bits << " bits";
  EXPECT_EQ(refusal("path:8"), "");  // 14 arcs
  EXPECT_EQ(refusal("cycle:7"), ""); // 14 arcs
  EXPECT_NE(refusal("cycle:8"), ""); // 16 arcs
  EXPECT_NE(refusal("path:40"), "");
}

TEST(Limits, ArcsThatAreFollowedBothWaysCountTwice) {
  const std::uint64_t most = std::uint64_t(1) << (64 - Tally::length_bits);
  EXPECT_NO_THROW(gc::cuda::require_tallies(1, most - 1));
  EXPECT_NO_THROW(gc::cuda::require_tallies(1, most / 2 - 1, true));
  EXPECT_THROW(gc::cuda::require_tallies(1, most / 2, true), gc::Error);
}

TEST(Limits, AnyGraphOfATestFitsAsProgramsAreCompiled) {
  if (Tally::length_bits < 29 || Tally::length_bits > 31)
    GTEST_SKIP() << "with " << Tally::length_bits << " bits";
  EXPECT_EQ(refusal("path:40"), "");
  EXPECT_EQ(refusal("complete:40"), "");
}

TEST(Limits, TheOptionsDivide64Bits) {
  const std::uint64_t one = 1;
  for (const unsigned bits : {29u, 30u, 31u}) {
    EXPECT_TRUE(Tally::fits((one << bits) - 1, (one << (64 - bits)) - 1, bits));
    EXPECT_FALSE(Tally::fits(one << bits, 0, bits));
    EXPECT_FALSE(Tally::fits(0, one << (64 - bits), bits));
  }
}

TEST(Limits, WhatNoOptionHasRoomForIsSaid) {
  try {
    gc::cuda::require_tallies(std::uint64_t(1) << 31, std::uint64_t(1) << 34);
    FAIL() << "it is not refused";
  } catch (const gc::Error &error) {
    EXPECT_NE(std::string(error.what()).find(", and no other --gpu-vertex-bits has room for it"), std::string::npos)
        << error.what();
  }
}

} // namespace
