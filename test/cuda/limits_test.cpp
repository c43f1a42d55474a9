// How large a graph on a GPU may be, as programs are compiled.
#include "limits.h"

namespace {

using gc::cuda::Tally;

TEST(Limits, ArcsThatAreFollowedBothWaysCountTwice) {
  const std::uint64_t most = std::uint64_t(1) << (64 - Tally::length_bits);
  EXPECT_NO_THROW(gc::cuda::require_tallies(1, most - 1));
  EXPECT_NO_THROW(gc::cuda::require_tallies(1, most / 2 - 1, true));
  EXPECT_THROW(gc::cuda::require_tallies(1, most / 2, true), gc::Error);
}

TEST(Limits, AnyGraphOfATestFitsAsProgramsAreCompiled) {
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
