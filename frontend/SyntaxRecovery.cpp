// Where parsing goes on after a syntax error.
#include "frontend/SyntaxErrors.h"

#include "frontend/Tokens.h"

#include <algorithm>

namespace gcompile {

using antlr4::Parser;
using antlr4::Token;
using antlr4::misc::IntervalSet;

Token *SyntaxErrorStrategy::recoverInline(Parser *recognizer) { throw antlr4::InputMismatchException(recognizer); }

void SyntaxErrorStrategy::sync(Parser *recognizer) {
  antlr4::atn::ATNState *state =
      recognizer->getInterpreter<antlr4::atn::ATNSimulator>()->atn.states[recognizer->getState()];
  std::size_t index = recognizer->getTokenStream()->index();
  if (optionalAt != index)
    optional.clear();
  optional.push_back(state);
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
  const IntervalSet &begin = firstTokens(recognizer, element);
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
