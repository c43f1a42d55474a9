#include "tools/gcompile/run.h"
#include "tools/gcompile/cache.h"
#include "tools/gcompile/compile.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gcompile {

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

  std::vector<char *> argv;
  argv.push_back(executable.data());
  for (const std::string &argument : options.programArguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  execv(executable.c_str(), argv.data());
  failUsage("{}: cannot be started: {}", executable, std::strerror(errno));
}

} // namespace gcompile
