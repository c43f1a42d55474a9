// What is written otherwise in other languages.
#pragma once

#include <string>

namespace gcompile {

/// What to write instead, or "": `at` is the text of the token where the parser stopped, `before` and `after` those of
/// its neighbours, empty at the ends of the file; `first` begins the statement.
std::string habitAdvice(const std::string &before, const std::string &at, const std::string &after,
                        const std::string &first);

/// What a name is in this language that has a value or a function elsewhere, or "".
std::string nameMeant(const std::string &text);

/// The type that a name which is none may stand for, or "".
std::string typeMeant(const std::string &text);

/// What an operator of another language is in this one, or "".
std::string operatorMeant(const std::string &text);

} // namespace gcompile
