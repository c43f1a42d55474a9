// Reductions: their accumulators, and what each value adds to them.
#include "codegen_cpp/BodyPrinter.h"
#include "codegen_cpp/Combining.h"
#include "codegen_cpp/Types.h"

using namespace mlir;

namespace gcompile::cpp {

std::string BodyPrinter::modeAccumulator(exec::ReduceOp, const std::string &type, StringRef wanted) {
  std::string name = scope->fresh(wanted);
  line("gc::Mode<" + type + "> " + name + ";");
  return name;
}

void BodyPrinter::countForMode(const std::string &, Block &body) { block(body); }

std::string BodyPrinter::accumulatorType(exec::ReduceOp op) {
  Type key;
  op.getBody().walk([&](exec::ContributeOp c) {
    if (c.getWitness() && c->getParentOfType<exec::ReduceOp>() == op)
      key = c.getValue().getType();
  });
  return cpp::accumulatorType(op.getKind(), key, op.getType());
}

std::string BodyPrinter::accumulator(exec::ReduceOp op) {
  std::string wanted = suggestName(op.getResult());
  if (op.getKind() == graph::ReduceKind::Mode)
    return modeAccumulator(op, typeName(op.getType()), wanted);
  std::string name = scope->fresh(wanted), start;
  if (!graph::traits(op.getKind()).accumulates())
    start = " = " + neutralValue(graph::combination(op.getKind()), op.getType());
  line(accumulatorType(op) + " " + name + start + ";");
  return name;
}

void BodyPrinter::sequentialReduce(exec::ReduceOp op) {
  std::string name = accumulator(op);
  accumulators[op] = name;
  if (op.getKind() == graph::ReduceKind::Mode) {
    countForMode(name, op.getBody().front());
    std::string result = declare(op.getResult(), name + "_value");
    line("const " + typeName(op.getType()) + " " + result + " = " + accumulated(op.getKind(), name) + ";");
    return;
  }
  bind(op.getResult(), accumulated(op.getKind(), name));
  block(op.getBody().front());
}

void BodyPrinter::contribute(exec::ContributeOp op) {
  if (op == term)
    return line("return " + operand(op.getValue()) + ";");
  auto reduce = op->getParentOfType<exec::ReduceOp>();
  const std::string &name = accumulators[reduce];
  std::string v = op.getValue() ? operand(op.getValue()) : "";
  bool inLoop = false;
  for (Operation *around = op->getParentOp(); around != reduce; around = around->getParentOp())
    inLoop |= around != flat && isa<exec::ForOp, graph::WhileOp, graph::RepeatOp>(around);
  auto decide = [&](bool value) {
    auto constant = op.getValue().getDefiningOp<graph::ConstantOp>();
    bool always = constant && cast<IntegerAttr>(constant.getValue()).getValue().isZero() != value;
    std::optional<Writer::Block> decided;
    if (!always)
      decided.emplace(out.block("if (" + std::string(value ? "" : "!") +
                                operand(op.getValue(), value ? Binding::Conditional : Binding::Prefix) + ")"));
    line(name + (value ? " = true;" : " = false;"));
    if (inLoop)
      line("break;");
  };
  const ReduceTraits &kind = graph::traits(reduce.getKind());
  if (kind.decides) // the opposite of what changes nothing
    return decide(graph::traits(graph::combination(reduce.getKind())).neutral() == Neutral::Zero);
  if (kind.accumulates())
    return line(name + ".add(" + v + (kind.witness ? ", " + operand(op.getWitness()) : "") + ");");
  line(op.getValue() ? combined(graph::combination(reduce.getKind()), name, v) : "++" + name + ";");
}

Text BodyPrinter::improves(exec::ImprovesOp op) {
  auto reduce = op->getParentOfType<exec::ReduceOp>();
  const std::string &name = accumulators[reduce];
  if (graph::traits(reduce.getKind()).witness)
    return {name + ".improves(" + operand(op.getKey()) + ")"};
  return {operand(op.getKey(), Binding::Relation) + (reduce.getKind() == graph::ReduceKind::Min ? " < " : " > ") + name,
          Binding::Relation};
}

} // namespace gcompile::cpp
