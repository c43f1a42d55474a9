// What operations do to states, which states are sent, and which edges a machine knows.
#include "ir/exec/passes/parts/Places.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::parts {

bool writes(Operation *op, Value state) {
  return op
      ->walk([&](Operation *inner) {
        bool written = llvm::TypeSwitch<Operation *, bool>(inner)
                           .Case<exec::UpdateOp, exec::ClaimOp, graph::StateOp>(
                               [&](auto each) { return each.getState() == state; })
                           .Case([&](exec::UpdateTupleOp each) { return llvm::is_contained(each.getStates(), state); })
                           .Case([&](exec::SnapshotOp each) { return each.getCopy() == state; })
                           .Case([&](exec::StartArrayOp each) { return each.getState() == state; })
                           .Default(false);
        return written ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool writesIn(Region &region, Value state) {
  return !exec::isAbsent(region) && llvm::any_of(region.front(), [&](Operation &op) { return writes(&op, state); });
}
bool isCommitted(Operation *kernel, Value state) {
  auto propagate = dyn_cast<exec::PropagateOp>(kernel);
  return propagate && !writesIn(propagate.getPush(), state) && !writesIn(propagate.getPull(), state);
}

bool outdates(Operation *op, Value state) {
  // What the host writes at one vertex, all machines do. Of a set each of them changes its own part.
  if (auto update = dyn_cast<exec::UpdateOp>(op))
    return update.getState() == state && update.getIndices().empty();
  if (!isa<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::ForOp>(op))
    return writes(op, state);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (outdates(&inner, state))
          return true;
  return false;
}

bool isFilter(graph::UpdateKind kind) { return graph::traits(kind).monotone; }

bool Sent::collects() const { return kind != graph::UpdateKind::Assign && !isFilter(kind); }

bool isSendable(Type element, graph::UpdateKind kind) {
  if (auto tuple = dyn_cast<TupleType>(element))
    return llvm::all_of(tuple.getTypes(), [&](Type each) { return isSendable(each, kind); });
  return !isa<graph::ForeignType, graph::EdgeType>(element) &&
         (!isa<graph::VertexType>(element) || kind == graph::UpdateKind::Assign || kind == graph::UpdateKind::Min);
}

Sent *Needs::sentWith(Operation *update) {
  auto found = llvm::find_if(sent, [&](const Sent &each) { return llvm::is_contained(each.updates, update); });
  return found == sent.end() ? nullptr : &*found;
}

const Sent *Needs::sentOf(Value state) const {
  auto found = llvm::find_if(
      sent, [&](const Sent &each) { return each.state == state || llvm::is_contained(each.with, state); });
  return found == sent.end() ? nullptr : &*found;
}

Value vertexOf(Operation *update) {
  return llvm::TypeSwitch<Operation *, Value>(update)
      .Case<exec::UpdateOp, exec::ClaimOp, exec::UpdateTupleOp>([](auto each) { return each.getIndices()[0]; })
      .Default(Value());
}

bool goWith(exec::ActivateOp activation, Operation *update) {
  return activation->getBlock() == update->getBlock() &&
         withoutLet(activation.getVertex()) == withoutLet(vertexOf(update));
}

bool isLoopEdge(Value edge) {
  auto argument = dyn_cast<BlockArgument>(withoutLet(edge));
  return argument && argument.getArgNumber() == 1 && isa<exec::ForOp>(argument.getOwner()->getParentOp());
}

bool leadsOut(exec::ForOp loop) {
  return loop.getDomain() == graph::Domain::OutOf ||
         (loop.getDomain() == graph::Domain::Either &&
          loop->getParentOfType<graph::AlgorithmOp>().getDirectedness() == "undirected");
}

namespace {

class Edges {
public:
  bool areOwn(Value edge) {
    edge = withoutLet(edge);
    if (isLoopEdge(edge)) {
      auto loop = cast<exec::ForOp>(cast<BlockArgument>(edge).getOwner()->getParentOp());
      return isOwnVertex(loop.getOver()) && leadsOut(loop);
    }
    Operation *op = edge.getDefiningOp();
    if (!op)
      return false;
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([](graph::NoneOp) { return true; })
        .Case([&](graph::EdgeBetweenOp between) { return isOwnVertex(between->getOperand(0)); })
        .Case([&](graph::ConditionalOp choice) {
          return areOwn(choice.getWhenTrue().front().back().getOperand(0)) &&
                 areOwn(choice.getWhenFalse().front().back().getOperand(0));
        })
        .Case([&](exec::ReduceOp reduce) {
          return !reduce
                      .walk([&](exec::ContributeOp contribution) {
                        Value one = contribution.getWitness() ? contribution.getWitness() : contribution.getValue();
                        return one && areOwn(one) ? WalkResult::advance() : WalkResult::interrupt();
                      })
                      .wasInterrupted();
        })
        .Case([&](graph::ReadOp read) {
          return (read.getIndices().empty() || isOwnVertex(read.getIndices()[0])) && holdsOwn(read.getState());
        })
        .Default(false);
  }

private:
  /// Whether the vertex is the one that the kernel runs for.
  static bool isOwnVertex(Value vertex) {
    auto argument = dyn_cast<BlockArgument>(withoutLet(vertex));
    return argument && argument.getArgNumber() == 0 && exec::isKernel(argument.getOwner()->getParentOp());
  }
  /// Whether each vertex has only edges of its own in the state.
  bool holdsOwn(Value state) {
    if (!state.getDefiningOp<graph::StateOp>())
      return false;
    if (!seen.insert(state).second)
      return true;
    return llvm::all_of(state.getUsers(), [&](Operation *user) {
      if (auto update = dyn_cast<exec::UpdateOp>(user))
        return (update.getIndices().empty() ? exec::isKernel(kernelAround(state.getDefiningOp()))
                                            : isOwnVertex(update.getIndices()[0])) &&
               areOwn(update.getValue());
      return isa<graph::ReadOp, exec::GiveToCopiesOp>(user);
    });
  }
  static Operation *kernelAround(Operation *op) {
    while (op->getParentOp() && !exec::isKernel(op))
      op = op->getParentOp();
    return op;
  }

  llvm::DenseSet<Value> seen;
};

} // namespace

bool isOwnEdge(Value edge) { return Edges().areOwn(edge); }

} // namespace gcompile::parts
