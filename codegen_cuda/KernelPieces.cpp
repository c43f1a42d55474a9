// What the runtime calls of a kernel piece by piece: pulls by arcs, loops whose neighbours are evaluated several at
// once, and what is asked for ahead.
#include "codegen_cuda/KernelPrinter.h"

#include "codegen_cpp/Types.h"

using namespace mlir;

namespace gcompile::cuda {

std::pair<std::string, std::string> KernelPrinter::piece(ArrayRef<std::pair<Value, std::string>> values,
                                                         llvm::function_ref<void()> print) {
  ScopeGuard variables(*this);
  for (auto &[value, type] : values) {
    declare(value, cpp::argumentName(cast<BlockArgument>(value)));
    printed.erase(value);
  }
  std::string before = std::exchange(code, "");
  print();
  std::string parameters;
  for (auto &[value, type] : values)
    parameters += (parameters.empty() ? "const " : ", const ") + type +
                  (printed.contains(value) ? " " + this->value(value).text : "");
  return {parameters, std::exchange(code, before)};
}

void KernelPrinter::batchFor(exec::BatchForOp loop) {
  sharing = true;
  std::string call =
      neighbors(loop, loop.getDomain(), loop.getOver(), loop.getMayBeNone(), loop.getAbove(), loop.getBelow());
  sharing = false;
  if (loop.getLevelBits())
    call += ", other";
  auto function = [&](Region &part, bool returns) {
    if (exec::isAbsent(part))
      return;
    auto [parameters, body] = piece({{part.getArgument(0), "V"}}, [&] {
      block(part.front());
      if (returns)
        line("return " + operand(yielded(part)) + ";");
    });
    call += ", [&](" + parameters + ") {\n" + body + "}";
  };
  function(loop.getWhere(), true);
  function(loop.getValue(), true);
  function(loop.getTake(), false);
  if (exec::isAbsent(loop.getValue()))
    return line("gc::cuda::each_where(" + call + ");");
  std::string sum = loop.getSum() ? stateName(loop.getSum()) : accumulators[loop->getParentOfType<exec::ReduceOp>()];
  line(sum + " += gc::cuda::" + (exec::isAbsent(loop.getWhere()) ? "sum_of<" : "sum_where<") +
       cpp::typeName(yielded(loop.getValue()).getType()) + ">(" + call + ");");
  if (loop.getSum())
    line(sum + " = lanes.sum(" + sum + ");");
}

std::string KernelPrinter::pullByArcs() {
  Value v = region.getArgument(0), round = region.getArgument(1), u = pull.getArc().getArgument(0);
  std::string text =
      "static constexpr bool by_arcs = true, first_only = " + std::string(pull.getFirstOnly() ? "true" : "false") +
      (pull.getFirstTakes() ? ", first_takes = true" : "") + ";\n";
  auto function = [&](const std::string &head, ArrayRef<std::pair<Value, std::string>> values, const std::string &more,
                      llvm::function_ref<void()> print) {
    auto [parameters, body] = piece(values, print);
    return "__device__ " + head + "(" + parameters + more + ") const {\n" + body + "}\n";
  };
  std::string functions = function("bool wants", {{v, "V"}}, "", [&] {
    block(pull.getWants().front());
    line("return " + operand(yielded(pull.getWants())) + ";");
  });
  std::string sum, names, merges, sums = pull.getSums().empty() ? "" : ", Sum &sum";
  for (Value each : pull.getSums()) {
    auto state = each.getDefiningOp<graph::StateOp>();
    std::string name = this->names.fresh(state.getName());
    bind(state.getState(), "sum." + name);
    sum += cpp::typeName(state.getState().getType().getElement()) + " " + name + " = 0;\n";
    names += name + " = lanes.sum(" + name + ");\n";
    merges += name + " += other." + name + ";\n";
  }
  if (!pull.getFirstOnly() && sum.empty())
    sums = ", gc::cuda::detail::NoSum &";
  const std::string next = ", gc::cuda::detail::OwnBit &next";
  functions += function(pull.getFirstOnly() ? "bool operator()" : "void operator()",
                        {{u, "V"}, {v, "V"}, {round, "std::int32_t"}}, next + sums, [&] {
                          block(pull.getArc().front());
                          if (pull.getFirstOnly() && !pull.getFirstTakes())
                            line("return false;");
                        });
  if (!exec::isAbsent(pull.getFound()))
    functions +=
        function("void found", {{v, "V"}, {round, "std::int32_t"}}, "", [&] { block(pull.getFound().front()); });
  if (!pull.getFirstOnly())
    functions +=
        function("void finish", {{v, "V"}, {round, "std::int32_t"}},
                 ", [[maybe_unused]] gc::cuda::detail::OwnBit &next" + sums, [&] { block(pull.getFinish().front()); });
  if (!sum.empty())
    text += "struct Sum {\n" + sum + "template <class Lanes> __device__ void combine(const Lanes &lanes) {\n" + names +
            "}\n__device__ void merge(const Sum &other) {\n" + merges + "}\n};\n\n";
  return text + "\n" + functions;
}

/// Asks memory for what a push begins with at a vertex.
std::string KernelPrinter::expect() {
  std::string asks;
  for (auto expected : region.front().getOps<exec::ExpectOp>())
    for (Value state : expected.getStates())
      if (Field *f = field(state); f && f->kind == Field::Kind::Array)
        asks += "gc::cuda::prefetch(" + f->name + " + v);\n";
  return asks.empty() ? "" : "__device__ void expect(const V v) const {\n" + asks + "}\n";
}

} // namespace gcompile::cuda
