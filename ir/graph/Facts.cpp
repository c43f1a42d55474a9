#include "ir/graph/GraphDialect.h"

using namespace mlir;

namespace gcompile::graph {

static GraphDialect::FactsAttrHelper helper(Operation *op) {
  return op->getContext()->getLoadedDialect<GraphDialect>()->getFactsAttrHelper();
}

ArrayRef<Fact> factsOf(Operation *op) {
  FactsAttr facts = helper(op).getAttr(op);
  return facts ? facts.getFacts() : ArrayRef<Fact>();
}

void addFacts(Operation *op, ArrayRef<Fact> facts) {
  SmallVector<Fact> all(factsOf(op));
  all.append(facts.begin(), facts.end());
  if (!all.empty())
    helper(op).setAttr(op, FactsAttr::get(op->getContext(), all));
}

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != getFactsAttrHelper().getName())
    return op->emitOpError("has the attribute ") << attribute.getName() << ", which the dialect does not declare";
  auto facts = dyn_cast<FactsAttr>(attribute.getValue());
  if (!facts)
    return op->emitOpError("has facts that are no #graph.facts");
  for (Fact fact : facts.getFacts())
    if (!fact.isAbout(op))
      return op->emitOpError("cannot have the fact ") << fact;
  return success();
}

} // namespace gcompile::graph
