#include "codegen_cuda/KernelPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::cuda {

KernelPrinter::KernelPrinter(cpp::Program &program, Operation *op, Region &region, std::string name)
    : KernelBodyPrinter(program), op(op), region(region), typeName_(std::move(name)), lanes(exec::goesByLanes(op)),
      inPropagate(isa<exec::PropagateOp>(op)), once(isa<exec::OnceOp>(op)), segmented(exec::goesBySegments(op)),
      testsLevel(isa<exec::ParallelOp>(op) && cast<exec::ParallelOp>(op).getLevelBits()) {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  pulling = propagate && &region == &propagate.getPull();
  split = exec::isSplit(op) && (!propagate || &region == &propagate.getPush());
  if (pulling)
    pull = exec::pullByArcsOf(propagate);
  asked = exec::askedListsOf(op);
  region.walk([&](Operation *inner) { readsAligned_ |= exec::readsAligned(inner); });
  if (auto ordered = dyn_cast<exec::OrderedOp>(op))
    relaxation = exec::relaxationOf(ordered);
  for (const char *taken : {"next", "lanes", "parts", "Parts", "frontier", "other"})
    names.reserve(taken);
  if (propagate && &region == &propagate.getPush()) // what the runtime asks its type
    for (const char *taken : {"gather", "phases", "few_edges", "names_edges", "marks_claims", "claim_activates",
                              "warp_cull", "history_cull"})
      names.reserve(taken);
  if (pull)
    for (const char *taken : {"sum", "Sum", "wants", "found", "finish", "by_arcs", "first_only", "first_takes"})
      names.reserve(taken);
  if (lanes)
    for (const char *taken : {"by_lanes", "walks"})
      names.reserve(taken);
  if (isa<exec::KeepIndexOp>(op))
    for (const char *taken : {"best", "Best"})
      names.reserve(taken);
  if (asked)
    for (const char *taken : {"asks", "asks_first", "rest"})
      names.reserve(taken);
  collect();
}

KernelPrinter::Field *KernelPrinter::field(Value value) {
  for (Field &f : all)
    if (f.value && f.value == value)
      return &f;
  return nullptr;
}

KernelPrinter::Part *KernelPrinter::part(Value state) {
  for (Part &p : parts_)
    if (p.state == state)
      return &p;
  return nullptr;
}

/// Notes a value from outside of the kernel: it becomes a member of the function object.
void KernelPrinter::capture(Value value) {
  if (isBound(value) || field(value) || part(value))
    return;
  auto state = dyn_cast<graph::StateType>(value.getType());
  bool member = program.members.contains(value) || program.columns.contains(value);
  Operation *def = value.getDefiningOp();
  if (!member && def && cpp::isRematerialised(def))
    return;
  std::string wanted = cpp::suggestName(value);
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && member && argument.getOwner()->getParentOp() == program.op)
    wanted =
        cast<StringAttr>(cast<DictionaryAttr>(program.op.getArguments()[argument.getArgNumber()]).get("name")).str();
  Field f;
  f.value = value;
  f.name = names.fresh(wanted);
  if (!state) {
    bool isSet = isa<graph::SetType>(value.getType()), isIndex = isa<graph::KeptIndexType>(value.getType());
    f.kind = isSet ? Field::Kind::Set : isIndex ? Field::Kind::Notes : Field::Kind::Captured;
    f.type = isSet ? "gc::cuda::SetView<V>" : isIndex ? "gc::cuda::IndexNotes<V>" : cpp::typeName(value.getType());
    bind(value, f.name);
    printed.erase(value);
  } else if (program.columns.contains(value)) {
    f.kind = Field::Kind::Column;
    f.type = cpp::elementName(state.getElement());
  } else if (state.getShape() == graph::Shape::Scalar) {
    f.kind = isa<graph::SetType>(state.getElement()) ? Field::Kind::Set : Field::Kind::Scalar;
    f.type = f.kind == Field::Kind::Set ? "gc::cuda::SetView<V>" : cpp::typeName(state.getElement());
  } else {
    auto snapshot = value.getDefiningOp<exec::SnapshotOp>();
    bool slice = snapshot && (snapshot.getRow() || snapshot.getColumn());
    bool matrix = state.getShape() == graph::Shape::Dense && !slice;
    f.kind = matrix                                    ? Field::Kind::Matrix
             : state.getShape() == graph::Shape::Array ? Field::Kind::Sized
                                                       : Field::Kind::Array;
    f.type = cpp::elementName(state.getElement());
  }
  all.push_back(f);
}

