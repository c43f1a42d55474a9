#include "row_lines.h"

#include <numeric>

namespace gc::detail {

RowText number_rows(const InputFile &file, const char *from, char comment, const ReadContext &context) {
  const LineRange own = own_lines(file, from, context);
  RowText text;
  text.comment = comment;
  text.bounds = split_lines(own.begin, own.end, std::size_t(1) << 20);
  std::vector<std::uint64_t> ends(text.bounds.size(), 0); // behind the pieces before
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < text.pieces(); ++i) {
    std::uint64_t rows = 0;
    for (const char *p = text.bounds[i]; p < text.bounds[i + 1]; p = line_end(p, text.bounds[i + 1]) + 1)
      rows += !comment || *p != comment;
    ends[i + 1] = rows;
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::uint64_t before = 0;
  text.rows = ends.back();
  if (context.readers) {
    const std::vector<std::uint64_t> all = context.readers->all({ends.back()});
    before = std::accumulate(all.begin(), all.begin() + context.readers->rank(), std::uint64_t(0));
    text.rows = std::accumulate(all.begin(), all.end(), std::uint64_t(0));
  }
  for (const std::uint64_t end : ends)
    text.first_row.push_back(before + end);
  text.first_row.pop_back();
  return text;
}

void check_num_edges(const InputFile &file, const char *header, std::uint64_t declared, std::uint64_t found) {
  if (declared != found)
    fail_at(file, header, "the file declares " + std::to_string(declared) + " edges, but has " + std::to_string(found));
}

} // namespace gc::detail
