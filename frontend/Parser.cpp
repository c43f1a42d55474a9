#include "frontend/Parser.h"

#include "frontend/AstBuilder.h"
#include "frontend/DepthLimit.h"
#include "frontend/SyntaxErrors.h"
#include "frontend/Tokens.h"
#include "grammar/GdslLexer.h"

namespace gcompile {

namespace {

/// The most brackets that may be open at once. The parser looks ahead over them, which takes stack and time.
constexpr unsigned deepestBrackets = 200;

/// Reports a block comment that is never closed; true if there is one.
bool findOpenComment(const std::string &text, Diagnostics &diags) {
  unsigned line = 1;
  std::size_t lineStart = 0;
  auto newline = [&](std::size_t i) {
    if (text[i] == '\n') {
      ++line;
      lineStart = i + 1;
    }
  };
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    newline(i);
    if (text[i] == '/' && text[i + 1] == '/') {
      while (i + 1 < text.size() && text[i + 1] != '\n')
        ++i;
    } else if (text[i] == '"') {
      std::size_t end = text.find_first_of("\"\r\n", i + 1);
      if (end != std::string::npos && text[end] == '"')
        i = end;
    } else if (text[i] == '/' && text[i + 1] == '*') {
      std::size_t end = text.find("*/", i + 2);
      if (end == std::string::npos) {
        unsigned column = static_cast<unsigned>(i - lineStart) + 1;
        diags.report(diag::unterminated_comment, Range{line, column, line, column + 2});
        return true;
      }
      for (; i <= end; ++i)
        newline(i);
    }
  }
  return false;
}

/// Reports brackets that are nested too deeply; true if there are any.
bool findDeepBrackets(antlr4::CommonTokenStream &tokens, Diagnostics &diags) {
  unsigned depth = 0;
  for (antlr4::Token *token : tokens.getTokens()) {
    switch (token->getType()) {
    case GdslParser::LPAREN:
    case GdslParser::LBRACE:
    case GdslParser::LBRACKET:
      if (++depth > deepestBrackets) {
        diags.report(diag::too_deep, tokenRange(token), deepestBrackets);
        return true;
      }
      break;
    case GdslParser::RPAREN:
    case GdslParser::RBRACE:
    case GdslParser::RBRACKET:
      depth -= depth > 0;
      break;
    default:
      break;
    }
  }
  return false;
}

} // namespace

std::unique_ptr<ast::Program> parse(const std::string &fileName, const std::string &text, Diagnostics &diags) {
  if (findOpenComment(text, diags))
    return nullptr;

  // Every byte beyond ASCII becomes one placeholder, so the columns of tokens count bytes and any input is valid.
  std::string ascii = text;
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) // a byte order mark
    ascii.replace(0, 3, "   ");
  for (char &c : ascii)
    if (static_cast<unsigned char>(c) >= 0x80)
      c = '\1';
  antlr4::ANTLRInputStream input(ascii);
  GdslLexer lexer(&input);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  if (findDeepBrackets(tokens, diags))
    return nullptr;

  std::size_t errorsBefore = diags.errorCount();
  DepthLimit depth;
  GdslParser parser(&tokens);
  parser.removeErrorListeners();
  parser.setErrorHandler(std::make_shared<SyntaxErrorStrategy>(diags, text));
  parser.addParseListener(&depth);
  try {
    GdslParser::ProgramContext *tree = parser.program();
    if (diags.errorCount() != errorsBefore)
      return nullptr;
    std::unique_ptr<ast::Program> program = buildAst(tree, diags);
    program->file = fileName;
    return program;
  } catch (const NestedTooDeeply &e) {
    diags.report(diag::too_deep, e.range, unsigned(DepthLimit::limit));
  }
  return nullptr;
}

} // namespace gcompile