void KernelPrinter::collect() {
  all.push_back({"gc::Graph<V>", "graph", Value(), Field::Kind::Graph, false});
  names.reserve("graph");
  auto accumulate = [&](Value state, const cpp::Combining &how) {
    if (part(state) || field(state))
      return;
    Type type = cast<graph::StateType>(state.getType()).getElement();
    std::string name = names.fresh(cpp::suggestName(state));
    parts_.push_back({cpp::typeName(type), name, once ? cpp::zero(type) : cpp::neutralValue(how, type),
                      cpp::combined(how, name, "other." + name), state, how});
  };
  // Scalars that threads accumulate are no members.
  region.walk([&](exec::UpdateOp update) {
    Value state = update.getState();
    bool outside = !region.isAncestor(state.getParentRegion());
    if (outside && update.getIndices().empty() && (once || update.getSync() == exec::Sync::Private))
      accumulate(state, cpp::Combining(update));
  });
  region.walk([&](Operation *inner) {
    if (isa<exec::ExpectOp>(inner)) // what the push itself asks for
      return;
    for (Value v : inner->getOperands())
      if (!region.isAncestor(v.getParentRegion()))
        capture(v);
    auto written = [&](Value state) {
      if (Field *f = field(state)) {
        f->written = true;
        if (f->kind == Field::Kind::Scalar)
          f->kind = Field::Kind::Cell;
      }
    };
    if (auto update = dyn_cast<exec::UpdateOp>(inner); update)
      written(update.getState());
    else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(inner))
      llvm::for_each(tuple.getStates(), written);
    else if (auto claim = dyn_cast<exec::ClaimOp>(inner))
      written(claim.getState());
    if (auto touch = dyn_cast<exec::TouchCopyOp>(inner); touch && touchedOf(touch).empty()) {
      const bool ofEdges = isa<graph::EdgeType>(touch.getPlace().getType());
      touchedOf(touch) = names.fresh(ofEdges ? "touched_edges" : "touched");
      all.push_back({ofEdges ? "gc::gpus::Touched<gc::ArcId>" : "gc::gpus::Touched<V>", touchedOf(touch), Value(),
                     Field::Kind::Touched, false, ofEdges});
    }
    auto reduce = dyn_cast<exec::ReduceOp>(inner);
    if (reduce && reduce.getKind() == graph::ReduceKind::Mode && !modeRoom()) {
      Field f;
      f.kind = Field::Kind::ModeRoom;
      f.value = reduce.getResult();
      f.name = names.fresh("tables");
      all.push_back(f);
    }
  });
  if (auto reduce = dyn_cast<exec::ReduceOp>(op); reduce && reduce.getKind() == graph::ReduceKind::Mode) {
    Field f;
    f.kind = Field::Kind::ModeCounts;
    f.type = "gc::cuda::ModeCounts<" + cpp::typeName(reduce.getType()) + ">";
    f.value = reduce.getResult();
    f.name = names.fresh("counts");
    all.push_back(f);
  }
}

std::string KernelPrinter::graphName() {
  graphUsed = true;
  return "graph";
}

std::string KernelPrinter::stateName(Value state) {
  if (Part *p = part(state))
    return "parts." + p->name;
  if (Field *f = field(state)) {
    printed.insert(state);
    return f->kind == Field::Kind::Cell ? "*" + f->name : f->name;
  }
  return value(state).text; // a local state
}

std::string KernelPrinter::element(Value state, ValueRange indices, bool checked, Operation *at) {
  if (auto closure = dyn_cast<exec::ClosePairsOp>(op); closure && closure.getState() == state)
    return closureOperand(closure, indices);
  if (auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
      snapshot && indices.size() == 2 && (snapshot.getRow() || snapshot.getColumn()))
    return stateName(state) + "[" + index(indices[snapshot.getRow() ? 1 : 0], checked, at) + "]";
  return BodyPrinter::element(state, indices, checked, at);
}

