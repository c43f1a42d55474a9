#include "codegen_host/ProgramPrinter.h"

#include "codegen_cpp/Interface.h"
#include "codegen_cpp/Module.h"
#include "codegen_host/ClassPrinter.h"

using namespace mlir;

namespace gcompile::host {

std::vector<std::string> includesOf(ModuleOp module, StringRef runtime) {
  auto any = [&](auto found) { return module.walk(found).wasInterrupted(); };
  std::vector<std::string> includes = {runtime.str(), "gcompile/program.h"};
  if (any([](exec::AsynchronousOp) { return WalkResult::interrupt(); }))
    includes.insert(includes.begin(), "gcompile/omp/async/worklist.h");
  if (any([](exec::AsynchronousOp o) { return o.getLevels() != 0 ? WalkResult::interrupt() : WalkResult::advance(); }))
    includes.insert(includes.begin(), "gcompile/omp/async/shares.h");
  if (cpp::hasSegments(module))
    includes.emplace_back("gcompile/omp/segments.h");
  if (any([](exec::ParallelOp o) { return o.getUnpack() ? WalkResult::interrupt() : WalkResult::advance(); }))
    includes.emplace_back("gcompile/core/unpacked_lists.h");
  if (any([](exec::ClosePairsOp) { return WalkResult::interrupt(); }))
    includes.emplace_back("gcompile/omp/closure/close_pairs.h");
  return includes;
}

std::vector<cpp::Printed> printForms(cpp::Writer &out, ModuleOp module, const std::string &qualifier, StringRef check,
                                     llvm::function_ref<void(cpp::Writer &, cpp::Program &, StringRef)> printParallel) {
  return cpp::printPrograms(out, module, qualifier, [&](cpp::Writer &out, cpp::Program &program, cpp::Program *serial) {
    // A serial form is complete after its parallel one, which it looks into.
    cpp::printInfo(out, program.op, cpp::functionName(program.op.getSymName()));
    printParallel(out, program, serial ? serial->name : "");
    if (!serial)
      return;
    out.line("// " + check.str());
    printClass(out, *serial, "");
  });
}

std::vector<cpp::Printed> printPrograms(cpp::Writer &out, ModuleOp module, StringRef check) {
  return printForms(out, module, "", check, printClass);
}

std::string printProgram(ModuleOp module, const ProgramOptions &options) {
  return cpp::printSource(module, includesOf(module, options.runtime), options.main,
                          [&](cpp::Writer &out) { return printPrograms(out, module, options.check); });
}

} // namespace gcompile::host
