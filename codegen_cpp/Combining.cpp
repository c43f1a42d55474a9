#include "codegen_cpp/Combining.h"

#include "codegen_cpp/Names.h"
#include "codegen_cpp/Types.h"

using namespace mlir;

namespace gcompile::cpp {

static std::string classOf(Operation *op, FlatSymbolRefAttr reduction) {
  return reduction ? besideAlgorithm(op, reduction.getValue()) + "<V>" : "";
}

Combining::Combining(exec::UpdateOp op) : kind(op.getKind()), declared(classOf(op, op.getCombinerAttr())) {}
Combining::Combining(graph::UpdateOp op) : kind(op.getKind()), declared(classOf(op, op.getCombinerAttr())) {}

std::string Combining::call(const std::string &target, const std::string &value) const {
  return std::string(graph::traits(kind).function) + "(" + target + ", " + value +
         (declared.empty() ? ")" : ", " + declared + "())");
}

std::string Combining::total() const {
  return std::string(graph::traits(kind).total) + "(" + (declared.empty() ? ")" : declared + "())");
}

std::string Combining::type() const {
  return "gc::by::" + std::string(graph::traits(kind).total) + (declared.empty() ? "" : "<" + declared + ">");
}

std::string neutralValue(const Combining &how, Type type) {
  if (!how.declared.empty())
    return how.declared + "::neutral()";
  const Neutral neutral = graph::traits(how.kind).neutral();
  bool truth = type.isInteger(1);
  switch (neutral) {
  case Neutral::Zero:
    return truth ? "false" : "0";
  case Neutral::One:
    return "1";
  case Neutral::Greatest:
  case Neutral::Lowest:
    return extremeStart(type, neutral == Neutral::Lowest);
  case Neutral::AllBits:
    return truth ? "true" : "-1";
  }
  llvm_unreachable("every neutral value is listed");
}

std::string combined(const Combining &how, const std::string &target, const std::string &value) {
  if (how.kind == graph::UpdateKind::Assign)
    return target + " = " + value + ";";
  const UpdateTraits &update = graph::traits(how.kind);
  if (update.assignment.empty())
    return "gc::update_" + how.call(target, value) + ";";
  return target + " " + std::string(update.assignment) + " " + value + ";";
}

std::string combined(graph::ReduceKind kind, const std::string &target, const std::string &value) {
  if (graph::traits(kind).accumulates())
    return target + ".merge(" + value + ");";
  return combined(graph::combination(kind), target, value);
}

std::string accumulatorType(graph::ReduceKind kind, Type key, Type result) {
  const ReduceTraits &reduce = graph::traits(kind);
  if (!reduce.accumulates())
    return typeName(result);
  return "gc::" + std::string(reduce.accumulator) + "<" + (reduce.witness ? typeName(key) + ", " : "") +
         typeName(result) + ">";
}

std::string accumulated(graph::ReduceKind kind, const std::string &accumulator) {
  const ReduceTraits &reduce = graph::traits(kind);
  return reduce.accumulates() ? accumulator + "." + std::string(reduce.result) + "()" : accumulator;
}

} // namespace gcompile::cpp
