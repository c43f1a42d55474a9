// What the runtime calls of a kernel piece by piece: pulls by arcs, loops whose neighbours are evaluated several at
// once, and what is asked for ahead.
#include "codegen_cuda/KernelPrinter.h"

#include "codegen_cpp/Types.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::cuda {

KernelPrinter::Piece KernelPrinter::piece(ArrayRef<std::pair<Value, std::string>> values,
                                          llvm::function_ref<void()> print) {
  ScopeGuard variables(*this);
  for (auto &[value, type] : values) {
    declare(value, cpp::argumentName(cast<BlockArgument>(value)));
    printed.erase(value);
  }
  Writer body = printedBy(print);
  auto parameter = [&](auto &each) {
    return "const " + each.second + (printed.contains(each.first) ? " " + value(each.first).text : "");
  };
  return {cpp::listed(values, parameter), std::move(body)};
}

void KernelPrinter::callWith(const std::string &call, ArrayRef<Piece> functions) {
  std::optional<Writer::Block> given;
  for (const Piece &each : functions) {
    std::string head = ", [&](" + each.parameters + ")";
    if (given)
      given->next(head);
    else
      given.emplace(out.block(call + head, ");"));
    out.add(each.body);
  }
}

void KernelPrinter::bestFor(exec::BestForOp loop) {
  std::vector<Piece> functions;
  auto function = [&](Region &part, bool returns) {
    std::vector<std::pair<Value, std::string>> values = {{part.getArgument(0), "V"},
                                                         {part.getArgument(1), "gc::ArcId"}};
    if (!returns)
      values.push_back({part.getArgument(2), cpp::typeName(part.getArgument(2).getType())});
    functions.push_back(piece(values, [&] {
      block(part.front());
      if (returns)
        line("return " + operand(yielded(part)) + ";");
    }));
  };
  const bool asks = !exec::isAbsent(loop.getWhere());
  if (asks)
    function(loop.getWhere(), true);
  function(loop.getValue(), true);
  function(loop.getTake(), false);
  const bool leaves = loop.getDomain() == graph::Domain::OutOf;
  std::string graph = graphName() + (leaves ? ".out_" : ".in_"), of = index(loop.getOver(), loop.getMayBeNone(), loop);
  callWith(std::string("gc::cuda::") + (asks ? "best_where(" : "best_of(") + "lanes, " + graph +
               (leaves ? "targets, " : "sources, ") + graph + "begin(" + of + "), " + graph + "end(" + of + ")",
           functions);
}

void KernelPrinter::batchFor(exec::BatchForOp loop) {
  sharing = true;
  aligning = loop.getAligned();
  std::string range =
      neighbors(loop, loop.getDomain(), loop.getOver(), loop.getMayBeNone(), loop.getAbove(), loop.getBelow());
  sharing = aligning = false;
  if (loop.getLevelBits())
    range += ", other";
  std::vector<Piece> functions;
  auto function = [&](Region &part, bool returns) {
    if (exec::isAbsent(part))
      return;
    functions.push_back(piece({{part.getArgument(0), "V"}}, [&] {
      block(part.front());
      if (returns)
        line("return " + operand(yielded(part)) + ";");
    }));
  };
  function(loop.getWhere(), true);
  function(loop.getValue(), true);
  function(loop.getTake(), false);
  std::string call = "gc::cuda::each_where(", sum;
  if (!exec::isAbsent(loop.getValue())) {
    sum = loop.getSum() ? stateName(loop.getSum()) : accumulators[loop->getParentOfType<exec::ReduceOp>()];
    call = sum + " += gc::cuda::" + (exec::isAbsent(loop.getWhere()) ? "sum_of<" : "sum_where<") +
           cpp::typeName(yielded(loop.getValue()).getType()) + ">(";
  }
  callWith(call + range, functions);
  if (loop.getSum())
    line(sum + " = lanes.sum(" + sum + ");");
}

