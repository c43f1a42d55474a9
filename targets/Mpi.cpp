// Several machines, or several processes of one: C++17 with MPI between ranks, and OpenMP for the threads of each.
#include "codegen_mpi/ProgramPrinter.h"
#include "targets/Target.h"

namespace gcompile {

Target mpiTarget() {
  Target target;
  target.name = "mpi";
  target.machine = "several machines with MPI";
  target.lower = buildPartsPipeline;
  target.print = [](mlir::ModuleOp module, bool main) { return mpi::printProgram(module, main); };
  target.inParts = true;
  target.starter = "mpirun";
  target.defaultThreads = openMpThreads;
  target.toolchain = openMpToolchain();
  target.toolchain.language = "MPI C++";
  target.toolchain.sharedFlags.clear();
  target.toolchain.notShared = "the interface of a library is that of one process, and mpirun starts several";
  target.toolchain.compilers = []() -> std::vector<std::string> { return {"mpicxx", "mpic++", "mpiCC"}; };
  target.toolchain.missing =
      "mpicxx is not installed: install an MPI, such as libopenmpi-dev and openmpi-bin, or name its "
      "compiler with --cxx";
  target.exchanges = {{"mpi"},
                      {"petsc",
                       "GCOMPILE_PETSC",
                       {"petsc", "PETSc"},
                       "--exchange=petsc: pkg-config finds no PETSc: on Debian it is in petsc-dev; elsewhere "
                       "PKG_CONFIG_PATH names the folder with PETSc.pc or petsc.pc"}};
  return target;
}

} // namespace gcompile
