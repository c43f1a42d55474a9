#include "ir/interpreter/ForeignCode.h"

#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;

namespace gcompile::interpreter {

std::string ForeignCode::keyOf(graph::ForeignCallOp call) {
  std::string key = call.getCallee().str();
  llvm::raw_string_ostream stream(key);
  stream << " : " << call.getOperandTypes() << " -> " << call.getResult().getType();
  return key;
}

std::string ForeignCode::keyOf(graph::ForeignType type) { return type.getClassName().str(); }

/// Adds where C++ finds a value.
static void addAddresses(Value &value, std::vector<void *> &addresses) {
  std::visit(
      [&](auto &x) {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, Tuple>)
          llvm::for_each(x, [&](Value &element) { addAddresses(element, addresses); });
        else if constexpr (std::is_same_v<T, Object>)
          addresses.push_back(x.bytes.data());
        else if constexpr (std::is_same_v<T, Vertex> || std::is_same_v<T, Edge>)
          addresses.push_back(&x.id);
        else if constexpr (std::is_arithmetic_v<T>)
          addresses.push_back(&x);
        else
          llvm_unreachable("no function of C++ takes such a value");
      },
      value.is);
}

/// A value for a result to be written to.
static Value unwritten(Type type) {
  if (auto foreign = dyn_cast<graph::ForeignType>(type))
    return {Object{std::vector<unsigned char>(foreign.getBytes())}};
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return zero(type);
  Tuple elements;
  for (Type element : tuple.getTypes())
    elements.push_back(unwritten(element));
  return {elements};
}

Value ForeignCode::run(const std::string &key, Type type, std::vector<Value> arguments) const {
  auto entry = entries.find(key);
  if (entry == entries.end())
    llvm::report_fatal_error(llvm::Twine("the interpreter has no code for ") + key);
  std::vector<void *> taken, given;
  for (Value &argument : arguments)
    addAddresses(argument, taken);
  Value result = unwritten(type);
  addAddresses(result, given);
  entry->second(given.data(), taken.data());
  return result;
}

Value ForeignCode::call(graph::ForeignCallOp call, const std::vector<Value> &arguments) const {
  return run(keyOf(call), call.getResult().getType(), arguments);
}

Value ForeignCode::start(graph::ForeignType type) const { return run(keyOf(type), type, {}); }

} // namespace gcompile::interpreter
