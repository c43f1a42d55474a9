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

/// Where the sections of a file lie.
struct Sections {
  std::uint64_t offsets, targets, columns[Header::max_columns], integer_ids, text_ends, characters, file_bytes;
};

Sections place_sections(const Header &header) {
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
  place.file_bytes = at;
  return place;
}

VertexIds read_ids(const InputFile &file, const Header &header, const Sections &place) {
  const auto kind = static_cast<VertexIds::Kind>(header.id_kind);
  if (kind == VertexIds::Kind::range) {
    const auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (header.first_id > 0 && header.n > greatest - static_cast<std::uint64_t>(header.first_id))
      fail_file(file.path, "the vertex ids are corrupt");
    return VertexIds::range(header.first_id, header.n);
  }
  const char *data = file.text.data();
  if (kind == VertexIds::Kind::integers) {
    const auto *first = reinterpret_cast<const std::int64_t *>(data + place.integer_ids);
    std::vector<std::int64_t> ids(first, first + header.n);
    if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end())
      fail_file(file.path, "the vertex ids are corrupt");
    return VertexIds::integers(std::move(ids));
  }
  const auto *first = reinterpret_cast<const std::uint64_t *>(data + place.text_ends);
  std::vector<std::uint64_t> ends(first, first + header.n);
  if (!std::is_sorted(ends.begin(), ends.end()) || (ends.empty() ? 0 : ends.back()) != header.characters)
    fail_file(file.path, "the vertex names are corrupt");
  return VertexIds::text(std::string(data + place.characters, header.characters), std::move(ends));
}

template <class V>
void point_into(const InputFile &file, const Header &header, const Sections &place, GraphStorage &storage) {
  const char *data = file.text.data();
  Graph<V> &g = storage.arrays<V>().view;
  g.n = static_cast<V>(header.n);
  g.is_directed = header.directed != 0;
  g.edges = header.edges;
  g.out_offsets = reinterpret_cast<const ArcId *>(data + place.offsets);
  g.out_targets = reinterpret_cast<const V *>(data + place.targets);
  for (std::size_t k = 0; k < header.num_columns; ++k) {
    const char *name = header.column_names[k];
    storage.columns.push_back(
        {std::string(name, strnlen(name, Header::name_bytes)), static_cast<ColumnType>(header.column_types[k])});
    storage.column_data.emplace_back();
    storage.column_data.back().values = data + place.columns[k];
    g.columns[k] = data + place.columns[k];
  }
  const CsrCheck check = check_csr(g, header.arcs);
  if (check.problem)
    fail_file(file.path, check.problem);
  if (g.edges != check.edges)
    fail_file(file.path, "the number of edges is wrong");
}

Header read_header(const InputFile &file) {
  Header header;
  if (file.text.size() < 8 || std::memcmp(file.text.data(), &Header::magic, 8) != 0)
    fail_file(file.path, "not a .gcsr file");
  if (file.text.size() < sizeof header)
    fail_file(file.path, "the header is truncated");
  std::memcpy(&header, file.text.data(), sizeof header);
  if (header.version_number != Header::version)
    fail_file(file.path, "the file has version " + std::to_string(header.version_number) + ", this program reads " +
                             std::to_string(Header::version));
  bool sound = header.checksum == checksum_of(header) && header.num_columns <= Header::max_columns &&
               (header.vertex_bits == 32 || header.vertex_bits == 64) && header.id_kind <= 2 && header.directed <= 1;
  // Counts are at most the bytes of the file, so that the sizes of the sections cannot overflow.
  for (std::uint64_t count : {header.n, header.arcs, header.characters})
    sound = sound && count <= header.file_bytes;
  sound = sound && header.file_bytes < (std::uint64_t(1) << 50) &&
          (header.vertex_bits == 64 || header.n < none<std::uint32_t>());
  for (std::size_t k = 0; sound && k < header.num_columns; ++k)
    sound = header.column_types[k] <= 3;
  if (!sound)
    fail_file(file.path, "the header is corrupt");
  return header;
}

