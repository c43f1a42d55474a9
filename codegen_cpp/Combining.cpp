#include "codegen_cpp/Combining.h"

#include "codegen_cpp/Types.h"

using namespace mlir;

namespace gcompile::cpp {

std::string neutralValue(graph::UpdateKind kind, Type type) {
  bool truth = type.isInteger(1);
  switch (graph::traits(kind).neutral()) {
  case Neutral::Zero:
    return truth ? "false" : "0";
  case Neutral::One:
    return "1";
  case Neutral::Greatest:
  case Neutral::Lowest:
    return extremeStart(type, graph::traits(kind).neutral() == Neutral::Lowest);
  case Neutral::AllBits:
    return truth ? "true" : "-1";
  }
  llvm_unreachable("every neutral value is listed");
}

std::string combined(graph::UpdateKind kind, const std::string &target, const std::string &value) {
  if (kind == graph::UpdateKind::Assign)
    return target + " = " + value + ";";
  const UpdateTraits &update = graph::traits(kind);
  if (update.assignment.empty())
    return "gc::update_" + std::string(update.function) + "(" + target + ", " + value + ");";
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
