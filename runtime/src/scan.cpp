#include "scan.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace gc::detail {

std::string quoted_field(const char *p, const char *end) {
  const char *q = p;
  while (q < end && *q != '\n' && !is_separator(*q))
    ++q;
  if (q == p)
    return p < end && (*p == ',' || *p == ';') ? "'" + std::string(1, *p) + "'" : "the end of the line";
  std::string field;
  for (const char *c = p; c < q && c < p + 40; ++c)
    field += *c >= ' ' && *c < 127 ? *c : '?';
  return "'" + field + (q - p > 40 ? "...'" : "'");
}

void fail_number(const char *p, const char *end, const char *what) {
  throw ParseError{p, std::string("expected ") + what + ", found " + quoted_field(p, end)};
}

double scan_real(const char *&p, const char *end, const char *what) {
  const char *q = p + (p < end && *p == '+');
  double value = 0;
  const std::from_chars_result result = std::from_chars(q, end, value);
  if (result.ec == std::errc::invalid_argument ||
      (result.ptr < end && *result.ptr != '\n' && !is_separator(*result.ptr)))
    fail_number(p, end, what);
  if (result.ec == std::errc::result_out_of_range) {
    // Too small is zero, too large is an error: the decimal exponent tells which.
    const std::string text(q, result.ptr);
    value = std::strtod(text.c_str(), nullptr);
    if (std::isinf(value))
      throw ParseError{p, std::string(what) + " " + text + " does not fit a double"};
  }
  p = result.ptr;
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; // one of them, without a sign
}

const char *type_name(ColumnType type) {
  switch (type) {
  case ColumnType::int32:
    return "int";
  case ColumnType::int64:
    return "long";
  case ColumnType::float32:
    return "float";
  case ColumnType::float64:
    break;
  }
  return "double";
}

std::uint64_t checked_value(std::int64_t value, const ColumnInfo &column, const char *at) {
  if (is_real(column.type))
    return bits_of(static_cast<double>(value));
  if (column.type == ColumnType::int32 &&
      (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()))
    throw ParseError{at, column.name + " " + std::to_string(value) + " does not fit an int (overflow)"};
  return static_cast<std::uint64_t>(value);
}

std::uint64_t scan_value(const char *&p, const char *end, const ColumnInfo &column) {
  const char *what = column.name.c_str();
  if (is_real(column.type)) {
    const char *start = p;
    const double value = scan_real(p, end, what);
    if (column.type == ColumnType::float32 && std::isfinite(value) &&
        std::abs(value) > static_cast<double>(std::numeric_limits<float>::max()))
      throw ParseError{start, column.name + " " + std::string(start, p) + " does not fit a float (overflow)"};
    return bits_of(value);
  }
  // A real value in an integer column gets a message of its own.
  const char *q = p + (p < end && (*p == '-' || *p == '+'));
  while (q < end && is_digit(*q))
    ++q;
  if (q < end && (*q == '.' || *q == 'e' || *q == 'E')) {
    const char *start = p;
    scan_real(p, end, what);
    throw ParseError{start, "real value " + std::string(start, p) + " where the program wants " + column.name +
                                " to be " + (column.type == ColumnType::int32 ? "an int" : "a long")};
  }
  const char *start = p;
  if (p < end && *p == '+')
    ++p;
  return checked_value(scan_integer(p, end, what), column, start);
}

std::string number_text(double value) {
  char text[64];
  return std::isnan(value) ? "nan" : std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string value_text(std::uint64_t bits, ColumnType type) {
  return is_real(type) ? number_text(real_of(bits)) : std::to_string(static_cast<std::int64_t>(bits));
}

std::optional<std::int64_t> whole_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+' && text.size() > 1 && is_digit(text[1]))
    text.remove_prefix(1);
  std::int64_t value;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<double> whole_real(std::string_view text) {
  if (!text.empty() && text.front() == '+')
    text.remove_prefix(1);
  double value;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || std::isnan(value))
    return std::nullopt;
  return value;
}

} // namespace gc::detail
