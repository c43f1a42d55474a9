#include "tools/gcompile/run.h"
#include "tools/gcompile/cache.h"
#include "tools/gcompile/compile.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/process.h"
#include "tools/gcompile/verify.h"

#include "targets/Target.h"

#include "llvm/Support/Program.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

/// What the arrays of a graph take at least whose ids do not fit into 32 bits.
constexpr std::uintmax_t smallestWideGraph = (std::uintmax_t(1) << 32) * sizeof(std::uint64_t);

/// The size of a file that may have so many vertices, be it compressed.
constexpr std::uintmax_t smallestWideFile = std::uintmax_t(1) << 28;

/// Whether a word of the command line may name a graph whose ids do not fit into 32 bits.
bool mayBeWide(const std::string &word) {
  std::error_code error;
  if (fs::is_regular_file(word, error))
    return fs::file_size(word, error) >= smallestWideFile;
  return word == "-" || word.find(':') != std::string::npos || fs::exists(word, error);
}

/// The width of vertex ids that a command line needs; 0: the graph decides.
int neededBits(const std::vector<std::string> &arguments) {
  for (const std::string &argument : arguments)
    if (argument == "--vertex-bits=32" || argument == "--vertex-bits=64")
      return argument.back() == '2' ? 32 : 64;
  auto pages = static_cast<std::uintmax_t>(sysconf(_SC_PHYS_PAGES));
  bool room = pages * static_cast<std::uintmax_t>(sysconf(_SC_PAGESIZE)) >= smallestWideGraph;
  for (const std::string &argument : arguments) {
    std::error_code error;
    bool isLarge = fs::is_regular_file(argument, error) && fs::file_size(argument, error) >= smallestWideGraph;
    if (isLarge || (room && argument[0] != '-' && mayBeWide(argument)))
      return 0;
  }
  return 32;
}

/// What starts as many processes of the program as are asked for; nothing if it is started by itself.
std::vector<std::string> starterOf(const Options &options) {
  if (options.ranks == 0)
    return {};
  const char *name = options.target->starter;
  auto path = llvm::sys::findProgramByName(name);
  if (!path)
    failUsage("--ranks: {} is not installed: on Debian it is in openmpi-bin", name);
  // More ranks than cores are allowed, and those that wait then let go of theirs. Other MPIs do not know the variables.
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", /*replace=*/0);
  // Threads of a rank that is bound to a core would all run there.
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", /*replace=*/0);
  if (options.ranks > static_cast<int>(std::thread::hardware_concurrency()))
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", /*replace=*/0);
  return {*path, "-n", std::to_string(options.ranks)};
}

} // namespace

void runProgram(const Options &given) {
  Options options = given;
  std::vector<std::string> arguments = options.programArguments;
  Verification verification = takeVerification(arguments);
  options.vertexBits = neededBits(arguments);
  options.serialForm = verification.asked;
  const std::string &path = options.inputs[0];
  std::string text = readProgram(path);
  Runtime runtime = findRuntime(options);
  CxxCompiler compiler = findCompiler(options, runtime);
  std::string executable = cachedExecutable(options, text + importedText(options, path, text), compiler, runtime,
                                            [&](const std::string &output) {
                                              Options build = options;
                                              build.command = Command::Compile;
                                              build.output = output;
                                              compileProgram(build);
                                            });

  std::vector<std::string> command = starterOf(options);
  command.push_back(executable);
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (verification.always && verification.each)
    failUsage("--verify=interpreter excludes --each: it compares the results of one run");
  if (verification.always && verification.once)
    failUsage("--verify=interpreter reads the graph twice: it cannot be standard input or a pipe");
  if (verification.asked && (verification.each || verification.once))
    fmt::print(stderr, "not compared with the interpreter: {}\n",
               verification.each ? "--each has several runs" : "the graph can be read only once");
  if (!verification.asked || verification.each || verification.once)
    become(command);

  std::exit(
      withAlgorithm(options, path, text, [&](graph::AlgorithmOp algorithm, const interpreter::ForeignCode &foreign) {
        TemporaryFolder folder;
        for (const std::string &name : outputNames(algorithm))
          command.push_back("--output=" + name + "=" + folder.path() + "/" + name);
        if (int status = runAndWait(command))
          return status;
        std::error_code none; // nothing is written where the executable only explains itself
        return fs::is_empty(folder.path(), none)
                   ? 0
                   : verifyByInterpreter(algorithm, foreign, arguments, folder.path(), verification.always);
      }));
}

} // namespace gcompile
