// Sets of token types in words.
#include "frontend/Expected.h"

#include "frontend/Tokens.h"

#include <set>

namespace gcompile {

using antlr4::Parser;
using antlr4::Token;
using antlr4::misc::IntervalSet;

namespace {

bool isNameToken(std::size_t t) { return t == P::IDENTIFIER || isSoftWord(t); }

bool isNumber(std::size_t t) {
  return t == P::INTEGER || t == P::REAL || t == P::MINUS || t == P::NONE || t == P::TRUE || t == P::FALSE ||
         t == P::INF;
}

bool isOperator(std::size_t t) {
  return t == P::STAR || t == P::SLASH || t == P::PERCENT || t == P::AND || t == P::PLUS || t == P::MINUS ||
         t == P::SHIFT_LEFT || t == P::SHIFT_RIGHT || t == P::CARET || t == P::OR || t == P::EQ || t == P::NE ||
         t == P::LT || t == P::LE || t == P::GT || t == P::GE || t == P::IN || t == P::AND_AND || t == P::OR_OR ||
         t == P::LBRACKET || t == P::DOT || t == P::RANGE || t == P::LPAREN;
}

bool isAssignment(std::size_t t) {
  return t == P::ASSIGN || t == P::UPDATE || t == P::MIN || t == P::MAX || t == P::COMBINER;
}

bool startsClause(std::size_t t) {
  return t == P::FROM || t == P::INTO || t == P::WHERE || t == P::SEQUENTIALLY || t == P::REVERSED || t == P::ORDERED ||
         t == P::KEEP || t == P::ROUND || t == P::UNTIL || t == P::AT;
}

} // namespace

std::string expectedWords(Parser *parser, const IntervalSet &expected) {
  std::set<std::size_t> types;
  for (ssize_t type : expected.toList())
    types.insert(static_cast<std::size_t>(type));
  types.erase(P::UNKNOWN);
  auto has = [&](std::size_t type) { return types.count(type) != 0; };
  auto drop = [&](auto predicate) {
    for (auto it = types.begin(); it != types.end();)
      it = predicate(*it) ? types.erase(it) : std::next(it);
  };
  std::vector<std::string> words;
  if (has(P::FOR) && has(P::LET)) {
    words.push_back("a statement");
    const IntervalSet &statement = firstTokens(parser, P::RuleStatement);
    drop([&](std::size_t t) { return statement.contains(t); });
  } else if (has(P::ALGORITHM) && has(P::SCHEDULE)) {
    words.push_back("'algorithm', 'function', 'reduction', 'schedule' or 'import'");
    drop([](std::size_t t) { return isTopLevelWord(t) || t == P::REDUCTION; });
  } else if (has(P::INTEGER) && has(P::NOT)) {
    words.push_back("an expression");
    const IntervalSet &expression = firstTokens(parser, P::RuleExpr);
    drop([&](std::size_t t) { return expression.contains(t); });
  } else if (has(P::STAR) && has(P::OR_OR)) {
    drop(isOperator);
    if (types.empty())
      words.push_back("an operator");
  } else if (has(P::UPDATE)) {
    words.push_back("an assignment");
    drop([&](std::size_t t) { return isAssignment(t) || isOperator(t); });
  } else if (has(P::BOOL) && has(P::IDENTIFIER)) {
    words.push_back("a type");
    drop([&](std::size_t t) { return isNameToken(t) || isType(t) || t == P::LPAREN || startsStatement(t); });
  } else if (has(P::IDENTIFIER)) {
    words.push_back("a name");
    bool number = has(P::INTEGER);
    if (number)
      words.push_back("a number");
    drop([&](std::size_t t) { return isNameToken(t) || (number && isNumber(t)); });
  }
  if (has(P::WHERE) && types.size() > 1)
    drop(startsClause);
  for (std::size_t type : types) {
    if (type == Token::EOF)
      words.push_back("the end of the file");
    else if (type == P::STRING)
      words.push_back("a string");
    else
      words.push_back(parser->getVocabulary().getDisplayName(type));
  }
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i)
    result += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return result.empty() ? "something else" : result;
}

std::vector<std::string> keywordsIn(Parser *parser, const IntervalSet &types) {
  std::vector<std::string> result;
  for (std::size_t type = P::ALGORITHM; type <= P::THEN; ++type)
    if (types.contains(type)) {
      std::string quoted = parser->getVocabulary().getLiteralName(type);
      result.push_back(quoted.substr(1, quoted.size() - 2));
    }
  return result;
}

} // namespace gcompile
