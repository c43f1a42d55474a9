// CPUs: C++17 with OpenMP.
#include "codegen_host/ProgramPrinter.h"
#include "targets/Target.h"

#include <fmt/format.h>

namespace gcompile {

Target ompTarget() {
  Target target;
  target.name = "omp";
  target.machine = "CPU with OpenMP";
  target.section = "cpu";
  target.lower = buildCpuPipeline;
  target.print = [](mlir::ModuleOp module, bool main) { return host::printProgram(module, {"gcompile/omp.h", main}); };
  target.defaultThreads = [](int count) {
    return fmt::format("[[maybe_unused]] static const int default_threads = (omp_set_num_threads({0}), {0});\n", count);
  };
  target.toolchain = hostToolchain("libgcompile_runtime.a", [](const std::string &) -> std::vector<std::string> {
    std::vector<std::string> flags = hostFlags();
    flags.push_back("-fopenmp");
    return flags;
  });
  return target;
}

} // namespace gcompile
