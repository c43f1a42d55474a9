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
  target.toolchain = hostToolchain("libgcompile_runtime_serial.a", [](const std::string &) { return hostFlags(); });
  return target;
}

} // namespace gcompile
