// Loops over kept levels that one kernel of the device runs.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// Whether the loop goes over kept levels and its body is nothing but kernels over the level, from which no scalar
/// comes back to the host and for which nothing is prepared.
bool isSweep(graph::ForOp loop);

} // namespace gcompile
