// The front end in one call.
#pragma once

#include "frontend/Ast.h"
#include "frontend/Diagnostics.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gcompile {

/// What the imported C++ headers have to offer, or why they cannot be read.
struct ImportedHeaders {
  std::vector<ast::ForeignFunction> functions; // those with one of the wanted names
  std::vector<ast::ForeignType> types;
  std::vector<std::string> files; // that were read
  std::vector<std::string> flags; // with which a compiler reads them, besides those that the user gives
  std::size_t unread = 0;         // the import that is to blame, if `problem` is not empty
  std::string problem, place;
};

/// What a program names that may be in a header.
struct WantedNames {
  std::set<std::string> functions, types;
};

/// Reads the headers as one after the other, and finds what has these names.
using HeaderReader = std::function<ImportedHeaders(const std::vector<std::string> &headers, const WantedNames &names)>;

/// Parses and checks a file. `fileName` is only used in messages and for ast::Program::file; `diags` takes over the
/// text and may hold warnings afterwards. `readHeaders` is called where the file imports some; without it, an import is
/// an error. Null if there was an error.
std::unique_ptr<ast::Program> parseAndCheck(const std::string &fileName, std::string text, Diagnostics &diags,
                                            const HeaderReader &readHeaders = nullptr);

/// A readable, stable, indented text of a tree, with types where they are known.
std::string dumpAst(const ast::Program &program);

} // namespace gcompile
