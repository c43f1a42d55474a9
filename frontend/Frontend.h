// The front end in one call.
#pragma once

#include "frontend/Ast.h"
#include "frontend/Diagnostics.h"

#include <memory>
#include <string>

namespace gcompile {

/// Parses and checks a file. `fileName` is only used in messages and for ast::Program::file; `diags` takes over the
/// text and may hold warnings afterwards. Null if there was an error.
std::unique_ptr<ast::Program> parseAndCheck(const std::string &fileName, std::string text, Diagnostics &diags);

/// A readable, stable, indented text of a tree, with types where they are known.
std::string dumpAst(const ast::Program &program);

} // namespace gcompile
