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

Text PartsLaunch::size(graph::SetSizeOp op) {
  if (op.getSet().getDefiningOp<graph::AllVerticesOp>())
    return HostLaunch::size(op);
  return {"devices_.size_of(" + static_cast<HostPrinter &>(*printer).setText(op.getSet()) + ")"};
}

} // namespace gcompile::gpus
