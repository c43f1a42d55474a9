// Fields of a line, with quotes as in RFC 4180: `"New York","say ""no"""`. Read by readers, and written by writers.
#ifndef GCOMPILE_TOOL_SUPPORT_FIELDS_H
#define GCOMPILE_TOOL_SUPPORT_FIELDS_H

#include <string>
#include <string_view>

namespace gc::detail {

struct Field {
  std::string_view text; ///< what stands between the quotes, or without the blanks around it
  bool quoted = false;
  bool doubled = false; ///< the text has quotes, each twice

  /// What the field says.
  std::string value() const;
};

/// Cuts a line without its end into fields.
class FieldCutter {
public:
  /// The separator is a comma, a semicolon, a tab, or (0) any blanks. Several tabs or blanks count as one.
  FieldCutter(const char *p, const char *end, char separator);

  /// The next field, if there is one; after the last comma comes an empty one. Throws ParseError if a quote does not
  /// end on the line, or not at the end of its field.
  bool next(Field &field);

private:
  void cut_quoted(Field &field);
  void cut_plain(Field &field);
  void skip_separator();

  const char *p_, *end_;
  char separator_;
  bool more_;
};

/// Cuts the quoted field off that starts at p, and moves p behind it. Throws ParseError if it does not end on the line.
Field cut_quoted_field(const char *&p, const char *end);

/// Appends an id as a field that readers of text ids read back: in quotes if it has blanks, separators or quotes, or
/// begins an edge's line as a comment does. Throws Error if it has a line break.
void append_field(std::string_view id, bool begins_edge, std::string &out);

/// Throws ParseError for a carriage return that no line feed follows: the lines of [p, end) would be one.
void refuse_bare_returns(const char *p, const char *end);

} // namespace gc::detail

#endif
