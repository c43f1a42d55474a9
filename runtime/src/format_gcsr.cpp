// Reading and writing of the binary CSR format.
#include "csr_check.h"
#include "gcsr.h"
#include "generate.h"
#include "runtime/tool_support/output_file.h"
#include "scan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>

namespace gc {

using namespace detail;

namespace {

using Header = GcsrHeader;

constexpr std::size_t alignment = 64; // of each section

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

using Sections = GcsrSections;

bool has_in_arrays(const Header &header) { return header.version_number == Header::version_with_in_arrays; }

VertexIds read_ids(const std::string &path, const Header &header, const Sections &place, const char *data) {
  const auto kind = static_cast<VertexIds::Kind>(header.id_kind);
  if (kind == VertexIds::Kind::range) {
    const auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (header.first_id > 0 && header.n > greatest - static_cast<std::uint64_t>(header.first_id))
      fail_file(path, "the vertex ids are corrupt");
    return VertexIds::range(header.first_id, header.n);
  }
  if (kind == VertexIds::Kind::integers) {
    const auto *first = reinterpret_cast<const std::int64_t *>(data + place.integer_ids);
    std::vector<std::int64_t> ids(first, first + header.n);
    if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end())
      fail_file(path, "the vertex ids are corrupt");
    return VertexIds::integers(std::move(ids));
  }
  const auto *first = reinterpret_cast<const std::uint64_t *>(data + place.text_ends);
  std::vector<std::uint64_t> ends(first, first + header.n);
  if (!std::is_sorted(ends.begin(), ends.end()) || (ends.empty() ? 0 : ends.back()) != header.characters)
    fail_file(path, "the vertex names are corrupt");
  return VertexIds::text(std::string(data + place.characters, header.characters), std::move(ends));
}

template <class V>
void point_into(const Header &header, const Sections &place, const char *data, bool in_arrays, GraphStorage &storage) {
  Graph<V> &g = storage.arrays<V>().view;
  g.n = static_cast<V>(header.n);
  g.is_directed = header.directed != 0;
  g.edges = header.edges;
  g.out_offsets = reinterpret_cast<const ArcId *>(data + place.offsets);
  g.out_targets = reinterpret_cast<const V *>(data + place.targets);
  if (has_in_arrays(header) && in_arrays) {
    g.in_offsets = reinterpret_cast<const ArcId *>(data + place.in_offsets);
    g.in_sources = reinterpret_cast<const V *>(data + place.in_sources);
  }
  for (std::size_t k = 0; k < header.num_columns; ++k) {
    const char *name = header.column_names[k];
    storage.columns.push_back(
        {std::string(name, strnlen(name, Header::name_bytes)), static_cast<ColumnType>(header.column_types[k])});
    storage.column_data.emplace_back();
    storage.column_data.back().values = data + place.columns[k];
    g.columns[k] = data + place.columns[k];
  }
}

template <class V>
void check_view(const std::string &path, const Header &header, const Graph<V> &g, ProcessGroup *group) {
  const CsrCheck check = check_csr(g, header.arcs, group);
  if (check.problem)
    fail_file(path, check.problem);
  if (g.edges != check.edges)
    fail_file(path, "the number of edges is wrong");
  if (g.in_offsets && !in_arrays_match(g, group))
    fail_file(path, "the arcs by their targets are corrupt");
}

/// `count` values in an array of their own, which the threads touch first in equal parts.
template <class T> void copy_values(T *to, const T *from, std::uint64_t count) {
  constexpr std::uint64_t block = (std::uint64_t(1) << 21) / sizeof(T); // a huge page
#pragma omp parallel for schedule(static)
  for (std::uint64_t at = 0; at < count; at += block)
    std::copy(from + at, from + std::min(at + block, count), to + at);
}

/// Copies an array that a view refers to, if there is one.
template <class T> void take_copy(const T *&seen, Array<T> &own, std::uint64_t count) {
  if (!seen)
    return;
  own = Array<T>(count);
  copy_values(own.data(), seen, count);
  seen = own.data();
}

template <class V> void copy_view_offsets(CsrArrays<V> &arrays) {
  Graph<V> &g = arrays.view;
  const std::uint64_t count = static_cast<std::uint64_t>(g.n) + 1;
  take_copy(g.out_offsets, arrays.out_offsets, count);
  take_copy(g.in_offsets, arrays.in_offsets, count);
}

template <class V> void copy_arrays(GraphStorage &storage) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const ArcId arcs = g.num_arcs();
  copy_view_offsets(arrays);
  take_copy(g.out_targets, arrays.out_targets, arcs);
  take_copy(g.in_sources, arrays.in_sources, arcs);
  for (std::size_t k = 0; k < storage.columns.size(); ++k) {
    ColumnData column = allocate_column(storage.columns[k].type, arcs);
    with_type(storage.columns[k].type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      copy_values(values_of<T>(column), g.template edge_column<T>(static_cast<int>(k)), arcs);
    });
    g.columns[k] = column.values;
    storage.column_data[k] = std::move(column);
  }
  std::fill(g.columns + storage.columns.size(), g.columns + Graph<V>::max_columns, nullptr);
  storage.column_data.resize(storage.columns.size());
}

} // namespace

