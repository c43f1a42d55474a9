// Graphs that are too large for a GPU are refused: with few bits for vertices, or for arcs, that are small ones.
#include "limits.h"

namespace {

#if GCOMPILE_GPU_VERTEX_BITS == 5
TEST(Limits, AGraphHasFewerVerticesThanTheBitsSay) {
  EXPECT_EQ(refusal("path:31"), "");
  EXPECT_EQ(
      refusal("path:40"),
      "the graph is too large for the GPU: it has 40 vertices and 78 arcs, and this program is for fewer than 2^5 "
      "vertices and 2^59 arcs; compile it with --gpu-vertex-bits=29, for fewer than 2^29 vertices and 2^35 arcs");
  EXPECT_NE(refusal("path:32"), "");
}
#elif GCOMPILE_GPU_VERTEX_BITS == 60
TEST(Limits, AGraphHasFewerArcsThanTheOtherBitsSay) {
  EXPECT_EQ(refusal("path:8"), "");  // 14 arcs
  EXPECT_EQ(refusal("cycle:7"), ""); // 14 arcs
  EXPECT_NE(refusal("cycle:8"), ""); // 16 arcs
  EXPECT_NE(refusal("path:40"), "");
}
#else
#error "compiled with 5 or 60 bits for vertices"
#endif

} // namespace
