// Loops over kept levels that one kernel of the device runs.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// Whether the loop goes over kept levels and its body is nothing but kernels over the level, from which no scalar
/// comes back to the host and for which nothing is prepared.
bool isSweep(graph::ForOp loop);

// Of a kernel in a sweep. A step of the sweep runs all kernels without `turned`, or else all with it.
constexpr const char *turnedAttr = "turned";
/// Of a kernel in a sweep, and of a graph.if in it: the condition says that the neighbour is in the level that the step
/// goes to, of which the kernel may have a bitmap.
constexpr const char *levelBitsAttr = "level_bits";
/// Of one `turned` kernel: it runs over the members of the level that was visited before.
constexpr const char *overPreviousAttr = "over_previous";

} // namespace gcompile
