// The command line of gcompile.
#pragma once

#include <string>
#include <vector>

namespace gcompile {

enum class Command { Compile, Run, Interpret, Check, Convert, Cache, Describe };

/// What `gcompile FILE` writes.
enum class Emit { Exe, Source, Object, Library, Shared, Ast, GraphIr, ExecIr, Explanation };

struct Exchange;
struct Target;

struct Options {
  Options();

  Command command = Command::Compile;

  // Compile, Run, Check
  std::vector<std::string> inputs; // programs; one for Compile and Run
  std::string algorithm;           // of several in one file
  bool warningsAsErrors = false;
  std::vector<std::string> disabledWarnings;
  bool jsonDiagnostics = false;
  bool test = false;           // Check: also what declared reductions promise
  std::string compileCommands; // folder of the compile_commands.json that says how imported headers are read, or empty

  // Compile, Run
  std::string output; // empty: named after the program, in the current folder; "-": standard output
  Emit emit = Emit::Exe;
  const Target *target;               // the first one if not given
  const Exchange *exchange = nullptr; // null: the target has none
  std::string arch;                   // of the GPU, as nvcc names it; empty: that of this machine, else sm_90
  int gpuVertexBits = 0;   // of a graph on a GPU, which has fewer than 2^bits vertices; 0: as the runtime says
  std::string explanation; // text, short or json
  bool profile = false;    // programs that measure themselves
  bool keep = false;
  std::string optimisation = "3";
  std::string cxx; // empty: the first of the target's that is installed
  std::vector<std::string> cxxFlags;
  int threads = 0; // default number of threads of the program; 0: as many as the machine has
  bool verbose = false;
  std::string depFile, depTarget;
  std::string runtime;    // folder with include/ and lib/; empty: beside gcompile
  int ranks = 0;          // Run: processes that run the program together; 0: it is started by itself
  int vertexBits = 0;     // of the vertex ids that the program is for; 0: 32 and 64, in a shared library 32
  bool serialForm = true; // the program can verify itself

  // Run, Interpret: the graph and options, passed on
  std::vector<std::string> programArguments;

  // Convert: inputs[0] to `output`
  std::string format;
  bool directed = false, undirected = false;
  std::string selfLoops, duplicates, weights;
  std::string adjacency = "plain";
  std::string header = "auto";
  bool inEdges = false;
  std::string memory;               // a size, or empty
  std::vector<std::string> columns; // name:type

  // Cache
  bool cacheStats = false, cacheClear = false;

  // Describe: man, or the name of a shell
  std::string description;
};

/// Reads the command line. Prints help or the version and exits with 0 where asked to; throws Failure (usage)
/// otherwise.
Options parseOptions(int argc, char **argv);

} // namespace gcompile
