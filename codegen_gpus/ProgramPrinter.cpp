#include "codegen_gpus/ProgramPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cpp/Module.h"
#include "codegen_gpus/HostPrinter.h"
#include "codegen_host/ClassPrinter.h"

using namespace mlir;
using gcompile::cpp::Writer;

namespace gcompile::gpus {

/// The class of a program: that of one device, where `devices_` knows which vertices are its own.
static void printClass(Writer &out, cpp::Program &program, StringRef serialName) {
  program.storage = {true, "gc::cuda::", "graph_", "graph_", "graph_.host()"};
  program.declareMembers();
  std::string name = cpp::functionName(program.op.getSymName()), space = name + "_kernels", info = name + "_info()";
  PartsLaunch launch(program);
  HostPrinter host(program, space, launch);
  host.block(program.op.getBody().front());

  std::vector<cpp::Program::Member> more;
  if (host.usesBothWays())
    more.push_back({"const gc::cuda::Graph<V>", "both_ways_", "", "gc::cuda::both_ways(graph_)"});
  if (host.usesTransposed())
    more.push_back({"const gc::cuda::Graph<V>", "transposed_", "", "graph_.transposed()"});
  if (program.usesFrontier)
    more.push_back({"gc::gpus::Frontier<V>", "frontier_", "", "devices_, graph_"});
  for (auto &[set, copies] : host.setCopies())
    more.push_back({"gc::gpus::SetCopies<V>", copies, "", "devices_, " + program.members.lookup(set)});

  // Results are brought to the first device, from which they are read.
  std::vector<std::string> last;
  graph::AlgorithmOp(program.op).walk([&](graph::StateOp state) {
    if (state.getOutput() && state.getState().getType().getShape() == graph::Shape::PerVertex)
      last.push_back("devices_.gather(" + program.members.lookup(state.getState()) + ");");
  });
  last.push_back("gc::cuda::synchronize();");

  cpp::List initialisers;
  initialisers.add("graph_(gc::gpus::own_graph(gc::checked(graph, " + info + "), " + info +
                   (host.usesBothWays() ? ", true))" : "))"));
  initialisers.add("devices_(graph_)");
  Writer fields;
  fields.line("const gc::cuda::Graph<V> graph_;");
  fields.line("gc::gpus::Devices<V> devices_;");
  program.listMembers(initialisers, fields, more);

  if (!program.functions.empty()) {
    {
      Writer::Block kernels = out.block("namespace " + space, " // namespace " + space);
      out.line();
      for (const Writer &function : program.functions)
        out.add(function);
    }
    out.line();
  }
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
  auto print = [&](Writer &out, cpp::Program &program, cpp::Program *serial) {
    cpp::printInfo(out, program.op, cpp::functionName(program.op.getSymName()));
    printClass(out, program, serial ? serial->name : "");
    if (!serial)
      return;
    out.line("// The same algorithm without threads on the host, which checks the one above.");
    host::printClass(out, *serial, "");
  };
  return cpp::printSource(
      module, {"gcompile/gpus.h", "gcompile/program.h"}, main,
      [&](Writer &out) { return cpp::printPrograms(out, module, "GCOMPILE_HD ", print); }, "gc::gpus::program_main");
}

} // namespace gcompile::gpus
