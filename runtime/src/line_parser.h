// The parser of lines "u v [values]" of one piece of a text.
#ifndef GCOMPILE_SRC_LINE_PARSER_H
#define GCOMPILE_SRC_LINE_PARSER_H

#include "edges.h"
#include "runtime/tool_support/fields.h"
#include "scan.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gcompile/omp/threads/threads.h>

namespace gc::detail {

class LineParser {
public:
  LineParser(const LineSyntax &syntax, const ReadContext &context) : syntax_(syntax), context_(context) {
    in_order_ = true;
    for (std::size_t k = 0; k < syntax.fields.size(); ++k)
      in_order_ &= syntax.fields[k] == static_cast<int>(k);
    width_ = 0;
    for (int field : syntax.fields)
      width_ = std::max(width_, field + 1);
  }

  void parse(const char *p, const char *end, EdgeChunk &out) const {
    out.ends.reserve(static_cast<std::size_t>(end - p) / 6 + 16);
    while (p < end) {
      p = skip_blanks(p, end);
      if (p == end)
        break;
      if (*p == '\n') {
        ++p;
        continue;
      }
      if (is_comment(p, end)) {
        p = line_end(p, end);
        continue;
      }
      p = parse_line(p, end, out);
    }
  }

private:
  bool is_comment(const char *p, const char *end) const {
    if (syntax_.comments && (*p == '#' || *p == '%' || (*p == '/' && p + 1 < end && p[1] == '/')))
      return true;
    return syntax_.comment_letter && *p == syntax_.comment_letter;
  }

  const char *parse_line(const char *p, const char *end, EdgeChunk &out) const {
    const char *line = p;
    if (syntax_.prefix) {
      if (*p != syntax_.prefix || p + 1 == end || !is_blank(p[1]))
        throw ParseError{p, std::string("expected a line that starts with '") + syntax_.prefix + "', found " +
                                quoted_field(p, end)};
      p = skip_blanks(p + 1, end);
    }
    const std::int64_t u = scan_integer(p, end, "a vertex id");
    p = skip_separator(p, end);
    const std::int64_t v = scan_integer(p, end, "a vertex id");
    if (syntax_.bounded) {
      check_bounds(u, line);
      check_bounds(v, line);
    }
    out.ends.push_back(static_cast<std::uint64_t>(u - syntax_.first_id));
    out.ends.push_back(static_cast<std::uint64_t>(v - syntax_.first_id));
    if (syntax_.exact_values >= 0)
      check_width(p, end);
    if (width_ > 0)
      p = parse_values(p, end, u, v, out);
    return line_end(p, end);
  }

  void check_bounds(std::int64_t id, const char *line) const {
    if (id < syntax_.first_id || id > syntax_.last_id)
      throw ParseError{line, "vertex id " + std::to_string(id) + " is out of range: the file declares " +
                                 std::to_string(syntax_.first_id) + " to " + std::to_string(syntax_.last_id)};
  }

  /// Checks that exactly the declared number of values follows.
  void check_width(const char *p, const char *end) const {
    for (int value = 0;; ++value) {
      p = skip_separator(p, end);
      const bool at_end = p == end || *p == '\n';
      if (at_end && value == syntax_.exact_values)
        return;
      if (at_end)
        throw ParseError{p, "expected " + std::to_string(syntax_.exact_values + 2) + " numbers, found " +
                                std::to_string(value + 2)};
      if (value == syntax_.exact_values)
        throw ParseError{p, "expected the end of the line, found " + quoted_field(p, end)};
      while (p < end && *p != '\n' && !is_separator(*p))
        ++p;
    }
  }

  const char *parse_values(const char *p, const char *end, std::int64_t u, std::int64_t v, EdgeChunk &out) const {
    const auto edge = [&] { return "edge " + std::to_string(u) + " " + std::to_string(v); };
    const std::size_t first = out.values.size();
    out.values.resize(first + context_.columns.size());
    for (int field = 0; field < width_; ++field) {
      p = skip_separator(p, end);
      if (p == end || *p == '\n') {
        std::size_t k = 0;
        while (syntax_.fields[k] < field)
          ++k;
        throw ParseError{p == end ? p - 1 : p, missing_column(context_.columns[k], edge())};
      }
      const char *next = p;
      for (std::size_t k = in_order_ ? static_cast<std::size_t>(field) : 0; k < syntax_.fields.size(); ++k) {
        if (syntax_.fields[k] == field) {
          next = p;
          const std::uint64_t bits = scan_value(next, end, context_.columns[k]);
          if (context_.nonnegative != 0)
            check_nonnegative(bits, context_, k, p, edge());
          out.values[first + k] = bits;
        }
        if (in_order_)
          break;
      }
      while (next < end && *next != '\n' && !is_separator(*next))
        ++next;
      p = next;
    }
    return p;
  }

  const LineSyntax &syntax_;
  const ReadContext &context_;
  bool in_order_;
  int width_;
};

} // namespace gc::detail

#endif
