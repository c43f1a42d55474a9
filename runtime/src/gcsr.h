// The binary CSR format, .gcsr: a header, then the arrays as they lie in memory.
//
// Version 2 also has the arcs by their targets; a file without them says that it has version 1. Version 4 has packed
// lists of neighbours (core/packed_lists.h) in the place of offsets and neighbours, of one side or of both.
#ifndef GCOMPILE_SRC_GCSR_H
#define GCOMPILE_SRC_GCSR_H

#include "edges.h"
#include "runtime/tool_support/output_file.h"
#include "sorted_runs.h"
#include "storage.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace gc::detail {

/// How much packed lists take.
struct GcsrPacking {
  std::uint64_t records, words; ///< of 8 bytes each
};

/// The first bytes of the file; integers in the machine's order (the magic number tells a foreign one).
struct GcsrHeader {
  static constexpr std::uint64_t magic = 0x0a0d525343479789u; ///< "\x89\x97GCSR\r\n"
  static constexpr std::uint32_t version = 1, version_with_in_arrays = 2, version_of_earlier_packed = 3,
                                 version_of_packed = 4;
  static constexpr std::size_t max_columns = static_cast<std::size_t>(Graph<std::uint32_t>::max_columns);
  static constexpr std::size_t name_bytes = 40;

  std::uint64_t magic_number;
  std::uint32_t version_number;
  std::uint32_t vertex_bits;
  std::uint32_t directed;
  std::uint32_t num_columns;
  std::uint64_t n, arcs;
  std::int64_t edges;
  std::uint32_t id_kind, reserved;
  std::int64_t first_id;
  std::uint64_t characters; ///< bytes of all names, if the ids are texts
  std::uint64_t file_bytes;
  std::uint32_t column_types[max_columns];
  char column_names[max_columns][name_bytes];
  std::uint64_t checksum; ///< of all before
  // Of version 4 only.
  GcsrPacking out, in;          ///< without in-arcs, `in` has no words
  std::uint64_t packs_checksum; ///< of all before

  bool is_packed() const { return version_number == version_of_packed; }
  bool has_in_arcs() const { return is_packed() ? in.words > 0 : version_number == version_with_in_arrays; }
  std::size_t stored_bytes() const;
};
static_assert(std::is_trivially_copyable<GcsrHeader>::value && sizeof(GcsrHeader) % 8 == 0,
              "written as it lies in memory");

inline std::size_t GcsrHeader::stored_bytes() const {
  return is_packed() ? sizeof(GcsrHeader) : offsetof(GcsrHeader, out);
}

/// What the checksums must be.
std::uint64_t checksum_of(const GcsrHeader &header);
std::uint64_t packs_checksum_of(const GcsrHeader &header);

/// Where the sections of a file lie.
struct GcsrSections {
  std::uint64_t offsets, targets, columns[GcsrHeader::max_columns], integer_ids, text_ends, characters;
  std::uint64_t in_offsets, in_sources; ///< of version 2
  struct Packs {
    std::uint64_t groups, records, words;
  } out, in; ///< of version 4
  std::uint64_t file_bytes;
};
GcsrSections place_sections(const GcsrHeader &header);

/// The header, at the beginning of a file. Throws Error if it is not sound.
GcsrHeader read_header(const std::string &path, std::string_view head);

/// Where the header says another size than the file has: throws Error.
void require_size(const std::string &path, const GcsrHeader &header, std::uint64_t file_bytes);

/// A graph whose view is of the arrays or packed lists behind `data`, the first byte of a file; of those of in-arcs
/// too, if asked for. Throws Error if the ids are not sound.
std::unique_ptr<GraphStorage> view_arrays(const std::string &path, const GcsrHeader &header, const char *data,
                                          bool in_arrays);
/// Whether the in-arrays of a file are what the options ask for.
bool takes_in_arrays(const LoadOptions &options);
/// Throws Error if the arrays of the view are not sound. Of a group, each process reads its part of them.
void check_arrays(const std::string &path, const GcsrHeader &header, GraphStorage &storage,
                  ProcessGroup *group = nullptr);
/// Copies the offsets of the view to memory of their own.
void copy_offsets(GraphStorage &storage);

/// The header of a file of plain lists that is to be written, but for the numbers of arcs and edges.
GcsrHeader header_of(const VertexIds &ids, const std::vector<ColumnInfo> &columns, std::size_t vertex_bits,
                     bool directed, bool in_arrays);
/// Computes what follows from the rest of the header.
GcsrSections finish_header(GcsrHeader &header);

/// A file of sections, which appears when it is complete.
class GcsrWriter {
public:
  explicit GcsrWriter(const std::string &path) : file_(path) {}

  /// Writes zeros up to `position`, then the bytes.
  void write_at(std::uint64_t position, const void *data, std::uint64_t bytes);
  void copy_at(std::uint64_t position, SpoolFile &spool);
  void write_ids_at(const GcsrSections &place, const VertexIds &ids);
  void commit() { file_.commit(); }

private:
  void put(const void *data, std::uint64_t bytes);

  OutputFile file_;
  std::uint64_t written_ = 0;
};

/// A graph whose arrays lie in the mapped file. Throws Error if the header, the sizes or the arrays are not sound.
std::unique_ptr<GraphStorage> read_gcsr(InputFile file, const ReadContext &context);

/// Copies the arrays of a mapped file to memory of their own, whose huge pages make reading lists in no order faster.
/// Columns beyond those that `storage` lists stay behind.
void copy_to_memory(GraphStorage &storage);

/// The edges of a graph, each edge of an undirected graph once; for building it anew with other options.
std::unique_ptr<EdgeSource> edges_of(const GraphStorage &storage);

} // namespace gc::detail

#endif
