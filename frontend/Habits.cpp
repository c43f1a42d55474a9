#include "frontend/Habits.h"

#include "ir/graph/ReductionTable.h"

#include <cctype>
#include <fmt/format.h>
#include <set>

namespace gcompile {

namespace {

bool isWord(const std::string &text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

bool isOneOf(const std::string &text, const std::set<std::string> &words) { return words.count(text) != 0; }

/// The side of `x++` or `++x` that is a name, or `x` for any.
std::string variable(const std::string &text) { return isWord(text) ? text : "x"; }

} // namespace

std::string habitAdvice(const std::string &before, const std::string &at, const std::string &after) {
  if (isOneOf(at, {"/", "%", "^", "<<", ">>"}) && after == "=" && !updateWritten(at + "="))
    return fmt::format("there is no '{0}=': write '{1} = {1} {0} ...'", at, variable(before));
  if (at == "+" && (after == "+" || before == "+"))
    return fmt::format("there is no '++': write '{} += 1' as a statement", variable(before));
  if (at == "--" && (after == ";" || isOneOf(before, {";", "{", "}"})))
    return fmt::format("there is no '--' for numbers: write '{} -= 1' as a statement", variable(before));
  if (at == "*" && before == "*")
    return "there is no '**': write 'pow(x, y)'";
  if (at == ";" && before == "continue")
    return "there is no 'continue': put the rest of the body into an 'if'";
  if (at == "." && (before == "." || after == "."))
    return "there are no ranges of numbers: count with 'repeat' or 'while'";
  if (at == "?")
    return "there is no '? :': write 'if c then a else b'";
  if (at == "#")
    return "a comment begins with '//'";
  if (isOneOf(at, {"bool", "int", "long", "float", "double"}) && isWord(after))
    return fmt::format("a declaration is written '{}: {} = ...;'", after, at);
  if (isOneOf(before, {"vertex", "edge"}) && isWord(at))
    return fmt::format("a declaration is written '{}: {} = ...;'", at, before);
  return "";
}

std::string operatorMeant(const std::string &text) {
  return text == "and" ? "&&" : text == "or" ? "||" : text == "=" ? "==" : "";
}

} // namespace gcompile
