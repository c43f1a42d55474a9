#include "codegen_host/KernelPrinter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::host {

static exec::Sharing scheduleOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, exec::Sharing>(op)
      .Case<exec::ParallelOp, exec::ReduceOp, exec::FilterOp, exec::PropagateOp, exec::OrderedOp>(
          [](auto o) { return o.getSharing(); })
      .Case<exec::ClosePairsOp, exec::KeepIndexOp>([](auto) { return exec::Sharing::Serial; }) // the runtime's threads
      .Default(exec::Sharing::Static);
}

KernelPrinter::KernelPrinter(Program &program, Operation *op, Region &region, std::string function)
    : KernelBodyPrinter(program), op(op), region(region), function(std::move(function)),
      threads(scheduleOf(op) != exec::Sharing::Serial) {
  if (isa<exec::PropagateOp>(op))
    names.reserve("next");
  else if (isa<exec::OrderedOp>(op))
    names.reserve("bins");
  if (threads)
    mine = names.fresh("mine");
  collect(region);
}

KernelPrinter::Alias *KernelPrinter::alias(Value value) {
  for (Alias &a : aliases)
    if (a.value == value)
      return &a;
  return nullptr;
}

/// Notes a value from outside of the kernel: a member gets an alias, another value becomes a parameter.
void KernelPrinter::capture(Value value) {
  if (isBound(value) || alias(value) || llvm::is_contained(captured, value))
    return;
  if (program.members.contains(value) || program.columns.contains(value)) {
    std::string name = value.getDefiningOp() ? cpp::suggestName(value) : "";
    if (auto argument = dyn_cast<BlockArgument>(value))
      name =
          cast<StringAttr>(cast<DictionaryAttr>(program.op.getArguments()[argument.getArgNumber()]).get("name")).str();
    aliases.push_back({value, names.fresh(name)});
    if (!isa<graph::StateType>(value.getType())) { // a parameter is used as a value
      bind(value, aliases.back().name);
      printed.erase(value);
    }
    return;
  }
  if (Operation *def = value.getDefiningOp(); def && cpp::isRematerialised(def))
    return;
  // A set variable is passed as it is.
  captured.push_back(value);
  declare(value, cpp::suggestName(value));
}

void KernelPrinter::collect(Region &region) {
  auto over = llvm::TypeSwitch<Operation *, Value>(op)
                  .Case<exec::ParallelOp, exec::ReduceOp>([](auto o) { return o.getOver(); })
                  .Case([](exec::FilterOp o) { return Value(o.getSet()); })
                  .Case<exec::OrderedOp, exec::AsynchronousOp>([](auto o) { return Value(o.getFrom()); })
                  .Default(Value());
  if (over && !over.getDefiningOp<graph::AllVerticesOp>()) {
    captured.push_back(over);
    declare(over, cpp::suggestName(over));
  }
  if (auto ordered = dyn_cast<exec::OrderedOp>(op))
    for (Value end : ordered.getEnds())
      if (!isBound(end)) {
        captured.push_back(end);
        declare(end, "end");
      }
  if (isa<exec::KeepIndexOp>(op)) {
    captured.push_back(region.getArgument(0));
    printed.insert(region.getArgument(0)); // whether a key depends on it or not
    declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
  }
  // The round of a propagate is a parameter too.
  if (isa<exec::PropagateOp>(op) && region.getNumArguments() > 1 && !region.getArgument(1).use_empty()) {
    captured.push_back(region.getArgument(1));
    declare(region.getArgument(1), cpp::argumentName(region.getArgument(1)));
  }
  region.walk([&](Operation *inner) {
    for (Value v : inner->getOperands())
      if (!region.isAncestor(v.getParentRegion()))
        capture(v);
    auto written = [&](Value state) {
      if (Alias *a = alias(state))
        a->written = true;
    };
    if (auto update = dyn_cast<exec::UpdateOp>(inner)) {
      written(update.getState());
      if (Alias *a = alias(update.getState()); a && update.getSync() == exec::Sync::Private) {
        a->privately = true;
        a->how = cpp::Combining(update);
      }
    } else if (auto update = dyn_cast<exec::UpdateTupleOp>(inner)) {
      llvm::for_each(update.getStates(), written);
    } else if (auto claim = dyn_cast<exec::ClaimOp>(inner)) {
      written(claim.getState());
    } else if (auto take = dyn_cast<exec::TakeOp>(inner)) {
      written(take.getGiven());
    }
  });
}

