// The grammar's tokens: where one stands, and what kind of word it is.
#pragma once

#include "frontend/Diagnostics.h"
#include "grammar/GdslParser.h"

namespace gcompile {

using P = GdslParser;

/// The source range of a token.
Range tokenRange(antlr4::Token *token);

// Kinds of token types.
bool isTopLevelWord(std::size_t type);  // begins a declaration, or ends the file
bool startsStatement(std::size_t type); // a keyword that does
bool isReservedWord(std::size_t type);
bool isSoftWord(std::size_t type); // a keyword in its place, a name elsewhere
bool isType(std::size_t type);

/// The types of the tokens that can begin `rule`.
const antlr4::misc::IntervalSet &firstTokens(antlr4::Parser *parser, std::size_t rule);

} // namespace gcompile
