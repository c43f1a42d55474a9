#include "ir/exec/passes/parts/Ends.h"
#include "ir/exec/passes/parts/Places.h"
#include "ir/graph/Domains.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace gcompile::parts {

bool Ends::isOwn(Value vertex) const { return llvm::is_contained(own, withoutLet(vertex)); }

End Ends::of(Value vertex) const {
  vertex = withoutLet(vertex);
  if (isOwn(vertex))
    return End::Own;
  // The other end of an edge out of the own vertex, however it is called.
  if (auto place = vertex.getDefiningOp<graph::NeighborAtOp>(); place && isOwn(place.getVertex()))
    return End::Other;
  if (auto end = vertex.getDefiningOp<graph::EndpointOp>();
      end && end.getSide() == graph::Side::In && isOwnEdge(end.getEdge()))
    return End::Other;
  if (auto choice = vertex.getDefiningOp<graph::BinaryOp>(); // the least or the greatest of two
      choice && (choice.getKind() == graph::BinaryKind::Min || choice.getKind() == graph::BinaryKind::Max))
    return std::max(of(choice.getLhs()), of(choice.getRhs()));
  auto argument = dyn_cast<BlockArgument>(vertex);
  if (!argument || argument.getArgNumber() != 0)
    return End::Computed;
  Operation *holder = argument.getOwner()->getParentOp();
  if (auto filter = dyn_cast<graph::SetFilterOp>(holder))
    return ofMembers(filter.getSet()).value_or(End::Computed);
  auto loop = dyn_cast<exec::ForOp>(holder);
  if (loop && graph::isList(loop.getDomain()))
    return isOwn(loop.getOver()) ? End::Other : End::Computed;
  return loop && loop.getDomain() == graph::Domain::Vertices ? ofMembers(loop.getOver()).value_or(End::Computed)
                                                             : End::Computed;
}

End Ends::ofEdge(Value edge) const {
  edge = withoutLet(edge);
  if (isOwnEdge(edge))
    return End::Own;
  if (auto between = edge.getDefiningOp<graph::EdgeBetweenOp>())
    return of(between.getSource());
  if (!isLoopEdge(edge))
    return End::Computed;
  auto loop = cast<exec::ForOp>(cast<BlockArgument>(edge).getOwner()->getParentOp());
  const End end = of(loop.getOver());
  return leadsOut(loop) ? end : end == End::Own ? End::Other : End::Computed;
}

End Ends::ofPlace(Value place) const { return isa<graph::EdgeType>(place.getType()) ? ofEdge(place) : of(place); }

std::optional<End> Ends::ofMembers(Value set) const {
  set = withoutLet(set);
  Operation *op = set.getDefiningOp();
  if (!op) { // a parameter is known everywhere; the level of a loop is not
    const bool given = isa<graph::AlgorithmOp>(cast<BlockArgument>(set).getOwner()->getParentOp());
    return given ? std::optional(End::Computed) : std::nullopt;
  }
  if (isa<graph::AllVerticesOp>(op))
    return End::Computed;
  if (!isInKernel(op->getParentRegion()))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<End>>(op)
      .Case([&](graph::NeighborsOp list) { return of(list.getVertex()) == End::Own ? End::Other : End::Computed; })
      .Case([&](graph::SetOfOp vertices) {
        End end = End::Own;
        for (Value each : vertices.getOperands())
          end = std::max(end, of(each));
        return end;
      })
      .Case([&](graph::SetFilterOp filter) { return ofMembers(filter.getSet()); })
      .Case([&](graph::SetAlgebraOp algebra) -> std::optional<End> {
        std::optional<End> left = ofMembers(algebra.getLhs()), right = ofMembers(algebra.getRhs());
        if (!left || !right)
          return std::nullopt;
        return algebra.getKind() == graph::SetKind::Union          ? std::max(*left, *right)
               : algebra.getKind() == graph::SetKind::Intersection ? std::min(*left, *right)
                                                                   : *left;
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool Ends::isInKernel(Region *region) const {
  return llvm::any_of(own, [&](Value each) { return each.getParentRegion()->isAncestor(region); });
}

Row Ends::rowOf(Value state, Value vertex) const {
  auto copy = state.getDefiningOp<exec::SnapshotOp>();
  if (isOwn(vertex) || (copy && copy.getRow()))
    return Row::Here;
  const bool given = !(copy && copy.getColumn()) && !isInKernel(withoutLet(vertex).getParentRegion());
  return given ? Row::Given : Row::Elsewhere;
}

bool Ends::isOfCopy(Value edge) const {
  edge = withoutLet(edge);
  if (auto between = edge.getDefiningOp<graph::EdgeBetweenOp>())
    return of(between.getSource()) == End::Other;
  if (!isLoopEdge(edge))
    return false;
  auto loop = cast<exec::ForOp>(cast<BlockArgument>(edge).getOwner()->getParentOp());
  return of(loop.getOver()) == End::Other && leadsOut(loop);
}

bool Ends::hasValues(Value edge) const { return isLoopEdge(edge) || isOwnEdge(edge) || isOfCopy(edge); }
bool Ends::knowsTarget(Value edge) const { return isOwnEdge(edge) || isOfCopy(edge); }

} // namespace gcompile::parts