std::string KernelPrinter::graphName() {
  usesGraph = true;
  return "graph";
}

std::string KernelPrinter::followedGraph() {
  if (!exec::isTransposed(op))
    return graphName();
  if (transposed.empty())
    transposed = names.fresh("transposed");
  return transposed;
}

std::string KernelPrinter::stateName(Value state) {
  if (Alias *a = alias(state)) {
    a->used = true;
    return a->name;
  }
  return value(state).text; // a local state
}

std::string KernelPrinter::modeAccumulator(exec::ReduceOp, const std::string &type, StringRef wanted) {
  // One a thread: it keeps its memory.
  std::string name = names.fresh(wanted);
  threadLocals.push_back("gc::Mode<" + type + "> " + name + ";");
  line(name + ".clear();");
  return name;
}

std::string KernelPrinter::element(Value state, ValueRange indices, bool checked, Operation *at) {
  if (auto closure = dyn_cast<exec::ClosePairsOp>(op); closure && closure.getState() == state)
    return closureOperand(closure, indices);
  if (std::string pair = pairElement(state, indices, checked, at); !pair.empty())
    return pair;
  // A thread's own part of a reduction is not the value: that is what the member held when the kernel began.
  if (Alias *a = alias(state); a && a->privately && isa<graph::ReadOp>(at))
    return program.members.find(state)->second;
  return BodyPrinter::element(state, indices, checked, at);
}

/// The slots of a dense state's row that the body reads at the outer loop's vertex.
void KernelPrinter::declareRows(BlockArgument vertex) {
  KernelBodyPrinter::declareRows(region, vertex, [&](Value state) {
    Alias *a = alias(state);
    return a ? (a->written ? "" : "const ") + cpp::elementName(cast<graph::StateType>(state.getType()).getElement()) +
                   " *const "
             : std::string();
  });
}

std::string KernelPrinter::claim(exec::ClaimOp claim) {
  if (auto propagate = dyn_cast<exec::PropagateOp>(op);
      propagate && propagate.getClaimBitmap() && &region == &propagate.getPush()) {
    usesNext = updatesByShare = true;
    return "next.claim(" + mine + ", " + operand(claim.getIndices()[0]) + ", " +
           element(claim.getState(), claim.getIndices(), false, claim) + ", " + operand(claim.getDesired()) + ")";
  }
  std::string replay = program.replayOf(claim);
  if (replay.empty())
    return BodyPrinter::claim(claim);
  std::string place = operand(claim.getIndices()[0]);
  if (claim.getIndices().size() == 2)
    place = "std::size_t(" + place + ") * " + graphName() + ".num_vertices() + " + operand(claim.getIndices()[1]);
  return replay + ".claim(" + element(claim.getState(), claim.getIndices(), false, claim) + ", " + place + ", " +
         operand(claim.getExpected()) + ", " + operand(claim.getDesired()) + ")";
}

Text KernelPrinter::targetExpression(Operation *expression) {
  return llvm::TypeSwitch<Operation *, Text>(expression)
      .Case([&](exec::InFrontierOp o) -> Text {
        usesCurrent = true;
        return {"frontier.contains(" + operand(o.getVertex()) + ")"};
      })
      .Case([&](exec::VisitedBeforeOp o) -> Text {
        return {stateName(o.getLevels()) + ".visited_before(" + operand(o.getVertex()) + ")"};
      })
      .Default([&](Operation *other) { return KernelBodyPrinter::targetExpression(other); });
}

