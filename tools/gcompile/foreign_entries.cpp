#include "tools/gcompile/foreign_entries.h"

#include "codegen_cpp/Types.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <functional>
#include <map>

using namespace mlir;

namespace gcompile {

/// The expressions of C++ that the interpreter needs, by the keys of their entries; `arguments` are those of an entry.
static std::map<std::string, std::string> expressionsOf(ModuleOp module) {
  std::map<std::string, std::string> expressions;
  const std::function<void(Type)> start = [&](Type type) {
    if (auto tuple = dyn_cast<TupleType>(type))
      llvm::for_each(tuple.getTypes(), start);
    if (auto foreign = dyn_cast<graph::ForeignType>(type))
      expressions[interpreter::ForeignCode::keyOf(foreign)] = cpp::typeName(type) + "()";
  };
  module.walk([&](Operation *op) {
    if (auto state = dyn_cast<graph::StateOp>(op))
      start(state.getType().getElement());
    auto call = dyn_cast<graph::ForeignCallOp>(op);
    if (!call)
      return;
    SmallVector<std::string> arguments;
    for (auto [i, type] : llvm::enumerate(call.getOperandTypes()))
      arguments.push_back(fmt::format("*static_cast<const {} *>(arguments[{}])", cpp::typeName(type), i));
    expressions[interpreter::ForeignCode::keyOf(call)] =
        cpp::typeName(call.getResult().getType()) + "(" + cpp::foreignCall(call.getCallee(), arguments) + ")";
  });
  return expressions;
}

static std::string entryOf(std::size_t number) { return fmt::format("gcompile_entry_{}", number); }

ForeignEntries::ForeignEntries(ModuleOp module) {
  source = "#include <cstdint>\n#include <new>\n";
  for (graph::ImportOp import : module.getOps<graph::ImportOp>()) {
    imports.push_back(import.getHeader().str());
    source += "#include \"" + imports.back() + "\"\n";
  }
  for (const auto &[key, expression] : expressionsOf(module)) {
    std::string type = expression.substr(0, expression.find('('));
    source += fmt::format("extern \"C\" [[gnu::visibility(\"default\")]]\n"
                          "void {}(void *result, [[maybe_unused]] const void *const *arguments) {{\n"
                          "  new (result) {}({});\n}}\n",
                          entryOf(keys.size()), type, expression);
    keys.push_back(key);
  }
}

interpreter::ForeignCode ForeignEntries::load(void *library, std::string &missing) const {
  interpreter::ForeignCode code;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    void *entry = dlsym(library, entryOf(i).c_str());
    if (!entry)
      missing = keys[i];
    code.add(keys[i], reinterpret_cast<interpreter::ForeignEntry>(entry));
  }
  return code;
}

} // namespace gcompile
