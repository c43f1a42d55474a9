// The binary graphs of the GAP benchmark suite (.sg, .wsg): one byte "directed", the numbers of arcs and vertices, n +
// 1 offsets (64 bits each), then the neighbours (32 bits; in .wsg each with a 32-bit weight); a directed graph's
// in-lists follow in the same form.
#include "edges.h"
#include "scan.h"
#include "thread_errors.h"

#include <cstring>

namespace gc::detail {

namespace {

template <class T> T load_at(const char *data, std::uint64_t position) {
  T value;
  std::memcpy(&value, data + position, sizeof value); // the file's arrays are not aligned
  return value;
}

} // namespace

RawGraph read_gap(const InputFile &file, bool weighted, const ReadContext &outer) {
  constexpr std::uint64_t header = 17;
  const char *data = file.text.begin();
  const std::uint64_t bytes = file.text.size();
  const char *format = weighted ? "a .wsg file" : "an .sg file";
  if (bytes < header)
    fail_file(file.path, std::string("not ") + format + ": the header is truncated");
  const std::uint8_t directed = load_at<std::uint8_t>(data, 0);
  const std::int64_t m = load_at<std::int64_t>(data, 1), n = load_at<std::int64_t>(data, 9);
  if (directed > 1 || m < 0 || n < 1 || n > INT32_MAX)
    fail_file(file.path, std::string("not ") + format + ": the header makes no sense");
  const std::uint64_t vertices = static_cast<std::uint64_t>(n), arcs = static_cast<std::uint64_t>(m);
  const std::uint64_t width = weighted ? 8 : 4;
  // Compared without multiplying the numbers of a corrupt header.
  const std::uint64_t sides = directed ? 2 : 1, fixed = header + sides * 8 * (vertices + 1);
  if (bytes < fixed || (bytes - fixed) % (sides * width) != 0 || (bytes - fixed) / (sides * width) != arcs)
    fail_file(file.path, "the file has " + std::to_string(bytes) + " bytes, which does not fit the " +
                             std::to_string(vertices) + " vertices and " + std::to_string(arcs) +
                             " arcs that it declares");
  ReadContext context = outer;
  if (outer.options.all_columns && weighted)
    context.columns = {{"weight", ColumnType::int32}};
  const std::size_t available = weighted ? 1 : 0;
  if (context.columns.size() > available)
    fail_file(file.path, missing_column(context.columns[available], "the file"));

  const auto offset = [&](std::uint64_t v) { return load_at<std::uint64_t>(data, header + 8 * v); };
  const char *lists = data + header + 8 * (vertices + 1);
  if (offset(0) != 0 || offset(vertices) != arcs)
    fail_file(file.path, "corrupt offsets: the lists do not cover the arcs");
  constexpr std::uint64_t block = 1 << 16;
  RawGraph graph;
  graph.chunks.resize((vertices + block - 1) / block);
  graph.columns = context.columns;
  graph.directed = directed == 1;
  graph.ids = VertexIds::range(0, vertices);
  std::uint64_t bad_offset = vertices, bad_arc = arcs;
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : bad_offset, bad_arc)
  for (std::size_t i = 0; i < graph.chunks.size(); ++i)
    errors.guard([&] {
      EdgeChunk &chunk = graph.chunks[i];
      for (std::uint64_t u = i * block; u < std::min(vertices, (i + 1) * block); ++u) {
        const std::uint64_t begin = offset(u), end = offset(u + 1);
        if (begin > end || end > arcs) {
          bad_offset = std::min(bad_offset, u);
          break;
        }
        for (std::uint64_t e = begin; e < end; ++e) {
          const std::int32_t v = load_at<std::int32_t>(lists, e * width);
          if (v < 0 || v >= n) {
            bad_arc = std::min(bad_arc, e);
            continue;
          }
          if (!directed && static_cast<std::uint64_t>(v) < u)
            continue; // the other end lists it
          chunk.ends.push_back(u);
          chunk.ends.push_back(static_cast<std::uint64_t>(v));
          if (!context.columns.empty()) {
            const std::int32_t weight = load_at<std::int32_t>(lists, e * width + 4);
            chunk.values.push_back(is_real(context.columns[0].type)
                                       ? bits_of(static_cast<double>(weight))
                                       : static_cast<std::uint64_t>(static_cast<std::int64_t>(weight)));
          }
        }
      }
    });
  errors.raise();
  if (bad_offset != vertices)
    fail_file(file.path, "corrupt offsets at vertex " + std::to_string(bad_offset));
  if (bad_arc != arcs)
    fail_file(file.path, "vertex id " + std::to_string(load_at<std::int32_t>(lists, bad_arc * width)) +
                             " is out of range: the file declares 0 to " + std::to_string(vertices - 1));
  return graph;
}

} // namespace gc::detail