bool KernelPrinter::isArray(Value state) {
  return cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Array;
}

const std::string &KernelPrinter::edgeCount() {
  if (edges.empty())
    edges = names.fresh("edges");
  return edges;
}

void KernelPrinter::statement(Operation *inner) {
  if (auto update = dyn_cast<exec::UpdateOp>(inner);
      update && update.getSync() == exec::Sync::Private && isArray(update.getState())) {
    std::string name = stateName(update.getState());
    return line(name + ".update(" + placeIn(name, update.getIndices()[0], inner) + ", " + operand(update.getValue()) +
                ");");
  }
  if (auto move = dyn_cast<exec::MoveOp>(inner))
    return line(operand(move.getBuckets()) + ".move(" + operand(move.getVertex()) + ");");
  if (auto note = dyn_cast<exec::NoteChangeOp>(inner))
    return line(operand(note.getIndex()) + ".note(" + operand(note.getVertex()) + ");");
  // Active vertices and work lists fetch by themselves what their loops' heads name.
  const bool byHead = !active.empty() || !worklist.empty();
  if (isa<exec::PrefetchFurtherOp>(inner)) // an argument of the call for the first state
    return;
  if (isa<exec::PrefetchOp>(inner)) {
    if (byHead)
      return;
    cpp::List arguments;
    arguments.add(position.second);
    arguments.add(followedGraph());
    for (Operation &each : *inner->getBlock())
      if (std::string fetched = fetchedAtNeighbors(each); !fetched.empty())
        arguments.add(fetched);
    return line(position.first + ".prefetch(" + arguments.text() + ");");
  }
  if (auto prefetch = dyn_cast<exec::PrefetchOwnOp>(inner)) {
    if (!byHead)
      line(position.first + ".prefetch_own(" + position.second + ", " + stateNames(prefetch.getStates()) + ");");
    return;
  }
  if (auto prefetch = dyn_cast<exec::PrefetchTargetOp>(inner)) {
    if (listEnds.contains(prefetch.getEdge())) // by position
      line("gc::prefetch_target(" + followedGraph() + ", " + operand(prefetch.getEdge()) + ", " +
           listEnds.lookup(prefetch.getEdge()) + ", " + stateName(prefetch.getState()) + ");");
    return;
  }
  if (auto contribute = dyn_cast<exec::ContributeOp>(inner); contribute && isa<exec::KeepIndexOp>(op))
    return line("return " + operand(contribute.getValue()) + ";");
  if (isa<exec::CountEdgeOp>(inner))
    return line("++" + edgeCount() + ";");
  if (inner == callEnds)
    return;
  if (auto activate = dyn_cast<exec::ActivateOp>(inner)) {
    usesNext = true;
    bool once = isa<exec::PropagateOp>(op) && cast<exec::PropagateOp>(op).getDedup();
    std::string call;
    if (!worklist.empty())
      call = worklist + ".push(";
    else if (pulling)
      call = activate.getSync() == exec::Sync::Plain || !threads ? "next.set(" : "next.set_atomic(";
    else
      call = !once ? "next.push(" : threads ? "next.push_once(" + byShare() + ", " : "next.push_once(";
    return line(call + operand(activate.getVertex()) + ");");
  }
  BodyPrinter::statement(inner);
}

std::string KernelPrinter::byShare() {
  updatesByShare = true;
  return mine;
}

/// A thread that may be alone at a kernel is told by its share, which makes the updates.
std::string KernelPrinter::sharedUpdates() {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  bool mayBeAlone = cast<exec::Kernel>(op).getMayRunAlone() && (!propagate || &region == &propagate.getPush());
  if (!threads || !mayBeAlone)
    return "gc::";
  return byShare() + ".";
}

} // namespace gcompile::host
