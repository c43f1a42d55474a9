#include "frontend/Habits.h"

#include "frontend/Spelling.h"
#include "ir/graph/ReductionTable.h"

#include <cctype>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gcompile {

namespace {

bool isWord(const std::string &text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

bool isOneOf(const std::string &text, const std::set<std::string> &words) { return words.count(text) != 0; }

bool isNumber(const std::string &text) { return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])); }

bool isType(const std::string &text) { return isOneOf(text, {"bool", "int", "long", "float", "double"}); }

/// The side of `x++` or `++x` that is a name, or `x` for any.
std::string variable(const std::string &text) { return isWord(text) ? text : "x"; }

} // namespace

std::string habitAdvice(const std::string &before, const std::string &at, const std::string &after,
                        const std::string &first) {
  if (first == "let" && at == ":")
    return fmt::format(
        "'let' takes the type of its value: write 'let {0} = ...;', or '{0}: {1} = ...;' for what changes",
        variable(before), isWord(after) ? after : "int");
  if (first == "return" && at == "," && (isWord(before) || isNumber(before) || before == ")" || before == "]"))
    return "a function returns one value, which may be a tuple: 'return (x, y);'";
  if (isOneOf(at, {"/", "%", "^", "<<", ">>"}) && after == "=" && !updateWritten(at + "="))
    return fmt::format("there is no '{0}=': write '{1} = {1} {0} ...'", at, variable(before));
  if (at == "+" && (after == "+" || before == "+"))
    return fmt::format("there is no '++': write '{} += 1' as a statement", variable(before));
  if (at == "--" && (after == ";" || isOneOf(before, {";", "{", "}"})))
    return fmt::format("there is no '--' for numbers: write '{} -= 1' as a statement", variable(before));
  if (at == "*" && before == "*")
    return "there is no '**': write 'pow(x, y)'";
  if (at == "continue" || (at == ";" && before == "continue"))
    return "there is no 'continue': put the rest of the body into an 'if'";
  if (isOneOf(before, {"elif", "elsif", "elseif"}))
    return "write 'else if'";
  if (before == "for" && (at == "(" || isType(at)))
    return "a loop is 'for v in g { ... }' over vertices, and 'repeat' or 'while' otherwise";
  if (isWord(at) && isOneOf(before, {"foreach", "forall"}))
    return "write 'for v in g { ... }'";
  if (isWord(at) && isOneOf(before, {"var", "const", "auto", "val"}))
    return fmt::format("write 'let {0} = ...', or '{0}: int = ...' for what changes", at);
  if (at == "=" && before == ":")
    return "values are assigned with '='";
  if (at == "[" && before == "]")
    return "both indices stand between the same brackets: 'int[g, g]', 'x[u, v]'";
  if (at == "]" && before == "[")
    return "name the graph in a type, 'int[g]', and a vertex in an expression, 'x[v]'";
  if (at == ">" && before == "<")
    return "write '!='";
  if (at == "is")
    return "write '=='";
  if (at == "..")
    return "integers from A up to B are counted by 'for i in A .. B sequentially { ... }' alone";
  if (before == ".." && (at == "=" || at == "." || at == "<"))
    return "a range is 'A .. B', and ends before B";
  if (at == "?")
    return "there is no '? :': write 'if c then a else b'";
  if (at == "#")
    return "a comment begins with '//'";
  if (isType(at) && isWord(after))
    return fmt::format("a declaration is written '{}: {} = ...;'", after, at);
  if (isOneOf(before, {"vertex", "edge"}) && isWord(at))
    return fmt::format("a declaration is written '{}: {} = ...;'", at, before);
  return "";
}

std::string nameMeant(const std::string &text) {
  static const std::map<std::string, std::string> names{{"null", "none"},    {"NULL", "none"},    {"nil", "none"},
                                                        {"None", "none"},    {"nullptr", "none"}, {"True", "true"},
                                                        {"False", "false"},  {"this", "self"},    {"infinity", "inf"},
                                                        {"INFINITY", "inf"}, {"not", "!"}};
  auto found = names.find(text);
  return found == names.end() ? "" : found->second;
}

std::string typeMeant(const std::string &text) {
  static const std::map<std::string, std::string> aliases = {
      {"integer", "int"},   {"int32", "int"},   {"int64", "long"},     {"boolean", "bool"},
      {"float32", "float"}, {"real", "double"}, {"float64", "double"}, {"node", "vertex"}};
  auto alias = aliases.find(text);
  return alias != aliases.end() ? alias->second
                                : nearest(text, {"bool", "int", "long", "float", "double", "vertex", "edge"});
}

std::string operatorMeant(const std::string &text) {
  return text == "and" ? "&&" : text == "or" ? "||" : text == "=" ? "==" : "";
}

} // namespace gcompile
