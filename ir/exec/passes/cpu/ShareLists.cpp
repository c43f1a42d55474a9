#include "ir/exec/Passes.h"
#include "ir/exec/passes/common/ArcLists.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SHARELISTS
#include "ir/exec/Passes.h.inc"

namespace {
struct ShareLists : impl::ShareListsBase<ShareLists> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(), [](exec::PropagateOp propagate) {
      Region &push = propagate.getPush();
      if (propagate.getSharing() == exec::Sharing::Serial || push.empty())
        return;
      const graph::Domain along = exec::arcsAlong(propagate);
      exec::ForOp list = onlyList(push.front(), push.getArgument(0), along, true);
      if (!list || list.getDomain() != along)
        return;
      propagate.setShareLists(true);
      list.setShareLists(true);
    });
  }
};
} // namespace
} // namespace gcompile
