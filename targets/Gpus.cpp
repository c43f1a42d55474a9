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
  return target;
}

} // namespace gcompile
