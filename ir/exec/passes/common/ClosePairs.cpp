#include "ir/Errors.h"
#include "ir/analysis/Statement.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CLOSEPAIRS
#include "ir/exec/Passes.h.inc"

namespace {

/// The parts of a loop that closes a state of pairs, or several that it updates jointly.
struct Closure {
  SmallVector<Value> states;
  SmallVector<exec::SnapshotOp> copies; // of row k and of column k
  exec::ParallelOp kernel;
  bool isJoint() const { return states.size() > 1; }
};

/// The state that a value is, or a copy of.
Value original(Value state) {
  auto copy = state.getDefiningOp<exec::SnapshotOp>();
  return copy ? copy.getState() : state;
}

/// A state as the program calls it.
std::string quoted(Value state) { return "'" + graph::nameOf(original(state)) + "'"; }

/// Whether the operation computes the same for every pair but for the values that it is given.
bool isPlain(Operation *op) {
  return isa<graph::ConstantOp, graph::InfOp, graph::NoneOp, graph::BinaryOp, graph::UnaryOp, graph::CastOp,
             graph::HashOp, graph::TupleOp, graph::ElementOp, graph::NumVerticesOp, graph::NumEdgesOp, graph::LetOp,
             graph::LogicOp, graph::ConditionalOp, graph::IfOp, graph::YieldOp>(op);
}

/// Finds out whether a sequential loop closes a state of pairs, or what is missing: words that fit after "because".
class Matcher {
public:
  explicit Matcher(graph::ForOp loop) : loop(loop), k(loop.getBody().getArgument(0)) {}

  /// Whether the loop updates pairs by what stands in row k or column k, so that one asks why it does not run in
  /// blocks.
  bool isMeant() {
    bool meant = false;
    loop.getBody().walk([&](exec::ParallelOp kernel) {
      llvm::SmallPtrSet<Value, 4> written, read;
      kernel.getBody().walk([&](Operation *op) {
        if (auto update = dyn_cast<exec::UpdateOp>(op); update && update.getIndices().size() == 2)
          written.insert(update.getState());
        else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op); tuple && tuple.getIndices().size() == 2)
          written.insert(tuple.getStates().begin(), tuple.getStates().end());
        else if (auto element = dyn_cast<graph::ReadOp>(op);
                 element && element.getIndices().size() == 2 && llvm::is_contained(element.getIndices(), k))
          read.insert(original(element.getState()));
      });
      meant |= llvm::any_of(written, [&](Value state) { return read.contains(state); });
    });
    return meant;
  }

  bool matches() {
    if (loop.getDomain() != graph::Domain::Vertices || !loop.getOver().getDefiningOp<graph::AllVerticesOp>())
      return lacks("it does not go over all vertices");
    for (auto kernel : loop.getBody().getOps<exec::ParallelOp>())
      if (kernel.getDomain() != graph::Domain::Pairs && writesPairs(kernel))
        return lacks("it goes over pairs in two loops, and the inner one sees what the outer one has written: say "
                     "'for i, j in g'");
    loop.getBody().walk([&](exec::UpdateTupleOp tuple) {
      if (tuple.getIndices().size() == 2)
        parts.states.assign(tuple.getStates().begin(), tuple.getStates().end());
    });
    bool others = false; // what has no effect is not told before what has one
    for (Operation &op : loop.getBody().front())
      if (isMemoryEffectFree(&op) && !isa<graph::AllVerticesOp, graph::YieldOp>(op))
        others = true;
      else if (!takes(&op))
        return false;
    if (others)
      return lacks("the loop holds another statement");
    if (!parts.kernel)
      return lacks("it goes over no pairs");
    auto isOfRow = [](exec::SnapshotOp copy) { return static_cast<bool>(copy.getRow()); };
    if (llvm::none_of(parts.copies, isOfRow))
      return lacks("it does not read row k");
    if (llvm::all_of(parts.copies, isOfRow))
      return lacks("it does not read column k");
    return isStep();
  }

  Closure parts;
  std::string missing;

