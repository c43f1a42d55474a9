#include "codegen_mpi/ProgramPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cpp/Module.h"
#include "codegen_cpp/Types.h"
#include "codegen_host/ProgramPrinter.h"
#include "codegen_mpi/HostPrinter.h"

using namespace mlir;
using gcompile::cpp::List;
using gcompile::cpp::Writer;

namespace gcompile::mpi {

/// The class of a program: that of the host, where `ranks_` knows which vertices are this rank's.
static void printClass(Writer &out, cpp::Program &program, StringRef serialName) {
  program.storage = {false, "gc::", "graph_.num_vertices()", "graph", "graph_", "gc::mpi::", /*inParts=*/true};
  program.declareMembers();
  HostPrinter host(program);
  host.block(program.op.getBody().front());
  std::vector<cpp::Program::Member> more;
  if (program.usesFrontier)
    more.push_back({"gc::mpi::Frontier<V>", "frontier_", "", "ranks_, graph_"});
  std::vector<std::string> last;
  if (program.profiled()) {
    more.push_back({"gc::mpi::Profile", "profile_", "", ""});
    last.push_back("profile_.settle();");
  }
  for (const cpp::GatheredResult &result : cpp::gatherResults(program, host.knownCopies(), "ranks_"))
    last.push_back("if (gc::comes_whole(" + cpp::quoted(result.name) + ")) " + result.call); // to rank 0
  if (cpp::usesArcs(program))
    more.push_back({"gc::mpi::Arcs<V>", "arcs_", "", "ranks_, graph_"});
  host.knownCopies().listMembers(more, program, "gc::mpi::", "ranks_");
  program.listSegments(more, "gc::mpi::", "ranks_, graph_");

  List initialisers;
  initialisers.add("graph_(gc::checked(graph, " + cpp::functionName(program.op.getSymName()) + "_info()))");
  auto lists = program.op.getNeeds() ? program.op.getNeeds()->getAs<IntegerAttr>("touched_lists") : IntegerAttr();
  initialisers.add("ranks_(graph" + (lists ? ", " + std::to_string(lists.getInt()) : std::string()) + ")");
  Writer fields;
  fields.line("const gc::Graph<V> graph_;");
  fields.line("gc::mpi::Ranks<V> ranks_;");
  program.listMembers(initialisers, fields, more);

  Writer::Block type = out.block("template <class V> class " + program.name, ";");
  out.line("public:");
  cpp::constructors(out, program, initialisers);
  cpp::printRun(out, program, host.out, last);
  cpp::results(out, program);
  cpp::printProfile(out, program);
  cpp::printSegmentBytes(out, program);
  cpp::printPrivate(out, serialName);
  for (const Writer &function : program.functions) {
    out.add(function);
    out.line();
  }
  out.add(fields);
  type.close();
  out.line();
}

std::string printProgram(ModuleOp module, bool main) {
  auto forms = [&](Writer &out) {
    return host::printForms(out, module, "", "The same algorithm for one thread, which checks the one above on rank 0.",
                            printClass);
  };
  std::vector<std::string> includes = {"gcompile/mpi.h", "gcompile/program.h"};
  if (cpp::hasSegments(module))
    includes.emplace_back("gcompile/mpi/segments.h");
  return cpp::printSource(module, includes, main, forms, "gc::mpi::program_main");
}

} // namespace gcompile::mpi
