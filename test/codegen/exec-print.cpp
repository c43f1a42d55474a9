// Reads a program of the exec dialect as text, verifies it, makes it printable, and prints it as C++ with OpenMP.
#include "codegen_host/ProgramPrinter.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstdio>
#include <cstring>

int main(int argc, char **argv) {
  gcompile::host::ProgramOptions options;
  options.runtime = "gcompile/omp.h";
  const char *file = nullptr;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--library") == 0)
      options.main = false;
    else
      file = argv[i];
  if (!file) {
    std::fprintf(stderr, "usage: exec-print [--library] FILE.mlir\n");
    return 2;
  }
  mlir::MLIRContext context;
  context.loadDialect<gcompile::graph::GraphDialect, gcompile::exec::ExecDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  manager.addPass(gcompile::createChooseGrains());
  manager.addPass(gcompile::createPrepareForEmission());
  if (mlir::failed(manager.run(*module)))
    return 1;
  std::fputs(gcompile::host::printProgram(*module, options).c_str(), stdout);
  return 0;
}
