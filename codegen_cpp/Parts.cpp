#include "codegen_cpp/Parts.h"

#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"
#include "ir/exec/ExecDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::cpp {

static bool isOfEdges(Value state) { return graph::hasValuePerEdge(state); }

std::string givenSet(const Program &program, Value set) {
  auto argument = dyn_cast<BlockArgument>(set);
  return argument && isa<graph::SetType>(set.getType()) && isa<graph::AlgorithmOp>(argument.getOwner()->getParentOp())
             ? program.members.lookup(set)
             : "";
}

bool isOfEdge(exec::OwnerComputesOp op) { return isa<graph::EdgeType>(op.getPlace().getType()); }

bool usesArcs(const Program &program) {
  return graph::AlgorithmOp(program.op)
      .walk([](Operation *op) {
        auto state = dyn_cast<graph::StateOp>(op);
        auto computes = dyn_cast<exec::OwnerComputesOp>(op);
        return (state && isOfEdges(state.getState())) || (computes && isOfEdge(computes)) ? WalkResult::interrupt()
                                                                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

KnownCopies::KnownCopies(Program &program, bool ofEdges) {
  auto note = [&](Value state) {
    const bool moves =
        (ofEdges && isOfEdges(state)) || isa<graph::SetType>(cast<graph::StateType>(state.getType()).getElement());
    if (moves && of(state).empty())
      copies.emplace_back(state, program.scope.fresh(exec::nameOf(state) + "_copies_"));
  };
  program.op.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<exec::GiveToCopiesOp, exec::ResetCopiesOp, exec::ReduceToOwnerOp>(
        [&](auto each) { note(each.getState()); });
  });
}

std::string KnownCopies::of(Value state) const {
  for (const auto &[each, member] : copies)
    if (each == state)
      return member;
  return "";
}

void KnownCopies::listMembers(std::vector<Program::Member> &members, const Program &program, const std::string &space,
                              const std::string &parts) const {
  for (const auto &[state, member] : copies) {
    std::string type = "SetCopies<V>";
    if (isOfEdges(state))
      type = "ArcCopies<V, " + elementName(cast<graph::StateType>(state.getType()).getElement()) + ">";
    members.push_back(
        {space + type, member, "", (isOfEdges(state) ? "arcs_" : parts) + ", " + program.members.lookup(state)});
  }
}

std::string givenBeforePulls(const Program &program, exec::PropagateOp op) {
  std::string text;
  if (!exec::isAbsent(op.getExchange()))
    for (auto give : op.getExchange().front().getOps<exec::GiveActiveOp>())
      if (!give.getOfLists())
        text += ", " + program.members.lookup(give.getState());
  return text;
}

List givenEachRound(const Program &program, exec::PropagateOp op) {
  List list;
  if (!exec::isAbsent(op.getExchange()))
    for (auto give : op.getExchange().front().getOps<exec::GiveActiveOp>())
      if (give.getEachRound())
        list.add(program.members.lookup(give.getState()));
  return list;
}

List givenToLists(const Program &program, Region &exchange) {
  List list;
  if (!exec::isAbsent(exchange))
    for (auto give : exchange.front().getOps<exec::GiveActiveOp>())
      if (give.getOfLists())
        list.add(program.members.lookup(give.getState()));
  return list;
}

/// The update as an expression whose value is whether the owner's value is now another one.
static std::string changes(exec::ReduceToOwnerOp op, ArrayRef<std::string> targets, ArrayRef<std::string> values,
                           const std::string &expected) {
  if (op.getExpected())
    return "gc::claim_owned(" + targets[0] + ", " + expected + ", " + values[0] + ")";
  const std::string function = "gc::update_" + std::string(graph::traits(op.getKind()).function);
  auto same = [](const std::string &text) { return text; };
  if (op.getWith().empty())
    return function + "(" + targets[0] + ", " + values[0] + ")";
  SmallVector<Value> states{op.getState()};
  llvm::append_range(states, op.getWith());
  auto type = [](Value state) { return elementName(cast<graph::StateType>(state.getType()).getElement()); };
  return function + "_together(std::tie(" + listed(targets, same) + "), std::tuple<" + listed(states, type) + ">(" +
         listed(values, same) + "))";
}

Writer recordApplied(exec::ReduceToOwnerOp op, ArrayRef<std::string> targets, ArrayRef<std::string> values,
                     const std::string &expected, const std::string &activates) {
  Writer out;
  const bool further = op.getExpected() && !op.getWith().empty();
  if (!op.getActivating() && !further) {
    const bool plain = !op.getExpected() && op.getWith().empty();
    if (plain && op.getKind() == graph::UpdateKind::Assign)
      out.line(targets[0] + " = " + values[0] + ";");
    else
      out.line(plain ? combined(op.getKind(), targets[0], values[0]) : changes(op, targets, values, expected) + ";");
    if (op.getAlways())
      out.line(activates);
    return out;
  }
  std::string condition = changes(op, targets, values, expected);
  if (op.getNeutral())
    condition = "gc::some_changed(" + condition + ", " + targets[0] + ", " + values[0] + ")";
  Writer::Block changed = out.block("if (" + condition + ")");
  if (further)
    for (std::size_t i = 1; i < targets.size(); ++i)
      out.line(targets[i] + " = " + values[i] + ";");
  if (op.getActivating())
    out.line(activates);
  changed.close();
  if (op.getAlways())
    out.line(activates);
  return out;
}

std::vector<GatheredResult> gatherResults(const Program &program, const KnownCopies &copies, const std::string &parts) {
  std::vector<GatheredResult> results;
  graph::AlgorithmOp(program.op).walk([&](graph::StateOp state) {
    const graph::Shape shape = state.getState().getType().getShape();
    const bool ofEdges = isOfEdges(state.getState());
    if (!state.getOutput() || !(ofEdges || shape == graph::Shape::PerVertex || shape == graph::Shape::Dense))
      return;
    std::string known = copies.of(state.getState());
    results.push_back({state.getName().str(), known.empty() ? (ofEdges ? "arcs_" : parts) + ".gather(" +
                                                                  program.members.lookup(state.getState()) + ");"
                                                            : known + ".gather();"});
  });
  return results;
}

} // namespace gcompile::cpp
