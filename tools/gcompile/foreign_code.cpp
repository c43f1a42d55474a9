#include "tools/gcompile/foreign_code.h"
#include "tools/gcompile/cxx.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"

#include "codegen_cpp/Types.h"
#include "codegen_cpp/Writer.h"
#include "targets/Target.h"

#include <dlfcn.h>
#include <map>

using namespace mlir;

namespace gcompile {

/// The expressions of C++ that the interpreter needs, by the keys of their entries; `arguments` are those of an entry.
static std::map<std::string, std::string> expressionsOf(ModuleOp module) {
  std::map<std::string, std::string> expressions;
  auto start = [&](Type type) {
    if (auto foreign = dyn_cast<graph::ForeignType>(type))
      expressions[interpreter::ForeignCode::keyOf(foreign)] = cpp::typeName(type) + "()";
  };
  module.walk([&](Operation *op) {
    if (auto state = dyn_cast<graph::StateOp>(op))
      start(state.getType().getElement());
    auto call = dyn_cast<graph::ForeignCallOp>(op);
    if (!call)
      return;
    cpp::List arguments;
    for (auto [i, type] : llvm::enumerate(call.getOperandTypes()))
      arguments.add(fmt::format("*static_cast<const {} *>(arguments[{}])", cpp::typeName(type), i));
    expressions[interpreter::ForeignCode::keyOf(call)] =
        cpp::typeName(call.getResult().getType()) + "(::" + call.getCallee().str() + "(" + arguments.text() + "))";
  });
  return expressions;
}

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
  return host;
}

interpreter::ForeignCode compileForeign(const Options &options, const std::string &path, ModuleOp module,
                                        const std::vector<std::string> &importFlags) {
  interpreter::ForeignCode code;
  std::map<std::string, std::string> expressions = expressionsOf(module);
  if (expressions.empty())
    return code;
  std::vector<std::string> imports;
  std::string source = "#include <cstdint>\n#include <new>\n", exported = "{ global: gcompile_entry_*; local: *; };\n";
  for (graph::ImportOp import : module.getOps<graph::ImportOp>()) {
    imports.push_back(import.getHeader().str());
    source += "#include \"" + imports.back() + "\"\n";
  }
  std::size_t number = 0;
  for (const auto &[key, expression] : expressions) {
    std::string type = expression.substr(0, expression.find('('));
    source += fmt::format("extern \"C\" [[gnu::visibility(\"default\")]]\n"
                          "void gcompile_entry_{}(void *result, [[maybe_unused]] const void *const *arguments) {{\n"
                          "  new (result) {}({});\n}}\n",
                          number++, type, expression);
  }

  TemporaryFolder folder;
  std::string file = folder.path() + "/foreign.cpp", library = folder.path() + "/foreign.so";
  writeIfChanged(file, source);
  writeIfChanged(folder.path() + "/" + exportsFile, exported);
  Options host = hostOptions(options);
  Runtime runtime = findRuntime(host);
  CxxCompiler compiler = findCompiler(host, runtime);
  addImportFlags(compiler, importFlags, path, imports);
  ToolResult result = compileCxx(compiler, runtime, file, library, CxxOutput::Shared, options.verbose);
  if (!result.succeeded())
    failUsage("{} does not compile the imported functions for the interpreter: {}", compiler.path, result.reason());
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    failUsage("an imported function is declared, but defined nowhere; --cxx-flag=FILE.o gives its code: {}", dlerror());
  number = 0;
  for (const auto &[key, expression] : expressions) {
    void *entry = dlsym(handle, fmt::format("gcompile_entry_{}", number++).c_str());
    if (!entry)
      failBug("the interpreter has compiled '{}', but cannot find it", key);
    code.add(key, reinterpret_cast<interpreter::ForeignEntry>(entry));
  }
  return code;
}

} // namespace gcompile
