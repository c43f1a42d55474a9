#include "runtime/tool_support/command_line.h"
#include "vertex_file.h"

#include <gcompile/program.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace gc {

/// The words of a file between white space. One that begins with a quote ends with the next, and "" in it is a quote.
static std::vector<std::string> words_of_file(const std::string &path, const std::string &option) {
  std::ifstream file(path);
  std::vector<std::string> words;
  std::string word;
  while (file >> std::ws && file.peek() != std::ifstream::traits_type::eof()) {
    if (file.peek() != '"') {
      file >> word;
    } else {
      word.clear();
      do {
        std::string part;
        file.get();
        if (!std::getline(file, part, '"') || file.eof())
          throw Error(ErrorKind::input, path + ": a quoted word has no end");
        word += part;
        if (file.peek() == '"')
          word += '"';
      } while (file.peek() == '"');
    }
    words.push_back(word);
  }
  if (!file.is_open() || file.bad()) // a folder can be opened, not read
    throw Error(ErrorKind::argument, option + ": cannot read '" + path + "'");
  return words;
}

std::vector<std::string> detail::listed_words(const std::string &option, const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  if (text[0] == '@') {
    const std::string path = text.substr(1);
    if (path.empty())
      throw Error(ErrorKind::argument, option + ": the name of a file is missing after '@'");
    words = words_of_file(path, option);
  } else {
    std::istringstream list(text);
    while (std::getline(list, word, ','))
      words.push_back(word);
    if (!text.empty() && text.back() == ',')
      words.emplace_back();
  }
  return words;
}

namespace {

[[noreturn]] void fail(const ParameterInfo &parameter, const std::string &reason) {
  throw Error(ErrorKind::argument, "--" + parameter.name + ": " + reason);
}

std::int64_t parse_integer(const ParameterInfo &parameter, const std::string &text) {
  const bool narrow = parameter.type == ParameterType::integer32;
  const std::int64_t low = narrow ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
  const std::int64_t high =
      narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
  if (text == "inf" || text == "-inf")
    return text == "inf" ? high : low;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range || (error == std::errc() && (number < low || number > high)))
    fail(parameter, "'" + text + "' does not fit " + (narrow ? "an int" : "a long"));
  if (error != std::errc() || end != text.data() + text.size())
    fail(parameter, "'" + text + "' is not a whole number");
  return number;
}

double parse_real(const ParameterInfo &parameter, const std::string &text) {
  if (text == "inf" || text == "-inf")
    return text == "inf" ? inf<double>() : -inf<double>();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range)
    fail(parameter, "'" + text + "' is out of range");
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    fail(parameter, "'" + text + "' is not a number");
  if (parameter.type == ParameterType::real32 && std::abs(number) > std::numeric_limits<float>::max())
    fail(parameter, "'" + text + "' does not fit a float");
  return number;
}

std::uint64_t parse_vertex(const ParameterInfo &parameter, const std::string &text, const VertexIds &ids) {
  if (const std::optional<std::uint64_t> vertex = ids.find(std::string_view(text)))
    return *vertex;
  if (ids.size() == 0)
    fail(parameter, "the graph has no vertices");
  fail(parameter, "the graph has no vertex '" + text + "'");
}

std::shared_ptr<const std::vector<std::uint64_t>> parse_set(const ParameterInfo &parameter, const std::string &text,
                                                            const VertexIds &ids) {
  std::vector<std::uint64_t> set;
  for (const std::string &word : detail::listed_words("--" + parameter.name, text))
    set.push_back(parse_vertex(parameter, word, ids));
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return std::make_shared<const std::vector<std::uint64_t>>(std::move(set));
}

/// The parameter as one that is given by itself.
ParameterInfo alone(ParameterInfo parameter) {
  parameter.column = 0;
  parameter.columns = 1;
  return parameter;
}

/// The parameter's own value in the text "1,2" of several.
std::string part_of(const ParameterInfo &parameter, const std::string &text) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream list(text);
  while (std::getline(list, part, ','))
    parts.push_back(part);
  if (parts.size() != parameter.columns || text.back() == ',')
    throw Error(ErrorKind::argument, "--" + parameter.joint + ": '" + text + "' is not " +
                                         std::to_string(parameter.columns) + " values with commas between them");
  return parts[parameter.column];
}

/// The rule that a default value of a parameter `T[g]` states, or `constant`.
VertexRule rule_of(const std::string &text) {
  static const std::map<std::string, VertexRule> rules = {{"self", VertexRule::self},
                                                          {"v.degree", VertexRule::degree},
                                                          {"v.out_degree", VertexRule::out_degree},
                                                          {"v.in_degree", VertexRule::in_degree}};
  const auto found = rules.find(text);
  return found == rules.end() ? VertexRule::constant : found->second;
}

} // namespace

template <class V>
void Arguments::read_file(const ParameterInfo &parameter, const std::string &path, const LoadedGraph &graph) {
  Value &value = values_[parameter.name];
  const auto read = [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    std::optional<VertexValues<T>> others;
    if (!parameter.required)
      others = vertex_values<T>(parameter.name.c_str());
    value.listed =
        std::make_shared<const Property<T>>(detail::read_vertex_values<V, T>(parameter, path, graph, others));
  };
  switch (parameter.type) {
  case ParameterType::boolean:
    return read(static_cast<std::uint8_t *>(nullptr));
  case ParameterType::integer32:
    return read(static_cast<std::int32_t *>(nullptr));
  case ParameterType::integer64:
    return read(static_cast<std::int64_t *>(nullptr));
  case ParameterType::real32:
    return read(static_cast<float *>(nullptr));
  case ParameterType::real64:
    return read(static_cast<double *>(nullptr));
  case ParameterType::vertex:
  case ParameterType::vertex_set:
    return read(static_cast<V *>(nullptr));
  }
}

