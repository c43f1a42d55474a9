#include "codegen_host/ProgramPrinter.h"

#include "codegen_host/ClassPrinter.h"

using namespace mlir;

namespace gcompile::host {

std::string printProgram(ModuleOp module, const ProgramOptions &options) {
  bool asynchronous = module.walk([](exec::AsynchronousOp) { return WalkResult::interrupt(); }).wasInterrupted();
  std::string includes = asynchronous ? "#include <gcompile/omp/async/worklist.h>\n" : "";
  includes += "#include <" + options.runtime.str() + ">\n#include <gcompile/program.h>\n";
  bool segments = module
                      .walk([](exec::ParallelOp kernel) {
                        return exec::goesBySegments(kernel) ? WalkResult::interrupt() : WalkResult::advance();
                      })
                      .wasInterrupted();
  includes += segments ? "#include <gcompile/omp/segments.h>\n\n" : "\n";
  return cpp::printModule(module, includes, "", options.main, [&](cpp::Program &program, cpp::Program *serial) {
    // A serial form is complete after its parallel one, which it looks into.
    std::string text = cpp::printInfo(program.op, cpp::functionName(program.op.getSymName()));
    text += printClass(program, serial ? serial->name : "");
    if (serial)
      text += "// " + options.check.str() + "\n" + printClass(*serial, "");
    return text;
  });
}

} // namespace gcompile::host
