// Writing of the binary CSR format.
#include "gcsr.h"
#include "runtime/tool_support/output_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace gc {

using namespace detail;

GcsrHeader detail::header_of(const VertexIds &ids, const std::vector<ColumnInfo> &columns, std::size_t vertex_bits,
                             bool directed, bool in_arrays) {
  GcsrHeader header{};
  header.magic_number = GcsrHeader::magic;
  header.version_number = in_arrays ? GcsrHeader::version_with_in_arrays : GcsrHeader::version;
  header.vertex_bits = static_cast<std::uint32_t>(vertex_bits);
  header.directed = directed;
  header.n = ids.size();
  header.id_kind = static_cast<std::uint32_t>(ids.kind());
  header.first_id = ids.first();
  header.characters = ids.characters().size();
  for (const ColumnInfo &column : columns) {
    header.column_types[header.num_columns] = static_cast<std::uint32_t>(column.type);
    std::strncpy(header.column_names[header.num_columns++], column.name.c_str(), GcsrHeader::name_bytes - 1);
  }
  return header;
}

GcsrSections detail::finish_header(GcsrHeader &header) {
  const GcsrSections place = place_sections(header);
  header.file_bytes = place.file_bytes;
  header.checksum = checksum_of(header);
  header.packs_checksum = packs_checksum_of(header);
  return place;
}

void detail::GcsrWriter::write_at(std::uint64_t position, const void *data, std::uint64_t bytes) {
  static const std::array<char, 64> zeros{}; // sections are aligned to as much
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

GcsrPacking size_of(const PackedParts &lists) { return {lists.num_records, lists.num_fields}; }

template <class V> void write_graph(const LoadedGraph &graph, const std::string &path) {
  CsrArrays<V> &arrays = graph.storage().arrays<V>();
  const Graph<V> &g = arrays.view;
  const bool in_arrays = g.is_directed && g.in_offsets;
  GcsrHeader header = header_of(graph.ids(), graph.columns(), sizeof(V) * 8, g.is_directed, in_arrays);
  header.arcs = graph.num_arcs();
  header.edges = g.edges;
  if (g.packed) {
    header.version_number = GcsrHeader::version_of_packed;
    header.out = size_of(arrays.packed_out.parts);
    header.in = size_of(arrays.packed_in.parts);
  }
  const GcsrSections place = finish_header(header);

  GcsrWriter file(path);
  const auto write_packed = [&](const GcsrSections::Packs &packs, const PackedParts &lists) {
    file.write_at(packs.groups, lists.groups, sizeof(PackedGroup) * lists.num_groups);
    file.write_at(packs.records, lists.records, 8 * lists.num_records);
    file.write_at(packs.words, lists.fields, 8 * lists.num_fields);
  };
  file.write_at(0, &header, header.stored_bytes());
  if (g.packed)
    write_packed(place.out, arrays.packed_out.parts);
  file.write_at(place.offsets, g.out_offsets, g.packed ? 0 : 8 * (header.n + 1));
  file.write_at(place.targets, g.out_targets, g.packed ? 0 : sizeof(V) * header.arcs);
  for (std::size_t k = 0; k < header.num_columns; ++k)
    file.write_at(place.columns[k], g.columns[k], width_of(graph.columns()[k].type) * header.arcs);
  file.write_ids_at(place, graph.ids());
  file.write_at(place.in_offsets, g.in_offsets, in_arrays ? 8 * (header.n + 1) : 0);
  file.write_at(place.in_sources, g.in_sources, in_arrays ? sizeof(V) * header.arcs : 0);
  if (header.is_packed() && header.has_in_arcs())
    write_packed(place.in, arrays.packed_in.parts);
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
