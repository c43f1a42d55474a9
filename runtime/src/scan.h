// Scanning of numbers in text, strictly.
#ifndef GCOMPILE_SRC_SCAN_H
#define GCOMPILE_SRC_SCAN_H

#include <gcompile/program/load.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace gc::detail {

/// A problem at a place in a text; whoever holds the text turns it into an Error with a line number.
struct ParseError {
  const char *at;
  std::string reason;
};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_separator(char c) { return is_blank(c) || c == ',' || c == ';'; }

inline const char *skip_blanks(const char *p, const char *end) {
  while (p < end && is_blank(*p))
    ++p;
  return p;
}

/// Skips blanks and at most one comma or semicolon.
inline const char *skip_separator(const char *p, const char *end) {
  p = skip_blanks(p, end);
  if (p < end && (*p == ',' || *p == ';'))
    p = skip_blanks(p + 1, end);
  return p;
}

/// The end of the line that holds p: its '\n', or `end`.
inline const char *line_end(const char *p, const char *end) {
  const void *found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
  return found ? static_cast<const char *>(found) : end;
}

/// The field that starts at p, quoted for a message; "the end of the line" if there is none.
std::string quoted_field(const char *p, const char *end);

[[noreturn]] void fail_number(const char *p, const char *end, const char *what);

/// Reads a decimal integer at p, which a separator or the end of the line must follow, and moves p behind it. Throws
/// ParseError "expected WHAT, found '...'" or "... does not fit 64 bits".
inline std::int64_t scan_integer(const char *&p, const char *end, const char *what) {
  const char *q = p;
  const bool negative = q < end && *q == '-';
  q += negative;
  const char *first = q;
  std::uint64_t value = 0;
  while (q < end && is_digit(*q))
    value = value * 10 + static_cast<std::uint64_t>(*q++ - '0');
  const auto digits = q - first;
  if (digits == 0 || digits > 18 || (q < end && *q != '\n' && !is_separator(*q))) {
    // A long number may still fit: leading zeros, or 19 digits.
    if (digits <= 18 || (q < end && *q != '\n' && !is_separator(*q)))
      fail_number(p, end, what);
    value = 0;
    for (const char *d = first; d < q; ++d) {
      const std::uint64_t limit = std::uint64_t(INT64_MAX) + negative, digit = static_cast<std::uint64_t>(*d - '0');
      if (value > (limit - digit) / 10)
        throw ParseError{p, std::string(what) + " " + std::string(p, q) + " does not fit 64 bits"};
      value = value * 10 + digit;
    }
  }
  p = q;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

/// Reads a real number, also "inf" and "nan".
double scan_real(const char *&p, const char *end, const char *what);

/// A value of an edge column: the bits of an std::int64_t or, for float and double, of a double.
std::uint64_t scan_value(const char *&p, const char *end, const ColumnInfo &column);

inline std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double real_of(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline bool is_real(ColumnType type) { return type == ColumnType::float32 || type == ColumnType::float64; }
/// Checks that a value fits the column's type; `what` says where it comes from.
std::uint64_t checked_value(std::int64_t value, const ColumnInfo &column, const char *at);

/// "int", "long", "float", "double".
const char *type_name(ColumnType type);
/// A number as shortest text that reads back the same.
std::string number_text(double value);
/// The value of a column as text.
std::string value_text(std::uint64_t bits, ColumnType type);

/// The whole of `text` as an integer or real number, or nothing.
std::optional<std::int64_t> whole_integer(std::string_view text);
std::optional<double> whole_real(std::string_view text);

} // namespace gc::detail

#endif
