#include "ir/exec/passes/common/Stages.h"
#include "ir/Errors.h"
#include "ir/exec/Kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace gcompile {

namespace {

/// The runtime has a bit for each state that is handed on.
constexpr unsigned mostStates = 64;

/// The names of states, in the order of the program.
using Names = llvm::SetVector<StringRef>;

/// By name: the number and the type of a state.
using States = llvm::StringMap<std::pair<IntegerAttr, Type>>;

/// One form of an algorithm, cut into stages.
class Form {
public:
  explicit Form(graph::AlgorithmOp algorithm) : algorithm(algorithm) {
    for (auto state : algorithm.getBody().getOps<graph::StateOp>())
      ++named[state.getName()];
    unsigned stage = 0;
    for (Operation &op : algorithm.getBody().front()) {
      if (isa<exec::NextStageOp>(op))
        cuts.push_back(&op), ++stage;
      else
        stageOf[&op] = stage;
    }
  }

  unsigned stages() const { return cuts.size() + 1; }
  void join(unsigned cut) { cuts[cut]->erase(); }

  /// The states of the program that have a name of their own: the number of each, and its type.
  States states() {
    States result;
    for (auto state : algorithm.getBody().getOps<graph::StateOp>())
      if (auto number = state->getAttrOfType<IntegerAttr>(handedAttribute); number && named[state.getName()] == 1)
        result[state.getName()] = {number, state.getType()};
    return result;
  }

  /// Notes which cuts cannot stay: behind them something is used from before them that is none of `handed`.
  void findHeld(const States &handed, llvm::BitVector &held) {
    for (Operation &op : algorithm.getBody().front()) {
      auto state = dyn_cast<graph::StateOp>(op);
      bool everywhere = isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp, exec::ByTargetOp>(op);
      if (isa<exec::NextStageOp>(op) || everywhere || (state && handed.contains(state.getName())))
        continue;
      unsigned first = state ? stages() : stageOf[&op], last = 0;
      for (Operation *user : op.getUsers()) {
        unsigned stage = stageOf[op.getBlock()->findAncestorOpInBlock(*user)];
        first = std::min(first, stage);
        last = std::max(last, stage);
      }
      for (unsigned cut = first; cut < last; ++cut)
        held.set(cut);
    }
  }

  /// What a stage reads or writes of `handed`, and what it writes. What is not a read may write.
  void collect(unsigned stage, const States &handed, Names &touched, Names &written) {
    for (Operation &top : algorithm.getBody().front())
      if (auto found = stageOf.find(&top); found != stageOf.end() && found->second == stage)
        top.walk([&](Operation *op) {
          for (Value operand : op->getOperands()) {
            auto state = operand.getDefiningOp<graph::StateOp>();
            if (!state || state->getParentOp() != algorithm || !handed.contains(state.getName()))
              continue;
            touched.insert(state.getName());
            if (!isa<graph::ReadOp>(op))
              written.insert(state.getName());
          }
        });
  }

private:
  graph::AlgorithmOp algorithm;
  llvm::StringMap<unsigned> named;
  SmallVector<Operation *> cuts;
  llvm::DenseMap<Operation *, unsigned> stageOf;
};

/// The states of the program that both forms have, with the same name and type.
States statesOfBoth(Form &cpu, Form &gpu) {
  States result, others = gpu.states();
  for (const auto &state : cpu.states())
    if (others.lookup(state.getKey()) == state.getValue())
      result.insert({state.getKey(), state.getValue()});
  return result;
}

/// Makes one of two stages that follow each other; the second one goes.
LogicalResult join(exec::StageOp first, exec::StageOp second) {
  const auto chosen = exec::Side::Chosen;
  if (first.getOn() != chosen && second.getOn() != chosen && first.getOn() != second.getOn())
    return refuse(second.getLoc(), "run on another side than the one before it",
                  "what that one leaves is more than values of the program's states", first.getLoc(),
                  "that one begins here");
  Builder b(first.getContext());
  SmallVector<double> work;
  for (auto [a, c] : llvm::zip(first.getWork(), second.getWork()))
    work.push_back(cast<FloatAttr>(a).getValueAsDouble() + cast<FloatAttr>(c).getValueAsDouble());
  first.setWorkAttr(b.getF64ArrayAttr(work));
  if (second.getOn() != chosen)
    first.setOn(second.getOn());
  first.setBoth(false);
  second.erase();
  return success();
}

} // namespace

LogicalResult matchStages(graph::AlgorithmOp cpu, graph::AlgorithmOp gpu, exec::SidesOp sides,
                          SmallVector<exec::StageOp> stages) {
  if (stages.empty())
    return success();
  Form onCpu(cpu), onGpu(gpu);
  States handed = statesOfBoth(onCpu, onGpu);
  llvm::BitVector held(stages.size(), handed.size() > mostStates);
  onCpu.findHeld(handed, held);
  onGpu.findHeld(handed, held);
  const auto joinAt = [&](unsigned cut) {
    onCpu.join(cut);
    onGpu.join(cut);
    LogicalResult result = join(stages[cut], stages[cut + 1]);
    stages.erase(stages.begin() + cut + 1);
    return result;
  };
  for (unsigned cut = stages.size() - 1; cut-- > 0;)
    if (held[cut] && failed(joinAt(cut)))
      return failure();
  if (stages.size() == 2 && stages.front().getBoth() && failed(joinAt(0)))
    return failure();
  if (stages.size() == 1) {
    sides.setOn(stages.front().getOn());
    stages.front().erase();
    return success();
  }
  Builder b(cpu.getContext());
  for (auto [k, stage] : llvm::enumerate(stages)) {
    Names touched, written;
    Form(cpu).collect(k, handed, touched, written);
    Form(gpu).collect(k, handed, touched, written);
    stage.setTouchesAttr(b.getStrArrayAttr(touched.getArrayRef()));
    stage.setWritesAttr(b.getStrArrayAttr(written.getArrayRef()));
  }
  return success();
}

} // namespace gcompile
