#include "codegen_cuda/CudaPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cuda/HostPrinter.h"
#include "codegen_host/ClassPrinter.h"

using namespace mlir;

namespace gcompile {

namespace cuda {
namespace {

std::string printClass(cpp::Program &program, StringRef serialName, const std::string &info) {
  program.storage = {"gc::cuda::", "graph_", "graph_", "graph_.host()"};
  program.declareMembers();
  std::string space = cpp::functionName(program.op.getSymName()) + "_kernels";
  HostPrinter host(program, space);
  host.block(program.op.getBody().front());

  std::string initialisers =
      "graph_(gc::checked(graph, " + info + "_info()), " + info + "_info()" + (host.usesBothWays() ? ", true)" : ")");
  std::string fields = "const gc::cuda::Graph<V> graph_;\n";
  std::vector<cpp::Program::Member> more;
  if (host.usesBothWays())
    more.push_back({"const gc::cuda::Graph<V>", "both_ways_", "gc::cuda::both_ways(graph_)"});
  if (host.usesTransposed())
    more.push_back({"const gc::cuda::Graph<V>", "transposed_", "graph_.transposed()"});
  if (program.usesFrontier)
    more.push_back({"gc::cuda::Frontier<V>", "frontier_", "graph_"});
  for (auto &[cut, member] : program.segments)
    more.push_back({cut.first, member, cut.second});
  if (program.profiled())
    more.push_back({"gc::Profile", "profile_", ""});
  program.listMembers(initialisers, fields, more);

  std::string text;
  if (!program.functions.empty()) {
    text += "namespace " + space + " {\n\n";
    for (const std::string &function : program.functions)
      text += function;
    text += "} // namespace " + space + "\n\n";
  }
  text += "template <class V> class " + program.name + " {\npublic:\n";
  text += cpp::constructors(program, initialisers);
  text += "/// Runs the algorithm from its beginning.\nvoid run() {\n" +
          std::string(program.profiled() ? "profile_.start();\n" : "") + host.code + "gc::cuda::synchronize();\n" +
          (program.profiled() ? "profile_.finish();\n" : "") + "}\n\n";
  text += cpp::results(program, ".host()");
  if (program.profiled())
    text += "/// The calls of kernels in the last run.\nconst gc::Profile &profile() const { return profile_; }\n\n";
  text += "private:\n";
  if (!serialName.empty())
    text += "template <class> friend class " + serialName.str() + ";\n\n";
  return text + fields + "};\n\n";
}

} // namespace
} // namespace cuda

std::string printCuda(ModuleOp module, const CudaPrinterOptions &options) {
  bool profiled =
      llvm::any_of(module.getOps<graph::AlgorithmOp>(), [](graph::AlgorithmOp op) { return op.getProfiled(); });
  bool segments = module
                      .walk([](exec::ParallelOp kernel) {
                        return exec::goesBySegments(kernel) ? WalkResult::interrupt() : WalkResult::advance();
                      })
                      .wasInterrupted();
  std::string includes = std::string("#include <gcompile/cuda.h>\n") +
                         (segments ? "#include <gcompile/cuda/segments.h>\n" : "") +
                         (profiled ? "#include <gcompile/cuda/profile.h>\n" : "") + "#include <gcompile/program.h>\n\n";
  return cpp::printModule(
      module, includes, "GCOMPILE_HD ", options.main, [](cpp::Program &program, cpp::Program *serial) {
        std::string info = cpp::functionName(program.op.getSymName());
        std::string text = cpp::printInfo(program.op, info);
        text += cuda::printClass(program, serial ? serial->name : "", info);
        if (serial)
          text += "// The same algorithm without threads on the host, which checks the one above.\n" +
                  host::printClass(*serial, "");
        return text;
      });
}

} // namespace gcompile
