#include "text.h"

#include <gcompile/program.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace gc {

namespace {

[[noreturn]] void fail(const ParameterInfo &parameter, const std::string &reason) {
  throw Error(ErrorKind::argument, "--" + parameter.name + ": " + reason);
}

std::int64_t parse_integer(const ParameterInfo &parameter, const std::string &text) {
  const bool narrow = parameter.type == ParameterType::integer32;
  const std::int64_t low = narrow ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
  const std::int64_t high =
      narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
  if (text == "inf")
    return high;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range || (error == std::errc() && (number < low || number > high)))
    fail(parameter, "'" + text + "' does not fit " + (narrow ? "an int" : "a long"));
  if (error != std::errc() || end != text.data() + text.size())
    fail(parameter, "'" + text + "' is not a whole number");
  return number;
}

double parse_real(const ParameterInfo &parameter, const std::string &text) {
  if (text == "inf")
    return std::numeric_limits<double>::infinity();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range)
    fail(parameter, "'" + text + "' is out of range");
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    fail(parameter, "'" + text + "' is not a number");
  return number;
}

std::uint64_t parse_vertex(const ParameterInfo &parameter, const std::string &text, const VertexIds &ids) {
  if (const std::optional<std::uint64_t> vertex = ids.find(std::string_view(text)))
    return *vertex;
  fail(parameter, "the graph has no vertex '" + text + "'");
}

std::vector<std::uint64_t> parse_set(const ParameterInfo &parameter, const std::string &text, const VertexIds &ids) {
  std::vector<std::uint64_t> set;
  if (text[0] == '@') {
    const std::string path = text.substr(1);
    std::ifstream file(path);
    if (!file)
      fail(parameter, "cannot read '" + path + "'");
    std::string word;
    while (file >> word)
      set.push_back(parse_vertex(parameter, word, ids));
  } else {
    std::istringstream list(text);
    std::string word;
    while (std::getline(list, word, ','))
      set.push_back(parse_vertex(parameter, word, ids));
  }
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

} // namespace

Arguments::Arguments(const std::vector<ParameterInfo> &parameters, const std::map<std::string, std::string> &texts,
                     const VertexIds &ids)
    : num_vertices_(ids.size()) {
  for (const ParameterInfo &parameter : parameters) {
    const auto given = texts.find(parameter.name);
    if (given == texts.end() && parameter.required)
      throw Error(ErrorKind::argument, "the parameter --" + parameter.name + "=VALUE is missing");
    const std::string &text = given == texts.end() ? parameter.default_text : given->second;
    Value value;
    switch (parameter.type) {
    case ParameterType::boolean:
      if (text != "true" && text != "false")
        fail(parameter, "'" + text + "' is not true or false");
      value.integer = text == "true";
      break;
    case ParameterType::integer32:
    case ParameterType::integer64:
      value.integer = parse_integer(parameter, text);
      break;
    case ParameterType::real32:
    case ParameterType::real64:
      value.real = parse_real(parameter, text);
      break;
    case ParameterType::vertex:
      // `none` only as the default of the program: a given vertex must exist.
      if (given != texts.end() || text != "none")
        value.vertex = parse_vertex(parameter, text, ids);
      break;
    case ParameterType::vertex_set:
      value.all = text == "all";
      if (!value.all)
        value.set = parse_set(parameter, text, ids);
      break;
    }
    values_[parameter.name] = std::move(value);
  }
}

const Arguments::Value &Arguments::find(const char *name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw Error(ErrorKind::runtime, std::string("the program has no parameter '") + name + "'");
  return found->second;
}

} // namespace gc
