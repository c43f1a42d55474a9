// The loops of kernels: those that threads share, and what a segment's list puts in place of a vertex's arcs.
#include "codegen_omp/KernelPrinter.h"

using namespace mlir;

namespace gcompile::omp {

std::string KernelPrinter::pragmaFor(exec::Schedule schedule, const char *chunk) {
  if (schedule == exec::Schedule::Serial)
    return "";
  return schedule == exec::Schedule::Static ? "#pragma omp for schedule(static) nowait\n"
                                            : std::string("#pragma omp for schedule(dynamic, ") + chunk + ") nowait\n";
}

void KernelPrinter::slotLoop(const std::string &set, BlockArgument v, const std::string &schedule) {
  std::string i = scope->fresh("slot");
  code += schedule;
  line("for (std::size_t " + i + " = 0; " + i + " < " + set + ".slots(); ++" + i + ") {");
  std::string name = declare(v, cpp::argumentName(v));
  line("const V " + name + " = " + set + ".slot(" + i + ");");
  line("if (" + name + " == gc::none<V>()) continue;");
}

void KernelPrinter::domainLoop(graph::Domain domain, Value over, exec::Schedule schedule,
                               llvm::function_ref<void()> body) {
  ScopeGuard variables(*this);
  auto name = [&](unsigned i) { return declare(region.getArgument(i), cpp::argumentName(region.getArgument(i))); };
  switch (domain) {
  case graph::Domain::Vertices:
    if (over && !over.getDefiningOp<graph::AllVerticesOp>()) {
      slotLoop(value(over).text, region.getArgument(0), pragmaFor(schedule, "64"));
    } else {
      std::string v = name(0);
      code += pragmaFor(schedule, "256");
      line("for (V " + v + " = 0; " + v + " < " + graphName() + ".num_vertices(); ++" + v + ") {");
    }
    declareRows(region.getArgument(0));
    break;
  case graph::Domain::Pairs: {
    std::string i = name(0), j = name(1), n = scope->fresh("n");
    line("const V " + n + " = " + graphName() + ".num_vertices();");
    code += pragmaFor(schedule, "16");
    line("for (V " + i + " = 0; " + i + " < " + n + "; ++" + i + ") {");
    declareRows(region.getArgument(0));
    line("for (V " + j + " = 0; " + j + " < " + n + "; ++" + j + ") {");
    break;
  }
  default: {
    std::string e = name(0);
    code += pragmaFor(schedule, "4096");
    line("for (gc::EdgeId " + e + " = 0; " + e + " < " + graphName() + ".num_arcs(); ++" + e + ") {");
  }
  }
  body();
  line(domain == graph::Domain::Pairs ? "}\n}" : "}");
}

void KernelPrinter::segmentLoop(std::int64_t width, llvm::function_ref<void()> body) {
  ScopeGuard variables(*this);
  auto [member, isNew] = program.segments.try_emplace(width);
  if (isNew)
    member->second = program.scope.fresh("segments_");
  const std::string &all = member->second;
  std::string segment = scope->fresh("segment"), part = scope->fresh("part");
  line("for (std::size_t " + segment + " = 0; " + segment + " < " + all + ".size(); ++" + segment + ") {");
  // A vertex may be in every segment: there is a barrier between them.
  line("#pragma omp for schedule(dynamic, 1)");
  line("for (std::size_t " + part + " = " + all + ".begin(" + segment + "); " + part + " < " + all + ".end(" + segment +
       "); ++" + part + ") {");
  std::string v = declare(region.getArgument(0), cpp::argumentName(region.getArgument(0)));
  sources = scope->fresh("sources");
  line("for (const auto &[" + v + ", " + sources + "] : " + all + ".part(" + part + ")) {");
  body();
  line("}\n}\n}");
}

void KernelPrinter::loop(Operation *at, graph::Domain domain, Value over, Value above, Value below, Block &body) {
  if (sources.empty() || domain != graph::Domain::Into)
    return KernelBodyPrinter::loop(at, domain, over, above, below, body);
  ScopeGuard variables(*this);
  std::string u = declare(body.getArgument(0), cpp::argumentName(body.getArgument(0)));
  line(std::string("for (") + (body.getArgument(0).use_empty() ? "[[maybe_unused]] " : "") + "const V " + u + " : " +
       sources + ") {");
  loopBody(body);
  line("}");
}

} // namespace gcompile::omp
