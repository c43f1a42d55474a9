// Text to syntax tree.
#pragma once

#include "frontend/Ast.h"
#include "frontend/Diagnostics.h"

#include <memory>
#include <string>

namespace gcompile {

/// Parses `text`. Names are not resolved and nothing has a type yet. Errors are reported to `diags`, which must hold
/// the same text; the result is null if the text does not follow the grammar.
std::unique_ptr<ast::Program> parse(const std::string &fileName, const std::string &text, Diagnostics &diags);

} // namespace gcompile