/// `count` values in an array of their own, which the threads touch first in equal parts.
template <class T> void copy_values(T *to, const T *from, std::uint64_t count) {
  constexpr std::uint64_t block = (std::uint64_t(1) << 21) / sizeof(T); // a huge page
#pragma omp parallel for schedule(static)
  for (std::uint64_t at = 0; at < count; at += block)
    std::copy(from + at, from + std::min(at + block, count), to + at);
}

template <class V> void copy_arrays(GraphStorage &storage) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  const ArcId arcs = g.num_arcs();
  arrays.out_offsets = Array<ArcId>(static_cast<std::size_t>(g.n) + 1);
  arrays.out_targets = Array<V>(arcs);
  copy_values(arrays.out_offsets.data(), g.out_offsets, static_cast<std::uint64_t>(g.n) + 1);
  copy_values(arrays.out_targets.data(), g.out_targets, arcs);
  g.out_offsets = arrays.out_offsets.data();
  g.out_targets = arrays.out_targets.data();
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
    sum = mix(sum ^ word);
  }
  return sum;
}

std::unique_ptr<GraphStorage> read_gcsr(InputFile file, const ReadContext &context) {
  context.progress.update("reading " + file.path);
  const Header header = read_header(file);
  const Sections place = place_sections(header);
  if (place.file_bytes != header.file_bytes)
    fail_file(file.path, "the header is corrupt");
  if (file.text.size() != header.file_bytes)
    fail_file(file.path, "the file has " + std::to_string(file.text.size()) + " bytes, its header says " +
                             std::to_string(header.file_bytes));
  auto storage = std::make_unique<GraphStorage>();
  storage->vertex_bits = static_cast<int>(header.vertex_bits);
  storage->ids = read_ids(file, header, place);
  if (header.vertex_bits == 32)
    point_into<std::uint32_t>(file, header, place, *storage);
  else
    point_into<std::uint64_t>(file, header, place, *storage);
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

namespace {

/// A file with sections at given positions.
class BinaryWriter {
public:
  explicit BinaryWriter(const std::string &path) : file_(path) {}

  /// Writes zeros up to `position`, then the bytes.
  void write_at(std::uint64_t position, const void *data, std::uint64_t bytes) {
    static const std::array<char, alignment> zeros{};
    put(zeros.data(), position - written_);
    put(data, bytes);
  }
  void commit() { file_.commit(); }

private:
  void put(const void *data, std::uint64_t bytes) {
    file_.write({static_cast<const char *>(data), bytes});
    written_ += bytes;
  }

  detail::OutputFile file_;
  std::uint64_t written_ = 0;
};

template <class V> void write_graph(const LoadedGraph &graph, const std::string &path) {
  const Graph<V> &g = graph.view<V>();
  const VertexIds &ids = graph.ids();
  Header header{};
  header.magic_number = Header::magic;
  header.version_number = Header::version;
  header.vertex_bits = sizeof(V) * 8;
  header.directed = g.is_directed;
  header.n = g.n;
  header.arcs = g.num_arcs();
  header.edges = g.edges;
  header.id_kind = static_cast<std::uint32_t>(ids.kind());
  header.first_id = ids.first();
  header.characters = ids.characters().size();
  for (const ColumnInfo &column : graph.columns()) {
    header.column_types[header.num_columns] = static_cast<std::uint32_t>(column.type);
    std::strncpy(header.column_names[header.num_columns++], column.name.c_str(), Header::name_bytes - 1);
  }
  const Sections place = place_sections(header);
  header.file_bytes = place.file_bytes;
  header.checksum = checksum_of(header);

  BinaryWriter file(path);
  file.write_at(0, &header, sizeof header);
  file.write_at(place.offsets, g.out_offsets, 8 * (header.n + 1));
  file.write_at(place.targets, g.out_targets, sizeof(V) * header.arcs);
  for (std::size_t k = 0; k < header.num_columns; ++k)
    file.write_at(place.columns[k], g.columns[k], width_of(graph.columns()[k].type) * header.arcs);
  file.write_at(place.integer_ids, ids.integer_ids().data(), 8 * ids.integer_ids().size());
  file.write_at(place.text_ends, ids.ends().data(), 8 * ids.ends().size());
  file.write_at(place.characters, ids.characters().data(), header.characters);
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
