// What is said of a syntax error.
#include "frontend/SyntaxErrors.h"

#include "frontend/Expected.h"
#include "frontend/Habits.h"
#include "frontend/Spelling.h"
#include "frontend/Tokens.h"

#include <algorithm>

namespace gcompile {

using antlr4::Parser;
using antlr4::Token;
using antlr4::misc::IntervalSet;

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
    for (antlr4::atn::ATNState *state : optional)
      expected.addAll(recognizer->getATN().nextTokens(state));
  expected.remove(antlr4::Token::EPSILON);

  auto *stream = recognizer->getTokenStream();
  Token *previous = offending->getTokenIndex() > 0 ? stream->get(offending->getTokenIndex() - 1) : nullptr;
  Range range = tokenRange(offending);
  std::size_t type = offending->getType();
  Token *next = type == Token::EOF ? nullptr : stream->get(offending->getTokenIndex() + 1);
  auto textOf = [](Token *token) {
    return token && token->getType() != Token::EOF ? diag::shortened(token->getText()) : "";
  };
  // The token that begins the statement, if it is near.
  std::size_t first = offending->getTokenIndex();
  for (std::size_t steps = 0; first > 0 && steps < 64; --first, ++steps)
    if (std::size_t before = stream->get(first - 1)->getType();
        before == P::SEMI || before == P::LBRACE || before == P::RBRACE)
      break;
  std::string habit = habitAdvice(textOf(previous), textOf(offending), textOf(next), textOf(stream->get(first)));

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

  std::string words = expectedWords(recognizer, expected);
  if ((words == "a name" || words == "a statement") && isReservedWord(type)) {
    // `output for: int` or, at the start of a statement, `in: int`.
    bool declares = words == "a name" ||
                    stream->get(std::min(offending->getTokenIndex() + 1, stream->size() - 1))->getType() == P::COLON;
    if (declares) {
      if (auto builder = diags.report(diag::reserved_word, range, offending->getText()); !habit.empty())
        builder.note(Range(), habit);
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
                     : diags.report(diag::expected_before, place, words, "'" + textOf(offending) + "'");
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
      builder.note(tokenRange(token), fmt::format("did you mean '{}'?", diag::shortened(word)))
          .fix(tokenRange(token), word);
    return !word.empty();
  };
  bool startsWithName = start && start != offending && start->getText().size() > 3;
  if (!suggest(offending, keywordsIn(recognizer, expected)) && startsWithName)
    suggest(start, keywordsIn(recognizer, firstTokens(recognizer, P::RuleStatement)));
}

} // namespace gcompile
