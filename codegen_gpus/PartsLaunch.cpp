#include "codegen_gpus/PartsLaunch.h"

#include "codegen_gpus/HostPrinter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::gpus {

std::string PartsLaunch::call(StringRef function, cuda::Lists lists, const std::string &members,
                              const std::string &rest) {
  if (lists == cuda::Lists::None)
    return HostLaunch::call(function, lists, members, rest);
  return "devices_." + function.str() + "(" + cuda::memberOf(lists) + ", " + (members.empty() ? "" : members + ", ") +
         rest + ")";
}

Text PartsLaunch::makeSet(Operation *op) {
  auto &host = static_cast<HostPrinter &>(*printer);
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](graph::AllVerticesOp) -> Text { return {"devices_.all()"}; })
      .Case([&](graph::SetOfOp o) { return own(host.membersOf(o)); })
      .Case([&](graph::NeighborsOp o) {
        std::string v = host.vertexOf(o);
        if (o.getSide() == graph::Side::Both)
          return own("gc::both_neighbors(graph_.host(), " + v + ")");
        return own(std::string("graph_.host().") +
                   (o.getSide() == graph::Side::Out ? "out_neighbors(" : "in_neighbors(") + v + ")");
      })
      .Default([&](Operation *other) { return HostLaunch::makeSet(other); });
}

void PartsLaunch::snapshot(exec::SnapshotOp op) {
  if (op.getState().getType().getShape() != graph::Shape::Dense)
    return HostLaunch::snapshot(op);
  auto &host = static_cast<HostPrinter &>(*printer);
  Value of = op.getRow() ? op.getRow() : op.getColumn();
  host.add(std::string("gc::gpus::copy_") +
           (op.getRow()      ? "row"
            : op.getColumn() ? "column"
                             : "rows") +
           "(devices_, " + state(op.getCopy()) + ", " + state(op.getState()) + (of ? ", " + host.valueText(of) : "") +
           ");");
}

Text PartsLaunch::contains(graph::ContainsOp op) {
  auto &host = static_cast<HostPrinter &>(*printer);
  const std::string vertex = host.valueText(op.getVertex());
  if (op.getSet().getDefiningOp<graph::AllVerticesOp>())
    return {"(" + vertex + " < graph_.num_vertices())"};
  std::string given = host.givenSet(op.getSet());
  return {(given.empty() ? host.valueText(op.getSet()) : given) + ".contains(" + vertex + ")"};
}

Text PartsLaunch::size(graph::SetSizeOp op) {
  if (op.getSet().getDefiningOp<graph::AllVerticesOp>())
    return HostLaunch::size(op);
  if (std::string given = static_cast<HostPrinter &>(*printer).givenSet(op.getSet()); !given.empty())
    return {given + ".size()"};
  return {"devices_.size_of(" + static_cast<HostPrinter &>(*printer).valueText(op.getSet()) + ")"};
}

} // namespace gcompile::gpus
