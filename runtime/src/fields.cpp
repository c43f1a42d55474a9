#include "runtime/tool_support/fields.h"

#include "scan.h"
#include "text.h"

#include <gcompile/core/error.h>

#include <algorithm>

namespace gc::detail {

std::string Field::value() const {
  std::string result;
  for (std::size_t i = 0; i < text.size(); i += doubled && text[i] == '"' ? 2 : 1)
    result += text[i];
  return result;
}

Field cut_quoted_field(const char *&p, const char *end) {
  const char *const open = p;
  Field field;
  field.quoted = true;
  for (++p; p < end && *p != '\n'; ++p) {
    if (*p != '"')
      continue;
    if (p + 1 == end || p[1] != '"') {
      field.text = {open + 1, static_cast<std::size_t>(p - open - 1)};
      ++p;
      return field;
    }
    field.doubled = true;
    ++p;
  }
  throw ParseError{open, "a quoted field does not end on its line"};
}

FieldCutter::FieldCutter(const char *p, const char *end, char separator)
    : p_(skip_blanks(p, end)), end_(end), separator_(separator), more_(p_ < end) {}

bool FieldCutter::next(Field &field) {
  if (!more_)
    return false;
  if (p_ < end_ && *p_ == '"')
    cut_quoted(field);
  else
    cut_plain(field);
  skip_separator();
  return true;
}

void FieldCutter::cut_quoted(Field &field) {
  field = cut_quoted_field(p_, end_);
  const char *const rest = skip_blanks(p_, end_);
  const bool separated = separator_ == ',' || separator_ == ';' ? rest < end_ && *rest == separator_ : rest > p_;
  if (rest < end_ && !separated)
    throw ParseError{p_, "expected the end of the field after its closing quote, found " + quoted_field(rest, end_)};
}

void FieldCutter::cut_plain(Field &field) {
  const char *const begin = p_;
  while (p_ < end_ && !(separator_ ? *p_ == separator_ : is_blank(*p_)))
    ++p_;
  const char *stop = p_;
  while (stop > begin && is_blank(stop[-1]))
    --stop;
  field = Field{{begin, static_cast<std::size_t>(stop - begin)}};
}

void FieldCutter::skip_separator() {
  p_ = skip_blanks(p_, end_);
  more_ = p_ < end_;
  if (more_ && *p_ == separator_)
    p_ = skip_blanks(p_ + 1, end_);
}

void append_field(std::string_view id, bool begins_edge, std::string &out) {
  if (id.find_first_of("\r\n") != std::string_view::npos)
    throw Error(ErrorKind::input, "the id '" + std::string(id.substr(0, id.find_first_of("\r\n"))) +
                                      "...' has a line break, which a line of text cannot hold");
  const bool comment = begins_edge && !id.empty() && (id[0] == '#' || id[0] == '%' || id.substr(0, 2) == "//");
  if (!id.empty() && !comment && id.find_first_of(" \t,;\"") == std::string_view::npos) {
    out += id;
    return;
  }
  out += '"';
  for (const char c : id)
    out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

void refuse_bare_returns(const char *p, const char *end) {
  while (const void *found = p < end ? std::memchr(p, '\r', static_cast<std::size_t>(end - p)) : nullptr) {
    const char *const at = static_cast<const char *>(found);
    for (p = at; p < end && *p == '\r';)
      ++p;
    if (p < end && *p != '\n')
      throw ParseError{at, "a carriage return (CR) stands without a line feed (LF); lines end with LF or CR LF"};
  }
}

void check_first_line(const InputFile &file) {
  if (file.text.size() == 0)
    return;
  try {
    const char *const end = file.text.end();
    refuse_bare_returns(file.text.begin(), std::min(end, line_end(file.text.begin(), end) + 1));
  } catch (const ParseError &error) {
    fail_at(file, error.at, error.reason);
  }
}

} // namespace gc::detail