namespace detail {

void copy_to_memory(GraphStorage &storage) {
  if (storage.vertex_bits == 32)
    copy_arrays<std::uint32_t>(storage);
  else
    copy_arrays<std::uint64_t>(storage);
  storage.mapping.drop();
}

std::uint64_t checksum_of(const GcsrHeader &header) {
  std::uint64_t sum = 0, word;
  const char *bytes = reinterpret_cast<const char *>(&header);
  for (std::size_t i = 0; i < offsetof(GcsrHeader, checksum); i += 8) {
    std::memcpy(&word, bytes + i, 8);
    sum = splitmix(sum ^ word);
  }
  return sum;
}

GcsrSections place_sections(const GcsrHeader &header) {
  Sections place{};
  std::uint64_t at = aligned(sizeof(Header));
  const auto section = [&](std::uint64_t bytes) {
    const std::uint64_t begin = at;
    at = aligned(at + bytes);
    return begin;
  };
  const auto kind = static_cast<VertexIds::Kind>(header.id_kind);
  place.offsets = section(8 * (header.n + 1));
  place.targets = section(header.vertex_bits / 8 * header.arcs);
  for (std::size_t k = 0; k < header.num_columns; ++k)
    place.columns[k] = section(width_of(static_cast<ColumnType>(header.column_types[k])) * header.arcs);
  place.integer_ids = section(kind == VertexIds::Kind::integers ? 8 * header.n : 0);
  place.text_ends = section(kind == VertexIds::Kind::text ? 8 * header.n : 0);
  place.characters = section(kind == VertexIds::Kind::text ? header.characters : 0);
  place.in_offsets = section(has_in_arrays(header) ? 8 * (header.n + 1) : 0);
  place.in_sources = section(has_in_arrays(header) ? header.vertex_bits / 8 * header.arcs : 0);
  place.file_bytes = at;
  return place;
}

GcsrHeader read_header(const std::string &path, std::string_view head) {
  Header header;
  if (head.size() < 8 || std::memcmp(head.data(), &Header::magic, 8) != 0)
    fail_file(path, "not a .gcsr file");
  if (head.size() < sizeof header)
    fail_file(path, "the header is truncated");
  std::memcpy(&header, head.data(), sizeof header);
  if (header.version_number != Header::version && header.version_number != Header::version_with_in_arrays)
    fail_file(path, "the file has version " + std::to_string(header.version_number) + ", this program reads " +
                        std::to_string(Header::version) + " and " + std::to_string(Header::version_with_in_arrays));
  bool sound = header.checksum == checksum_of(header) && header.num_columns <= Header::max_columns &&
               (header.vertex_bits == 32 || header.vertex_bits == 64) && header.id_kind <= 2 && header.directed <= 1;
  // Counts are at most the bytes of the file, so that the sizes of the sections cannot overflow.
  for (std::uint64_t count : {header.n, header.arcs, header.characters})
    sound = sound && count <= header.file_bytes;
  sound = sound && header.file_bytes < (std::uint64_t(1) << 50) &&
          (header.vertex_bits == 64 || header.n < none<std::uint32_t>()) && (header.directed || !has_in_arrays(header));
  for (std::size_t k = 0; sound && k < header.num_columns; ++k)
    sound = header.column_types[k] <= 3;
  if (!sound || place_sections(header).file_bytes != header.file_bytes)
    fail_file(path, "the header is corrupt");
  return header;
}

void require_size(const std::string &path, const GcsrHeader &header, std::uint64_t file_bytes) {
  if (file_bytes != header.file_bytes)
    fail_file(path, "the file has " + std::to_string(file_bytes) + " bytes, its header says " +
                        std::to_string(header.file_bytes));
}

std::unique_ptr<GraphStorage> view_arrays(const std::string &path, const GcsrHeader &header, const char *data,
                                          bool in_arrays) {
  const Sections place = place_sections(header);
  auto storage = std::make_unique<GraphStorage>();
  storage->vertex_bits = static_cast<int>(header.vertex_bits);
  storage->ids = read_ids(path, header, place, data);
  if (header.vertex_bits == 32)
    point_into<std::uint32_t>(header, place, data, in_arrays, *storage);
  else
    point_into<std::uint64_t>(header, place, data, in_arrays, *storage);
  return storage;
}

bool takes_in_arrays(const LoadOptions &options) {
  return options.in_edges && !options.in_edge_ids && !options.renumbers() && !options.neighbors_by_degree;
}

void check_arrays(const std::string &path, const GcsrHeader &header, GraphStorage &storage, ProcessGroup *group) {
  if (storage.vertex_bits == 32)
    check_view(path, header, storage.narrow.view, group);
  else
    check_view(path, header, storage.wide.view, group);
}

void copy_offsets(GraphStorage &storage) {
  if (storage.vertex_bits == 32)
    copy_view_offsets(storage.narrow);
  else
    copy_view_offsets(storage.wide);
}

std::unique_ptr<GraphStorage> read_gcsr(InputFile file, const ReadContext &context) {
  context.progress.update("reading " + file.path);
  const Header header = read_header(file.path, file.text.view());
  require_size(file.path, header, file.text.size());
  std::unique_ptr<GraphStorage> storage =
      view_arrays(file.path, header, file.text.data(), takes_in_arrays(context.options));
  check_arrays(file.path, header, *storage, context.options.group);
  storage->mapping = std::move(file.text);
  return storage;
}

namespace {

/// A graph's edges, a block of vertices per chunk.
template <class V> class StoredEdges final : public EdgeSource {
public:
  explicit StoredEdges(const GraphStorage &storage)
      : graph_(const_cast<GraphStorage &>(storage).arrays<V>().view), columns_(storage.columns) {}

  std::size_t chunks() const override { return (graph_.n + block - 1) / block; }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    scratch.ends.clear();
    scratch.values.clear();
    const std::uint64_t end = std::min<std::uint64_t>(graph_.n, (i + 1) * block);
    for (std::uint64_t u = i * block; u < end; ++u)
      for (ArcId e = graph_.out_offsets[u]; e < graph_.out_offsets[u + 1]; ++e) {
        if (!graph_.is_directed && graph_.out_targets[e] < u)
          continue; // the other end has it
        scratch.ends.push_back(u);
        scratch.ends.push_back(graph_.out_targets[e]);
        for (std::size_t k = 0; k < columns_.size(); ++k)
          with_type(columns_[k].type, [&](auto *tag) {
            using T = std::remove_pointer_t<decltype(tag)>;
            const T value = static_cast<const T *>(graph_.columns[k])[e];
            if constexpr (std::is_floating_point<T>::value)
              scratch.values.push_back(bits_of(static_cast<double>(value)));
            else
              scratch.values.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
          });
      }
    return {scratch.ends.data(), scratch.values.data(), scratch.size()};
  }

private:
  static constexpr std::size_t block = 4096;
  const Graph<V> &graph_;
  const std::vector<ColumnInfo> &columns_;
};

} // namespace

