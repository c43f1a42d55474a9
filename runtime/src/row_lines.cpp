#include "row_lines.h"

namespace gc::detail {

RowText number_rows(const char *begin, const char *end, char comment) {
  RowText text;
  text.comment = comment;
  text.bounds = split_lines(begin, end, std::size_t(1) << 20);
  text.first_row.assign(text.bounds.size(), 0);
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < text.pieces(); ++i) {
    std::uint64_t rows = 0;
    for (const char *p = text.bounds[i]; p < text.bounds[i + 1]; p = line_end(p, text.bounds[i + 1]) + 1)
      rows += !comment || *p != comment;
    text.first_row[i + 1] = rows;
  }
  for (std::size_t i = 0; i < text.pieces(); ++i)
    text.first_row[i + 1] += text.first_row[i];
  return text;
}

void check_num_edges(const InputFile &file, const char *header, std::uint64_t declared, std::uint64_t found) {
  if (declared != found)
    fail_at(file, header, "the file declares " + std::to_string(declared) + " edges, but has " + std::to_string(found));
}

} // namespace gc::detail
