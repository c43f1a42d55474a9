// The depth of the tree, counted while it grows.
#include "frontend/DepthLimit.h"

#include "frontend/Tokens.h"

#include <algorithm>

namespace gcompile {

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

} // namespace gcompile
