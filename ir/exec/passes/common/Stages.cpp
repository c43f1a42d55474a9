#include "ir/exec/passes/common/Stages.h"
#include "ir/Errors.h"
#include "ir/exec/Kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace gcompile {

bool goesByOneList(Operation *op) {
  return op
      ->walk(
          [](exec::DeviceLoopOp loop) { return loop.getByOneList() ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

namespace {

/// The runtime has a bit for each state that is handed on.
constexpr unsigned mostStates = 64;

/// The names of states, in the order of the program.
using Names = llvm::SetVector<StringRef>;

/// By name: the number and the type of a state.
using States = llvm::StringMap<std::pair<IntegerAttr, Type>>;

/// One form of an algorithm, cut into stages: those of its own sequence, and those in loops and choices.
class Form {
public:
  explicit Form(graph::AlgorithmOp algorithm) : algorithm(algorithm) {
    number(algorithm.getBody().front(), 0);
    for (Block *block : blocks)
      for (auto state : block->getOps<graph::StateOp>())
        ++named[state.getName()];
  }

  /// The stage before a cut, which is in the same sequence; that behind it is the next one of all.
  unsigned before(unsigned cut) const { return cuts[cut].before; }
  void join(unsigned cut) { cuts[cut].op->erase(); }
  /// How many stages stand in the loops and choices of a stage, and whether it has a loop with such.
  unsigned inside(unsigned stage) const { return insideOf.lookup(stage); }
  bool turns(unsigned stage) const { return turning.contains(stage); }

  /// The states of the program that have a name of their own: the number of each, and its type.
  States states() {
    States result;
    for (Block *block : blocks)
      for (auto state : block->getOps<graph::StateOp>())
        if (auto number = state->getAttrOfType<IntegerAttr>(handedAttribute); number && named[state.getName()] == 1)
          result[state.getName()] = {number, state.getType()};
    return result;
  }

  /// Notes which cuts cannot stay: behind them something is used from before them that is none of `handed`.
  void findHeld(const States &handed, llvm::BitVector &held) {
    for (Block *block : blocks)
      for (Operation &op : *block) {
        auto state = dyn_cast<graph::StateOp>(op);
        bool everywhere =
            isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::AllVerticesOp, exec::ByTargetOp>(op);
        if (isa<exec::NextStageOp>(op) || everywhere || (state && handed.contains(state.getName())))
          continue;
        SmallVector<Operation *> uses(op.getUsers());
        if (!state)
          uses.push_back(&op); // where a state is declared says nothing: it is a member
        hold(*block, uses, held);
      }
    for (Block *block : llvm::drop_begin(blocks)) // the variables of loops
      for (BlockArgument variable : block->getArguments())
        for (Operation *use : variable.getUsers())
          holdBefore(*block, use, held);
  }

  /// What a stage reads or writes of `handed`, and what it writes. What is not a read may write.
  void collect(unsigned stage, const States &handed, Names &touched, Names &written) {
    auto note = [&](Operation *op) {
      for (Value operand : op->getOperands()) {
        auto state = operand.getDefiningOp<graph::StateOp>();
        if (!state || !handed.contains(state.getName()) || !llvm::is_contained(blocks, state->getBlock()))
          continue;
        touched.insert(state.getName());
        if (!isa<graph::ReadOp>(op))
          written.insert(state.getName());
      }
    };
    for (Block *block : blocks)
      for (Operation &top : *block) {
        auto found = stageOf.find(&top);
        if (found == stageOf.end() || found->second != stage)
          continue;
        note(&top);
        auto staged = stagedBlocks(&top); // have stages of their own
        for (Region &region : top.getRegions())
          for (Block &block : region)
            if (!llvm::is_contained(staged, &block))
              block.walk(note);
      }
  }

  /// Whether a loop in the stage goes along one list in each turn.
  bool goesByOneList(unsigned stage) const {
    for (auto [top, of] : stageOf)
      if (of == stage && stagedBlocks(top).empty() && gcompile::goesByOneList(top))
        return true;
    return false;
  }

private:
  struct Cut {
    Operation *op;
    unsigned before;
  };

  void number(Block &block, unsigned stage) {
    blocks.push_back(&block);
    for (Operation &op : block) {
      if (isa<exec::NextStageOp>(op)) {
        cuts.push_back({&op, stage});
        stage = cuts.size();
        continue;
      }
      stageOf[&op] = stage;
      for (Block *inner : stagedBlocks(&op)) {
        number(*inner, stage);
        insideOf[stage] = cuts.size() - stage;
        if (!isa<graph::IfOp>(op))
          turning.insert(stage);
      }
    }
  }

  /// The innermost sequence of stages in a block, or the block itself, in which all of the operations are.
  static Block &innermost(Block &block, ArrayRef<Operation *> ops) {
    if (!ops.empty())
      if (Operation *first = block.findAncestorOpInBlock(*ops.front()))
        for (Block *inner : stagedBlocks(first))
          if (llvm::all_of(ops, [&](Operation *op) { return inner->findAncestorOpInBlock(*op) != nullptr; }))
            return innermost(*inner, ops);
    return block;
  }

  /// No cut between operations in a block can stay. Where one of them is in a stage of a loop or choice, and not all,
  /// what stands before it there cannot be a stage either.
  void hold(Block &around, ArrayRef<Operation *> ops, llvm::BitVector &held) {
    Block &block = innermost(around, ops);
    Operation *first = nullptr, *last = nullptr;
    for (Operation *op : ops) {
      Operation *at = block.findAncestorOpInBlock(*op);
      if (!at) { // the end of a loop asks, so all belongs to the loop
        for (Operation *each : ops)
          holdBefore(block, each, held);
        continue;
      }
      first = !first || at->isBeforeInBlock(first) ? at : first;
      last = !last || last->isBeforeInBlock(at) ? at : last;
      for (Block *inner : stagedBlocks(at))
        holdBefore(*inner, op, held);
    }
    if (first)
      holdBetween(block, first, last, held);
  }
  /// What stands before an operation, if that is in the block, and in the loops and choices around it, is no stage.
  void holdBefore(Block &block, Operation *op, llvm::BitVector &held) {
    Operation *at = block.findAncestorOpInBlock(*op);
    if (!at)
      return;
    holdBetween(block, nullptr, at, held);
    for (Block *inner : stagedBlocks(at))
      holdBefore(*inner, op, held);
  }
  void holdBetween(Block &block, Operation *first, Operation *last, llvm::BitVector &held) {
    for (auto [k, cut] : llvm::enumerate(cuts))
      if (cut.op->getBlock() == &block && (!first || first->isBeforeInBlock(cut.op)) && cut.op->isBeforeInBlock(last))
        held.set(k);
  }

  graph::AlgorithmOp algorithm;
  SmallVector<Block *> blocks; // the algorithm's own, and those in loops and choices
  llvm::StringMap<unsigned> named;
  SmallVector<Cut> cuts;
  llvm::DenseMap<Operation *, unsigned> stageOf;
  llvm::DenseMap<unsigned, unsigned> insideOf;
  llvm::DenseSet<unsigned> turning;
};

/// The states of the program that both forms have, with the same name and type.
States statesOfBoth(Form &cpu, Form &gpu) {
  States result, others = gpu.states();
  for (const auto &state : cpu.states())
    if (others.lookup(state.getKey()) == state.getValue())
      result.insert({state.getKey(), state.getValue()});
  return result;
}

/// Makes one of two stages; the second one goes.
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
    LogicalResult result = join(stages[onCpu.before(cut)], stages[cut + 1]);
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
    Form form(cpu);
    stage.setInside(form.inside(k));
    stage.setTurns(form.turns(k));
    if (stage.getOn() == exec::Side::Chosen && Form(gpu).goesByOneList(k)) {
      stage.setOn(exec::Side::Cpu);
      stage.setByOneList(true);
    }
  }
  return success();
}

} // namespace gcompile
