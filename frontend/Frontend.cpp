#include "frontend/Frontend.h"

#include "frontend/Parser.h"
#include "frontend/Sema.h"

namespace gcompile {

std::unique_ptr<ast::Program> parseAndCheck(const std::string &fileName, std::string text, Diagnostics &diags) {
  std::size_t errorsBefore = diags.errorCount();
  diags.setSource(fileName, text);
  std::unique_ptr<ast::Program> program = parse(fileName, text, diags);
  if (!program)
    return nullptr;
  check(*program, diags);
  if (diags.errorCount() != errorsBefore)
    return nullptr;
  return program;
}

} // namespace gcompile