Arguments::Arguments(const std::vector<ParameterInfo> &parameters, const std::map<std::string, std::string> &texts,
                     const LoadedGraph &graph)
    : num_vertices_(graph.num_vertices()) {
  for (const ParameterInfo &parameter : parameters) {
    const auto given = texts.find(parameter.name);
    const auto joint = parameter.joint.empty() ? texts.end() : texts.find(parameter.joint);
    if (given != texts.end() || joint == texts.end()) {
      set(alone(parameter), given == texts.end() ? nullptr : &given->second, graph);
      continue;
    }
    const bool listed = parameter.per_vertex && joint->second[0] == '@';
    const std::string text = listed ? joint->second : part_of(parameter, joint->second);
    set(listed ? parameter : alone(parameter), &text, graph);
  }
}

Arguments Arguments::with(const ParameterInfo &parameter, const std::string &text, const LoadedGraph &graph) const {
  Arguments others = *this;
  others.set(alone(parameter), &text, graph);
  return others;
}

void Arguments::set(const ParameterInfo &parameter, const std::string *given, const LoadedGraph &graph) {
  const VertexIds &ids = graph.ids();
  if (!given && parameter.required)
    throw Error(ErrorKind::argument, detail::missing(parameter));
  if (given && *given == "@" && parameter.per_vertex)
    fail(parameter, "the name of a file is missing after '@'");
  const bool listed = parameter.per_vertex && given && (*given)[0] == '@';
  const std::string &text = !given || listed ? parameter.default_text : *given;
  Value &value = values_[parameter.name] = Value();
  // What the rest of a default value is of, such as edges into vertices, was loaded for it alone.
  const bool own = !given || listed;
  if (parameter.per_vertex && (own || (text == "self" && parameter.type == ParameterType::vertex)))
    value.rule = rule_of(text);
  if (!own && parameter.per_vertex && parameter.type == ParameterType::vertex && text == "none" &&
      detail::has_vertex_none(ids))
    fail(parameter, "a vertex of the graph is called 'none', which stands for no vertex");
  if (value.rule == VertexRule::constant && !(listed && parameter.required))
    parse(parameter, text, own || parameter.per_vertex, ids, value);
  if (listed && graph.vertex_bits() == 32)
    read_file<std::uint32_t>(parameter, given->substr(1), graph);
  else if (listed)
    read_file<std::uint64_t>(parameter, given->substr(1), graph);
}

void Arguments::parse(const ParameterInfo &parameter, const std::string &text, bool none_allowed, const VertexIds &ids,
                      Value &value) {
  switch (parameter.type) {
  case ParameterType::boolean:
    if (text != "true" && text != "false")
      fail(parameter, "'" + text + "' is not true or false");
    value.integer = text == "true";
    break;
  case ParameterType::integer32:
  case ParameterType::integer64:
    value.integer = parse_integer(parameter, text);
    if (parameter.nonnegative && value.integer < 0)
      fail(parameter, text + " is negative, which the program does not allow");
    break;
  case ParameterType::real32:
  case ParameterType::real64:
    value.real = parse_real(parameter, text);
    if (parameter.nonnegative && value.real < 0)
      fail(parameter, text + " is negative, which the program does not allow");
    break;
  case ParameterType::vertex:
    if (!none_allowed || text != "none")
      value.vertex = parse_vertex(parameter, text, ids);
    break;
  case ParameterType::vertex_set:
    value.all = text == "all";
    if (!value.all)
      value.set = parse_set(parameter, text, ids);
    break;
  }
}

Arguments::Arguments() = default;
Arguments::Arguments(const Arguments &) = default;
Arguments::Arguments(Arguments &&) noexcept = default;
Arguments &Arguments::operator=(const Arguments &) = default;
Arguments &Arguments::operator=(Arguments &&) noexcept = default;
Arguments::~Arguments() = default;

void Arguments::give_integer(const std::string &name, std::int64_t value) { fresh(name).integer = value; }
void Arguments::give_real(const std::string &name, double value) { fresh(name).real = value; }
void Arguments::give_vertex(const std::string &name, std::uint64_t value) { fresh(name).vertex = value; }
void Arguments::give_vertices(const std::string &name, std::vector<std::uint64_t> vertices) {
  fresh(name).set = std::make_shared<const std::vector<std::uint64_t>>(std::move(vertices));
}
void Arguments::take(const std::string &name, const Arguments &others) { values_[name] = others.find(name.c_str()); }

template <class V> std::vector<V> Arguments::vertex_set(const char *name) const {
  const Value &value = find(name);
  std::vector<V> set;
  set.reserve(value.all ? num_vertices_ : value.set->size());
  if (value.all)
    for (std::uint64_t v = 0; v < num_vertices_; ++v)
      set.push_back(static_cast<V>(v));
  else
    for (std::uint64_t v : *value.set)
      set.push_back(static_cast<V>(v));
  return set;
}
template std::vector<std::uint32_t> Arguments::vertex_set(const char *name) const;
template std::vector<std::uint64_t> Arguments::vertex_set(const char *name) const;

Arguments::Value &Arguments::fresh(const std::string &name) { return values_[name] = Value(); }

const Arguments::Value &Arguments::find(const char *name) const {
  const auto found = values_.find(name);
  if (found == values_.end())
    throw Error(ErrorKind::runtime, std::string("the program has no parameter '") + name + "'");
  return found->second;
}

} // namespace gc
