// What the interpreter calls of imported C++ headers, as the text of a library.
#pragma once

#include "ir/interpreter/ForeignCode.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gcompile {

/// The source of a shared library with an entry for every function of C++ that a module calls, and for what each class
/// starts with.
struct ForeignEntries {
  explicit ForeignEntries(mlir::ModuleOp module);

  /// Takes the entries from the library that the source became, a handle of dlopen; empty if one is missing.
  interpreter::ForeignCode load(void *library, std::string &missing) const;

  std::vector<std::string> imports; // the headers, as the program names them
  std::vector<std::string> keys;    // of the entries; empty: nothing is called
  std::string source;
};

} // namespace gcompile
