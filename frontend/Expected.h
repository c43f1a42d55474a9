// What a program could have gone on with where the parser stopped, in words.
#pragma once

#include <antlr4-runtime.h>
#include <string>
#include <vector>

namespace gcompile {

/// Of the token types that could have come: "a name", "';' or an operator", ...
std::string expectedWords(antlr4::Parser *parser, const antlr4::misc::IntervalSet &expected);

/// The words among token types that are keywords in their place alone, for "did you mean".
std::vector<std::string> keywordsIn(antlr4::Parser *parser, const antlr4::misc::IntervalSet &types);

} // namespace gcompile
