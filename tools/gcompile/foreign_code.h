// The functions of C++ that a program calls, compiled for the interpreter.
#pragma once

#include "ir/interpreter/ForeignCode.h"
#include "mlir/IR/BuiltinOps.h"
#include "tools/gcompile/options.h"

#include <string>
#include <vector>

namespace gcompile {

/// Compiles what the module calls, with the imported headers, by the C++ compiler of this machine, and loads it for as
/// long as the process runs. `importFlags`: with which the headers are read, besides those of the options. Throws
/// Failure.
interpreter::ForeignCode compileForeign(const Options &options, const std::string &path, mlir::ModuleOp module,
                                        const std::vector<std::string> &importFlags);

} // namespace gcompile
