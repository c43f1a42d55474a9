#include "codegen_mpi/KernelPrinter.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using gcompile::cpp::Text;
using gcompile::cpp::Writer;

namespace gcompile::mpi {

Type elementOf(Value state) { return cast<graph::StateType>(state.getType()).getElement(); }

/// Where a rank has what a kernel touches: most kernels send one state, whose list is the first.
static std::string touchedList(std::int64_t list) {
  return list == 0 ? "ranks_" : "ranks_.list(" + std::to_string(list) + ")";
}

Writer printedReduction(cpp::BodyPrinter &printer, const cpp::Program &program, const cpp::KnownCopies &copies,
                        exec::ReduceToOwnerOp op, const std::string &worklist) {
  cpp::BodyPrinter::ScopeGuard names(printer);
  const std::string ofEdges = copies.of(op.getState());
  std::string v = printer.fresh(ofEdges.empty() ? "v" : "e");
  cpp::List parameters, states;
  SmallVector<std::string> targets, values;
  auto add = [&](Value state) {
    std::string member = program.members.lookup(state);
    values.push_back(printer.fresh(exec::nameOf(state)));
    targets.push_back(member + "[" + v + "]");
    parameters.add("const " + cpp::elementName(elementOf(state)) + " " + values.back());
    states.add(member);
  };
  parameters.add((ofEdges.empty() ? "const V " : "const gc::ArcId ") + v);
  add(op.getState());
  for (Value state : op.getWith())
    add(state);

  Writer out;
  if (op.getOfLists()) {
    Writer::Block apply = out.block("ranks_.reduce_lists([&](" + parameters.text() + ")", ", " + states.text() + ");");
    out.add(cpp::recordApplied(op, targets, values, "", ""));
    return out;
  }
  std::string head =
      (ofEdges.empty() ? touchedList(op.getList()) : ofEdges) +
      (op.getNeutral() ? ".collect_at_owner(" + printer.operand(op.getNeutral()) + ", " : ".reduce_to_owner(");
  Writer::Block apply =
      out.block(head + "[&](" + parameters.text() + ")", (ofEdges.empty() ? ", " + states.text() : "") + ");");
  out.add(cpp::recordApplied(op, targets, values, op.getExpected() ? printer.operand(op.getExpected()) : "",
                             worklist + ".activate(" + v + ");"));
  return out;
}

void declareRounds(cpp::BodyPrinter &printer, const cpp::Program &program, exec::ResumeOp op,
                   const std::string &variable, const std::string &active) {
  cpp::List arguments;
  arguments.add("ranks_");
  arguments.add(std::to_string(op.getNumber()));
  if (!active.empty())
    arguments.add(active);
  for (Value state : op.getStates()) {
    std::string member = program.members.lookup(state);
    if (cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Array) {
      std::string whole = printer.fresh("whole_" + exec::nameOf(state));
      printer.line("gc::mpi::WholeArray " + whole + "(" + member + ");");
      member = whole;
    } else if (graph::hasValuePerEdge(state)) {
      std::string own = printer.fresh("own_" + exec::nameOf(state));
      printer.line("gc::mpi::OwnArcs " + own + "(arcs_, " + member + ");");
      member = own;
    }
    arguments.add(member);
  }
  printer.line("gc::mpi::Rounds " + variable + "(" + arguments.text() + ");");
}

KernelPrinter::KernelPrinter(cpp::Program &program, Operation *op, Region &region, std::string function,
                             const cpp::KnownCopies &copies)
    : KernelBodyPrinter(program), op(op), region(region), function(std::move(function)), threads(!exec::isSerial(op)),
      divided(cast<exec::Kernel>(op).getDivided() && &region == &op->getRegion(0)), copies(copies) {
  if (threads)
    mine = names.fresh("mine");
  collect();
}

KernelPrinter::Alias *KernelPrinter::alias(Value value) {
  for (Alias &each : aliases)
    if (each.value == value)
      return &each;
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
      aliases.back().used = true;
    }
    return;
  }
  if (Operation *def = value.getDefiningOp(); def && cpp::isRematerialised(def))
    return;
  captured.push_back(value);
  declare(value, cpp::suggestName(value));
}

