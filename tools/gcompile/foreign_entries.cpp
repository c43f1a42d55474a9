#include "tools/gcompile/foreign_entries.h"

#include "codegen_cpp/Types.h"

#include "llvm/ADT/StringExtras.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <functional>
#include <map>

using namespace mlir;

namespace gcompile {

/// What an entry computes: an expression of C++ with its type; `arguments` are those of the entry.
struct Computed {
  Type type;
  std::string expression;
};

/// The value of a type that begins at an argument; a tuple has its elements one by one.
static std::string valueAt(Type type, std::size_t &argument) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    std::vector<std::string> elements;
    for (Type element : tuple.getTypes())
      elements.push_back(valueAt(element, argument));
    return cpp::foreignTypeName(type) + "{" + llvm::join(elements, ", ") + "}";
  }
  return fmt::format("*static_cast<const {} *>(arguments[{}])", cpp::foreignTypeName(type), argument++);
}

/// Lines that write `value` to the results, a tuple element by element.
static std::string written(Type type, const std::string &value, std::size_t &result) {
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return fmt::format("  new (results[{}]) {}({});\n", result++, cpp::foreignTypeName(type), value);
  std::string lines;
  for (auto [i, element] : llvm::enumerate(tuple.getTypes()))
    lines += written(element, fmt::format("std::get<{}>({})", i, value), result);
  return lines;
}

/// What the interpreter needs, by the keys of their entries.
static std::map<std::string, Computed> expressionsOf(ModuleOp module) {
  std::map<std::string, Computed> expressions;
  const std::function<void(Type)> start = [&](Type type) {
    if (auto tuple = dyn_cast<TupleType>(type))
      llvm::for_each(tuple.getTypes(), start);
    if (auto foreign = dyn_cast<graph::ForeignType>(type))
      expressions[interpreter::ForeignCode::keyOf(foreign)] = {type, cpp::typeName(type) + "()"};
  };
  module.walk([&](Operation *op) {
    if (auto state = dyn_cast<graph::StateOp>(op))
      start(state.getType().getElement());
    auto call = dyn_cast<graph::ForeignCallOp>(op);
    if (!call)
      return;
    SmallVector<std::string> arguments;
    std::size_t argument = 0;
    for (Type type : call.getOperandTypes())
      arguments.push_back(valueAt(type, argument));
    expressions[interpreter::ForeignCode::keyOf(call)] = {call.getResult().getType(),
                                                          cpp::foreignCall(call, arguments)};
  });
  return expressions;
}

static std::string entryOf(std::size_t number) { return fmt::format("gcompile_entry_{}", number); }

ForeignEntries::ForeignEntries(ModuleOp module) {
  source = "#include <cstdint>\n#include <gcompile/values.h>\n#include <new>\n";
  for (graph::ImportOp import : module.getOps<graph::ImportOp>()) {
    imports.push_back(import.getHeader().str());
    source += "#include \"" + imports.back() + "\"\n";
  }
  for (const auto &[key, computed] : expressionsOf(module)) {
    std::size_t result = 0;
    source += fmt::format("extern \"C\" [[gnu::visibility(\"default\")]]\n"
                          "void {}(void *const *results, [[maybe_unused]] const void *const *arguments) {{\n"
                          "  const {} value = {};\n{}}}\n",
                          entryOf(keys.size()), cpp::foreignTypeName(computed.type), computed.expression,
                          written(computed.type, "value", result));
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
