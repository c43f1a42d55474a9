// The binary graphs of the GAP benchmark suite (.sg, .wsg): one byte "directed", the numbers of arcs and vertices, n +
// 1 offsets (64 bits each), then the neighbours (32 bits; in .wsg each with a 32-bit weight); a directed graph's
// in-lists follow in the same form.
#include "gap.h"
#include "scan.h"
#include "symmetry.h"
#include "thread_errors.h"

#include <cstring>

namespace gc::detail {

namespace {

template <class T> T load_at(const char *data, std::uint64_t position) {
  T value;
  std::memcpy(&value, data + position, sizeof value); // the file's arrays are not aligned
  return value;
}

/// Where the parts of a file lie; offset() and target() read them.
struct GapFile {
  const char *data;
  std::uint64_t vertices, arcs, width; ///< width: bytes of a neighbour, with its weight
  bool directed;

  static constexpr std::uint64_t header = 17;
  std::uint64_t offset(std::uint64_t v) const { return load_at<std::uint64_t>(data, header + 8 * v); }
  const char *lists() const { return data + header + 8 * (vertices + 1); }
  std::int32_t target(std::uint64_t e) const { return load_at<std::int32_t>(lists(), e * width); }
  std::int32_t weight(std::uint64_t e) const { return load_at<std::int32_t>(lists(), e * width + 4); }
  /// The weight in the form of scan_value.
  std::uint64_t value(std::uint64_t e, ColumnType type) const {
    return is_real(type) ? bits_of(static_cast<double>(weight(e)))
                         : static_cast<std::uint64_t>(static_cast<std::int64_t>(weight(e)));
  }
};

/// Reads the header. Throws Error if it makes no sense or does not fit the size of the file.
GapFile read_header(const InputFile &file, bool weighted) {
  const char *data = file.text.begin();
  const std::uint64_t bytes = file.text.size();
  const char *format = weighted ? "a .wsg file" : "an .sg file";
  if (bytes < GapFile::header)
    fail_file(file.path, std::string("not ") + format + ": the header is truncated");
  const std::uint8_t directed = load_at<std::uint8_t>(data, 0);
  const std::int64_t m = load_at<std::int64_t>(data, 1), n = load_at<std::int64_t>(data, 9);
  if (directed > 1 || m < 0 || n < 0 || n > INT32_MAX)
    fail_file(file.path, std::string("not ") + format + ": the header makes no sense");
  const GapFile gap{data, static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(m),
                    static_cast<std::uint64_t>(weighted ? 8 : 4), directed == 1};
  // Compared without multiplying the numbers of a corrupt header.
  const std::uint64_t sides = directed ? 2 : 1, fixed = GapFile::header + sides * 8 * (gap.vertices + 1);
  if (bytes < fixed || (bytes - fixed) % (sides * gap.width) != 0 || (bytes - fixed) / (sides * gap.width) != gap.arcs)
    fail_file(file.path, "the file has " + std::to_string(bytes) + " bytes, which does not fit the " +
                             std::to_string(gap.vertices) + " vertices and " + std::to_string(gap.arcs) +
                             " arcs that it declares");
  if (gap.offset(0) != 0 || gap.offset(gap.vertices) != gap.arcs)
    fail_file(file.path, "corrupt offsets: the lists do not cover the arcs");
  return gap;
}

/// The columns that the program gets: at most the weight. Throws Error if it wants more.
std::vector<ColumnInfo> columns_of(const InputFile &file, bool weighted, const ReadContext &context) {
  std::vector<ColumnInfo> columns = context.columns;
  if (context.options.all_columns && weighted)
    columns = {{"weight", ColumnType::int32}};
  const std::size_t available = weighted ? 1 : 0;
  if (columns.size() > available)
    fail_file(file.path, missing_column(columns[available], "the file"));
  return columns;
}

} // namespace

GraphSize gap_size(const InputFile &file, bool weighted) {
  const GapFile gap = read_header(file, weighted);
  return {static_cast<double>(gap.vertices), static_cast<double>(gap.arcs), gap.directed};
}

std::unique_ptr<GraphStorage> read_gap_arrays(const InputFile &file, bool weighted, const ReadContext &context) {
  const GapFile gap = read_header(file, weighted);
  auto storage = std::make_unique<GraphStorage>();
  storage->columns = columns_of(file, weighted, context);
  storage->ids = VertexIds::range(0, gap.vertices);
  context.progress.update("reading " + file.path);
  const double arc = 4 + (storage->columns.empty() ? 0 : static_cast<double>(width_of(storage->columns[0].type)));
  context.budget.require(8 * static_cast<double>(gap.vertices) + arc * static_cast<double>(gap.arcs),
                         "reading " + file.path);
  using V = std::uint32_t;
  CsrArrays<V> &arrays = storage->narrow;
  arrays.out_offsets = Array<ArcId>(gap.vertices + 1);
  bool sound = true;
#pragma omp parallel for schedule(static) reduction(&& : sound)
  for (std::uint64_t v = 0; v <= gap.vertices; ++v) {
    const ArcId end = gap.offset(v);
    sound = sound && end <= gap.arcs && (v == 0 || (gap.offset(v - 1) <= end && end - gap.offset(v - 1) <= INT32_MAX));
    arrays.out_offsets[v] = end;
  }
  if (!sound)
    return nullptr;
  arrays.out_targets = Array<V>(gap.arcs);
  const bool has_values = !storage->columns.empty();
  if (has_values)
    storage->column_data.push_back(allocate_column(storage->columns[0].type, gap.arcs));
  std::uint64_t balance = 0, loops = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : sound) reduction(+ : balance, loops)
  for (std::uint64_t u = 0; u < gap.vertices; ++u) {
    std::int64_t before = -1;
    for (ArcId e = arrays.out_offsets[u]; e < arrays.out_offsets[u + 1]; ++e) {
      const std::int64_t target = gap.target(e);
      sound = sound && target > before && target < static_cast<std::int64_t>(gap.vertices);
      before = target;
      const std::uint64_t v = static_cast<std::uint64_t>(target);
      arrays.out_targets[e] = static_cast<V>(v);
      std::uint64_t label = 0;
      if (has_values) {
        label = static_cast<std::uint32_t>(gap.weight(e));
        store_value(storage->column_data[0], storage->columns[0].type, e, gap.value(e, storage->columns[0].type));
      }
      loops += u == v;
      if (!gap.directed && u != v)
        balance += arc_balance(u, v, label);
    }
  }
  if (!sound || balance != 0)
    return nullptr;
  Graph<V> &view = arrays.view;
  view.n = static_cast<V>(gap.vertices);
  view.is_directed = gap.directed;
  view.edges = edges_of_arcs(gap.arcs, loops, gap.directed);
  view.out_offsets = arrays.out_offsets.data();
  view.out_targets = arrays.out_targets.data();
  if (has_values)
    view.columns[0] = storage->column_data[0].values;
  return storage;
}