private:
  bool lacks(const std::string &what) {
    missing = what;
    return false;
  }

  static bool writesPairs(exec::ParallelOp kernel) {
    return kernel.getBody()
        .walk([](Operation *op) {
          auto update = dyn_cast<exec::UpdateOp>(op);
          auto tuple = dyn_cast<exec::UpdateTupleOp>(op);
          bool pair = (update && update.getIndices().size() == 2) || (tuple && tuple.getIndices().size() == 2);
          return pair ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Takes an operation of the loop's body: a copy of row k or of column k, a kernel, or what has no effect.
  bool takes(Operation *op) {
    if (auto copy = dyn_cast<exec::SnapshotOp>(op)) {
      Value state = copy.getState();
      if (parts.states.empty())
        parts.states.push_back(state);
      if (!llvm::is_contained(parts.states, state))
        return lacks("it reads pairs of several properties: " + quoted(parts.states[0]) + " and " + quoted(state));
      bool again = llvm::any_of(parts.copies, [&](exec::SnapshotOp other) {
        return other.getState() == state && static_cast<bool>(other.getRow()) == static_cast<bool>(copy.getRow());
      });
      if (again || (copy.getRow() ? copy.getRow() : copy.getColumn()) != k)
        return lacks("it reads " + quoted(state) + " elsewhere than at its own pair, in row k and in column k");
      parts.copies.push_back(copy);
      return true;
    }
    if (auto kernel = dyn_cast<exec::ParallelOp>(op);
        kernel && !parts.kernel && kernel.getDomain() == graph::Domain::Pairs) {
      parts.kernel = kernel;
      return true;
    }
    if (isa<graph::AllVerticesOp, graph::YieldOp>(op))
      return true;
    if (isa<graph::IfOp>(op))
      return lacks("it has a condition, so that some k do nothing");
    Value other;
    op->walk([&](exec::UpdateOp update) { other = update.getState(); });
    return lacks(other ? "the loop also writes " + quoted(other) : "the loop holds another statement");
  }

  /// The name of i, j or k; "" of another index.
  std::string nameOf(Value index) {
    ArrayAttr pair = parts.kernel.getNamesAttr(), step = loop.getNamesAttr();
    for (unsigned place : {0, 1})
      if (index == parts.kernel.getBody().getArgument(place))
        return pair ? cast<StringAttr>(pair[place]).str() : place == 0 ? "i" : "j";
    return index != k ? "" : step ? cast<StringAttr>(step[0]).str() : "k";
  }
  /// "'d' at [j, i]", or "'d' at a computed pair".
  std::string element(Value state, OperandRange indices) {
    if (indices.size() != 2)
      return quoted(state);
    std::string first = nameOf(indices[0]), second = nameOf(indices[1]);
    return quoted(state) +
           (first.empty() || second.empty() ? " at a computed pair" : " at [" + first + ", " + second + "]");
  }

  /// Whether the kernel has one plain update, of the state at its pair, and reads what the pass may give it.
  bool isStep() {
    Block &body = parts.kernel.getBody().front();
    Value i = body.getArgument(0), j = body.getArgument(1);
    auto at = [](auto op, Value first, Value second) {
      return op.getIndices().size() == 2 && op.getIndices()[0] == first && op.getIndices()[1] == second;
    };
    unsigned updates = 0;
    auto takesUpdate = [&](auto update, Value state) {
      if (!llvm::is_contained(parts.states, state) || !at(update, i, j))
        return lacks("it writes " + element(state, update.getIndices()));
      if (++updates > 1)
        return lacks("it writes " + quoted(state) + " in several places");
      return (update.getSync() == exec::Sync::Plain && update.getChanged().use_empty() && !update.getChecked()) ||
             lacks("it asks what the update of " + quoted(state) + " has changed");
    };
    auto fits = [&](Operation *op) {
      if (auto update = dyn_cast<exec::UpdateOp>(op))
        return update.getPart() < 0 ? takesUpdate(update, update.getState()) : lacks("it updates a part of a tuple");
      if (auto tuple = dyn_cast<exec::UpdateTupleOp>(op)) {
        if (llvm::SmallPtrSet<Value, 4>(tuple.getStates().begin(), tuple.getStates().end()).size() <
            tuple.getStates().size())
          return lacks("it writes a property twice");
        return takesUpdate(tuple, tuple.getStates()[0]);
      }
      if (auto read = dyn_cast<graph::ReadOp>(op)) {
        Value from = read.getState();
        auto type = cast<graph::StateType>(from.getType());
        if (type.getShape() == graph::Shape::Scalar && !isa<graph::SetType>(read.getType()))
          return true;
        if (llvm::is_contained(parts.states, from) && at(read, i, j))
          return true;
        for (exec::SnapshotOp copy : parts.copies)
          if (from == copy.getCopy() && (copy.getRow() ? at(read, k, j) : at(read, i, k)))
            return true;
        bool ofVertex = type.getShape() == graph::Shape::PerVertex;
        return lacks("it reads " +
                     (ofVertex ? quoted(from) + ", which each vertex has" : element(from, read.getIndices())));
      }
      if (isPlain(op))
        return !exec::isChecked(op) || lacks("it may end the program with an error");
      return lacks("it asks for more than the elements of pairs");
    };
    WalkResult found = parts.kernel.getBody().walk(
        [&](Operation *op) { return fits(op) ? WalkResult::advance() : WalkResult::interrupt(); });
    return !found.wasInterrupted() && (updates == 1 || lacks("it writes no pair"));
  }

  graph::ForOp loop;
  Value k;
};

/// The place of k among the indices at which a value is read of the state, 0 in D[k, j] and 1 in D[i, k]; 2 of others.
unsigned placeOfStep(exec::ClosePairsOp closure, Value value) {
  auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
  Value k = closure.getStep().getArgument(2);
  if (!read || read.getState() != closure.getState())
    return 2;
  return read.getIndices()[0] == k ? 0 : read.getIndices()[1] == k ? 1 : 2;
}

/// Whether two values are D[i, k] and D[k, j], in any order.
bool combinesBoth(exec::ClosePairsOp closure, Value first, Value second) {
  return placeOfStep(closure, first) + placeOfStep(closure, second) == 1;
}

/// Whether the value is `D[i, k] && D[k, j]`.
bool isConjunction(exec::ClosePairsOp closure, Value value) {
  auto both = value.getDefiningOp<graph::LogicOp>();
  if (!both || both.getKind() != graph::LogicKind::And)
    return false;
  auto yield = cast<graph::YieldOp>(both.getRhs().front().back());
  return combinesBoth(closure, both.getLhs(), yield.getOperand(0));
}

bool isTrue(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  return constant && cast<IntegerAttr>(constant.getValue()).getValue().isOne();
}

/// The same for `min=` of a tuple: `(D[i, k].0 + D[k, j].0, D[i, k].1)`, or `D[k, j].1`.
std::optional<exec::Closing> closingOf(exec::ClosePairsOp closure, graph::TupleOp tuple) {
  auto type = cast<TupleType>(tuple.getType());
  if (type.size() != 2 || !type.getType(0).isInteger(32) || !isa<graph::VertexType>(type.getType(1)))
    return {};
  auto part = [](Value value, unsigned index) {
    auto element = withoutLet(value).getDefiningOp<graph::ElementOp>();
    return element && element.getIndex() == index ? element.getTuple() : Value();
  };
  auto sum = withoutLet(tuple.getOperand(0)).getDefiningOp<graph::BinaryOp>();
  if (!sum || sum.getKind() != graph::BinaryKind::Add || !sum.getAbsorbing())
    return {};
  Value left = part(sum.getLhs(), 0), right = part(sum.getRhs(), 0), last = part(tuple.getOperand(1), 1);
  if (!left || !right || !last || !combinesBoth(closure, left, right))
    return {};
  unsigned place = placeOfStep(closure, last);
  return place == 1   ? std::optional(exec::Closing::PathsByFirst)
         : place == 0 ? std::optional(exec::Closing::PathsByLast)
                      : std::nullopt;
}

/// What the step is known to be. It computes nothing but what its update takes.
std::optional<exec::Closing> closingOf(exec::ClosePairsOp closure) {
  exec::UpdateOp update;
  closure.getStep().walk([&](exec::UpdateOp found) { update = found; });
  Type type = closure.getState().getType().getElement();
  if (auto choice = dyn_cast<graph::IfOp>(update->getParentOp())) {
    bool sets = (update.getKind() == graph::UpdateKind::Assign || update.getKind() == graph::UpdateKind::Or) &&
                type.isInteger(1) && isTrue(update.getValue());
    bool only = choice->getParentOp() == closure && &choice.getThenRegion() == update->getParentRegion();
    return sets && only && isConjunction(closure, choice.getCondition()) ? exec::Closing::TransitiveClosure
                                                                         : std::optional<exec::Closing>();
  }
  if (type.isInteger(1) && update.getKind() == graph::UpdateKind::Or && isConjunction(closure, update.getValue()))
    return exec::Closing::TransitiveClosure;
  if (auto tuple = withoutLet(update.getValue()).getDefiningOp<graph::TupleOp>())
    return update.getKind() == graph::UpdateKind::Min ? closingOf(closure, tuple) : std::nullopt;
  auto both = withoutLet(update.getValue()).getDefiningOp<graph::BinaryOp>();
  if (!both || !combinesBoth(closure, both.getLhs(), both.getRhs()))
    return {};
  if (update.getKind() == graph::UpdateKind::Min && both.getKind() == graph::BinaryKind::Add &&
      (both.getAbsorbing() || isa<FloatType>(type)))
    return exec::Closing::ShortestPaths;
  if (update.getKind() == graph::UpdateKind::Max && both.getKind() == graph::BinaryKind::Min && isa<IntegerType>(type))
    return exec::Closing::WidestPaths;
  return {};
}

struct ClosePairs : impl::ClosePairsBase<ClosePairs> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        graph::walkHolders(algorithm, [&](graph::ForOp loop) {
          if (loop.getSequential() && failed(visit(loop)))
            signalPassFailure();
        });
  }

private:
  /// Closes the loop if it may and the schedule does not forbid it, and notes what the loop lacks otherwise.
  static LogicalResult visit(graph::ForOp loop) {
    auto said = schedule::said<schedule::Closure>(loop);
    Matcher match(loop);
    if (!match.isMeant())
      match.missing = "it does not update pairs by what stands in row k and column k";
    else if (match.matches()) {
      if (said.is(schedule::Closure::Plain))
        note(loop, graph::Verdict::Legal, "");
      else
        close(loop, match.parts, said);
      return success();
    } else
      note(loop, graph::Verdict::Illegal, match.missing);
    return said.is(schedule::Closure::Blocked) ? refuse(said.place(), "run in blocks", match.missing, loop.getLoc())
                                               : success();
  }

  /// For --explain: whether the loop, which stays as it is, might run in blocks.
  static void note(graph::ForOp loop, graph::Verdict verdict, const std::string &reason) {
    MLIRContext *context = loop.getContext();
    graph::Fact fact = graph::WayFactAttr::get(context, graph::Way::Blocks, verdict, graph::Choice::No,
                                               StringAttr::get(context, reason));
    graph::addFacts(loop, fact);
  }

  static void close(graph::ForOp loop, Closure parts, schedule::Closure said) {
    OpBuilder b(loop);
    std::string name;
    for (Value each : parts.states) {
      auto state = each.getDefiningOp<graph::StateOp>();
      name += (name.empty() ? "" : "_") + (state ? state.getName().str() : "pairs");
    }
    Value state = parts.isJoint() ? join(b, parts, name) : parts.states[0];
    ArrayAttr names = parts.kernel.getNamesAttr();
    auto closure = b.create<exec::ClosePairsOp>(parts.kernel.getLoc(), b.getStringAttr("close_" + name), state,
                                                /*closing=*/nullptr, /*tile=*/nullptr, names);
    if (std::optional<std::int64_t> tile = said.is(schedule::Closure::Blocked) ? said.tile() : std::nullopt)
      closure.setTile(*tile);
    closure.getStep().takeBody(parts.kernel.getBody());
    Block &step = closure.getStep().front();
    BlockArgument k = step.addArgument(step.getArgument(0).getType(), loop.getLoc());
    loop.getBody().getArgument(0).replaceAllUsesWith(k);
    for (exec::SnapshotOp copy : parts.copies)
      copy.getCopy().replaceAllUsesWith(copy.getState());
    if (parts.isJoint()) {
      updateJoined(closure, parts);
      part(b, closure, parts, name);
    }
    if (names && loop.getNamesAttr())
      closure.setNamesAttr(b.getArrayAttr({names[0], names[1], loop.getNamesAttr()[0]}));
    if (std::optional<exec::Closing> known = closingOf(closure))
      closure.setClosing(*known);
    loop.erase();
  }

  /// A kernel over all pairs; `body` fills it.
  static void overPairs(OpBuilder &b, const Closure &parts, const std::string &name,
                        llvm::function_ref<void(ValueRange)> body) {
    exec::ParallelOp like = parts.kernel;
    Location loc = like.getLoc();
    Value over = like.getOver() ? b.create<graph::AllVerticesOp>(loc).getResult() : Value();
    auto kernel = b.create<exec::ParallelOp>(loc, name, graph::Domain::Pairs, over, like.getSharing());
    kernel.setNamesAttr(like.getNamesAttr());
    OpBuilder::InsertionGuard guard(b);
    Type vertex = graph::VertexType::get(b.getContext());
    b.createBlock(&kernel.getBody(), {}, {vertex, vertex}, {loc, loc});
    body(kernel.getBody().getArguments());
  }

  static void assign(OpBuilder &b, Location loc, Value state, ValueRange at, Value value) {
    b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, state, at, value, false,
                             false, -1, FlatSymbolRefAttr());
  }
  static Value readAt(OpBuilder &b, Location loc, Value state, ValueRange at) {
    return b.create<graph::ReadOp>(loc, cast<graph::StateType>(state.getType()).getElement(), state, at, false, false);
  }

  /// Copies the states of a joint update into one of tuples.
  static Value join(OpBuilder &b, const Closure &parts, const std::string &name) {
    SmallVector<Type> elements;
    for (Value state : parts.states)
      elements.push_back(cast<graph::StateType>(state.getType()).getElement());
    auto tuple = TupleType::get(b.getContext(), elements);
    exec::ParallelOp kernel = parts.kernel;
    Location loc = kernel.getLoc();
    Value joined;
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&kernel->getParentOfType<graph::AlgorithmOp>().getBody().front());
      auto type = graph::StateType::get(b.getContext(), tuple, graph::Shape::Dense);
      joined = b.create<graph::StateOp>(loc, type, name, false).getState();
    }
    overPairs(b, parts, "join_" + name, [&](ValueRange at) {
      SmallVector<Value> values;
      for (Value state : parts.states)
        values.push_back(readAt(b, loc, state, at));
      assign(b, loc, joined, at, b.create<graph::TupleOp>(loc, tuple, values));
    });
    return joined;
  }

  /// The step of a joint update, on the state of tuples.
  static void updateJoined(exec::ClosePairsOp closure, const Closure &parts) {
    SmallVector<Operation *> accesses;
    closure.getStep().walk([&](Operation *op) {
      auto read = dyn_cast<graph::ReadOp>(op);
      if (isa<exec::UpdateTupleOp>(op) || (read && llvm::is_contained(parts.states, read.getState())))
        accesses.push_back(op);
    });
    Value joined = closure.getState();
    for (Operation *op : accesses) {
      OpBuilder b(op);
      Location loc = op->getLoc();
      if (auto read = dyn_cast<graph::ReadOp>(op)) {
        auto place = llvm::find(parts.states, read.getState()) - parts.states.begin();
        Value all = readAt(b, loc, joined, read.getIndices());
        read.getValue().replaceAllUsesWith(b.create<graph::ElementOp>(loc, read.getType(), all, place));
      } else {
        auto update = cast<exec::UpdateTupleOp>(op);
        Type type = cast<graph::StateType>(joined.getType()).getElement();
        Value value = b.create<graph::TupleOp>(loc, type, update.getValues());
        b.create<exec::UpdateOp>(loc, b.getI1Type(), update.getKind(), exec::Sync::Plain, joined, update.getIndices(),
                                 value, false, false, -1, FlatSymbolRefAttr());
      }
      op->erase();
    }
  }

  /// Copies the tuples back.
  static void part(OpBuilder &b, exec::ClosePairsOp closure, const Closure &parts, const std::string &name) {
    Location loc = closure.getLoc();
    overPairs(b, parts, "part_" + name, [&](ValueRange at) {
      Value all = readAt(b, loc, closure.getState(), at);
      for (auto [place, state] : llvm::enumerate(parts.states)) {
        Type element = cast<graph::StateType>(state.getType()).getElement();
        assign(b, loc, state, at, b.create<graph::ElementOp>(loc, element, all, place));
      }
    });
  }
};

} // namespace
} // namespace gcompile
