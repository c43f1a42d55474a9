#include "tools/gcompile/foreign_code.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/foreign_entries.h"

#include "targets/Target.h"

#include <dlfcn.h>

using namespace mlir;

namespace gcompile {

/// How C++ is compiled for this machine, whatever the target is.
static Options hostOptions(const Options &options) {
  Options host = options;
  host.target = findTarget("serial");
  if (options.target->toolchain.language != std::string(host.target->toolchain.language)) {
    host.cxx.clear();
    host.cxxFlags.clear();
    for (const std::string &flag : options.cxxFlags) // another compiler's, but for what decides what a header says
      if (flag.rfind("-I", 0) == 0 || flag.rfind("-D", 0) == 0 || flag.rfind("-U", 0) == 0)
        host.cxxFlags.push_back(flag);
  }
  host.optimisation = "1";
  host.arch.clear();
  host.exchange = nullptr;
  return host;
}

interpreter::ForeignCode compileForeign(const Options &options, const std::string &path, ModuleOp module,
                                        const std::vector<std::string> &importFlags) {
  ForeignEntries entries(module);
  if (entries.keys.empty())
    return {};

  TemporaryFolder folder;
  std::string file = folder.path() + "/foreign.cpp", library = folder.path() + "/foreign.so";
  writeIfChanged(file, entries.source);
  writeIfChanged(folder.path() + "/" + exportsFile, "{ global: gcompile_entry_*; local: *; };\n");
  Options host = hostOptions(options);
  Runtime runtime = findRuntime(host);
  CxxCompiler compiler = findCompiler(host, runtime);
  addImportFlags(compiler, importFlags, path, entries.imports);
  ToolResult result = compileCxx(compiler, runtime, file, library, CxxOutput::Shared, options.verbose);
  if (!result.succeeded())
    failUsage("{} does not compile the imported functions for the interpreter: {}", compiler.path, result.reason());
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    failUsage("an imported function is declared, but defined nowhere; --cxx-flag=FILE.o gives its code: {}", dlerror());
  std::string missing;
  interpreter::ForeignCode code = entries.load(handle, missing);
  if (!missing.empty())
    failBug("the interpreter has compiled '{}', but cannot find it", missing);
  return code;
}

} // namespace gcompile