RawGraph read_gap(const InputFile &file, bool weighted, const ReadContext &context) {
  const GapFile gap = read_header(file, weighted);
  constexpr std::uint64_t block = 1 << 16;
  RawGraph graph;
  graph.chunks.resize((gap.vertices + block - 1) / block);
  graph.columns = columns_of(file, weighted, context);
  graph.directed = gap.directed;
  graph.ids = VertexIds::range(0, gap.vertices);
  std::uint64_t bad_offset = gap.vertices, bad_arc = gap.arcs;
  ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : bad_offset, bad_arc)
  for (std::size_t i = 0; i < graph.chunks.size(); ++i)
    errors.guard([&] {
      EdgeChunk &chunk = graph.chunks[i];
      for (std::uint64_t u = i * block; u < std::min(gap.vertices, (i + 1) * block); ++u) {
        const std::uint64_t begin = gap.offset(u), end = gap.offset(u + 1);
        if (begin > end || end > gap.arcs) {
          bad_offset = std::min(bad_offset, u);
          break;
        }
        for (std::uint64_t e = begin; e < end; ++e) {
          const std::int32_t v = gap.target(e);
          if (v < 0 || static_cast<std::uint64_t>(v) >= gap.vertices) {
            bad_arc = std::min(bad_arc, e);
            continue;
          }
          if (!gap.directed && static_cast<std::uint64_t>(v) < u)
            continue; // the other end lists it
          chunk.ends.push_back(u);
          chunk.ends.push_back(static_cast<std::uint64_t>(v));
          if (!graph.columns.empty())
            chunk.values.push_back(gap.value(e, graph.columns[0].type));
        }
      }
    });
  errors.raise();
  if (bad_offset != gap.vertices)
    fail_file(file.path, "corrupt offsets at vertex " + std::to_string(bad_offset));
  if (bad_arc != gap.arcs)
    fail_file(file.path, "vertex id " + std::to_string(gap.target(bad_arc)) +
                             " is out of range: the file declares 0 to " + std::to_string(gap.vertices - 1));
  return graph;
}

} // namespace gc::detail
