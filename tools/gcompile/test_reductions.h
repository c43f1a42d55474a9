// `gcompile check --test`: tries on random values what declared reductions promise.
#pragma once

#include "frontend/Ast.h"
#include "tools/gcompile/options.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace gcompile {

/// Tries each declared reduction of a program: whether it is associative and commutative, and whether its neutral
/// element changes nothing. Prints what it has found, a counterexample as an error; false if there is one. Throws
/// Failure (usage) where the functions cannot be compiled.
bool testReductions(const Options &options, const std::string &path, const ast::Program &program,
                    mlir::ModuleOp module);

} // namespace gcompile
