// One thread of a CPU: plain C++17, for debugging, small machines, and places without threads.
#include "codegen_host/ProgramPrinter.h"
#include "targets/Target.h"

namespace gcompile {

Target serialTarget() {
  Target target;
  target.name = "serial";
  target.machine = "one thread, plain C++";
  target.lower = buildSerialPipeline;
  target.print = [](mlir::ModuleOp module, bool main) {
    return host::printProgram(
        module, {"gcompile/serial.h", main, "The same algorithm in its simplest form, which checks the one above."});
  };
  target.parallel = false;
  target.toolchain = hostToolchain("libgcompile_runtime_serial.a", [](const std::string &) -> std::vector<std::string> {
    return {"-march=native", "-std=c++17", "-fwrapv"}; // integers of the language wrap around
  });
  return target;
}

} // namespace gcompile
