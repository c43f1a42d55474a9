// Reductions that a kernel computes.
#include "ir/conversion/KernelEmitter.h"
#include "ir/graph/Domains.h"

using namespace mlir;

namespace gcompile {

void KernelEmitter::contributions(graph::ReduceOp op, Value outer) {
  Location loc = op.getLoc();
  SmallVector<Value> conditions;
  if (!op.getWhere().empty())
    conjuncts(yielded(op.getWhere()), conditions);
  SmallVector<Region *> regions{&op.getWhere(), &op.getValue()};
  auto contribute = [&] {
    Value contributed = op.getValue().empty() ? Value() : value(yielded(op.getValue()));
    Value witness;
    if (graph::traits(op.getKind()).witness) {
      bool whole = graph::rangesOverEdges(op.getDomain());
      unsigned number = op.getEdge() ? (whole ? 2 : 1) : (whole ? 1 : 0);
      witness = map.lookup(op.getValue().getArgument(number));
    }
    b.create<exec::ContributeOp>(loc, contributed, witness);
  };
  if (!outer)
    return pattern(op.getDomain(), op.getOver(), regions, op.getNames(), conditions, loc, contribute);
  OpBuilder::InsertionGuard guard(b);
  if (graph::rangesOverEdges(op.getDomain())) {
    bind(regions, 0, outer);
    openConditions(conditions, regions, {1, 2}, loc);
    adjacency(graph::edgesAtActive(op.getDomain()), outer, 1, 2, regions, op.getNames(), conditions, loc);
  } else if (graph::isList(op.getDomain())) {
    adjacency(op.getDomain(), outer, 0, 1, regions, op.getNames(), conditions, loc);
  }
  openConditions(conditions, regions, {}, loc);
  contribute();
}

Value KernelEmitter::reduce(graph::ReduceOp op) {
  auto result = b.create<exec::ReduceOp>(op.getLoc(), op.getResult().getType(), op.getKind(), StringAttr(),
                                         graph::DomainAttr(), Value(), exec::Sharing::Serial);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&result.getBody());
  contributions(op, Value());
  return result;
}

} // namespace gcompile
