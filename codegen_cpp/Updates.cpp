// Updates and claims: how one element gets its next value, alone or among other threads.
#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"

#include <utility>

using namespace mlir;

namespace gcompile::cpp {

std::string BodyPrinter::changingUpdate(const Combining &how, exec::Sync sync, const std::string &target, Value v) {
  // Several threads may assign the same value, and each must know whether it was the one that changed it.
  bool atomic = sync == exec::Sync::Atomic || (sync == exec::Sync::Relaxed && how.kind == graph::UpdateKind::Assign);
  std::string prefix = atomic                        ? sharedUpdates() + "atomic_"
                       : sync == exec::Sync::Relaxed ? "gc::owner_"
                                                     : "gc::update_";
  return prefix + how.call(target, operand(v));
}

std::string BodyPrinter::tupleUpdate(graph::UpdateKind kind, exec::Sync sync, OperandRange states, OperandRange at,
                                     OperandRange values, bool checked, Operation *op) {
  // The place in several arrays is tested once.
  std::string place = at.size() == 1 ? "[" + index(at[0], checked, op) + "]" : "";
  bool atomic = sync == exec::Sync::Atomic;
  std::string text = std::string(atomic ? "gc::atomic_" : "gc::update_") + std::string(graph::traits(kind).function) +
                     "_together(std::tie(";
  auto part = [&](Value state) { return at.size() == 1 ? stateName(state) + place : element(state, at, checked, op); };
  auto type = [](Value v) { return elementName(v.getType()); };
  return text + listed(states, part) + "), std::tuple<" + listed(values, type) + ">(" + operands(values) + "))";
}

Text BodyPrinter::wouldChange(exec::WouldChangeOp op) {
  std::string there = element(op.getState(), op.getIndex(), false, op), value = operand(op.getValue(), Binding::Sum);
  if (op.getKind() == graph::UpdateKind::Max)
    std::swap(there, value);
  if (op.getOrTie())
    return {"!(" + there + " < " + value + ")", Binding::Prefix};
  return {value + " < " + there, Binding::Relation};
}

std::string BodyPrinter::claimCall(exec::ClaimOp op) {
  return op.getSync() == exec::Sync::Atomic ? sharedUpdates() + "claim(" : "gc::claim_owned(";
}

std::string BodyPrinter::claim(exec::ClaimOp op) {
  std::string target = element(op.getState(), op.getIndices(), false, op);
  return claimCall(op) + target + ", " + operand(op.getExpected()) + ", " + operand(op.getDesired()) + ")";
}

std::string BodyPrinter::addition(const std::string &target, Value v) {
  if (auto constant = v.getDefiningOp<graph::ConstantOp>()) {
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    if (number && !v.getType().isInteger(1) && number.getValue().isOne())
      return "++" + target + ";";
    if (number && !v.getType().isInteger(1) && number.getValue().isAllOnes())
      return "--" + target + ";";
    if (isNegative(constant.getValue()))
      return target + " -= " + literal(opposite(constant.getValue())) + ";";
  }
  if (auto negative = v.getDefiningOp<graph::UnaryOp>();
      negative && negative.getKind() == graph::UnaryKind::Neg && !isBound(v))
    return target + " -= " + operand(negative.getOperand()) + ";";
  return target + " += " + operand(v) + ";";
}

void BodyPrinter::update(const Combining &how, exec::Sync sync, Value state, const std::string &target, Value v) {
  const graph::UpdateKind kind = how.kind;
  Type type = v.getType();
  if (sync == exec::Sync::Atomic || (sync == exec::Sync::Relaxed && kind != graph::UpdateKind::Assign))
    return line(changingUpdate(how, sync, target, v) + ";");
  if (sync == exec::Sync::Relaxed)
    return line("gc::store(" + target + ", " + operand(v) + ");");
  bool dense = cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Dense;
  const UpdateTraits &traits = graph::traits(kind);
  if (kind == graph::UpdateKind::Assign)
    return line(target + " = " + operand(v) + ";");
  if (kind == graph::UpdateKind::Add)
    return line(addition(target, v));
  if (dense && traits.selects) // unconditional stores vectorise
    return line(target + " = std::" + std::string(traits.binary) + "<" + typeName(type) + ">(" + target + ", " +
                operand(v) + ");");
  line(combined(how, target, operand(v)));
}

} // namespace gcompile::cpp