/// In a push the next frontier knows how to claim best.
std::string KernelPrinter::claimCall(exec::ClaimOp claim) {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  bool push = propagate && &region == &propagate.getPush();
  if (!push || claim.getSync() != exec::Sync::Atomic)
    return BodyPrinter::claimCall(claim);
  bool named = propagate.getClaimBitmap() || propagate.getClaimActivates();
  std::string vertex = named ? operand(claim.getIndices()[0]) + ", " : "";
  return (propagate.getCullWarp() ? "next.claim_shared(" : "next.claim(") + vertex;
}

std::string KernelPrinter::leave() {
  if (relaxation) { // with a value that improves nothing
    const char *last = cast<exec::OrderedOp>(op).getGreatestFirst() ? "gc::lowest<" : "gc::inf<";
    return std::string("return ") + last + priorityType() + ">();";
  }
  return pull ? "return false;" : BodyPrinter::leave();
}

std::string KernelPrinter::sharedRange(const std::string &range) {
  return aligning ? "gc::cuda::share_aligned(lanes, " + range + ")" : sharing ? "lanes.share(" + range + ")" : range;
}

/// The loop around all values of a mode, if it goes once along the edges of one vertex: then its degree bounds their
/// number.
static exec::ForOp onlyLoop(exec::ReduceOp mode) {
  exec::ForOp found;
  unsigned loops = 0;
  mode.walk([&](exec::ForOp loop) {
    found = loop;
    ++loops;
  });
  bool along = loops == 1 && found.getOver() && isa<graph::VertexType>(found.getOver().getType());
  return along && !mode.getBody().isAncestor(found.getOver().getParentRegion()) ? found : exec::ForOp();
}

std::string KernelPrinter::modeAccumulator(exec::ReduceOp reduce, const std::string &type, StringRef wanted) {
  printed.insert(reduce == op ? reduce.getResult() : modeRoom()->value);
  if (reduce == op) // all threads count together
    return field(reduce.getResult())->name;
  std::string most;
  if (exec::ForOp around = onlyLoop(reduce)) {
    const char *degree = around.getDomain() == graph::Domain::OutOf  ? ".out_degree("
                         : around.getDomain() == graph::Domain::Into ? ".in_degree("
                                                                     : ".degree(";
    most = ", gc::ArcId(" + graphName() + degree + operand(around.getOver()) + "))";
  }
  std::string name = scope->fresh(wanted);
  line("gc::cuda::Mode<" + type + "> " + name + "(" + modeRoom()->name + most + ");");
  return name;
}

KernelPrinter::Field *KernelPrinter::modeRoom() {
  auto found = llvm::find_if(all, [](const Field &f) { return f.kind == Field::Kind::ModeRoom; });
  return found == all.end() ? nullptr : &*found;
}

void KernelPrinter::countForMode(const std::string &name, Block &body) {
  cpp::Writer::Block passes = out.block("do", " while (" + name + ".wants_again());");
  block(body);
}

void KernelPrinter::loop(Operation *at, graph::Domain domain, Value over, Value above, Value below, Block &body) {
  // The arcs of a split kernel come one to a call, and so do the sources of a segment.
  if ((split || segmented) && at->getParentOfType<exec::ForOp>() == nullptr && isa<exec::ForOp>(at) &&
      (segmented || !insideReduce(at))) {
    flat = at;
    block(body);
    return;
  }
  auto list = dyn_cast<exec::ForOp>(at);
  const bool shared = list && list.getShared(), outer = std::exchange(sharing, shared);
  const bool outerAligning = std::exchange(aligning, list && list.getAligned());
  BodyPrinter::loop(at, domain, over, above, below, body);
  sharing = outer;
  aligning = outerAligning;
  if (!shared)
    return;
  // What the lanes have added up separately.
  llvm::MapVector<Value, graph::UpdateKind> sums;
  at->walk([&](exec::UpdateOp update) {
    Value state = update.getState();
    bool local = region.isAncestor(state.getParentRegion());
    if (local && !at->getRegion(0).isAncestor(state.getParentRegion()))
      sums.insert({state, update.getKind()});
  });
  for (auto &[state, kind] : sums)
    line(stateName(state) + " = " + ofAllLanes(state, kind) + ";");
}

