// What state and work lists take, in bytes.
#pragma once

#include "ir/GraphDialect.h"

namespace gcompile {

/// The active sets of a propagate, for each vertex: two queues of 32-bit ids and two bitmaps.
constexpr double activeSetBytes = 8.25;

/// Their list, where they are kept.
constexpr double keptLevelsBytes = 4;

/// One element, with 32-bit vertex ids; of a set, its share for each vertex.
double elementBytes(mlir::Type type);

} // namespace gcompile