Value KernelPrinter::setOf() const {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<exec::ParallelOp, exec::ReduceOp>([](auto o) { return o.getOver(); })
      .Case([](exec::FilterOp o) { return Value(o.getSet()); })
      .Case([](exec::OrderedOp o) { return Value(o.getFrom()); })
      .Default(Value());
}

void KernelPrinter::collect() {
  Value over = setOf();
  if (over && !over.getDefiningOp<graph::AllVerticesOp>()) {
    captured.push_back(over);
    printed.insert(over);
    declare(over, cpp::suggestName(over));
  }
  if (auto ordered = dyn_cast<exec::OrderedOp>(op))
    for (Value end : ordered.getEnds())
      capture(end);
  // The round of a propagate is a parameter too.
  const bool records = program.profiled() && isRound();
  if (isa<exec::PropagateOp>(op) && (records || !region.getArgument(1).use_empty())) {
    captured.push_back(region.getArgument(1));
    if (records)
      printed.insert(region.getArgument(1));
    declare(region.getArgument(1), cpp::argumentName(region.getArgument(1)));
  }
  region.walk([&](Operation *inner) {
    for (Value v : inner->getOperands())
      if (!region.isAncestor(v.getParentRegion()))
        capture(v);
    auto update = dyn_cast<exec::UpdateOp>(inner);
    if (Alias *scalar = update ? alias(update.getState()) : nullptr;
        scalar && update.getSync() == exec::Sync::Private) {
      scalar->privately = true;
      scalar->kind = update.getKind();
      if (isArray(scalar->value) && scalar->whole.empty()) {
        scalar->whole = threads ? names.fresh(scalar->name + "_of_rank") : scalar->name;
        scalar->parts = threads ? names.fresh(scalar->name + "_parts") : "";
      }
    }
  });
}

bool KernelPrinter::isRound() const {
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  return propagate && &region != &propagate.getCommit();
}

bool KernelPrinter::isOverPairs() const {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<exec::ParallelOp, exec::ReduceOp>([](auto o) { return o.getDomain() == graph::Domain::Pairs; })
      .Default(false);
}

std::string KernelPrinter::countOf(Value over) {
  if (isOverPairs())
    return "std::uint64_t(ranks_.count()) * graph_.num_vertices()";
  return over && !over.getDefiningOp<graph::AllVerticesOp>() ? "std::uint64_t(" + value(over).text + ".size())"
                                                             : ofRank("count()", "row_count()");
}

std::string KernelPrinter::ofRank(const char *own, const char *ofRow) const {
  return std::string("ranks_.") + (divided ? ofRow : own);
}

std::string KernelPrinter::record() {
  std::string head = "const auto " + names.fresh("call") + " = profile_.",
              arguments = cpp::quoted(cpp::place(op->getLoc())) + ", " + cpp::quoted(function) + ", ";
  if (isRound()) {
    bool pulls = &region == &cast<exec::PropagateOp>(op).getPull();
    return head + "enter_round(" + arguments + (pulls ? "\"pull\"" : "\"push\"") + ", " +
           value(region.getArgument(1)).text + ", std::uint64_t(frontier_.size()));";
  }
  return head + "enter(" + arguments +
         (isa<exec::PropagateOp>(op) ? "std::uint64_t(frontier_.size())" : countOf(setOf())) + ");";
}

std::string KernelPrinter::stateName(Value state) {
  if (Alias *known = alias(state)) {
    known->used = true;
    return known->name;
  }
  return value(state).text; // a local state
}

std::string KernelPrinter::element(Value state, ValueRange indices, bool checked, Operation *at) {
  // The rank's own part is not the value: that is what the member held when the kernel began.
  if (Alias *known = alias(state); known && known->privately && isa<graph::ReadOp>(at))
    return program.members.lookup(state);
  if (std::string pair = pairElement(state, indices, checked, at); !pair.empty())
    return pair;
  return BodyPrinter::element(state, indices, checked, at);
}