std::string KernelPrinter::ofAllLanes(Value state, graph::UpdateKind kind) {
  std::string sum = stateName(state);
  if (kind == graph::UpdateKind::Add)
    return "lanes.sum(" + sum + ")";
  std::string type = cpp::typeName(cast<graph::StateType>(state.getType()).getElement());
  return "lanes.fold(" + sum + ", [](" + type + " a, const " + type + " b) { " + cpp::combined(kind, "a", "b") +
         " return a; })";
}

bool KernelPrinter::insideReduce(Operation *at) {
  auto reduce = at->getParentOfType<exec::ReduceOp>();
  return reduce && reduce != op;
}

Text KernelPrinter::targetExpression(Operation *inner) {
  if (auto test = dyn_cast<exec::InFrontierOp>(inner))
    return {"frontier.contains(" + operand(test.getVertex()) + ")"};
  return KernelBodyPrinter::targetExpression(inner);
}

void KernelPrinter::statement(Operation *inner) {
  if (segmented && isa<exec::UpdateOp>(inner))
    return line("return " + operand(gathered().getValue()) + ";");
  if (auto relax = dyn_cast<exec::RelaxOp>(inner)) // the rest is the runtime's part
    return line("return " + operand(relax.getValue()) + ";");
  if (auto loop = dyn_cast<exec::BatchForOp>(inner))
    return batchFor(loop);
  if (auto loop = dyn_cast<exec::BestForOp>(inner))
    return bestFor(loop);
  if (isa<exec::ExpectOp>(inner)) // see expect()
    return;
  if (pull && isa<exec::BreakOp>(inner))
    return line("return true;");
  if (auto contribute = dyn_cast<exec::ContributeOp>(inner); contribute && isa<exec::KeepIndexOp>(op))
    return line("best.add(" + operand(contribute.getValue()) + ", " + operand(contribute.getWitness()) + ");");
  if (auto note = dyn_cast<exec::NoteChangeOp>(inner)) {
    std::string leader = lanes && !sharing ? "if (lanes.leader()) " : "";
    return line(leader + operand(note.getIndex()) + ".add(" + operand(note.getVertex()) + ");");
  }
  if (auto touch = dyn_cast<exec::TouchCopyOp>(inner))
    return line(touchedOf(touch) + ".touch(" + operand(touch.getPlace()) + ");");
  if (auto activate = dyn_cast<exec::ActivateOp>(inner)) {
    bool several = inPropagate && cast<exec::PropagateOp>(op).getDedup();
    return line((pulling   ? "next.set("
                 : several ? "next.push_once("
                           : "next.push(") +
                operand(activate.getVertex()) + ");");
  }
  if (auto reduce = dyn_cast<exec::ReduceOp>(inner); reduce && reduce.getCombined()) {
    BodyPrinter::statement(inner);
    std::string name = accumulators[inner];
    const ReduceTraits &kind = graph::traits(reduce.getKind());
    if (kind.accumulates())
      return line(name + " = gc::cuda::" + std::string(kind.lanes) + "(lanes, " + name + ");");
    return line(name + " = lanes." + std::string(kind.lanes) + "(" + name + ");");
  }
  if (auto choice = dyn_cast<graph::IfOp>(inner); choice && choice.getLevelBits()) {
    Value condition = choice.getCondition();
    std::string neighbour = operand(inner->getParentOfType<exec::ForOp>().getBody().getArgument(0));
    bind(condition, "other.known() ? other.contains(" + neighbour + ") : " + operand(condition));
  }
  auto update = dyn_cast<exec::UpdateOp>(inner);
  auto contribute = dyn_cast<exec::ContributeOp>(inner);
  if (!(update && update.getLeader()) && !(contribute && contribute.getLeader()))
    return BodyPrinter::statement(inner);
  // One lane writes what all have computed, once all have read what they need.
  const bool array = update && !update.getIndices().empty();
  const std::string sync = "lanes.sync();";
  if (array && !out.endsWith(sync))
    line(sync);
  {
    cpp::Writer::Block leader = out.block("if (lanes.leader())");
    BodyPrinter::statement(inner);
  }
  if (array)
    line(sync);
}

} // namespace gcompile::cuda
