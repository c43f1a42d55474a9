// Compiled C++ that the interpreter calls: functions of imported headers, and what values of their classes start with.
#pragma once

#include "ir/interpreter/Value.h"

#include <map>
#include <string>

namespace gcompile::interpreter {

/// Writes the result, given the addresses of the arguments; all of them are as C++ holds them. A tuple has the
/// addresses of its elements.
using ForeignEntry = void (*)(void *const *results, const void *const *arguments);

/// The entries that a program needs, each by what it is for.
class ForeignCode {
public:
  /// A function, with the types that it takes and gives.
  static std::string keyOf(graph::ForeignCallOp call);
  /// What a value of the class starts with.
  static std::string keyOf(graph::ForeignType type);

  void add(const std::string &key, ForeignEntry entry) { entries[key] = entry; }

  Value call(graph::ForeignCallOp call, const std::vector<Value> &arguments) const;
  Value start(graph::ForeignType type) const;

private:
  Value run(const std::string &key, mlir::Type type, std::vector<Value> arguments) const;

  std::map<std::string, ForeignEntry> entries;
};

} // namespace gcompile::interpreter
