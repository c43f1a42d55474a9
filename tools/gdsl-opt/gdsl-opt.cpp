// Runs any pass or pipeline of the compiler on textual IR: `gdsl-opt --graph-pipeline --cpu-pipeline program.mlir`.
#include "ir/Pipelines.h"
#include "ir/exec/ExecDialect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<gcompile::graph::GraphDialect, gcompile::exec::ExecDialect>();
  gcompile::registerPassesAndPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "gcompile's pass driver\n", registry));
}
