// The checker: names, types, shapes and patterns.
#pragma once

#include "frontend/Ast.h"
#include "frontend/Diagnostics.h"

#include <string>

namespace gcompile {

/// Resolves every name to a symbol, gives every expression a type, makes implicit conversions explicit and classifies
/// each pattern (see Ast.h). Everything wrong is reported to `diags`; a tree with errors is only good for printing.
void check(ast::Program &program, Diagnostics &diags);

/// A type as the language writes it: "int", "(int, vertex)", "vertex set".
std::string typeName(const ast::Type &type);

} // namespace gcompile
