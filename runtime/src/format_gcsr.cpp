// Reading and writing of the binary CSR format.
#include "csr_check.h"
#include "gcsr.h"
#include "generate.h"
#include "pack.h"
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

PackedParts parts_of(const Header &header, const GcsrPacking &size, const Sections::Packs &place, const char *data) {
  return {reinterpret_cast<const PackedGroup *>(data + place.groups),
          reinterpret_cast<const std::uint64_t *>(data + place.records),
          reinterpret_cast<const std::uint64_t *>(data + place.words),
          num_groups(header.n),
          size.records,
          size.words,
          header.arcs};
}

template <class V>
void point_into(const Header &header, const Sections &place, const char *data, bool in_arrays, GraphStorage &storage) {
  Graph<V> &g = storage.arrays<V>().view;
  g.n = static_cast<V>(header.n);
  g.is_directed = header.directed != 0;
  g.edges = header.edges;
  if (header.is_packed()) {
    CsrArrays<V> &arrays = storage.arrays<V>();
    const bool both = header.has_in_arcs() && in_arrays;
    arrays.packed_out.parts = parts_of(header, header.out, place.out, data);
    if (both)
      arrays.packed_in.parts = parts_of(header, header.in, place.in, data);
    storage.plain_bytes = (both ? 2 : 1) * (8 * (header.n + 1) + sizeof(V) * header.arcs);
    arrays.see_packed();
  } else {
    g.out_offsets = reinterpret_cast<const ArcId *>(data + place.offsets);
    g.out_targets = reinterpret_cast<const V *>(data + place.targets);
    if (header.has_in_arcs() && in_arrays) {
      g.in_offsets = reinterpret_cast<const ArcId *>(data + place.in_offsets);
      g.in_sources = reinterpret_cast<const V *>(data + place.in_sources);
    }
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
  const CsrCheck check = g.packed ? check_packed(PackedGraph<V>(g)) : check_csr(g, header.arcs, group);
  if (check.problem)
    fail_file(path, check.problem);
  if (g.edges != check.edges)
    fail_file(path, "the number of edges is wrong");
  if (g.packed ? g.is_directed && !g.packed->in.empty() && !in_arrays_match(PackedGraph<V>(g))
               : g.in_offsets && !in_arrays_match(g, group))
    fail_file(path, "the arcs by their targets are corrupt");
}

/// Throws Error if packed lists are not where there are fields.
void require_places(const std::string &path, const Header &header, const char *data) {
  const Sections place = place_sections(header);
  const unsigned most =
      header.vertex_bits == 32 ? PackedLists<std::uint32_t>::most_bits : PackedLists<std::uint64_t>::most_bits;
  if (!places_are_sound(header.n, most, parts_of(header, header.out, place.out, data)) ||
      (header.has_in_arcs() && !places_are_sound(header.n, most, parts_of(header, header.in, place.in, data))))
    fail_file(path, "the places of the packed lists are corrupt");
}

/// `count` values in an array of their own, which the threads touch first in equal parts.
template <class T> void copy_values(T *to, const T *from, std::uint64_t count) {
  constexpr std::uint64_t block = (std::uint64_t(1) << 21) / sizeof(T); // a huge page
#pragma omp parallel for schedule(static)
  for (std::uint64_t at = 0; at < count; at += block)
    std::copy(from + at, from + std::min(at + block, count), to + at);
}

/// Copies an array that a view refers to, if there is one and it is elsewhere.
template <class T> void take_copy(const T *&seen, Array<T> &own, std::uint64_t count) {
  if (!seen || seen == own.data())
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

/// Copies packed lists that lie in a file, if there are some.
void copy_packed(PackedStore &store) {
  const PackedParts seen = store.parts;
  if (!seen.groups || seen.groups == store.groups.data())
    return;
  take_copy(store.parts.groups, store.groups, seen.num_groups);
  take_copy(store.parts.records, store.records, seen.num_records);
  take_copy(store.parts.fields, store.fields, seen.num_fields);
}

template <class V> void copy_arrays(GraphStorage &storage) {
  CsrArrays<V> &arrays = storage.arrays<V>();
  Graph<V> &g = arrays.view;
  if (g.packed) {
    copy_packed(arrays.packed_out);
    copy_packed(arrays.packed_in);
    arrays.see_packed();
  }
  const ArcId arcs = g.packed ? g.packed->out.num_arcs() : g.num_arcs();
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

/// Of the bytes of a header before a position.
static std::uint64_t checksum_before(const GcsrHeader &header, std::size_t end) {
  std::uint64_t sum = 0, word;
  const char *bytes = reinterpret_cast<const char *>(&header);
  for (std::size_t i = 0; i < end; i += 8) {
    std::memcpy(&word, bytes + i, 8);
    sum = splitmix(sum ^ word);
  }
  return sum;
}

std::uint64_t checksum_of(const GcsrHeader &header) { return checksum_before(header, offsetof(GcsrHeader, checksum)); }
std::uint64_t packs_checksum_of(const GcsrHeader &header) {
  return checksum_before(header, offsetof(GcsrHeader, packs_checksum));
}

GcsrSections place_sections(const GcsrHeader &header) {
  Sections place{};
  std::uint64_t at = aligned(header.stored_bytes());
  const auto section = [&](std::uint64_t bytes) {
    const std::uint64_t begin = at;
    at = aligned(at + bytes);
    return begin;
  };
  const auto kind = static_cast<VertexIds::Kind>(header.id_kind);
  const auto packs = [&](const GcsrPacking &size) {
    const std::uint64_t groups = section(sizeof(PackedGroup) * num_groups(header.n));
    const std::uint64_t records = section(8 * size.records);
    return Sections::Packs{groups, records, section(8 * size.words)};
  };
  const bool plain = !header.is_packed(), in_arrays = plain && header.has_in_arcs();
  if (!plain)
    place.out = packs(header.out);
  place.offsets = section(plain ? 8 * (header.n + 1) : 0);
  place.targets = section(plain ? header.vertex_bits / 8 * header.arcs : 0);
  for (std::size_t k = 0; k < header.num_columns; ++k)
    place.columns[k] = section(width_of(static_cast<ColumnType>(header.column_types[k])) * header.arcs);
  place.integer_ids = section(kind == VertexIds::Kind::integers ? 8 * header.n : 0);
  place.text_ends = section(kind == VertexIds::Kind::text ? 8 * header.n : 0);
  place.characters = section(kind == VertexIds::Kind::text ? header.characters : 0);
  place.in_offsets = section(in_arrays ? 8 * (header.n + 1) : 0);
  place.in_sources = section(in_arrays ? header.vertex_bits / 8 * header.arcs : 0);
  if (!plain && header.has_in_arcs())
    place.in = packs(header.in);
  place.file_bytes = at;
  return place;
}

GcsrHeader read_header(const std::string &path, std::string_view head) {
  Header header{};
  if (head.size() < 8 || std::memcmp(head.data(), &Header::magic, 8) != 0)
    fail_file(path, "not a .gcsr file");
  const auto take = [&](std::size_t bytes) {
    if (head.size() < bytes)
      fail_file(path, "the header is truncated");
    std::memcpy(&header, head.data(), bytes);
  };
  take(offsetof(Header, out));
  if (header.version_number == Header::version_of_earlier_packed)
    fail_file(path, "the file has version 3, a form of packed lists that is no longer read: make it again with "
                    "'gcompile convert GRAPH FILE.gcsr --adjacency=packed'");
  if (header.version_number < Header::version || header.version_number > Header::version_of_packed)
    fail_file(path, "the file has version " + std::to_string(header.version_number) + ", this program reads " +
                        std::to_string(Header::version) + " to " + std::to_string(Header::version_of_packed));
  take(header.stored_bytes());
  bool sound = header.checksum == checksum_of(header) && header.num_columns <= Header::max_columns &&
               (header.vertex_bits == 32 || header.vertex_bits == 64) && header.id_kind <= 2 && header.directed <= 1;
  // Counts are at most the bytes of the file, so that the sizes of the sections cannot overflow.
  for (std::uint64_t count : {header.n, header.characters, header.out.records, header.out.words, header.in.records,
                              header.in.words, header.is_packed() ? 0 : header.arcs})
    sound = sound && count <= header.file_bytes;
  if (header.is_packed())
    sound = sound && header.packs_checksum == packs_checksum_of(header) &&
            header.arcs <= PackedGroup::most_arcs_of_all &&
            bits_of_ids(header.n) <= PackedLists<std::uint64_t>::most_bits;
  sound = sound && header.file_bytes < (std::uint64_t(1) << 50) &&
          (header.vertex_bits == 64 || header.n < none<std::uint32_t>()) && (header.directed || !header.has_in_arcs());
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
  return options.in_edges && !options.in_edge_ids && !options.needs_whole() && !options.neighbors_by_degree;
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
  if (header.is_packed())
    require_places(file.path, header, file.text.data());
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

} // namespace gc
