// Runs every algorithm of a file by the interpreter on every graph, and prints the outputs as the compiled batch does:
// once with the iterations in order and once backwards, which must make no difference.
#include "test/random/outputs.h"

#include "frontend/Frontend.h"
#include "frontend/Lower.h"
#include "frontend/foreign/HeaderReader.h"
#include "ir/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "tools/gcompile/foreign_entries.h"
#include "tools/gcompile/interpreted_program.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sstream>

using namespace gcompile;

/// The functions of C++ that the module calls, compiled in the folder with the header.
static interpreter::ForeignCode compileImports(mlir::ModuleOp module, const std::string &folder) {
  ForeignEntries entries(module);
  if (entries.keys.empty())
    return {};
  std::ofstream(folder + "/entries.cpp") << entries.source;
  const std::string library = folder + "/entries.so";
  void *handle = nullptr;
  if (std::system(("c++ -std=c++17 -O0 -fwrapv -shared -fPIC -I" RUNTIME_HEADERS " -o " + library + " " + folder +
                   "/entries.cpp")
                      .c_str()) == 0)
    handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string missing = "the library";
  if (handle)
    missing.clear();
  interpreter::ForeignCode code = handle ? entries.load(handle, missing) : interpreter::ForeignCode();
  if (missing.empty())
    return code;
  std::fprintf(stderr, "%s: no code for %s\n", folder.c_str(), missing.c_str());
  std::exit(2);
}

int main(int argc, char **argv) {
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  Diagnostics diagnostics;
  const std::string path = argv[1], folder = path.substr(0, path.rfind('/'));
  std::unique_ptr<ast::Program> program = parseAndCheck(
      path, text.str(), diagnostics, [&](const std::vector<std::string> &headers, const WantedNames &names) {
        return foreign::readHeaders({folder, {}, false, ""}, headers, names);
      });
  if (!program) {
    std::fprintf(stderr, "%s", diagnostics.render(false).c_str());
    return 2;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  loadDialects(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = lowerToGraph(*program, context);
  mlir::PassManager passes(&context);
  buildGraphPipeline(passes); // marks what may meet inf
  if (mlir::failed(passes.run(*module)))
    return 2;
  const interpreter::ForeignCode code = compileImports(*module, folder);
  for (auto algorithm : module->getOps<graph::AlgorithmOp>())
    for (bool directed : {true, false}) {
      if (algorithm.getDirectedness() == (directed ? "undirected" : "directed"))
        continue;
      for (int i = 2; i < argc; ++i)
        for (auto order : {interpreter::Order::Forward, interpreter::Order::Backward}) {
          gc::LoadedGraph graph = loadRandomGraph(argv[i], directed);
          auto instance = interpretedProgram<std::uint32_t>(algorithm, graph.view<std::uint32_t>(),
                                                            randomArguments(graph, argv[i]), order, nullptr, &code);
          std::string run = std::string(argv[i]) + (directed ? ":directed" : ":undirected");
          if (order == interpreter::Order::Backward)
            run += ":backward";
          try {
            instance->run();
          } catch (const gc::Error &error) {
            std::printf("%s %s error: %s\n", algorithm.getSymName().str().c_str(), run.c_str(), error.what());
            continue;
          }
          printOutputs(algorithm.getSymName().str(), run, instance->outputs());
        }
    }
  return 0;
}
