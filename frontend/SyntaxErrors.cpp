#include "frontend/SyntaxErrors.h"

#include "frontend/Habits.h"
#include "frontend/Spelling.h"
#include "grammar/GdslParser.h"

#include <algorithm>
#include <set>

namespace gcompile {

using antlr4::Parser;
using antlr4::Token;
using antlr4::misc::IntervalSet;
using P = GdslParser;

Range tokenRange(Token *token) {
  Range range;
  range.line = range.endLine = static_cast<unsigned>(token->getLine());
  range.column = static_cast<unsigned>(token->getCharPositionInLine()) + 1;
  std::size_t length = 1;
  if (token->getType() != Token::EOF && token->getStopIndex() >= token->getStartIndex())
    length = token->getStopIndex() - token->getStartIndex() + 1;
  range.endColumn = range.column + static_cast<unsigned>(length);
  return range;
}

void DepthLimit::enterEveryRule(antlr4::ParserRuleContext *context) {
  // `a + b + c` grows upwards: the rule entered for the second `+` already has `a + b` as its child.
  unsigned below = context->children.empty() ? 0 : heights[context->children[0]];
  if (++depth > limit || below > limit)
    throw NestedTooDeeply(tokenRange(context->getStart()));
}

void DepthLimit::exitEveryRule(antlr4::ParserRuleContext *context) {
  --depth;
  unsigned height = 0;
  for (const antlr4::tree::ParseTree *child : context->children)
    if (auto found = heights.find(child); found != heights.end())
      height = std::max(height, found->second);
  heights[context] = height + 1;
}

namespace {

/// `bytes` if they are printable UTF-8, otherwise with escapes.
std::string printable(const std::string &bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes.size();) {
    auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    std::size_t length = byte(i) < 0x80 ? 1 : byte(i) >= 0xF0 ? 4 : byte(i) >= 0xE0 ? 3 : 2;
    bool valid = byte(i) < 0x80 ? byte(i) >= 0x20 && byte(i) != 0x7F : byte(i) >= 0xC2 && byte(i) < 0xF5;
    valid = valid && i + length <= bytes.size();
    for (std::size_t j = 1; valid && j < length; ++j)
      valid = (byte(i + j) & 0xC0) == 0x80;
    if (!valid)
      length = 1;
    result += valid ? bytes.substr(i, length) : fmt::format("\\x{:02X}", byte(i));
    i += length;
  }
  return result;
}

bool isTopLevelWord(std::size_t type) {
  return type == P::ALGORITHM || type == P::FUNCTION || type == P::SCHEDULE || type == P::IMPORT || type == Token::EOF;
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
bool isSoftWord(std::size_t type) { return type >= P::AT && type <= P::THEN; }
bool isType(std::size_t type) { return type >= P::BOOL && type <= P::LONG; }

/// The set of token types that can begin `rule`.
const IntervalSet &first(Parser *parser, std::size_t rule) {
  const antlr4::atn::ATN &atn = parser->getATN();
  return atn.nextTokens(atn.ruleToStartState[rule]);
}

/// What was expected, in words: "a name", "';' or an operator", ...
std::string describe(Parser *parser, const IntervalSet &expected) {
  std::set<std::size_t> types;
  for (ssize_t type : expected.toList())
    types.insert(static_cast<std::size_t>(type));
  types.erase(P::UNKNOWN);
  auto has = [&](std::size_t type) { return types.count(type) != 0; };
  auto drop = [&](auto predicate) {
    for (auto it = types.begin(); it != types.end();)
      it = predicate(*it) ? types.erase(it) : std::next(it);
  };
  auto isNameToken = [](std::size_t t) { return t == P::IDENTIFIER || isSoftWord(t); };
  auto isOperator = [](std::size_t t) {
    return t == P::STAR || t == P::SLASH || t == P::PERCENT || t == P::AND || t == P::PLUS || t == P::MINUS ||
           t == P::SHIFT_LEFT || t == P::SHIFT_RIGHT || t == P::CARET || t == P::OR || t == P::EQ || t == P::NE ||
           t == P::LT || t == P::LE || t == P::GT || t == P::GE || t == P::IN || t == P::AND_AND || t == P::OR_OR ||
           t == P::LBRACKET || t == P::DOT || t == P::LPAREN;
  };
  auto isAssignment = [](std::size_t t) { return t == P::ASSIGN || t == P::UPDATE || t == P::MIN || t == P::MAX; };
  auto isClause = [](std::size_t t) {
    return t == P::FROM || t == P::INTO || t == P::WHERE || t == P::SEQUENTIALLY || t == P::REVERSED ||
           t == P::ORDERED || t == P::KEEP || t == P::ROUND || t == P::UNTIL || t == P::AT;
  };

  std::vector<std::string> words;
  if (has(P::FOR) && has(P::LET)) {
    words.push_back("a statement");
    const IntervalSet &statement = first(parser, P::RuleStatement);
    drop([&](std::size_t t) { return statement.contains(t); });
  } else if (has(P::ALGORITHM) && has(P::SCHEDULE)) {
    words.push_back("'algorithm', 'function', 'schedule' or 'import'");
    drop(isTopLevelWord);
  } else if (has(P::INTEGER) && has(P::NOT)) {
    words.push_back("an expression");
    const IntervalSet &expression = first(parser, P::RuleExpr);
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
    drop([&](std::size_t t) {
      return isNameToken(t) || (number && (t == P::INTEGER || t == P::REAL || t == P::MINUS || t == P::NONE ||
                                           t == P::TRUE || t == P::FALSE || t == P::INF));
    });
  }
  if (has(P::WHERE) && types.size() > 1)
    drop(isClause);
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

/// The words among token types, for "did you mean".
std::vector<std::string> wordsIn(Parser *parser, const IntervalSet &types) {
  std::vector<std::string> result;
  for (std::size_t type = P::ALGORITHM; type <= P::THEN; ++type)
    if (types.contains(type)) {
      std::string quoted = parser->getVocabulary().getLiteralName(type);
      result.push_back(quoted.substr(1, quoted.size() - 2));
    }
  return result;
}

/// What an operator of another language is in this one, or "".
std::string operatorMeant(const std::string &text) {
  return text == "and" ? "&&" : text == "or" ? "||" : text == "=" ? "==" : "";
}

} // namespace

void SyntaxErrorStrategy::reset(Parser *recognizer) {
  DefaultErrorStrategy::reset(recognizer);
  optionalAt = ~std::size_t(0);
}

void SyntaxErrorStrategy::reportError(Parser *recognizer, const antlr4::RecognitionException &e) {
  if (inErrorRecoveryMode(recognizer))
    return;
  beginErrorCondition(recognizer);
  IntervalSet expected;
  Token *start = nullptr;
  if (const auto *noAlternative = dynamic_cast<const antlr4::NoViableAltException *>(&e)) {
    start = noAlternative->getStartToken();
    // The configurations that were alive just before the offending token say exactly what could have followed.
    if (antlr4::atn::ATNConfigSet *configs = noAlternative->getDeadEndConfigs())
      for (const auto &config : configs->configs)
        for (const auto *transition : config->state->transitions)
          if (!transition->isEpsilon())
            expected.addAll(transition->label());
    if (expected.isEmpty())
      expected = e.getExpectedTokens();
  } else {
    expected = e.getExpectedTokens();
  }
  report(recognizer, e.getOffendingToken(), expected, start);
}

void SyntaxErrorStrategy::report(Parser *recognizer, Token *offending, IntervalSet expected, Token *start) {
  if (optionalAt == offending->getTokenIndex())
    expected.addAll(optional);
  expected.remove(antlr4::Token::EPSILON);

  auto *stream = recognizer->getTokenStream();
  Token *previous = offending->getTokenIndex() > 0 ? stream->get(offending->getTokenIndex() - 1) : nullptr;
  Range range = tokenRange(offending);
  std::size_t type = offending->getType();
  Token *next = type == Token::EOF ? nullptr : stream->get(offending->getTokenIndex() + 1);
  std::string habit = habitAdvice(previous ? previous->getText() : "", offending->getText(),
                                  next && next->getType() != Token::EOF ? next->getText() : "");

  if (type == P::UNKNOWN) {
    std::string character =
        text.substr(offending->getStartIndex(), offending->getStopIndex() + 1 - offending->getStartIndex());
    character = printable(character);
    if (character == "\"")
      diags.report(diag::unterminated_string, range);
    else if (auto builder = diags.report(diag::unexpected_character, range, character); !habit.empty())
      builder.note(Range(), habit);
    return;
  }

  std::string words = describe(recognizer, expected);
  if ((words == "a name" || words == "a statement") && isReservedWord(type)) {
    // `output for: int` or, at the start of a statement, `in: int`.
    bool declares = words == "a name" ||
                    stream->get(std::min(offending->getTokenIndex() + 1, stream->size() - 1))->getType() == P::COLON;
    if (declares) {
      diags.report(diag::reserved_word, range, offending->getText());
      return;
    }
  }

  // What is missing at the end of a line or a block is shown there, not at what comes next.
  bool lineEnd = previous && expected.contains(ssize_t(P::SEMI)) &&
                 (previous->getLine() < offending->getLine() || type == P::RBRACE);
  Range place = range;
  if (lineEnd) {
    place = tokenRange(previous);
    place.column = place.endColumn;
    place.endColumn = place.column + 1;
  }
  auto builder = type == Token::EOF
                     ? diags.report(diag::expected_at_end, previous ? tokenRange(previous) : range, words)
                     : diags.report(diag::expected_before, place, words, "'" + offending->getText() + "'");
  if (lineEnd) {
    Range insertion = place;
    insertion.endColumn = insertion.column;
    builder.fix(insertion, ";");
  }

  if (!habit.empty()) {
    builder.note(Range(), habit);
    return;
  }

  // `a and b`, `if x = 3`, `not a`
  if (std::string meant = operatorMeant(offending->getText());
      !meant.empty() && !lineEnd && expected.contains(ssize_t(type == P::ASSIGN ? P::LBRACE : P::OR_OR))) {
    builder.suggest(meant);
    return;
  }
  if (previous && previous->getText() == "not" && type == P::IDENTIFIER) {
    builder.note(tokenRange(previous), "did you mean '!'?").fix(tokenRange(previous), "!");
    return;
  }

  // `propogate u -> v ...`: the statement begins with a name where a keyword was meant. `for v inn g`: the token
  // itself.
  auto suggest = [&](Token *token, const std::vector<std::string> &words) {
    std::string word = token->getType() == P::IDENTIFIER ? nearest(token->getText(), words) : "";
    if (token == offending && !lineEnd)
      builder.suggest(word);
    else if (!word.empty())
      builder.note(tokenRange(token), fmt::format("did you mean '{}'?", word)).fix(tokenRange(token), word);
    return !word.empty();
  };
  bool startsWithName = start && start != offending && start->getText().size() > 3;
  if (!suggest(offending, wordsIn(recognizer, expected)) && startsWithName)
    suggest(start, wordsIn(recognizer, first(recognizer, P::RuleStatement)));
}

Token *SyntaxErrorStrategy::recoverInline(Parser *recognizer) { throw antlr4::InputMismatchException(recognizer); }

void SyntaxErrorStrategy::sync(Parser *recognizer) {
  antlr4::atn::ATNState *state =
      recognizer->getInterpreter<antlr4::atn::ATNSimulator>()->atn.states[recognizer->getState()];
  std::size_t index = recognizer->getTokenStream()->index();
  IntervalSet next = recognizer->getATN().nextTokens(state);
  if (optionalAt == index)
    optional.addAll(next);
  else
    optional = next;
  optionalAt = index;
  if (inErrorRecoveryMode(recognizer))
    return;

  // In the lists of statements, sections, directives and declarations: pass over what cannot begin an element.
  std::size_t rule = recognizer->getContext()->getRuleIndex();
  std::size_t element, end;
  if (rule == P::RuleBlock)
    element = P::RuleStatement, end = P::RBRACE;
  else if (rule == P::RuleScheduleDecl)
    element = P::RuleScheduleSection, end = P::RBRACE;
  else if (rule == P::RuleScheduleSection && recognizer->getTokenStream()->LT(-1)->getType() != P::IDENTIFIER)
    element = P::RuleDirective, end = P::RBRACE;
  else if (rule == P::RuleProgram)
    element = P::RuleTopLevel, end = Token::EOF;
  else
    return;
  const IntervalSet &begin = first(recognizer, element);
  for (;;) {
    std::size_t type = recognizer->getTokenStream()->LA(1);
    if (type == end || isTopLevelWord(type) || begin.contains(type))
      return;
    Token *offending = recognizer->getCurrentToken();
    IntervalSet expected = begin;
    if (rule == P::RuleProgram)
      expected.remove(Token::EOF);
    report(recognizer, offending, expected, nullptr);
    recognizer->consume();
    if (rule == P::RuleProgram)
      skipToTopLevel(recognizer);
    else if (type != P::SEMI)
      skipStatement(recognizer, rule != P::RuleBlock);
  }
}

void SyntaxErrorStrategy::recover(Parser *recognizer, std::exception_ptr e) {
  switch (recognizer->getContext()->getRuleIndex()) {
  case P::RuleStatement:
    skipStatement(recognizer, false);
    break;
  case P::RuleDirective:
  case P::RuleScheduleSection:
    skipStatement(recognizer, true);
    break;
  case P::RuleForHeader:
  case P::RulePropagateHeader:
  case P::RuleCondition:
    skipHeader(recognizer);
    break;
  case P::RuleParameterList:
    skipParameters(recognizer);
    break;
  case P::RuleTopLevel:
  case P::RuleProgram:
    skipToTopLevel(recognizer);
    break;
  default:
    std::rethrow_exception(e);
  }
}

void SyntaxErrorStrategy::skipStatement(Parser *recognizer, bool inSchedule) {
  auto *stream = recognizer->getTokenStream();
  std::size_t begin = stream->index();
  int depth = 0;
  bool isBlock = false;
  // Inside the block of a statement whose header was not understood: what is open is to be closed.
  antlr4::Token *start = recognizer->getContext()->getStart();
  if (start && startsStatement(start->getType()) && start->getType() != P::LET && start->getType() != P::OUTPUT) {
    for (std::size_t i = start->getTokenIndex(); i < begin; ++i)
      depth += (stream->get(i)->getType() == P::LBRACE) - (stream->get(i)->getType() == P::RBRACE);
    isBlock = depth > 0;
    depth = std::max(depth, 0);
  }
  for (;; recognizer->consume()) {
    std::size_t type = stream->LA(1);
    if (isTopLevelWord(type))
      return; // what is open stays open: the rules above fail quietly
    if (depth == 0) {
      bool firstOnLine = stream->index() > begin && stream->LT(-1)->getLine() < stream->LT(1)->getLine();
      if (type == P::RBRACE || (!inSchedule && firstOnLine && startsStatement(type)))
        break;
      if (type == P::SEMI) {
        recognizer->consume();
        break;
      }
    }
    if (type == P::LBRACE) {
      ++depth;
      isBlock = isBlock || stream->LA(2) == P::RBRACE;
    } else if (type == P::RBRACE) {
      bool goesOn = stream->LA(2) == P::UNTIL || stream->LA(2) == P::ELSE;
      if (--depth == 0 && isBlock && !goesOn) {
        recognizer->consume();
        break;
      }
    } else if (type == P::SEMI) {
      isBlock = true; // a set literal has no ';'
    }
  }
  endErrorCondition(recognizer);
}

void SyntaxErrorStrategy::skipHeader(Parser *recognizer) {
  auto *stream = recognizer->getTokenStream();
  for (;; recognizer->consume()) {
    std::size_t type = stream->LA(1);
    if (isTopLevelWord(type) || type == P::SEMI || type == P::RBRACE)
      return;
    if (type != P::LBRACE)
      continue;
    // `{root}` and `{a, b}` are sets, not the block.
    std::size_t after = stream->LA(3);
    if (stream->LA(2) == P::RBRACE || (after != P::RBRACE && after != P::COMMA && after != P::IN)) {
      endErrorCondition(recognizer);
      return;
    }
    while (stream->LA(1) != P::RBRACE && stream->LA(1) != P::SEMI && stream->LA(1) != Token::EOF)
      recognizer->consume();
    if (stream->LA(1) != P::RBRACE)
      return;
  }
}

void SyntaxErrorStrategy::skipParameters(Parser *recognizer) {
  auto *stream = recognizer->getTokenStream();
  int depth = 0;
  for (;; recognizer->consume()) {
    std::size_t type = stream->LA(1);
    if (isTopLevelWord(type) || type == P::SEMI || type == P::RBRACE)
      return;
    if (type == P::LPAREN)
      ++depth;
    bool done = type == P::RPAREN && depth-- == 0;
    if (done)
      recognizer->consume();
    if (done || type == P::LBRACE) {
      endErrorCondition(recognizer);
      return;
    }
  }
}

void SyntaxErrorStrategy::skipToTopLevel(Parser *recognizer) {
  while (!isTopLevelWord(recognizer->getTokenStream()->LA(1)))
    recognizer->consume();
  endErrorCondition(recognizer);
}

} // namespace gcompile
