// Runs every algorithm of a file by the interpreter on every graph, and prints the outputs as the compiled batch does:
// once with the iterations in order and once backwards, which must make no difference.
#include "test/random/outputs.h"

#include "frontend/Frontend.h"
#include "frontend/Lower.h"
#include "ir/Pipelines.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "tools/gcompile/interpreted_program.h"

#include <fstream>
#include <sstream>

using namespace gcompile;

int main(int argc, char **argv) {
  std::ifstream file(argv[1]);
  std::stringstream text;
  text << file.rdbuf();
  Diagnostics diagnostics;
  std::unique_ptr<ast::Program> program = parseAndCheck(argv[1], text.str(), diagnostics);
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
  for (auto algorithm : module->getOps<graph::AlgorithmOp>())
    for (bool directed : {true, false}) {
      if (algorithm.getDirectedness() == (directed ? "undirected" : "directed"))
        continue;
      for (int i = 2; i < argc; ++i)
        for (auto order : {interpreter::Order::Forward, interpreter::Order::Backward}) {
          gc::LoadedGraph graph = loadRandomGraph(argv[i], directed);
          auto instance = interpretedProgram<std::uint32_t>(algorithm, graph.view<std::uint32_t>(),
                                                            randomArguments(graph, argv[i]), order);
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
