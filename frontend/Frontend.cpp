#include "frontend/Frontend.h"

#include "frontend/Habits.h"
#include "frontend/Parser.h"
#include "frontend/Sema.h"

namespace gcompile {

/// Gives the program the functions of the headers that it imports.
static void importHeaders(ast::Program &program, Diagnostics &diags, const HeaderReader &readHeaders) {
  // Of types that nobody has looked for nothing more is said, unless one of the language may be meant.
  auto forgetTypes = [&] {
    for (const std::string &name : program.typeNames)
      if (typeMeant(name).empty())
        program.foreignTypes.push_back({name, {}, "", "", ""});
  };
  if (!readHeaders) {
    forgetTypes();
    diags.report(diag::bad_import, program.imports[0].range, program.imports[0].path, "this tool reads no headers");
    return;
  }
  std::vector<std::string> headers;
  for (const ast::ImportDecl &import : program.imports)
    headers.push_back(import.path);
  ImportedHeaders found = readHeaders(headers, {program.calledNames, program.typeNames});
  if (!found.problem.empty()) {
    const ast::ImportDecl &import = program.imports[found.unread];
    auto error = diags.report(diag::bad_import, import.range, import.path, found.problem);
    if (!found.place.empty())
      error.note(ast::Range(), found.place);
    found.types.clear();
    forgetTypes();
  }
  program.foreign = std::move(found.functions);
  for (ast::ForeignType &type : found.types)
    program.foreignTypes.push_back(std::move(type));
  program.importedFiles = std::move(found.files);
  program.importFlags = std::move(found.flags);
}

std::unique_ptr<ast::Program> parseAndCheck(const std::string &fileName, std::string text, Diagnostics &diags,
                                            const HeaderReader &readHeaders) {
  std::size_t errorsBefore = diags.errorCount();
  diags.setSource(fileName, text);
  std::unique_ptr<ast::Program> program = parse(fileName, text, diags);
  if (!program)
    return nullptr;
  if (!program->imports.empty())
    importHeaders(*program, diags, readHeaders);
  check(*program, diags);
  if (diags.errorCount() != errorsBefore)
    return nullptr;
  return program;
}

} // namespace gcompile
