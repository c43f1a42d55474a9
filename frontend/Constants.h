// Arithmetic on literals.
#pragma once

#include "frontend/Ast.h"

namespace gcompile {

/// Replaces each sum, difference, product, quotient, remainder, negation and conversion of number literals in a checked
/// expression by a literal of its value, computed as in a program: integers wrap around. What has no value, such as a
/// quotient by 0, stays as it is, and so does what holds `inf`.
void foldConstants(ast::Expr &e);

} // namespace gcompile