std::unique_ptr<EdgeSource> edges_of(const GraphStorage &storage) {
  if (storage.vertex_bits == 32)
    return std::make_unique<StoredEdges<std::uint32_t>>(storage);
  return std::make_unique<StoredEdges<std::uint64_t>>(storage);
}

} // namespace detail

GcsrHeader detail::header_of(const VertexIds &ids, const std::vector<ColumnInfo> &columns, std::size_t vertex_bits,
                             bool directed, bool in_arrays) {
  Header header{};
  header.magic_number = Header::magic;
  header.version_number = in_arrays ? Header::version_with_in_arrays : Header::version;
  header.vertex_bits = static_cast<std::uint32_t>(vertex_bits);
  header.directed = directed;
  header.n = ids.size();
  header.id_kind = static_cast<std::uint32_t>(ids.kind());
  header.first_id = ids.first();
  header.characters = ids.characters().size();
  for (const ColumnInfo &column : columns) {
    header.column_types[header.num_columns] = static_cast<std::uint32_t>(column.type);
    std::strncpy(header.column_names[header.num_columns++], column.name.c_str(), Header::name_bytes - 1);
  }
  return header;
}

GcsrSections detail::finish_header(GcsrHeader &header) {
  const Sections place = place_sections(header);
  header.file_bytes = place.file_bytes;
  header.checksum = checksum_of(header);
  return place;
}

