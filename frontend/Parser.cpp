#include "frontend/Parser.h"

#include "frontend/AstBuilder.h"
#include "frontend/DepthLimit.h"
#include "frontend/SyntaxErrors.h"
#include "frontend/Tokens.h"
#include "grammar/GdslLexer.h"

#include <set>

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

/// Makes the name of a declared reduction an operator where a place to update stands before it and `=` behind it.
void findCombiners(antlr4::CommonTokenStream &tokens) {
  const std::vector<antlr4::Token *> all = tokens.getTokens();
  std::set<std::string> names;
  for (std::size_t i = 0; i + 2 < all.size(); ++i)
    if (all[i]->getType() == GdslParser::REDUCTION && all[i + 1]->getType() == GdslParser::IDENTIFIER &&
        all[i + 2]->getType() == GdslParser::COLON)
      names.insert(all[i + 1]->getText());
  for (std::size_t i = 1; i + 1 < all.size() && !names.empty(); ++i) {
    const std::size_t before = all[i - 1]->getType();
    const bool place = before == GdslParser::RBRACKET || before == GdslParser::IDENTIFIER ||
                       before == GdslParser::INTEGER || isSoftWord(before);
    if (place && all[i]->getType() == GdslParser::IDENTIFIER && all[i + 1]->getType() == GdslParser::ASSIGN &&
        names.count(all[i]->getText()) != 0)
      static_cast<antlr4::CommonToken *>(all[i])->setType(GdslParser::COMBINER);
  }
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

  findCombiners(tokens);

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
