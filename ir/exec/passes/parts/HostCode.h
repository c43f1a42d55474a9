// What the host does between kernels, which every machine does in the same way with the same values.
#pragma once

#include "ir/exec/passes/parts/Places.h"

#include <optional>

namespace gcompile::parts {

/// Makes the host's code such that all machines can run it: values of single vertices come from their owners, and a
/// loop over the edges of one vertex becomes a kernel, which its owner runs. `onDevice`: for several GPUs, whose host
/// has the whole graph. What cannot be divided is returned.
std::optional<Refusal> prepareHost(graph::AlgorithmOp algorithm, bool onDevice);

} // namespace gcompile::parts
