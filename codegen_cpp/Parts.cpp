#include "codegen_cpp/Parts.h"

#include "codegen_cpp/Combining.h"
#include "ir/exec/ExecDialect.h"

using namespace mlir;

namespace gcompile::cpp {

SetCopies::SetCopies(Program &program) {
  program.op.walk([&](exec::GiveToCopiesOp give) {
    if (isa<graph::SetType>(give.getState().getType().getElement()) && of(give.getState()).empty())
      copies.emplace_back(give.getState(), program.scope.fresh(exec::nameOf(give.getState()) + "_copies_"));
  });
}

std::string SetCopies::of(Value set) const {
  for (const auto &[state, member] : copies)
    if (state == set)
      return member;
  return "";
}

void SetCopies::listMembers(std::vector<Program::Member> &members, const Program &program, const std::string &type,
                            const std::string &parts) const {
  for (const auto &[set, member] : copies)
    members.push_back({type, member, "", parts + ", " + program.members.lookup(set)});
}

std::string givenBeforePulls(const Program &program, exec::PropagateOp op) {
  std::string text;
  if (!exec::isAbsent(op.getExchange()))
    for (auto give : op.getExchange().front().getOps<exec::GiveActiveOp>())
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

std::vector<std::string> gatherResults(const Program &program, const std::string &parts) {
  std::vector<std::string> lines;
  graph::AlgorithmOp(program.op).walk([&](graph::StateOp state) {
    const graph::Shape shape = state.getState().getType().getShape();
    if (state.getOutput() && (shape == graph::Shape::PerVertex || shape == graph::Shape::Dense))
      lines.push_back(parts + ".gather(" + program.members.lookup(state.getState()) + ");");
  });
  return lines;
}

} // namespace gcompile::cpp
