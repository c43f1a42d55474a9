#include "codegen_cpp/Parts.h"

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

std::vector<std::string> gatherResults(const Program &program, const std::string &parts) {
  std::vector<std::string> lines;
  graph::AlgorithmOp(program.op).walk([&](graph::StateOp state) {
    if (state.getOutput() && state.getState().getType().getShape() == graph::Shape::PerVertex)
      lines.push_back(parts + ".gather(" + program.members.lookup(state.getState()) + ");");
  });
  return lines;
}

} // namespace gcompile::cpp
