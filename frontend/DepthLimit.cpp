// The depth of the tree, counted while it grows.
#include "frontend/DepthLimit.h"

#include "frontend/Tokens.h"

#include <algorithm>

namespace gcompile {

void DepthLimit::enterEveryRule(antlr4::ParserRuleContext *context) {
  // `a + b + c` grows upwards: the rule entered for the second `+` already has `a + b` as its child, which is the last
  // that was finished.
  heights.push_back(context->children.empty() ? 0 : finished);
  if (heights.size() > limit || heights.back() > limit)
    throw NestedTooDeeply(tokenRange(context->getStart()));
}

void DepthLimit::exitEveryRule(antlr4::ParserRuleContext *) {
  finished = heights.back() + 1;
  heights.pop_back();
  if (!heights.empty())
    heights.back() = std::max(heights.back(), finished);
}

} // namespace gcompile
