// Properties of edges in parts: the owner of the vertex that an edge leaves has its value.
#include "ir/exec/passes/parts/Places.h"

using namespace mlir;

namespace gcompile::parts {

std::optional<Refusal> sendToEdge(exec::UpdateOp update, End end, Needs &needs) {
  Value state = update.getState();
  const std::string name = "'" + exec::nameOf(state) + "'";
  auto propagate = update->getParentOfType<exec::PropagateOp>();
  if (propagate && !propagate.getPush().isAncestor(update->getParentRegion()))
    return Refusal{update, "it updates " + name + " at an edge of another vertex, where a round does not push"};
  if (!isSendable(cast<graph::StateType>(state.getType()).getElement(), update.getKind()) || update.getPart() >= 0)
    return Refusal{update, "its contributions to " + name + " are none that machines can send"};
  if (!update.getChanged().use_empty())
    return Refusal{update, "it asks whether " + name + " changes at an edge of another vertex"};
  std::optional<Sent> &sent = needs.sentOfEdges;
  if (sent && (sent->state != state || sent->kind != update.getKind()))
    return Refusal{update, "it updates both '" + exec::nameOf(sent->state) + "' and " + name +
                               " at edges of other vertices, or one of them in two ways"};
  if (!sent)
    sent = Sent{update.getKind(), state, Value(), {}, {}};
  sent->computed |= end == End::Computed;
  sent->updates.push_back(update);
  return std::nullopt;
}

void goOverVertices(exec::ParallelOp kernel) {
  OpBuilder b(kernel);
  const Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  const Type vertex = graph::VertexType::get(b.getContext());
  auto name = [&](const char *text) -> Attribute { return b.getStringAttr(text); };
  Attribute ofEdge = kernel.getNames() ? kernel.getNames()->getValue()[0] : name("e");
  kernel.getOverMutable().assign(b.create<graph::AllVerticesOp>(loc));
  kernel.setDomain(graph::Domain::Vertices);
  kernel.setNamesAttr(b.getArrayAttr({name("u")}));
  Block *outer = b.createBlock(&kernel.getBody(), kernel.getBody().begin(), {vertex}, {loc});
  auto loop = b.create<exec::ForOp>(loc, graph::Domain::OutOf, outer->getArgument(0), Value(), Value(),
                                    b.getArrayAttr({name("v"), ofEdge}));
  body.insertArgument(0u, vertex, loc);
  body.moveBefore(&loop.getBody(), loop.getBody().end());
}

} // namespace gcompile::parts
