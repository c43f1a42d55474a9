#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_VECTORISESUMS
#include "ir/exec/Passes.h.inc"

namespace {

bool isNumber(Type type) { return type.isIntOrFloat(); }
bool isStoredNumber(Type type) { return isNumber(type) && !type.isInteger(1); }

/// Whether the update adds to a scalar of the program, of which each thread has a copy.
bool addsToScalar(exec::UpdateOp update) {
  return update.getIndices().empty() && update.getSync() == exec::Sync::Private &&
         update.getKind() == graph::UpdateKind::Add && update.getPart() < 0 && update.getChanged().use_empty() &&
         isStoredNumber(update.getValue().getType());
}

/// Whether what the operation does at vertex v has nothing to do with what is done at others, but for sums.
bool staysAtVertex(Operation &op, Value v) {
  if (auto read = dyn_cast<graph::ReadOp>(op))
    return (read.getIndices().empty() || isOwn(read.getIndices(), v)) && !read.getChecked() && !read.getRelaxed() &&
           isStoredNumber(read.getType());
  if (auto update = dyn_cast<exec::UpdateOp>(op))
    return !update.getChecked() &&
           (addsToScalar(update) || (assignsOwn(update, v) && isStoredNumber(update.getValue().getType())));
  if (auto degree = dyn_cast<graph::DegreeOp>(op))
    return degree.getVertex() == v;
  if (auto contribute = dyn_cast<exec::ContributeOp>(op))
    return contribute->getNumOperands() == 1;
  return isa<graph::ConstantOp, graph::InfOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp, graph::LetOp,
             graph::NumVerticesOp, graph::NumEdgesOp>(op) &&
         op.getNumRegions() == 0 && llvm::all_of(op.getResultTypes(), isNumber) &&
         !llvm::is_contained(op.getOperands(), v);
}

/// Whether the kernel reads none of the scalars that it adds to.
bool readsNoSum(Block &body) {
  llvm::DenseSet<Value> sums;
  for (auto update : body.getOps<exec::UpdateOp>())
    if (update.getIndices().empty())
      sums.insert(update.getState());
  return llvm::none_of(body.getOps<graph::ReadOp>(),
                       [&](graph::ReadOp read) { return sums.contains(read.getState()); });
}

bool addsRealNumbers(Block &body) {
  return llvm::any_of(body, [](Operation &op) {
    auto update = dyn_cast<exec::UpdateOp>(op);
    return (update && addsToScalar(update) && isa<FloatType>(update.getValue().getType())) ||
           (isa<exec::ContributeOp>(op) && isa<FloatType>(op.getOperand(0).getType()));
  });
}

bool isVectorised(Block &body) {
  Value v = body.getArgument(0);
  return llvm::all_of(body, [&](Operation &op) { return staysAtVertex(op, v); }) && readsNoSum(body) &&
         addsRealNumbers(body);
}

/// Whether the reduction is a sum over all vertices.
bool sumsAllVertices(exec::ReduceOp reduce) {
  return reduce.getKind() == graph::ReduceKind::Sum && reduce.getDomain() == graph::Domain::Vertices &&
         reduce.getOver() && reduce.getOver().getDefiningOp<graph::AllVerticesOp>();
}

/// Whether each turn of the loop adds one real number to a sum, and does nothing else.
bool addsInEachTurn(exec::ForOp loop) {
  auto reduce = dyn_cast<exec::ReduceOp>(loop->getParentOp());
  Block &body = loop.getBody().front();
  auto contribute = body.empty() ? exec::ContributeOp() : dyn_cast<exec::ContributeOp>(body.back());
  return reduce && reduce.getKind() == graph::ReduceKind::Sum && contribute &&
         isa<FloatType>(contribute.getValue().getType()) && llvm::all_of(body, [&](Operation &op) {
           return &op == contribute || (computesValue(&op) && !exec::isChecked(&op));
         });
}

/// Has the loops of a kernel by segments add to several sums, and the program know, if it asks whether segments pay.
void addInParts(exec::ParallelOp kernel) {
  bool some = false;
  kernel.walk([&](exec::ForOp loop) {
    loop.setPartialSums(addsInEachTurn(loop));
    some |= loop.getPartialSums();
  });
  auto choice = dyn_cast<graph::IfOp>(kernel->getParentOp());
  auto pays = some && choice ? choice.getCondition().getDefiningOp<exec::SegmentsPayOp>() : exec::SegmentsPayOp();
  if (pays)
    pays.setLongLists(true);
}

struct VectoriseSums : impl::VectoriseSumsBase<VectoriseSums> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      algorithm.walk([](exec::ParallelOp kernel) {
        if (runsForAllVertices(kernel) && !kernel.getOrderedSums())
          kernel.setVectorised(isVectorised(kernel.getBody().front()));
        if (exec::goesBySegments(kernel) && !kernel.getOrderedSums())
          addInParts(kernel);
      });
      algorithm.walk([](exec::ReduceOp reduce) {
        if (sumsAllVertices(reduce) && !reduce.getOrderedSums())
          reduce.setVectorised(isVectorised(reduce.getBody().front()));
      });
    }
  }
};

} // namespace
} // namespace gcompile
