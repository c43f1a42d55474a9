// The kinds of diagnostics, which every stage of the compiler reports from. The rows are in Registry.def.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>

namespace gcompile {

enum class Severity { Note, Warning, Error };

namespace diag {

/// Number of `{}` arguments that a message takes.
constexpr unsigned countArguments(std::string_view message) {
  unsigned automatic = 0, highest = 0;
  for (std::size_t i = 0; i + 1 < message.size(); ++i) {
    if (message[i] != '{')
      continue;
    if (message[i + 1] == '}')
      ++automatic;
    else if (message[i + 1] >= '0' && message[i + 1] <= '9' && highest < unsigned(message[i + 1] - '0') + 1)
      highest = unsigned(message[i + 1] - '0') + 1;
  }
  return automatic > highest ? automatic : highest;
}

enum Index : unsigned {
#define DIAG(id, code, severity, message) id##_index,
#include "diagnostics/Registry.def"
  count
};

/// One kind of diagnostic; `Arguments` is how many values its message takes.
template <unsigned Arguments> struct Kind { unsigned index; };

#define DIAG(id, code, severity, message) inline constexpr Kind<countArguments(message)> id{id##_index};
#include "diagnostics/Registry.def"

/// A row of the registry.
struct Info {
  const char *name; // the identifier with `-` for `_`: what -Wno- takes
  const char *code; // E0201
  Severity severity;
  const char *message; // a fmt format
};

/// The row of a kind; `index` is less than diag::count.
const Info &info(unsigned index);

/// The index of the row with that code, such as "E0401", or diag::count.
unsigned find(std::string_view code);

/// The beginning of a long text of the program, and "...".
std::string shortened(std::string_view text);

/// What a message shows of an argument: of one long word, its beginning.
template <typename T> auto shown(const T &argument) {
  if constexpr (std::is_convertible_v<const T &, std::string_view>) {
    std::string_view text = argument;
    return text.find(' ') == text.npos ? shortened(text) : std::string(text);
  } else {
    return argument;
  }
}

/// The message of a kind with its arguments.
template <unsigned N, typename... Args> std::string format(Kind<N> kind, const Args &...args) {
  static_assert(sizeof...(Args) == N, "this diagnostic takes another number of arguments");
  return fmt::format(fmt::runtime(info(kind.index).message), shown(args)...);
}

} // namespace diag

} // namespace gcompile
