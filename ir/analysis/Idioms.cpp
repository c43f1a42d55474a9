// Statements and reductions that the runtime has an algorithm for.
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile {

bool isComponentMinimum(const EffectTable &table) {
  auto op = dyn_cast<graph::PropagateOp>(table.statement().operation());
  if (!op)
    return false;
  auto algorithm = op->getParentOfType<graph::AlgorithmOp>();
  bool bothWays =
      op.getDomain() == graph::Domain::EdgesBoth || (algorithm && algorithm.getDirectedness() == "undirected");
  if (!bothWays || !op.getFrom().getDefiningOp<graph::AllVerticesOp>() || !op.getWhere().empty() || op.getOrdered() ||
      !table.isMonotoneFixpoint() || table.writes().size() != 1)
    return false;
  const Write &write = table.writes()[0];
  if (write.kind != graph::UpdateKind::Min || write.states.size() != 1 || write.owner != 1u ||
      write.op->getParentOp() != op || isa<TupleType>(write.values[0].getType()))
    return false;
  auto read = withoutLet(write.values[0]).getDefiningOp<graph::ReadOp>();
  return read && read.getState() == write.states[0] && table.statement().argument(read.getIndices()[0]) == 0u;
}

bool isTriangleCount(graph::ReduceOp op) {
  auto algorithm = op->getParentOfType<graph::AlgorithmOp>();
  if (!algorithm || algorithm.getDirectedness() != "undirected" || op.getKind() != graph::ReduceKind::Sum ||
      op.getDomain() != graph::Domain::Edges || !op.getOver().getDefiningOp<graph::AllVerticesOp>() ||
      op.getWhere().empty() || !op.getResult().getType().isInteger(64))
    return false;
  auto ordered = [](Region &where, Value low, Value high) {
    auto compare = yielded(where).getDefiningOp<graph::BinaryOp>();
    if (!compare)
      return false;
    if (compare.getKind() == graph::BinaryKind::Gt)
      std::swap(low, high);
    return (compare.getKind() == graph::BinaryKind::Lt || compare.getKind() == graph::BinaryKind::Gt) &&
           compare.getLhs() == low && compare.getRhs() == high;
  };
  auto inner = yielded(op.getValue()).getDefiningOp<graph::ReduceOp>();
  if (!inner || inner.getKind() != graph::ReduceKind::Count || inner.getDomain() != graph::Domain::Vertices ||
      inner.getWhere().empty())
    return false;
  Value u = op.getValue().getArgument(0), v = op.getValue().getArgument(1);
  auto common = inner.getOver().getDefiningOp<graph::SetAlgebraOp>();
  if (!common || common.getKind() != graph::SetKind::Intersection)
    return false;
  auto left = common.getLhs().getDefiningOp<graph::NeighborsOp>(),
       right = common.getRhs().getDefiningOp<graph::NeighborsOp>();
  bool adjacent =
      left && right &&
      ((left.getVertex() == u && right.getVertex() == v) || (left.getVertex() == v && right.getVertex() == u));
  return adjacent && ordered(op.getWhere(), op.getWhere().getArgument(0), op.getWhere().getArgument(1)) &&
         ordered(inner.getWhere(), v, inner.getWhere().getArgument(0));
}

} // namespace gcompile
