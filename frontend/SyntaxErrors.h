// What the parser does when a program does not follow the grammar: it reports the error in the language's own terms and
// goes on at the next place where the text makes sense again (a statement, a block, a declaration).
#pragma once

#include "frontend/Diagnostics.h"

#include <antlr4-runtime.h>
#include <exception>

namespace gcompile {

/// Reports and recovers from syntax errors. Only the rules that end at a recognisable place (statements, headers,
/// parameter lists, schedule directives, top-level declarations) recover; an error in any other rule is passed up.
class SyntaxErrorStrategy : public antlr4::DefaultErrorStrategy {
public:
  /// `text` is the source as written; it must outlive the strategy.
  SyntaxErrorStrategy(Diagnostics &diags, const std::string &text) : diags(diags), text(text) {}

  void reset(antlr4::Parser *recognizer) override;
  void reportError(antlr4::Parser *recognizer, const antlr4::RecognitionException &e) override;
  void recover(antlr4::Parser *recognizer, std::exception_ptr e) override;
  antlr4::Token *recoverInline(antlr4::Parser *recognizer) override;
  void sync(antlr4::Parser *recognizer) override;

private:
  void report(antlr4::Parser *recognizer, antlr4::Token *offending, antlr4::misc::IntervalSet expected,
              antlr4::Token *start);
  void skipStatement(antlr4::Parser *recognizer, bool inSchedule);
  void skipHeader(antlr4::Parser *recognizer);
  void skipParameters(antlr4::Parser *recognizer);
  void skipToTopLevel(antlr4::Parser *recognizer);

  Diagnostics &diags;
  const std::string &text;
  // What could have come at a token where a loop or an option was left: without it, `a b` expects only ';' after `a`.
  std::size_t optionalAt = ~std::size_t(0);
  std::vector<antlr4::atn::ATNState *> optional;
};

} // namespace gcompile
