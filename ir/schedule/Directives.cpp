#include "ir/schedule/Directives.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace gcompile::schedule {

std::string_view missingWords(Subject subject) {
  static constexpr std::string_view words[] = {
#define SUBJECT(name, missing) missing,
#include "ir/schedule/subjects.inc"
#undef SUBJECT
  };
  return words[static_cast<std::size_t>(subject)];
}

/// The whole of `text` as a number.
template <typename T> static std::optional<T> numberIn(std::string_view text) {
  T result{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<T>(result) : std::nullopt;
}

bool Number::allows(Value value) const {
  if (std::holds_alternative<std::int64_t>(value) != whole)
    return false;
  double number = whole ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
  if (!(number >= least && number <= greatest))
    return false;
  std::int64_t bits = powerOfTwo ? std::get<std::int64_t>(value) : 0;
  return (bits & (bits - 1)) == 0;
}

std::optional<Number::Value> Number::parse(std::string_view text) const {
  std::optional<Value> result;
  if (whole) {
    if (auto number = numberIn<std::int64_t>(text))
      result = *number;
  } else if (auto number = numberIn<double>(text)) {
    result = *number;
  }
  return result && allows(*result) ? result : std::nullopt;
}

/// The first of `things` with that name, or null.
template <typename T> static const T *named(const std::vector<T> &things, std::string_view name) {
  auto found = std::find_if(things.begin(), things.end(), [&](const T &thing) { return thing.name == name; });
  return found == things.end() ? nullptr : &*found;
}

const Option *Value::option(std::string_view name) const { return named(options, name); }

const Value *Directive::value(std::string_view name, std::string_view section) const {
  const Value *found = named(values, name);
  return found && contains(found->sections, section) ? found : nullptr;
}

std::string Directive::choices(std::string_view section) const {
  std::vector<std::string> words;
  for (const Value &value : values)
    if (contains(value.sections, section))
      words.push_back((by ? "by " : "") + std::string(value.name));
  for (const std::vector<std::string_view> &joined : together) {
    words.emplace_back();
    for (std::string_view word : joined)
      words.back().append(words.back().empty() ? "" : " + ").append(word);
  }
  return listed(words, "or");
}

const std::vector<Section> &sections() {
  static const std::vector<Section> all = {
#include "ir/schedule/sections.inc"
  };
  return all;
}

const Section *section(std::string_view name) { return named(sections(), name); }

const std::vector<Directive> &directives() {
  static const std::vector<Directive> table = {
#include "ir/schedule/rows.inc"
  };
  return table;
}

std::optional<unsigned> find(std::string_view name) {
  const Directive *found = named(directives(), name);
  return found ? std::optional<unsigned>(found - directives().data()) : std::nullopt;
}

std::string listed(const std::vector<std::string> &words, std::string_view last) {
  std::string result;
  for (const std::string &word : words) {
    if (!result.empty())
      result += &word == &words.back() ? " " + std::string(last) + " " : ", ";
    result += word;
  }
  return result;
}

} // namespace gcompile::schedule
