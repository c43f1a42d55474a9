#include "codegen_gpus/ProgramPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cpp/Module.h"
#include "codegen_cuda/CudaPrinter.h"
#include "codegen_gpus/HostPrinter.h"
#include "codegen_host/ProgramPrinter.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::gpus {

/// The class of a program: that of one device, where `devices_` knows which vertices are its own.
static void printClass(Writer &out, cpp::Program &program, StringRef serialName) {
  program.storage = {true,
                     "gc::cuda::",
                     "graph_",
                     "graph_",
                     "graph_.host()",
                     "gc::gpus::",
                     /*inParts=*/true,
                     "gc::gpus::Dense",
                     "devices_"};
  program.declareMembers();
  std::string name = cpp::functionName(program.op.getSymName()), space = name + "_kernels", info = name + "_info()";
  PartsLaunch launch(program);
  HostPrinter host(program, space, launch);
  host.block(program.op.getBody().front());

  std::vector<cpp::Program::Member> more = host.graphMembers();
  if (program.usesFrontier)
    more.push_back({"gc::gpus::Frontier<V>", "frontier_", "", "devices_, graph_"});
  if (cpp::usesArcs(program))
    more.push_back({"gc::gpus::Arcs<V>", "arcs_", "", "devices_, graph_"});
  host.knownCopies().listMembers(more, program, "gc::gpus::", "devices_");
  program.listSegments(more, "gc::gpus::", "devices_, graph_");

  // Results are brought to the first device, from which they are read.
  std::vector<std::string> last;
  for (const cpp::GatheredResult &result : cpp::gatherResults(program, host.knownCopies(), "devices_"))
    last.push_back(result.call);
  last.push_back("gc::cuda::synchronize();");

  cpp::List initialisers;
  initialisers.add("graph_(gc::gpus::own_graph(gc::checked(graph, " + info + "), " + info +
                   (host.usesBothWays() ? ", true))" : "))"));
  initialisers.add("devices_(graph_)");
  Writer fields;
  fields.line("const gc::cuda::Graph<V> graph_;");
  fields.line("gc::gpus::Devices<V> devices_;");
  program.listMembers(initialisers, fields, more);

  cuda::printKernels(out, program, space);
  Writer::Block type = out.block("template <class V> class " + program.name, ";");
  out.line("public:");
  cpp::constructors(out, program, initialisers);
  cpp::printRun(out, program, host.out, last);
  cpp::results(out, program);
  cpp::printPrivate(out, serialName);
  out.add(fields);
  type.close();
  out.line();
}

std::string printProgram(ModuleOp module, bool main) {
  auto forms = [&](Writer &out) { return host::printForms(out, module, "GCOMPILE_HD ", cuda::serialForm, printClass); };
  std::vector<std::string> includes = {"gcompile/gpus.h", "gcompile/program.h"};
  if (cpp::hasSegments(module))
    includes.emplace_back("gcompile/gpus/segments.h");
  return cpp::printSource(module, includes, main, forms, "gc::gpus::program_main");
}

} // namespace gcompile::gpus
