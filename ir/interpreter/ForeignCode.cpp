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

/// Where C++ finds a value.
static const void *addressOf(const Value &value) {
  return std::visit(
      [](const auto &x) -> const void * {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, Object>)
          return x.bytes.data();
        else if constexpr (std::is_arithmetic_v<T>)
          return &x;
        else
          llvm_unreachable("no function of C++ takes such a value");
      },
      value.is);
}

Value ForeignCode::run(const std::string &key, Type type, const std::vector<Value> &arguments) const {
  auto entry = entries.find(key);
  if (entry == entries.end())
    llvm::report_fatal_error(llvm::Twine("the interpreter has no code for ") + key);
  std::vector<const void *> addresses;
  for (const Value &argument : arguments)
    addresses.push_back(addressOf(argument));
  if (auto foreign = dyn_cast<graph::ForeignType>(type)) {
    Object object{std::vector<unsigned char>(foreign.getBytes())};
    entry->second(object.bytes.data(), addresses.data());
    return {object};
  }
  Value result = zero(type);
  std::visit(
      [&](auto &x) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(x)>>)
          entry->second(&x, addresses.data());
      },
      result.is);
  return result;
}

Value ForeignCode::call(graph::ForeignCallOp call, const std::vector<Value> &arguments) const {
  return run(keyOf(call), call.getResult().getType(), arguments);
}

Value ForeignCode::start(graph::ForeignType type) const { return run(keyOf(type), type, {}); }

} // namespace gcompile::interpreter
