// Kinds of tokens.
#include "frontend/Tokens.h"

namespace gcompile {

Range tokenRange(antlr4::Token *token) {
  Range range;
  range.line = range.endLine = static_cast<unsigned>(token->getLine());
  range.column = static_cast<unsigned>(token->getCharPositionInLine()) + 1;
  std::size_t length = 1;
  if (token->getType() != antlr4::Token::EOF && token->getStopIndex() >= token->getStartIndex())
    length = token->getStopIndex() - token->getStartIndex() + 1;
  range.endColumn = range.column + static_cast<unsigned>(length);
  return range;
}

bool isTopLevelWord(std::size_t type) {
  return type == P::ALGORITHM || type == P::FUNCTION || type == P::SCHEDULE || type == P::IMPORT ||
         type == antlr4::Token::EOF;
}

bool startsStatement(std::size_t type) {
  switch (type) {
  case P::FOR:
  case P::PROPAGATE:
  case P::LET:
  case P::OUTPUT:
  case P::REPEAT:
  case P::WHILE:
  case P::RETURN:
  case P::BREAK:
  case P::IF:
    return true;
  default:
    return false;
  }
}

bool isReservedWord(std::size_t type) { return type >= P::ALGORITHM && type <= P::LONG; }

bool isSoftWord(std::size_t type) { return type >= P::ASSOCIATIVE && type <= P::THEN; }

bool isType(std::size_t type) { return type >= P::BOOL && type <= P::LONG; }

const antlr4::misc::IntervalSet &firstTokens(antlr4::Parser *parser, std::size_t rule) {
  const antlr4::atn::ATN &atn = parser->getATN();
  return atn.nextTokens(atn.ruleToStartState[rule]);
}

} // namespace gcompile
