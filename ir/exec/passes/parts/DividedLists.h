// Kernels where several machines share the edges at a vertex: each has those whose other ends are in its column.
#pragma once

#include "ir/exec/passes/parts/Places.h"

namespace gcompile::parts {

/// Makes the kernels of an algorithm, behind prepareHost, such that they run where the edges at a vertex are divided,
/// too; why it cannot, if it cannot. What it has changed until then stays.
///
/// - A kernel that only pushes along the edges of its vertex gets the flag `divided`.
/// - One that collects over these for its vertex stays as it is where edges are not divided. Else one that collects
///   what a part has runs before it, the copies send that to their owners, and these go on with it.
std::optional<Refusal> divideLists(graph::AlgorithmOp algorithm);

/// Makes of a kernel over all vertices, which collects over edges, two for edges that are divided, beside the one for
/// edges that are not; why it cannot, if it cannot.
std::optional<Refusal> splitCollection(exec::ParallelOp kernel);

/// Whether it is a loop over the edges at a vertex.
bool isListLoop(mlir::Operation *op);
/// Whether the operation, or what it holds, looks at edges.
bool looksAtEdges(mlir::Operation *op);

/// Why the region of a kernel does more than push along the edges of the vertex that it runs for, if it does; what it
/// reads of its own vertex must be such that its owner can give it before the kernel. `changes`: the operation that may
/// change such values meanwhile. `collected`: states that it may assign at its own vertex.
std::optional<Refusal> notPushing(mlir::Operation *kernel, mlir::Region &region, mlir::Operation *changes,
                                  mlir::ValueRange collected = {});

} // namespace gcompile::parts
