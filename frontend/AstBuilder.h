// Parse tree to abstract syntax tree.
#pragma once

#include "frontend/Ast.h"
#include "frontend/Diagnostics.h"
#include "grammar/GdslParser.h"

#include <memory>

namespace gcompile {

/// Builds the tree of a file that parsed without a syntax error. Reports what the grammar cannot express (a clause
/// given twice, an unknown type) and goes on.
std::unique_ptr<ast::Program> buildAst(GdslParser::ProgramContext *tree, Diagnostics &diags);

} // namespace gcompile
