// The table of directives, from Directives.td: what a schedule may say. It knows neither programs nor MLIR.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gcompile::schedule {

/// What a directive speaks of; see Directives.td.
enum class Subject {
#define SUBJECT(name, missing) name,
#include "ir/schedule/subjects.inc"
#undef SUBJECT
};
/// What a program lacks that has no such subject: "edge statement".
std::string_view missingWords(Subject subject);

/// A section of a schedule.
struct Section {
  std::string_view name;
  std::string_view holds; // what its directives are called in errors: "schedule", "layout"
};

/// Sections in which a thing is known but cannot run yet, and how errors call it there.
struct Absence {
  std::vector<std::string_view> sections;
  std::string_view as;
};

/// What an option takes.
struct Number {
  std::string_view words; // "a positive number"
  bool whole, powerOfTwo;
  double least, greatest;

  using Value = std::variant<std::int64_t, double>; // the first if `whole`
  /// The number that a program's text means; nothing if it is none, or out of the range.
  std::optional<Value> parse(std::string_view text) const;
  bool allows(Value value) const;
};

struct Option {
  std::string_view name, means;
  Number number;
  std::string_view fallback; // empty: the compiler chooses
  Absence absent;
};

struct Value {
  std::string_view name, means;
  Subject subject;
  std::vector<std::string_view> sections;
  Absence absent;
  std::vector<Option> options;

  const Option *option(std::string_view name) const; // or null
};

struct Directive {
  std::string_view name, means;
  Subject subject;
  std::vector<std::string_view> sections;
  Absence absent;
  bool by;                                             // `vertices by degree`
  std::vector<Value> values;                           // one without a name: it stands alone
  std::vector<std::vector<std::string_view>> together; // values that `+` may join
  std::string_view decision, would, is;                // see Directives.td

  /// Whether no word follows it.
  bool standsAlone() const { return values.front().name.empty(); }
  /// Of a value that the section has; otherwise null.
  const Value *value(std::string_view name, std::string_view section) const;
  /// What may follow it in a section, as errors say it: "push, pull or hybrid".
  std::string choices(std::string_view section) const;
};

/// All sections that a schedule may have: those of the targets, and `layout`. Directives.td lists them.
const std::vector<Section> &sections();
const Section *section(std::string_view name); // or null

/// All directives, in the order of Directives.td.
const std::vector<Directive> &directives();
/// The index of a directive in that list.
std::optional<unsigned> find(std::string_view name);

/// "a, b or c".
std::string listed(const std::vector<std::string> &words, std::string_view last);

/// Whether a list of words has `word`.
template <typename Words> bool contains(const Words &words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

} // namespace gcompile::schedule
