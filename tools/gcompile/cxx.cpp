#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/process.h"

#include "targets/Target.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace fs = std::filesystem;

namespace gcompile {

static fs::path runtimeFolder(const Options &options) {
  return options.runtime.empty() ? fs::path(executableFolder()).parent_path() : fs::path(options.runtime);
}

std::string runtimeHeaders(const Options &options) { return (runtimeFolder(options) / "include").string(); }

Runtime findRuntime(const Options &options) {
  fs::path base = runtimeFolder(options);
  Runtime runtime{runtimeHeaders(options), (base / "lib" / options.target->toolchain.library).string()};
  std::error_code error;
  for (const std::string &file : {runtime.include + "/gcompile/program.h", runtime.library})
    if (!fs::is_regular_file(file, error))
      failUsage("the runtime is incomplete: there is no file {}; --runtime=DIR says where it is", file);
  return runtime;
}

/// The options for the first package of the exchange that pkg-config knows; none if it knows none.
static std::vector<std::string> packageOptions(const Exchange &exchange, bool verbose) {
  const auto path = llvm::sys::findProgramByName("pkg-config");
  const TemporaryFolder folder;
  for (const std::string &name : exchange.packages)
    if (path)
      if (const auto told = runTool({*path, "--cflags-only-I", "--libs", name}, folder.path(), verbose);
          told.succeeded()) {
        std::istringstream words(told.messages);
        return {std::istream_iterator<std::string>(words), {}};
      }
  return {};
}

/// Lets the compiler make programs with that exchange. Throws Failure where its library is not installed.
static void addExchange(CxxCompiler &compiler, const Exchange &exchange, bool verbose) {
  if (!*exchange.macro)
    return;
  const std::vector<std::string> words = packageOptions(exchange, verbose);
  if (words.empty())
    failUsage("{}", exchange.missing);
  compiler.flags.push_back(fmt::format("-D{}", exchange.macro));
  for (const std::string &word : words)
    if (word.rfind("-I", 0) == 0)
      compiler.flags.insert(compiler.flags.end(), {"-isystem", word.substr(2)}); // others' headers: no warnings
    else
      compiler.libraries.push_back(word);
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
  if (options.vertexBits != 0)
    compiler.flags.push_back(fmt::format("-DGCOMPILE_VERTEX_BITS={}", options.vertexBits));
  if (!options.serialForm)
    compiler.flags.push_back("-DGCOMPILE_WITHOUT_SERIAL");
  compiler.sharedFlags = toolchain.sharedFlags;
  // The system's own folder is searched anyway, and must stay behind those of the C++ library.
  if (std::error_code error; !fs::equivalent(runtime.include, "/usr/include", error)) {
    compiler.flags.push_back("-isystem");
    compiler.flags.push_back(runtime.include);
  }
  if (options.exchange)
    addExchange(compiler, *options.exchange, options.verbose);
  return compiler;
}

void addImportFlags(CxxCompiler &compiler, const std::vector<std::string> &flags, const std::string &program,
                    const std::vector<std::string> &imports) {
  if (imports.empty())
    return;
  // Of two versions of C++, the later one: its number ends the option.
  auto isVersion = [](const std::string &flag) { return flag.rfind("-std=", 0) == 0; };
  auto number = [](const std::string &flag) { return flag.substr(flag.size() - 2); };
  auto own = std::find_if(compiler.flags.begin(), compiler.flags.end(), isVersion);
  std::vector<std::string> others;
  for (const std::string &flag : flags)
    if (!isVersion(flag))
      others.push_back(flag);
    else if (own != compiler.flags.end() && number(*own) < number(flag))
      *own = flag;
  compiler.flags.insert(compiler.flags.begin(), others.begin(), others.end());
  compiler.flags.insert(compiler.flags.end(), {"-I", folderOf(program)});
}

namespace {

/// The option for a linker that takes less time than the usual one, where it is installed beside the compiler, and the
/// compiler finds it.
std::vector<std::string> fasterLinker(const CxxCompiler &compiler) {
  const fs::path path = compiler.path;
  if (path.filename() != "g++")
    return {};
  const auto linker = llvm::sys::findProgramByName("ld.gold");
  return linker && fs::path(*linker).parent_path() == path.parent_path() ? std::vector<std::string>{"-fuse-ld=gold"}
                                                                         : std::vector<std::string>{};
}

} // namespace

ToolResult compileCxx(const CxxCompiler &compiler, const Runtime &runtime, const std::string &source,
                      const std::string &output, CxxOutput kind, bool verbose) {
  std::vector<std::string> command;
  if (kind == CxxOutput::Executable)
    command = fasterLinker(compiler); // the user's options may name another one
  command.insert(command.begin(), compiler.path);
  command.insert(command.end(), compiler.flags.begin(), compiler.flags.end());
  if (!compiler.header.empty())
    command.insert(command.end(), {"-include", compiler.header});
  if (kind == CxxOutput::Object)
    command.push_back("-c");
  if (kind == CxxOutput::Shared) {
    command.insert(command.end(), compiler.sharedFlags.begin(), compiler.sharedFlags.end());
    // As nvcc takes it, too.
    command.insert(command.end(),
                   {"-Xlinker", "--version-script=" + (fs::path(source).parent_path() / exportsFile).string()});
  }
  command.insert(command.end(), {source, "-o", output});
  if (kind != CxxOutput::Object) {
    command.insert(command.end(), {runtime.library, "-lz", "-lzstd", "-llzma"});
    command.insert(command.end(), compiler.libraries.begin(), compiler.libraries.end());
  }
  return runTool(command, fs::path(output).parent_path().string(), verbose);
}

} // namespace gcompile
