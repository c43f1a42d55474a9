// How deep the syntax tree may get.
#pragma once

#include "frontend/Diagnostics.h"

#include <antlr4-runtime.h>
#include <exception>
#include <vector>

namespace gcompile {

/// Raised while parsing when the syntax tree gets deeper than later stages can follow; `parse` catches it.
struct NestedTooDeeply : std::exception {
  explicit NestedTooDeeply(const Range &range) : range(range) {}
  Range range;
};

/// Limits the depth of the tree, so that recursion over it fits on the stack.
class DepthLimit : public antlr4::tree::ParseTreeListener {
public:
  static constexpr unsigned limit = 1200; // rules; an operator takes one, a bracket two

  void enterEveryRule(antlr4::ParserRuleContext *context) override;
  void exitEveryRule(antlr4::ParserRuleContext *context) override;
  void visitTerminal(antlr4::tree::TerminalNode *) override {}
  void visitErrorNode(antlr4::tree::ErrorNode *) override {}

private:
  std::vector<unsigned> heights; // of the open rules, as far as their children are finished
  unsigned finished = 0;         // the height of the last rule that was finished
};

} // namespace gcompile
