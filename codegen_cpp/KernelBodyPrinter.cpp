#include "codegen_cpp/KernelBodyPrinter.h"

#include "codegen_cpp/Types.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::cpp {

/// Whether a set is one vertex's list of neighbours as it is stored, where an edge that is repeated occurs again.
static bool isStoredList(Value set) {
  while (auto let = set.getDefiningOp<graph::LetOp>())
    set = let.getValue();
  auto neighbors = set.getDefiningOp<graph::NeighborsOp>();
  return neighbors && neighbors.getSide() != graph::Side::Both;
}

std::string KernelBodyPrinter::setRange(Value set) {
  return isStoredList(set) ? "gc::distinct(" + operand(set) + ")" : operand(set);
}

std::string KernelBodyPrinter::neighbors(Operation *at, graph::Domain domain, Value over, bool mayBeNone, Value above,
                                         Value below) {
  return domain == graph::Domain::Into && !sources.empty()
             ? sources
             : BodyPrinter::neighbors(at, domain, over, mayBeNone, above, below);
}

Text KernelBodyPrinter::setExpression(Operation *set) {
  return llvm::TypeSwitch<Operation *, Text>(set)
      .Case([&](graph::AllVerticesOp) -> Text { return {"gc::vertices(" + graphName() + ")"}; })
      .Case([&](graph::SetOfOp o) -> Text { return {"gc::set_of<V>(" + operands(o.getOperands()) + ")"}; })
      .Case([&](graph::NeighborsOp o) -> Text {
        std::string vertex = index(o.getVertex(), o.getMayBeNone(), o);
        if (o.getSide() == graph::Side::Both)
          return {"gc::both_neighbors(" + graphName() + ", " + vertex + ")"};
        return {graphName() + (o.getSide() == graph::Side::Out ? ".out_neighbors(" : ".in_neighbors(") + vertex + ")"};
      })
      .Case([&](graph::SetAlgebraOp o) -> Text {
        const char *name = o.getKind() == graph::SetKind::Union          ? "gc::united("
                           : o.getKind() == graph::SetKind::Intersection ? "gc::intersected("
                                                                         : "gc::subtracted(";
        return {name + operand(o.getLhs()) + ", " + operand(o.getRhs()) + ")"};
      })
      .Case([&](graph::SetFilterOp o) -> Text {
        std::string range = operand(o.getSet());
        ScopeGuard inner(*this);
        BlockArgument v = o.getWhere().getArgument(0);
        std::string name = declare(v, argumentName(v));
        return {"gc::filtered(" + range + ", [&]([[maybe_unused]] V " + name + ") { return " +
                operand(yielded(o.getWhere())) + "; })"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("a set that this printer does not know"); });
}

/// Whether the value is held in a gc::VertexSet, not a range computed on the spot.
static bool isStoredSet(Value set) {
  return isa<BlockArgument>(set) || set.getDefiningOp<graph::ReadOp>() || set.getDefiningOp<exec::FilterOp>();
}

Text KernelBodyPrinter::targetExpression(Operation *expression) {
  return llvm::TypeSwitch<Operation *, Text>(expression)
      .Case([&](graph::ContainsOp o) -> Text {
        if (o.getSet().getDefiningOp<graph::AllVerticesOp>())
          return {"(" + operand(o.getVertex(), Binding::Sum) + " < " + graphName() + ".num_vertices())"};
        if (isStoredSet(o.getSet()))
          return {operand(o.getSet()) + ".contains(" + operand(o.getVertex()) + ")"};
        return {"gc::contains(" + operand(o.getSet()) + ", " + operand(o.getVertex()) + ")"};
      })
      .Case([&](graph::SetSizeOp o) -> Text {
        if (o.getSet().getDefiningOp<graph::AllVerticesOp>())
          return {"std::int64_t(" + graphName() + ".num_vertices())"};
        if (isStoredSet(o.getSet()))
          return {operand(o.getSet()) + ".size()"};
        return {"gc::size(" + operand(o.getSet()) + ")"};
      })
      .Default([](Operation *) -> Text { llvm_unreachable("an operation that has no place in a kernel"); });
}

/// Whether a state is a copy of one row or of one column, which is an array.
static bool isSlice(Value state) {
  auto copy = state.getDefiningOp<exec::SnapshotOp>();
  return copy && (copy.getRow() || copy.getColumn());
}

std::string KernelBodyPrinter::pairElement(Value state, ValueRange indices, bool checked, Operation *at) {
  if (indices.size() != 2)
    return "";
  if (isSlice(state))
    return stateName(state) + "[" +
           index(indices[state.getDefiningOp<exec::SnapshotOp>().getRow() ? 1 : 0], checked, at) + "]";
  for (const Row &row : rows)
    if (row.state == state && row.vertex == indices[0])
      return row.name + "[" + index(indices[1], checked, at) + "]";
  return "";
}

void KernelBodyPrinter::declareRows(Region &region, BlockArgument vertex, llvm::function_ref<std::string(Value)> type) {
  region.walk([&](Operation *inner) {
    auto note = [&](Value state, ValueRange indices) {
      if (indices.size() != 2 || indices[0] != vertex || isSlice(state) ||
          llvm::any_of(rows, [&](const Row &row) { return row.state == state; }))
        return;
      std::string pointer = type(state);
      if (pointer.empty())
        return;
      std::string array = stateName(state), name = scope->fresh(array + "_" + value(vertex).text);
      line(pointer + name + " = " + array + ".row(" + value(vertex).text + ");");
      rows.push_back({state, vertex, name});
    };
    if (auto read = dyn_cast<graph::ReadOp>(inner))
      note(read.getState(), read.getIndices());
    else if (auto update = dyn_cast<exec::UpdateOp>(inner))
      note(update.getState(), update.getIndices());
    else if (auto tuple = dyn_cast<exec::UpdateTupleOp>(inner))
      llvm::for_each(tuple.getStates(), [&](Value state) { note(state, tuple.getIndices()); });
    else if (auto claim = dyn_cast<exec::ClaimOp>(inner))
      note(claim.getState(), claim.getIndices());
  });
}

/// The class of the runtime by which it knows a step.
static std::string runtimeName(exec::Closing closing) {
  switch (closing) {
  case exec::Closing::ShortestPaths:
    return "ShortestPaths";
  case exec::Closing::TransitiveClosure:
    return "TransitiveClosure";
  case exec::Closing::PathsByFirst:
    return "PathsByFirst";
  case exec::Closing::PathsByLast:
    return "PathsByLast";
  case exec::Closing::WidestPaths:
    return "WidestPaths";
  }
  llvm_unreachable("everything known of a step is listed");
}

std::string closingArgument(exec::ClosePairsOp closure) {
  return closure.getClosing() ? ", gc::" + runtimeName(*closure.getClosing()) + "()" : "";
}

std::string KernelBodyPrinter::closureOperand(exec::ClosePairsOp closure, ValueRange indices) {
  Value k = closure.getStep().getArgument(2);
  operands_.usesRow |= indices[0] == k;
  operands_.usesColumn |= indices[1] == k;
  return indices[0] == k ? operands_.row : indices[1] == k ? operands_.column : operands_.own;
}

KernelBodyPrinter::ClosureStep KernelBodyPrinter::closureStep(exec::ClosePairsOp closure) {
  std::string type = elementName(closure.getState().getType().getElement());
  operands_ = {names.fresh("own"), names.fresh("column"), names.fresh("row")};
  ScopeGuard variables(*this);
  Block &step = closure.getStep().front();
  for (BlockArgument each : step.getArguments()) {
    declare(each, argumentName(each));
    printed.erase(each);
  }
  Writer body = printedBy([&] {
    block(step);
    line("return " + operands_.own + ";");
  });
  List parameters;
  auto parameter = [&](const std::string &of, const std::string &name, bool mentioned) {
    parameters.add("const " + of + (mentioned ? " " + name : ""));
  };
  parameters.add(type + " " + operands_.own);
  parameter(type, operands_.column, operands_.usesColumn);
  parameter(type, operands_.row, operands_.usesRow);
  for (BlockArgument each : step.getArguments())
    parameter("V", value(each).text, printed.contains(each));
  return {parameters.text(), std::move(body)};
}

} // namespace gcompile::cpp