void detail::GcsrWriter::write_at(std::uint64_t position, const void *data, std::uint64_t bytes) {
  static const std::array<char, alignment> zeros{};
  put(zeros.data(), position - written_);
  put(data, bytes);
}

void detail::GcsrWriter::copy_at(std::uint64_t position, SpoolFile &spool) {
  write_at(position, nullptr, 0);
  spool.flush();
  std::vector<char> buffer(std::size_t(1) << 20);
  for (std::uint64_t at = 0; at < spool.size(); at += buffer.size()) {
    const std::uint64_t bytes = std::min<std::uint64_t>(buffer.size(), spool.size() - at);
    spool.read(at, buffer.data(), bytes);
    put(buffer.data(), bytes);
  }
}

void detail::GcsrWriter::write_ids_at(const GcsrSections &place, const VertexIds &ids) {
  write_at(place.integer_ids, ids.integer_ids().data(), 8 * ids.integer_ids().size());
  write_at(place.text_ends, ids.ends().data(), 8 * ids.ends().size());
  write_at(place.characters, ids.characters().data(), ids.characters().size());
}

void detail::GcsrWriter::put(const void *data, std::uint64_t bytes) {
  file_.write({static_cast<const char *>(data), bytes});
  written_ += bytes;
}

namespace {

template <class V> void write_graph(const LoadedGraph &graph, const std::string &path) {
  const Graph<V> &g = graph.view<V>();
  const bool in_arrays = g.is_directed && g.in_offsets;
  Header header = header_of(graph.ids(), graph.columns(), sizeof(V) * 8, g.is_directed, in_arrays);
  header.arcs = g.num_arcs();
  header.edges = g.edges;
  const Sections place = finish_header(header);

  GcsrWriter file(path);
  file.write_at(0, &header, sizeof header);
  file.write_at(place.offsets, g.out_offsets, 8 * (header.n + 1));
  file.write_at(place.targets, g.out_targets, sizeof(V) * header.arcs);
  for (std::size_t k = 0; k < header.num_columns; ++k)
    file.write_at(place.columns[k], g.columns[k], width_of(graph.columns()[k].type) * header.arcs);
  file.write_ids_at(place, graph.ids());
  file.write_at(place.in_offsets, g.in_offsets, in_arrays ? 8 * (header.n + 1) : 0);
  file.write_at(place.in_sources, g.in_sources, in_arrays ? sizeof(V) * header.arcs : 0);
  file.write_at(place.file_bytes, nullptr, 0);
  file.commit();
}

} // namespace

void save_graph(const LoadedGraph &graph, const std::string &path) {
  if (graph.vertex_bits() == 32)
    write_graph<std::uint32_t>(graph, path);
  else
    write_graph<std::uint64_t>(graph, path);
}

} // namespace gc
