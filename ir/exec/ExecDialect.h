// The `exec` dialect: how a program runs. See ExecOps.td.
#pragma once

#include "ir/graph/GraphDialect.h"

#include "ir/exec/ExecEnums.h.inc"

#include "ir/exec/ExecDialect.h.inc"

#include "ir/exec/ExecInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ir/exec/ExecOps.h.inc"

namespace gcompile::exec {

/// Whether the operation is a kernel or holds kernels' bodies.
inline bool isKernel(mlir::Operation *op) {
  if (auto reduce = mlir::dyn_cast<ReduceOp>(op))
    return reduce.getDomain().has_value();
  return mlir::isa<ParallelOp, FilterOp, PropagateOp, OrderedOp, OnceOp>(op);
}

/// Whether the kernel runs on one thread.
bool isSerial(mlir::Operation *kernel);

/// Whether a kernel goes by segments of the arcs into its vertices.
inline bool goesBySegments(mlir::Operation *op) {
  auto kernel = mlir::dyn_cast<ParallelOp>(op);
  return kernel && (kernel.getSegmentWidth() || kernel.getSourceBytes());
}

/// What a kernel says of itself (ExecInterfaces.td); false for other operations.
inline bool isTransposed(mlir::Operation *op) {
  auto kernel = mlir::dyn_cast<Kernel>(op);
  return kernel && kernel.getTransposed();
}
inline bool isSplit(mlir::Operation *op) {
  auto kernel = mlir::dyn_cast<Kernel>(op);
  return kernel && kernel.getSplit();
}
inline bool goesBothWays(mlir::Operation *op) {
  auto kernel = mlir::dyn_cast<Kernel>(op);
  return kernel && kernel.getBothWays();
}
inline bool goesByLanes(mlir::Operation *op) {
  auto kernel = mlir::dyn_cast<Kernel>(op);
  return kernel && kernel.getByLanes();
}

/// Whether the operation reads aligned lists where the runtime has them.
inline bool readsAligned(mlir::Operation *op) {
  if (auto loop = mlir::dyn_cast<ForOp>(op))
    return loop.getAligned();
  if (auto loop = mlir::dyn_cast<BatchForOp>(op))
    return loop.getAligned();
  auto pull = mlir::dyn_cast<PullByArcsOp>(op);
  return pull && pull.getAligned();
}

/// The arcs along which a kernel goes, at the vertices that it starts from.
inline graph::Domain arcsAlong(mlir::Operation *kernel) {
  return isTransposed(kernel) ? graph::Domain::Into : graph::Domain::OutOf;
}
/// The arcs along which it comes, at the vertices that it leads to.
inline graph::Domain arcsAgainst(mlir::Operation *kernel) {
  return isTransposed(kernel) ? graph::Domain::OutOf : graph::Domain::Into;
}

/// Whether the operation checks at run time what may end the program with an error: an index, a divisor.
bool isChecked(mlir::Operation *op);

/// Whether an optional region is left out: it has no operation.
inline bool isAbsent(mlir::Region &region) { return region.empty() || region.front().empty(); }

/// Whether it only chooses between the forms of a kernel where parts share the edges at a vertex, which comes first,
/// and where they do not.
inline bool isDivisionOfLists(mlir::Operation *op) {
  auto branch = mlir::dyn_cast_or_null<graph::IfOp>(op);
  return branch && branch.getCondition().getDefiningOp<ListsDividedOp>();
}

/// Whether it only chooses between the forms of a kernel that goes by segments, which comes first, and that does not.
inline bool isChoiceOfSegments(mlir::Operation *op) {
  auto branch = mlir::dyn_cast_or_null<graph::IfOp>(op);
  return branch && branch.getCondition().getDefiningOp<SegmentsPayOp>();
}

/// The blocks that a statement runs in sequence: the body of a graph.while, graph.repeat or sequential graph.for, the
/// branches of a graph.if. None for other operations.
llvm::SmallVector<mlir::Block *, 2> sequencesOf(mlir::Operation *op);
/// Those of them whose statements are stages: at some depth, an exec.next_stage stands in them.
llvm::SmallVector<mlir::Block *, 2> stagedBlocks(mlir::Operation *op);

/// The name of a state, which a second array of it has too.
std::string nameOf(mlir::Value state);

/// The relaxation that an ordered push consists of, if it does.
RelaxOp relaxationOf(OrderedOp op);
/// The pull of a propagate that the runtime takes apart, if it does.
PullByArcsOp pullByArcsOf(PropagateOp op);
/// The same of a kernel by lanes.
AskedListsOp askedListsOf(mlir::Operation *kernel);

/// The body of a kernel by lanes that the runtime calls for all vertices of the graph; null: it is called for others,
/// or in another way.
mlir::Region *bodyOverAll(mlir::Operation *kernel);

/// The list of its vertex, Into or OutOf, that each call of such a kernel walks; nullopt: it walks none, or only under
/// a condition. Of both, Into.
std::optional<graph::Domain> walkedList(mlir::Operation *kernel);

/// Whether the algorithm has a kernel that walks the lists of all vertices.
bool walksAllLists(graph::AlgorithmOp algorithm);
/// Whether it has sets of vertices among its parameters.
bool takesSets(graph::AlgorithmOp algorithm);
/// Whether the operation makes sets of vertices, but for that of all, or is a runtime algorithm, which has its own.
bool makesLists(mlir::Operation *op);
/// Whether it has lists of vertices of its own: frontiers, levels, sets, or those of a runtime algorithm.
bool keepsFrontiers(graph::AlgorithmOp algorithm);

} // namespace gcompile::exec
