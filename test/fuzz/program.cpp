// A fuzzer for the compiler up to the generated source: any text is compiled or refused with diagnostics, for the
// target that --target=NAME names, else for the one that its size chooses.
#include "frontend/Frontend.h"
#include "frontend/Lower.h"
#include "ir/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "targets/Target.h"
#include "tools/gcompile/program_diagnostics.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

const gcompile::Target *named = nullptr; // by --target

/// An error of a pass that is none of the program's, or a failure without an error.
[[noreturn]] void fail(const char *stage, const std::string &bugs) {
  std::fprintf(stderr, "compiler bug in %s:\n%s\n", stage, bugs.c_str());
  std::abort();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const std::string flag = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string word = (*argv)[i];
    if (word.compare(0, flag.size(), flag) != 0)
      continue;
    named = gcompile::findTarget(word.substr(flag.size()));
    if (!named) {
      std::fprintf(stderr, "error: there is no target for %s\n", word.c_str());
      std::exit(2);
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace gcompile;
  const std::string text(reinterpret_cast<const char *>(data), size);
  Diagnostics diagnostics;
  const std::unique_ptr<ast::Program> program = parseAndCheck("fuzz.gdsl", text, diagnostics);
  diagnostics.render(false);
  if (!program) {
    if (!diagnostics.hasErrors())
      fail("the front end", "refused without a reason");
    return 0;
  }
  dumpAst(*program);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  loadDialects(context);
  ProgramDiagnosticHandler handler(context, diagnostics, text);
  mlir::OwningOpRef<mlir::ModuleOp> module = lowerToGraph(*program, context);
  if (!module)
    fail("the lowering", handler.bugs());
  const auto run = [&](auto build, const char *stage) {
    mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName());
    build(manager);
    const bool failed = mlir::failed(manager.run(*module));
    if (!handler.bugs().empty() || (failed && !diagnostics.hasErrors()))
      fail(stage, handler.bugs());
    return !failed && !diagnostics.hasErrors();
  };
  if (!run(buildGraphPipeline, "the graph pipeline"))
    return 0;
  const Target &target = named ? *named : targets()[size % targets().size()];
  if (!run(
          [&](mlir::OpPassManager &manager) {
            target.build(manager, {/*verify=*/true, /*profile=*/false});
          },
          "the target's pipeline"))
    return 0;
  target.print(*module, /*main=*/false);
  return 0;
}
