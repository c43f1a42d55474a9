// Several GPUs of one machine: CUDA C++, a thread of the host for each of them.
#include "codegen_gpus/ProgramPrinter.h"
#include "targets/Target.h"

namespace gcompile {

Target gpusTarget() {
  Target target = cudaTarget();
  target.name = "gpus";
  target.machine = "several GPUs of one machine";
  target.section = "";
  target.lower = buildGpusPipeline;
  target.print = gpus::printProgram;
  target.measures = false;
  target.inParts = true;
  target.toolchain.sharedFlags.clear();
  target.toolchain.notShared = "a library gives a result as one array, and each GPU holds a part of it";
  return target;
}

} // namespace gcompile
