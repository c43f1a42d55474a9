#include "ir/Sides.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace gcompile {

namespace {

class OnSide : public PassWrapper<OnSide, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OnSide)

  OnSide(StringRef side, std::function<void(OpPassManager &)> build) : side(side), build(std::move(build)) {}

  StringRef getName() const override { return "OnSide"; }

  void runOnOperation() override {
    OpPassManager manager(ModuleOp::getOperationName());
    build(manager);
    if (failed(runPipeline(manager, getOperation().lookupSymbol<ModuleOp>(side))))
      signalPassFailure();
  }

private:
  std::string side;
  std::function<void(OpPassManager &)> build;
};

} // namespace

std::unique_ptr<Pass> createOnSide(StringRef side, std::function<void(OpPassManager &)> build) {
  return std::make_unique<OnSide>(side, std::move(build));
}

} // namespace gcompile
