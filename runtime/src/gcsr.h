// The binary CSR format, .gcsr: a header, then the arrays as they lie in memory.
#ifndef GCOMPILE_SRC_GCSR_H
#define GCOMPILE_SRC_GCSR_H

#include "edges.h"
#include "storage.h"

#include <memory>
#include <type_traits>

namespace gc::detail {

/// The first bytes of the file; integers in the machine's order (the magic number tells a foreign one).
struct GcsrHeader {
  static constexpr std::uint64_t magic = 0x0a0d525343479789u; ///< "\x89\x97GCSR\r\n"
  static constexpr std::uint32_t version = 1;
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
};
static_assert(std::is_trivially_copyable<GcsrHeader>::value && sizeof(GcsrHeader) % 8 == 0,
              "written as it lies in memory");

/// What `checksum` must be.
std::uint64_t checksum_of(const GcsrHeader &header);

/// A graph whose arrays lie in the mapped file. Throws Error if the header, the sizes or the arrays are not sound.
std::unique_ptr<GraphStorage> read_gcsr(InputFile file, const ReadContext &context);

/// Copies the arrays of a mapped file to memory of their own, whose huge pages make reading lists in no order faster.
/// Columns beyond those that `storage` lists stay behind.
void copy_to_memory(GraphStorage &storage);

/// The edges of a graph, each edge of an undirected graph once; for building it anew with other options.
std::unique_ptr<EdgeSource> edges_of(const GraphStorage &storage);

} // namespace gc::detail

#endif
