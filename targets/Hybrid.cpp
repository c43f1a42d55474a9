// A CPU and a GPU of one machine: CUDA C++ with OpenMP, whose programs choose where they run.
#include "codegen_hybrid/ProgramPrinter.h"
#include "targets/Target.h"

namespace gcompile {

/// Those of both forms, each for its compiler.
static std::vector<std::string> hybridFlags(const std::string &arch) {
  std::vector<std::string> all = cudaTarget().toolchain.flags(arch);
  std::string host;
  for (const std::string &flag : hostFlags())
    if (flag.rfind("-std=", 0) != 0)
      host += (host.empty() ? "" : ",") + flag;
  all.push_back("-Xcompiler=" + host);
  all.push_back("-diag-suppress=1675"); // pragmas of g++, which nvcc hands on
  return all;
}

Target hybridTarget() {
  Target target = cudaTarget();
  target.name = "hybrid";
  target.machine = "CPU and GPU of one machine";
  target.section = "hybrid";
  target.lower = buildSidesPipeline;
  target.print = hybrid::printProgram;
  target.defaultThreads = ompTarget().defaultThreads;
  target.toolchain.flags = hybridFlags;
  target.toolchain.sharedFlags.clear();
  target.toolchain.notShared = "the results of a library stay on one side; each side can have a library of its own";
  return target;
}

} // namespace gcompile
