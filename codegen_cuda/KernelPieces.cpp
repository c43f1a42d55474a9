// What the runtime calls of a kernel piece by piece: pulls by arcs, loops whose neighbours are evaluated several at
// once, and what is asked for ahead.
#include "codegen_cuda/KernelPrinter.h"

#include "codegen_cpp/Types.h"
#include "ir/exec/passes/gpu/ExpectedReads.h"
#include "ir/exec/passes/gpu/Sweep.h"

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

/// The loop as a call of the runtime, which evaluates several iterations at once.
void KernelPrinter::batches(exec::ForOp loop, BatchForm form) {
  std::string call = neighbors(loop, loop.getDomain(), loop.getOver(), loop.getAbove(), loop.getBelow());
  if (form.choice && form.choice->hasAttr(levelBitsAttr))
    call += ", other";
  auto function = [&](llvm::function_ref<void()> print) {
    auto [parameters, body] = piece({{loop.getBody().getArgument(0), "V"}}, print);
    call += ", [&](" + parameters + ") {\n" + body + "}";
  };
  auto computed = [&](Operation *end, Value result) {
    function([&] {
      for (Operation *op = &end->getBlock()->front(); op != end; op = op->getNextNode())
        if (isa<graph::LetOp>(op))
          statement(op);
        else if (!op->use_empty() && !cpp::isRematerialised(op) && !inlining.anchor(op))
          materialise(op);
      line("return " + operand(result) + ";");
    });
  };
  if (form.choice)
    computed(form.choice, form.choice.getCondition());
  if (form.summand)
    computed(form.take, form.summand);
  else
    function([&] { block(form.choice.getThenRegion().front()); });
  if (!form.summand)
    return line("gc::cuda::each_where(" + call + ");");
  auto update = dyn_cast<exec::UpdateOp>(form.take);
  std::string sum = update ? stateName(update.getState()) : accumulators[form.take->getParentOfType<exec::ReduceOp>()];
  line(sum + " += gc::cuda::" + (form.choice ? "sum_where<" : "sum_of<") + cpp::typeName(form.summand.getType()) +
       ">(" + call + ");");
}

void KernelPrinter::guards(Block &block) {
  for (Operation &inner : block) {
    auto guard = dyn_cast<graph::IfOp>(inner);
    if (guard && llvm::is_contained(pull->guards, guard)) {
      if (guard == pull->guards.back())
        return line("return " + operand(guard.getCondition()) + ";");
      line("if (" + negated(guard.getCondition()) + ") return false;");
      guards(guard.getThenRegion().front());
    } else if (!inner.use_empty() && !cpp::isRematerialised(&inner) && !inlining.anchor(&inner)) {
      materialise(&inner);
    }
  }
}

std::string KernelPrinter::pullByArcs() {
  Value v = region.getArgument(0), round = region.getArgument(1), u = pull->loop.getBody().getArgument(0);
  std::string text =
      "static constexpr bool by_arcs = true, first_only = " + std::string(pull->firstOnly ? "true" : "false") +
      (pull->firstTakes ? ", first_takes = true" : "") + ";\n";
  auto function = [&](const std::string &head, ArrayRef<std::pair<Value, std::string>> values, const std::string &more,
                      llvm::function_ref<void()> print) {
    auto [parameters, body] = piece(values, print);
    return "__device__ " + head + "(" + parameters + more + ") const {\n" + body + "}\n";
  };
  std::string functions = function("bool wants", {{v, "V"}}, "", [&] {
    if (pull->guards.empty())
      line("return true;");
    else
      guards(region.front());
  });
  std::string sum, names, merges, sums = pull->sums.empty() ? "" : ", Sum &sum";
  for (graph::StateOp state : pull->sums) {
    std::string name = this->names.fresh(state.getName());
    bind(state.getState(), "sum." + name);
    sum += cpp::typeName(state.getState().getType().getElement()) + " " + name + " = 0;\n";
    names += name + " = lanes.sum(" + name + ");\n";
    merges += name + " += other." + name + ";\n";
  }
  if (!pull->firstOnly && sum.empty())
    sums = ", gc::cuda::detail::NoSum &";
  const std::string next = ", gc::cuda::detail::OwnBit &next";
  functions += function(pull->firstOnly ? "bool operator()" : "void operator()",
                        {{u, "V"}, {v, "V"}, {round, "std::int32_t"}}, next + sums, [&] {
                          Block &arc = pull->active.getThenRegion().front();
                          block(arc);
                          if (pull->firstOnly && !pull->firstTakes)
                            line("return false;");
                        });
  if (!pull->once.empty())
    functions += function("void found", {{v, "V"}, {round, "std::int32_t"}}, "", [&] {
      for (exec::UpdateOp update : pull->once)
        BodyPrinter::statement(update);
    });
  if (!pull->firstOnly)
    functions += function("void finish", {{v, "V"}, {round, "std::int32_t"}},
                          ", [[maybe_unused]] gc::cuda::detail::OwnBit &next" + sums,
                          [&] { block(*pull->loop->getBlock(), pull->loop); });
  if (!sum.empty())
    text += "struct Sum {\n" + sum + "template <class Lanes> __device__ void combine(const Lanes &lanes) {\n" + names +
            "}\n__device__ void merge(const Sum &other) {\n" + merges + "}\n};\n\n";
  return text + "\n" + functions;
}

/// Asks memory for what a push begins with at a vertex.
std::string KernelPrinter::expect() {
  std::string asks;
  for (Value state : expectedReads(region))
    if (Field *f = field(state); f && f->kind == Field::Kind::Array)
      asks += "gc::cuda::prefetch(" + f->name + " + v);\n";
  return asks.empty() ? "" : "__device__ void expect(const V v) const {\n" + asks + "}\n";
}

} // namespace gcompile::cuda
