// What is written otherwise in other languages.
#pragma once

#include <string>

namespace gcompile {

/// What to write instead, or "": `at` is the text of the token where the parser stopped, `before` and `after` those of
/// its neighbours, empty at the ends of the file.
std::string habitAdvice(const std::string &before, const std::string &at, const std::string &after);

/// What an operator of another language is in this one, or "".
std::string operatorMeant(const std::string &text);

} // namespace gcompile
