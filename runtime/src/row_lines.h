// Text formats with one line per vertex: numbering of the lines, and a parallel parser.
#ifndef GCOMPILE_SRC_ROW_LINES_H
#define GCOMPILE_SRC_ROW_LINES_H

#include "edges.h"
#include "group_steps.h"
#include "runtime/tool_support/fields.h"
#include "scan.h"
#include "thread_errors.h"

#include <algorithm>

namespace gc::detail {

/// The lines that this process reads, cut into pieces, with the number of lines of the text before each; lines that
/// start with `comment` do not count.
struct RowText {
  std::vector<const char *> bounds;     ///< pieces + 1
  std::vector<std::uint64_t> first_row; ///< of each piece
  std::uint64_t rows = 0;               ///< in the whole text
  char comment = 0;

  std::size_t pieces() const { return bounds.size() - 1; }
};

/// Numbers the lines from a place in the file on, from 0. Each of ReadContext::readers calls it.
RowText number_rows(const InputFile &file, const char *from, char comment, const ReadContext &context);

/// Calls f(row, begin, end, chunk) for each line of this process that is no comment, without its line end, in parallel;
/// f may throw ParseError. Returns one chunk per piece. Each of ReadContext::readers calls it.
template <class F>
std::vector<EdgeChunk> parse_rows(const InputFile &file, const RowText &text, const ReadContext &context, const F &f) {
  std::vector<EdgeChunk> chunks(text.pieces());
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < text.pieces(); ++i)
    errors.guard([&] {
      refuse_bare_returns(text.bounds[i], text.bounds[i + 1]);
      std::uint64_t row = text.first_row[i];
      for (const char *p = text.bounds[i]; p < text.bounds[i + 1];) {
        const char *next = line_end(p, text.bounds[i + 1]);
        const char *stop = next;
        while (stop > p && is_blank(stop[-1]))
          --stop;
        if (!text.comment || *p != text.comment)
          f(row++, p, stop, chunks[i]);
        p = next + 1;
      }
    });
  agreed(context.readers, [&] { errors.raise(file); });
  context.progress.update("reading " + file.path);
  return chunks;
}

/// The first line from p on that is neither blank nor starts with `comment`, or `end`.
inline const char *skip_comment_lines(const char *p, const char *end, char comment) {
  while (p < end) {
    const char *first = skip_blanks(p, end);
    if (first < end && *first != '\n' && *first != comment)
      return first;
    const char *stop = line_end(first, end);
    p = stop < end ? stop + 1 : end;
  }
  return end;
}

/// The line after the one that holds p.
inline const char *next_line(const char *p, const char *end) {
  const char *stop = line_end(p, end);
  return stop < end ? stop + 1 : end;
}

/// Reads a count of vertices or edges: an integer from 0 on.
inline std::uint64_t scan_count(const char *&p, const char *end, const char *what) {
  const char *start = p;
  const std::int64_t value = scan_integer(p, end, what);
  if (value < 0)
    throw ParseError{start, std::string("expected ") + what + ", found '" + std::to_string(value) + "'"};
  return static_cast<std::uint64_t>(value);
}

/// Throws ParseError if anything but blanks is left on the line.
inline void expect_line_end(const char *p, const char *end) {
  p = skip_blanks(p, end);
  if (p < end && *p != '\n')
    throw ParseError{p, "expected the end of the line, found " + quoted_field(p, end)};
}

/// Throws Error, at the header, if the file has another number of edges than it declares.
void check_num_edges(const InputFile &file, const char *header, std::uint64_t declared, std::uint64_t found);

} // namespace gc::detail

#endif