Text KernelPrinter::targetExpression(Operation *expression) {
  if (auto test = dyn_cast<exec::InFrontierOp>(expression))
    return {worklist + ".contains(" + operand(test.getVertex()) + ")"};
  if (auto contains = dyn_cast<graph::ContainsOp>(expression)) {
    Value set = contains.getSet();
    while (auto let = set.getDefiningOp<graph::LetOp>())
      set = let.getValue();
    if (std::string member = cpp::givenSet(program, set); !member.empty())
      return {member + ".contains(" + operand(contains.getVertex()) + ")"};
    auto read = set.getDefiningOp<graph::ReadOp>();
    if (std::string member = read ? copies.of(read.getState()) : ""; !member.empty())
      return {membership(member) + ".contains(" + operand(contains.getVertex()) + ")"};
  }
  if (auto size = dyn_cast<graph::SetSizeOp>(expression))
    if (std::string member = cpp::givenSet(program, size.getSet()); !member.empty())
      return {member + ".size()"};
  return KernelBodyPrinter::targetExpression(expression);
}

std::string KernelPrinter::graphName() {
  usesGraph |= threads;
  return threads ? "graph" : "graph_";
}

std::string KernelPrinter::listsName() {
  if (!divided)
    return graphName();
  if (lists.empty())
    lists = names.fresh("lists");
  return lists;
}

/// A thread that is alone at a kernel is told by its share, which makes the updates.
std::string KernelPrinter::sharedUpdates() {
  updatesByShare |= threads;
  return threads ? mine + "." : "gc::";
}

std::string KernelPrinter::ofThread(std::string &name, const std::string &wanted, const std::string &call) {
  if (name.empty()) {
    name = names.fresh(wanted);
    begin.push_back("auto " + name + " = " + call + "(" + mine + ");");
    takesShare = true;
  }
  return name;
}

std::string KernelPrinter::membership(const std::string &copies) {
  std::string &name = memberships[copies];
  if (name.empty()) {
    name = names.fresh(llvm::StringRef(copies).rtrim('_').str());
    begin.push_back("const auto " + name + " = " + copies + ".view();");
  }
  return name;
}

void KernelPrinter::activate(exec::ActivateOp activation) {
  std::string vertex = "(" + operand(activation.getVertex()) + ");";
  if (!threads)
    return line(worklist + ".activate" + vertex);
  // A pull goes over the vertices that it activates.
  auto propagate = dyn_cast<exec::PropagateOp>(op);
  const bool own = activation.getSync() == exec::Sync::Plain && propagate && &region == &propagate.getPull();
  updatesByShare |= !own;
  line(ofThread(next, "next", worklist + ".writer") + (own ? ".activate_own" : ".activate") + vertex);
}

void KernelPrinter::touch(exec::TouchCopyOp copy) {
  const bool ofEdge = isa<graph::EdgeType>(copy.getPlace().getType());
  std::string place = "(" + operand(copy.getPlace()) + ");", owners = ofEdge ? "arcs_" : touchedList(copy.getList());
  if (!threads)
    return line(owners + ".touch" + place);
  updatesByShare = true;
  std::string notes = ofEdge ? ofThread(touchedArcs, "touched_arcs", "arcs_.touches")
                             : ofThread(touched[copy.getList()], "touched", owners + ".touches");
  line(notes + ".touch" + place);
}

void KernelPrinter::statement(Operation *inner) {
  if (auto update = dyn_cast<exec::UpdateOp>(inner))
    if (Alias *known = alias(update.getState()); known && !known->parts.empty() && isArray(known->value)) {
      std::string name = stateName(update.getState());
      return line(name + ".update(" + placeIn(name, update.getIndices()[0], inner) + ", " + operand(update.getValue()) +
                  ");");
    }
  llvm::TypeSwitch<Operation *>(inner)
      .Case([&](exec::CountEdgeOp) {
        if (edges.empty())
          edges = names.fresh("edges");
        line("++" + edges + ";");
      })
      .Case([&](exec::TouchCopyOp o) { touch(o); })
      .Case([&](exec::ActivateOp o) { activate(o); })
      .Default([&](Operation *) { KernelBodyPrinter::statement(inner); });
}

} // namespace gcompile::mpi
