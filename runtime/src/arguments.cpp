// The typed values of an algorithm's parameters.
#include "scan.h"
#include "text.h"

#include <gcompile/program.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gc {

using namespace detail;

namespace {

[[noreturn]] void fail_parameter(const std::string &name, const std::string &reason) {
  throw Error(ErrorKind::argument, "--" + name + ": " + reason);
}

std::int64_t parse_integer(const std::string &name, const std::string &text, bool narrow) {
  const std::int64_t low = narrow ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
  const std::int64_t high =
      narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
  if (text == "inf")
    return high;
  const std::optional<std::int64_t> value = whole_integer(text);
  if (!value) {
    const bool digits = text.find_first_not_of("0123456789", text.find_first_of("+-") == 0) == std::string::npos;
    if (digits && text.size() > 18)
      fail_parameter(name, text + " does not fit " + (narrow ? "an int" : "a long") + " (overflow)");
    fail_parameter(name, "expected an integer, found '" + text + "'");
  }
  if (*value < low || *value > high)
    fail_parameter(name, text + " does not fit an int (overflow)");
  return *value;
}

double parse_real(const std::string &name, const std::string &text, bool narrow) {
  const std::optional<double> value = whole_real(text);
  if (!value)
    fail_parameter(name, "expected a number, found '" + text + "'");
  if (narrow && std::isfinite(*value) && std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max()))
    fail_parameter(name, text + " does not fit a float (overflow)");
  return *value;
}

bool parse_boolean(const std::string &name, const std::string &text) {
  if (text == "true" || text == "yes" || text == "1")
    return true;
  if (text == "false" || text == "no" || text == "0")
    return false;
  fail_parameter(name, "expected true or false, found '" + text + "'");
}

std::uint64_t parse_vertex(const std::string &name, const std::string &text, const VertexIds &ids) {
  const std::optional<std::uint64_t> v = ids.find(std::string_view(text));
  if (v)
    return *v;
  std::string reason = "the graph has no vertex '" + text + "'";
  if (ids.kind() == VertexIds::Kind::range && ids.size() > 0)
    reason += "; its vertices are " + ids.name(0) + " to " + ids.name(ids.size() - 1);
  fail_parameter(name, reason);
}

std::vector<std::uint64_t> parse_vertices(const std::string &name, const std::string &text, const VertexIds &ids) {
  std::vector<std::uint64_t> set;
  if (text.size() > 1 && text[0] == '@') {
    MemoryBudget budget(0);
    const InputFile file = open_input(text.substr(1), budget);
    for (const char *p = file.text.begin(); p < file.text.end();) {
      const char *end = line_end(p, file.text.end());
      const char *begin = skip_blanks(p, end), *stop = end;
      while (stop > begin && is_blank(stop[-1]))
        --stop;
      if (begin < stop && *begin != '#') {
        const std::string_view vertex(begin, static_cast<std::size_t>(stop - begin));
        const std::optional<std::uint64_t> v = ids.find(vertex);
        if (!v)
          fail_at(file, begin, "the graph has no vertex '" + std::string(vertex) + "'");
        set.push_back(*v);
      }
      p = end < file.text.end() ? end + 1 : end;
    }
  } else if (!text.empty() && text != "none") {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      set.push_back(parse_vertex(name, text.substr(begin, end - begin), ids));
      begin = end + 1;
    }
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
      throw Error(ErrorKind::argument, "the parameter --" + parameter.name + " is missing");
    const std::string &text = given == texts.end() ? parameter.default_text : given->second;
    Value &value = values_[parameter.name];
    switch (parameter.type) {
    case ParameterType::boolean:
      value.integer = parse_boolean(parameter.name, text);
      break;
    case ParameterType::integer32:
    case ParameterType::integer64:
      value.integer = parse_integer(parameter.name, text, parameter.type == ParameterType::integer32);
      break;
    case ParameterType::real32:
    case ParameterType::real64:
      value.real = parse_real(parameter.name, text, parameter.type == ParameterType::real32);
      break;
    case ParameterType::vertex:
      value.vertex = text == "none" ? none<std::uint64_t>() : parse_vertex(parameter.name, text, ids);
      break;
    case ParameterType::vertex_set:
      value.all = text == "all";
      if (!value.all)
        value.set = parse_vertices(parameter.name, text, ids);
      break;
    }
  }
}

const Arguments::Value &Arguments::find(const char *name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw Error(ErrorKind::argument, std::string("the parameter --") + name + " is missing");
  return found->second;
}

} // namespace gc
