#include "ir/Errors.h"
#include "ir/graph/GraphDialect.h"
#include "ir/graph/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CHECKDEVICEFUNCTIONS
#include "ir/graph/Passes.h.inc"

namespace {

struct CheckDeviceFunctions : impl::CheckDeviceFunctionsBase<CheckDeviceFunctions> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](graph::ForeignCallOp call) {
      if (!call.getHostOnly())
        return;
      failed = true;
      report(call.getLoc(), diag::foreign_on_device, call.getCallee().str(), call.getHostOnly()->str());
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace gcompile
