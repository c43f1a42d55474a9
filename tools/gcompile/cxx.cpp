#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include "targets/Target.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

extern char **environ;

namespace gcompile {

namespace {

/// `word` as a shell would need it.
std::string quoted(const std::string &word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                              "_-+=./:,@%") == std::string::npos)
    return word;
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

} // namespace

Runtime findRuntime(const Options &options) {
  fs::path base = options.runtime.empty() ? fs::path(executableFolder()).parent_path() : fs::path(options.runtime);
  Runtime runtime{(base / "include").string(), (base / "lib" / options.target->toolchain.library).string()};
  std::error_code error;
  for (const std::string &file : {runtime.include + "/gcompile/program.h", runtime.library})
    if (!fs::is_regular_file(file, error))
      failUsage("the runtime is incomplete: there is no file {}; --runtime=DIR says where it is", file);
  return runtime;
}

CxxCompiler findCompiler(const Options &options, const Runtime &runtime) {
  const Toolchain &toolchain = options.target->toolchain;
  CxxCompiler compiler;
  for (const std::string &name : options.cxx.empty() ? toolchain.compilers() : std::vector{options.cxx})
    if (auto path = llvm::sys::findProgramByName(name); path && llvm::sys::fs::can_execute(*path)) {
      compiler.path = *path;
      break;
    }
  if (compiler.path.empty()) {
    if (!options.cxx.empty())
      failUsage("the {} compiler '{}' is not installed", toolchain.language, options.cxx);
    failUsage("{}", toolchain.missing);
  }
  compiler.flags = {"-O" + options.optimisation};
  for (const std::vector<std::string> &more : {toolchain.flags(options.arch), options.cxxFlags})
    compiler.flags.insert(compiler.flags.end(), more.begin(), more.end());
  compiler.flags.push_back("-isystem");
  compiler.flags.push_back(runtime.include);
  return compiler;
}

CxxResult runTool(const std::vector<std::string> &command, bool verbose) {
  if (verbose) {
    std::string line;
    for (const std::string &word : command)
      line += (line.empty() ? "" : " ") + quoted(word);
    fmt::print(stderr, "{}\n", line);
  }
  std::vector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);

  int ends[2];
  if (pipe(ends) != 0)
    failUsage("cannot start {}: {}", command[0], std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    failUsage("cannot start {}: {}", command[0], std::strerror(error));
  }
  CxxResult result{false, ""};
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got > 0)
      result.messages.append(buffer, static_cast<std::size_t>(got));
    else if (errno != EINTR)
      break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.success = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

CxxResult compileCxx(const CxxCompiler &compiler, const Runtime &runtime, const std::string &source,
                     const std::string &output, CxxOutput kind, bool verbose) {
  std::vector<std::string> command = {compiler.path};
  command.insert(command.end(), compiler.flags.begin(), compiler.flags.end());
  if (kind == CxxOutput::Object)
    command.push_back("-c");
  command.insert(command.end(), {source, "-o", output});
  if (kind == CxxOutput::Executable)
    command.insert(command.end(), {runtime.library, "-lz", "-lzstd", "-llzma"});
  return runTool(command, verbose);
}

} // namespace gcompile
