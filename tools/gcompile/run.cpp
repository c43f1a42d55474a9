#include "tools/gcompile/run.h"
#include "tools/gcompile/cache.h"
#include "tools/gcompile/compile.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/verify.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

std::vector<char *> pointers(const std::vector<std::string> &command) {
  std::vector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  return argv;
}

[[noreturn]] void become(const std::vector<std::string> &command) {
  execv(command[0].c_str(), pointers(command).data());
  failUsage("{}: cannot be started: {}", command[0], std::strerror(errno));
}

/// Runs a program with this one's input and output. Returns its exit status, 128 + N after signal N.
int wait(const std::vector<std::string> &command) {
  pid_t child = 0;
  if (int error = posix_spawn(&child, command[0].c_str(), nullptr, nullptr, pointers(command).data(), environ))
    failUsage("{}: cannot be started: {}", command[0], std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

void runProgram(const Options &options) {
  const std::string &path = options.inputs[0];
  std::string text = readProgram(path);
  Runtime runtime = findRuntime(options);
  CxxCompiler compiler = findCompiler(options, runtime);
  std::string executable = cachePath(options, text, compiler, runtime);

  std::error_code error;
  if (!fs::is_regular_file(executable, error)) {
    Options build = options;
    build.command = Command::Compile;
    build.output = executable;
    try {
      compileProgram(build);
    } catch (const Failure &) {
      fs::remove(fs::path(executable).parent_path(), error); // if it is still empty
      throw;
    }
    trimCache(executable);
  } else {
    fs::last_write_time(fs::path(executable).parent_path(), fs::file_time_type::clock::now(), error);
  }

  std::vector<std::string> command = {executable};
  command.insert(command.end(), options.programArguments.begin(), options.programArguments.end());
  Verification verification = takeVerification(command);
  if (verification.always && verification.each)
    failUsage("--verify=interpreter excludes --each: it compares the results of one run");
  if (verification.asked && verification.each)
    fmt::print(stderr, "not compared with the interpreter: --each has several runs\n");
  if (!verification.asked || verification.each)
    become(command);

  std::exit(withAlgorithm(options, path, text, [&](graph::AlgorithmOp algorithm) {
    TemporaryFolder folder;
    std::vector<std::string> arguments(command.begin() + 1, command.end());
    for (const std::string &name : outputNames(algorithm))
      command.push_back("--output=" + name + "=" + folder.path() + "/" + name);
    if (int status = wait(command))
      return status;
    std::error_code none; // nothing is written where the executable only explains itself
    return fs::is_empty(folder.path(), none)
               ? 0
               : verifyByInterpreter(algorithm, arguments, folder.path(), verification.always);
  }));
}

} // namespace gcompile
