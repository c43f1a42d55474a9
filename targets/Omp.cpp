// CPUs: C++17 with OpenMP.
#include "codegen_host/ProgramPrinter.h"
#include "targets/Target.h"

namespace gcompile {

Target ompTarget() {
  Target target;
  target.name = "omp";
  target.machine = "CPU with OpenMP";
  target.section = "cpu";
  target.lower = buildCpuPipeline;
  target.print = [](mlir::ModuleOp module, bool main) { return host::printProgram(module, {"gcompile/omp.h", main}); };
  target.defaultThreads = openMpThreads;
  target.toolchain = openMpToolchain();
  return target;
}

} // namespace gcompile
