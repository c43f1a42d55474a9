#include "tools/gcompile/run.h"
#include "tools/gcompile/cache.h"
#include "tools/gcompile/compile.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/process.h"
#include "tools/gcompile/verify.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace gcompile {

void runProgram(const Options &options) {
  const std::string &path = options.inputs[0];
  std::string text = readProgram(path);
  Runtime runtime = findRuntime(options);
  CxxCompiler compiler = findCompiler(options, runtime);
  std::string executable = cachedExecutable(options, text, compiler, runtime, [&](const std::string &output) {
    Options build = options;
    build.command = Command::Compile;
    build.output = output;
    compileProgram(build);
  });

  std::vector<std::string> command = {executable};
  command.insert(command.end(), options.programArguments.begin(), options.programArguments.end());
  Verification verification = takeVerification(command);
  if (verification.always && verification.each)
    failUsage("--verify=interpreter excludes --each: it compares the results of one run");
  if (verification.always && verification.once)
    failUsage("--verify=interpreter reads the graph twice: it cannot be standard input or a pipe");
  if (verification.asked && (verification.each || verification.once))
    fmt::print(stderr, "not compared with the interpreter: {}\n",
               verification.each ? "--each has several runs" : "the graph can be read only once");
  if (!verification.asked || verification.each || verification.once)
    become(command);

  std::exit(withAlgorithm(options, path, text, [&](graph::AlgorithmOp algorithm) {
    TemporaryFolder folder;
    std::vector<std::string> arguments(command.begin() + 1, command.end());
    for (const std::string &name : outputNames(algorithm))
      command.push_back("--output=" + name + "=" + folder.path() + "/" + name);
    if (int status = runAndWait(command))
      return status;
    std::error_code none; // nothing is written where the executable only explains itself
    return fs::is_empty(folder.path(), none)
               ? 0
               : verifyByInterpreter(algorithm, arguments, folder.path(), verification.always);
  }));
}

} // namespace gcompile
