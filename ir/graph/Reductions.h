// What passes and printers ask about a reduction. Nothing else may tell one kind from another where the answer depends
// on how values combine.
#pragma once

#include "ir/graph/ReductionTable.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

#include "ir/graph/GraphEnums.h.inc"

namespace gcompile::graph {

constexpr const UpdateTraits &traits(UpdateKind kind) {
  for (const UpdateTraits &update : updateTable)
    if (update.kind == static_cast<unsigned>(kind))
      return update;
  return updateTable[0];
}
constexpr const ReduceTraits &traits(ReduceKind kind) {
  for (const ReduceTraits &reduce : reduceTable)
    if (reduce.kind == static_cast<unsigned>(kind))
      return reduce;
  return reduceTable[0];
}

/// The update that makes one of two partial results; Assign where an accumulator merges them.
constexpr UpdateKind combination(ReduceKind kind) { return static_cast<UpdateKind>(traits(kind).combine); }

/// Whether partial results can be combined wherever they are, as one number each.
constexpr bool isCombinable(ReduceKind kind) { return !traits(kind).accumulates() && !traits(kind).decides; }

} // namespace gcompile::graph
