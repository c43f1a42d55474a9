#include "codegen_cuda/CudaPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cpp/Module.h"
#include "codegen_cpp/Stages.h"
#include "codegen_cuda/HostLaunch.h"
#include "codegen_cuda/HostPrinter.h"
#include "codegen_host/ProgramPrinter.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile {

void cuda::printKernels(Writer &out, const cpp::Program &program, const std::string &space) {
  if (program.functions.empty())
    return;
  {
    Writer::Block kernels = out.block("namespace " + space, " // namespace " + space);
    out.line();
    for (const Writer &function : program.functions)
      out.add(function);
  }
  out.line();
}

/// The time that aligning lists took, where the constructor does so.
static void printLayoutSeconds(Writer &out, const cpp::Program &program) {
  if (program.alignedLists.empty())
    return;
  out.line("/// The time that aligning the lists of neighbours took.");
  cpp::List seconds(" + ");
  for (auto &[graph, member] : program.alignedLists)
    seconds.add(member + ".seconds()");
  out.line("double layout_seconds() const { return " + seconds.text() + "; }");
  out.line();
}

/// The class of an algorithm and the namespace of its kernels; `serialName` is the class of its serial form, "" if it
/// has none.
static void printClass(Writer &out, cpp::Program &program, StringRef serialName) {
  program.storage = {true, "gc::cuda::", "graph_", "graph_", "graph_.host()"};
  program.declareMembers();
  std::string name = cpp::functionName(program.op.getSymName()), space = name + "_kernels", info = name + "_info()";
  cuda::HostLaunch launch(program);
  cuda::HostPrinter host(program, space, launch);
  host.block(program.op.getBody().front());

  std::vector<cpp::Program::Member> more = host.graphMembers();
  if (program.usesFrontier)
    more.push_back({"gc::cuda::Frontier<V>", "frontier_", "", "graph_"});
  program.listSegments(more, program.storage.space, "graph_");
  if (program.profiled())
    more.push_back({"gc::Profile", "profile_", "", ""});
  cpp::List initialisers;
  initialisers.add("graph_(gc::checked(graph, " + info + "), " + info + (host.usesBothWays() ? ", true)" : ")"));
  Writer fields;
  fields.line("const gc::cuda::Graph<V> graph_;");
  program.listMembers(initialisers, fields, more);

  cuda::printKernels(out, program, space);
  Writer::Block type = out.block("template <class V> class " + program.name, ";");
  out.line("public:");
  cpp::constructors(out, program, initialisers);
  if (program.handingOver()) {
    out.line("/// Runs the algorithm from its beginning.");
    out.line("void run() { run_from(static_cast<gc::NotBegun<V> *>(nullptr)); }");
    out.line();
    cpp::printRun(out, program, host.out, {"gc::cuda::synchronize();"},
                  "/// Goes on where another form of the program has stopped; from the beginning if that is null.",
                  "template <class Form> void run_from(Form *begun)");
  } else if (!program.stages.empty()) {
    cpp::printStages(out, program, host.out, {"gc::cuda::synchronize();"});
  } else {
    cpp::printRun(out, program, host.out, {"gc::cuda::synchronize();"});
  }
  cpp::results(out, program);
  printLayoutSeconds(out, program);
  cpp::printProfile(out, program);
  cpp::printPrivate(out, serialName);
  out.add(fields);
  type.close();
  out.line();
}

std::vector<std::string> cudaIncludes(ModuleOp module) {
  bool profiled =
      llvm::any_of(module.getOps<graph::AlgorithmOp>(), [](graph::AlgorithmOp op) { return op.getProfiled(); });
  std::vector<std::string> includes = {"gcompile/cuda.h"};
  if (cpp::hasSegments(module))
    includes.emplace_back("gcompile/cuda/segments.h");
  if (module
          .walk([](Operation *op) { return exec::readsAligned(op) ? WalkResult::interrupt() : WalkResult::advance(); })
          .wasInterrupted())
    includes.emplace_back("gcompile/cuda/aligned.h");
  if (module.walk([](exec::ClosePairsOp) { return WalkResult::interrupt(); }).wasInterrupted())
    includes.emplace_back("gcompile/cuda/closure/close_pairs.h");
  if (profiled)
    includes.emplace_back("gcompile/cuda/profile.h");
  includes.emplace_back("gcompile/program.h");
  return includes;
}

std::vector<cpp::Printed> printCudaPrograms(Writer &out, ModuleOp module) {
  return host::printForms(out, module, "GCOMPILE_HD ", cuda::serialForm, printClass);
}

std::string printCuda(ModuleOp module, const CudaPrinterOptions &options) {
  return cpp::printSource(module, cudaIncludes(module), options.main,
                          [&](Writer &out) { return printCudaPrograms(out, module); });
}

} // namespace gcompile
