#include "codegen_cuda/HostLaunch.h"

#include "codegen_cuda/HostPrinter.h"

using namespace mlir;
using gcompile::cpp::Text;

namespace gcompile::cuda {

std::string HostLaunch::state(Value state) { return printer->HostBodyPrinter::stateName(state); }

std::string HostLaunch::element(Value state, ValueRange indices, bool checked, Operation *op) {
  auto at = [&](Value index) { return printer->index(index, checked, op); };
  if (auto column = program.columns.find(state); column != program.columns.end())
    return "graph_.host().template edge_column<" + cpp::typeName(cast<graph::StateType>(state.getType()).getElement()) +
           ">(" + std::to_string(column->second) + ")[" + at(indices[0]) + "]";
  std::string text = this->state(state) + ".read(";
  if (cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Array)
    return text + printer->placeIn(this->state(state), indices[0], op) + ")";
  auto snapshot = state.getDefiningOp<exec::SnapshotOp>();
  if (snapshot && indices.size() == 2 && (snapshot.getRow() || snapshot.getColumn()))
    return text + at(indices[snapshot.getRow() ? 1 : 0]) + ")";
  return text + cpp::listed(indices, at) + ")";
}

std::string HostLaunch::array(Value state) { return this->state(state) + ".data()"; }
std::string HostLaunch::matrix(Value state) { return this->state(state) + ".view()"; }

std::string HostLaunch::columnOf(const cpp::Program &program, Value column, const std::string &type) {
  return "graph_.view().template edge_column<" + type + ">(" + std::to_string(program.columns.find(column)->second) +
         ")";
}
std::string HostLaunch::column(Value column, const std::string &type) { return columnOf(program, column, type); }

void HostLaunch::beforeCell(const KernelPrinter::Field &cell) {
  printer->line("gc::cuda::Cell<" + cell.type + "> " + cell.name + "_cell(" + state(cell.value) + ");");
}
void HostLaunch::afterCell(const KernelPrinter::Field &cell) {
  printer->line(state(cell.value) + " = " + cell.name + "_cell.read();");
}

const char *memberOf(Lists lists) {
  return lists == Lists::BothWays ? "both_ways_" : lists == Lists::Transposed ? "transposed_" : "graph_";
}

std::string HostLaunch::call(StringRef function, Lists lists, const std::string &members, const std::string &rest) {
  cpp::List arguments;
  if (lists != Lists::None)
    arguments.add(memberOf(lists));
  for (const std::string &given : {members, rest})
    if (!given.empty())
      arguments.add(given);
  return "gc::cuda::" + function.str() + "(" + arguments.text() + ")";
}

std::string HostLaunch::callSegments(Operation *op, StringRef function, const std::string &arguments) {
  return program.segmentsOf(op) + "." + function.str() + "(" + arguments + ")";
}

std::string HostLaunch::alignedLists(Lists lists) { return program.alignedListsOf(memberOf(lists)) + ".view()"; }

std::string HostLaunch::filter(exec::FilterOp, const std::string &members, const std::string &object) {
  return call("filter", Lists::Own, members, object);
}

void HostLaunch::snapshot(exec::SnapshotOp op) {
  std::string copy = state(op.getCopy()), from = state(op.getState());
  if (op.getState().getType().getShape() == graph::Shape::Scalar)
    return printer->line(copy + " = " + from + ";");
  if (op.getRow())
    printer->line("gc::cuda::copy_row(" + copy + ", " + from + ", " + printer->operand(op.getRow()) + ");");
  else if (op.getColumn())
    printer->line("gc::cuda::copy_column(" + copy + ", " + from + ", " + printer->operand(op.getColumn()) + ");");
  else
    printer->line("gc::cuda::copy(" + copy + ", " + from + ");");
}

void HostLaunch::start(Lists lists, Value from) {
  if (printer->usesBothWays() || printer->usesTransposed())
    printer->line(std::string("frontier_.follow(") + memberOf(lists) + ");");
  printer->startFrontier(from);
}

std::string HostLaunch::runOrdered(exec::OrderedOp op, const std::string &push) {
  auto members = op.getFrom().getDefiningOp<graph::SetOfOp>();
  std::string from =
      members && !printer->isBound(op.getFrom()) ? printer->members(members) : printer->operand(op.getFrom());
  return "gc::cuda::NearFar" + HostPrinter::orderParameters(op) + "(" + printer->orderArguments(op) + ").run(" + from +
         ", " + push + ")";
}

std::string HostLaunch::notes(Value index) { return program.members.find(index)->second + ".notes()"; }
std::string HostLaunch::best(Value index) { return program.members.find(index)->second + ".best()"; }
std::string HostLaunch::reindex(Value index, const std::string &keys) {
  return program.members.find(index)->second + ".reindex(" + keys + ")";
}

Text HostLaunch::makeSet(Operation *op) { return printer->HostBodyPrinter::setExpression(op); }

std::string HostLaunch::setVariable(Value set, const std::string &name, const std::string &text) {
  return printer->HostBodyPrinter::setVariable(set, name, text);
}

void HostLaunch::assignSet(exec::UpdateOp op) { printer->HostBodyPrinter::setUpdate(op); }
Text HostLaunch::contains(graph::ContainsOp op) { return printer->HostBodyPrinter::targetExpression(op); }
Text HostLaunch::size(graph::SetSizeOp op) { return printer->HostBodyPrinter::targetExpression(op); }

} // namespace gcompile::cuda
