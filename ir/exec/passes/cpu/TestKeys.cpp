#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_TESTKEYS
#include "ir/exec/Passes.h.inc"

namespace {

bool isExtreme(graph::ReduceKind kind) { return graph::traits(kind).extreme; }

bool readsAt(Operation *op, Value neighbour) {
  return op
      ->walk([&](Operation *inner) {
        bool reads = isa<graph::ReadOp, graph::DegreeOp>(inner) && llvm::is_contained(inner->getOperands(), neighbour);
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The operations inside the loop that the key is computed by; false if one of them is more than cheap arithmetic on
/// the edge's own values and what is known before the loop.
bool collectKey(Value key, exec::ForOp loop, llvm::SetVector<Operation *> &parts) {
  llvm::SetVector<Value> pending;
  pending.insert(key);
  for (std::size_t i = 0; i < pending.size(); ++i) {
    Operation *op = pending[i].getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      continue;
    if (!isa<graph::ReadOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp, graph::ConstantOp, graph::InfOp,
             graph::LetOp, graph::TupleOp, graph::DegreeOp, graph::NumVerticesOp>(op) ||
        readsAt(op, loop.getBody().getArgument(0)))
      return false;
    if (auto read = dyn_cast<graph::ReadOp>(op); read && (read.getChecked() || read.getRelaxed()))
      return false;
    if (auto binary = dyn_cast<graph::BinaryOp>(op);
        binary && isa<IntegerType>(binary.getType()) &&
        (binary.getKind() == graph::BinaryKind::Div || binary.getKind() == graph::BinaryKind::Rem))
      return false; // the condition may keep a zero from it
    parts.insert(op);
    pending.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

struct TestKeys : impl::TestKeysBase<TestKeys> {
  void runOnOperation() override {
    SmallVector<exec::ReduceOp> reductions;
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        graph::walkHolders(algorithm, [&](exec::ReduceOp reduce) { reductions.push_back(reduce); });
    for (exec::ReduceOp reduce : reductions)
      if (isExtreme(reduce.getKind()))
        rewrite(reduce);
  }

  static void rewrite(exec::ReduceOp reduce) {
    exec::ContributeOp contribute;
    bool several = false;
    reduce.walk([&](exec::ContributeOp op) {
      if (op->getParentOfType<exec::ReduceOp>() != reduce)
        return;
      several |= static_cast<bool>(contribute);
      contribute = op;
    });
    if (!contribute || several)
      return;
    // The loop over edges around it, with nothing but conditions between.
    bool gathers = false;
    Operation *parent = contribute->getParentOp();
    SmallVector<graph::IfOp> conditions;
    for (; isa<graph::IfOp>(parent); parent = parent->getParentOp())
      conditions.push_back(cast<graph::IfOp>(parent));
    auto loop = dyn_cast<exec::ForOp>(parent);
    if (!loop || loop.getDomain() == graph::Domain::Vertices || loop.getDomain() == graph::Domain::Pairs)
      return;
    Value neighbour = loop.getBody().getArgument(0);
    for (graph::IfOp condition : conditions) {
      SmallVector<Value> pending{condition.getCondition()};
      while (!pending.empty()) {
        Operation *op = pending.pop_back_val().getDefiningOp();
        if (!op || !loop->isProperAncestor(op))
          continue;
        gathers |= readsAt(op, neighbour);
        pending.append(op->operand_begin(), op->operand_end());
      }
    }
    llvm::SetVector<Operation *> parts;
    if (!gathers || !collectKey(contribute.getValue(), loop, parts))
      return;

    Block &body = loop.getBody().front();
    SmallVector<Operation *> contents;
    for (Operation &op : body)
      contents.push_back(&op);
    OpBuilder b = OpBuilder::atBlockBegin(&body);
    IRMapping map;
    loop.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (parts.contains(op))
        b.clone(*op, map);
    });
    Value old = contribute.getValue(), key = map.lookupOrDefault(old);
    Value improves = b.create<exec::ImprovesOp>(contribute.getLoc(), b.getI1Type(), key);
    auto branch = b.create<graph::IfOp>(contribute.getLoc(), improves);
    Block *then = b.createBlock(&branch.getThenRegion());
    for (Operation *op : contents)
      op->moveBefore(then, then->end());
    contribute.getValueMutable().assign(key);
    eraseUnused(old);
  }
};
} // namespace
} // namespace gcompile