void KernelPrinter::asksFirst(Writer &text) {
  Value v = region.getArgument(0);
  Piece asks = piece({{v, "V"}}, [&] {
    block(asked.getAsks().front());
    line("return " + operand(yielded(asked.getAsks())) + ";");
  });
  {
    Writer::Block function = text.block("__device__ bool asks(" + asks.parameters + ") const");
    text.add(asks.body);
  }
  if (exec::isAbsent(asked.getRest()))
    return;
  Piece rest = piece({{v, "V"}}, [&] { block(asked.getRest().front()); });
  Writer::Block function = text.block("__device__ void rest(" + rest.parameters +
                                      (parts_.empty() ? "" : ", [[maybe_unused]] Parts &parts") + ") const");
  text.add(rest.body);
}

std::string KernelPrinter::sumOfArcs(Writer &text) {
  if (pull.getSums().empty())
    return pull.getFirstOnly() ? "" : ", gc::cuda::detail::NoSum &";
  std::vector<std::string> sums;
  {
    Writer::Block type = text.block("struct Sum", ";");
    for (Value each : pull.getSums()) {
      auto state = each.getDefiningOp<graph::StateOp>();
      sums.push_back(names.fresh(state.getName()));
      bind(state.getState(), "sum." + sums.back());
      text.line(cpp::typeName(state.getState().getType().getElement()) + " " + sums.back() + " = 0;");
    }
    {
      Writer::Block combine = text.block("template <class Lanes> __device__ void combine(const Lanes &lanes)");
      for (const std::string &name : sums)
        text.line(name + " = lanes.sum(" + name + ");");
    }
    Writer::Block merge = text.block("__device__ void merge(const Sum &other)");
    for (const std::string &name : sums)
      text.line(name + " += other." + name + ";");
  }
  text.line();
  return ", Sum &sum";
}

void KernelPrinter::pullByArcs(Writer &text) {
  Value v = region.getArgument(0), round = region.getArgument(1), u = pull.getArc().getArgument(0);
  text.line(
      "static constexpr bool by_arcs = true, first_only = " + std::string(pull.getFirstOnly() ? "true" : "false") +
      (pull.getFirstTakes() ? ", first_takes = true" : "") + ";");
  Writer functions;
  auto function = [&](const std::string &head, ArrayRef<std::pair<Value, std::string>> values, const std::string &more,
                      llvm::function_ref<void()> print) {
    Piece each = piece(values, print);
    Writer::Block body = functions.block("__device__ " + head + "(" + each.parameters + more + ") const");
    functions.add(each.body);
  };
  function("bool wants", {{v, "V"}}, "", [&] {
    block(pull.getWants().front());
    line("return " + operand(yielded(pull.getWants())) + ";");
  });
  const std::string sums = sumOfArcs(text), next = "gc::cuda::detail::OwnBit &next";
  function(pull.getFirstOnly() ? "bool operator()" : "void operator()", {{u, "V"}, {v, "V"}, {round, "std::int32_t"}},
           ", " + next + sums, [&] {
             block(pull.getArc().front());
             if (pull.getFirstOnly() && !pull.getFirstTakes())
               line("return false;");
           });
  if (!exec::isAbsent(pull.getFound()))
    function("void found", {{v, "V"}, {round, "std::int32_t"}}, "", [&] { block(pull.getFound().front()); });
  if (!pull.getFirstOnly())
    function("void finish", {{v, "V"}, {round, "std::int32_t"}}, ", [[maybe_unused]] " + next + sums,
             [&] { block(pull.getFinish().front()); });
  text.line();
  text.add(functions);
}

/// Asks memory for what a push begins with at a vertex.
void KernelPrinter::expect(Writer &text) {
  std::vector<std::string> asked;
  for (auto expected : region.front().getOps<exec::ExpectOp>())
    for (Value state : expected.getStates())
      if (Field *f = field(state); f && f->kind == Field::Kind::Array)
        asked.push_back("gc::cuda::prefetch(" + f->name + " + v);");
  if (asked.empty())
    return;
  Writer::Block function = text.block("__device__ void expect(const V v) const");
  for (const std::string &each : asked)
    text.line(each);
}

} // namespace gcompile::cuda
