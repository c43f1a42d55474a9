#include "codegen_omp/OmpPrinter.h"

#include "codegen_omp/ClassPrinter.h"

using namespace mlir;

namespace gcompile {

std::string printOmp(ModuleOp module, const OmpPrinterOptions &options) {
  bool asynchronous = module.walk([](exec::AsynchronousOp) { return WalkResult::interrupt(); }).wasInterrupted();
  std::string includes = asynchronous ? "#include <gcompile/omp/async/worklist.h>\n" : "";
  includes += "#include <gcompile/omp.h>\n#include <gcompile/program.h>\n";
  bool segments = module
                      .walk([](exec::ParallelOp kernel) {
                        return exec::goesBySegments(kernel) ? WalkResult::interrupt() : WalkResult::advance();
                      })
                      .wasInterrupted();
  includes += segments ? "#include <gcompile/omp/segments.h>\n\n" : "\n";
  return cpp::printModule(module, includes, "", options.main, [](cpp::Program &program, cpp::Program *serial) {
    // A serial form is complete after its parallel one, which it looks into.
    std::string text = cpp::printInfo(program.op, cpp::functionName(program.op.getSymName()));
    text += omp::printClass(program, serial ? serial->name : "");
    if (serial)
      text += "// The same algorithm without threads, which checks the parallel one.\n" + omp::printClass(*serial, "");
    return text;
  });
}

} // namespace gcompile
