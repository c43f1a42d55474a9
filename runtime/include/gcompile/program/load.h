// Loading of graphs from files and generators, and saving in the binary format.
#ifndef GCOMPILE_PROGRAM_LOAD_H
#define GCOMPILE_PROGRAM_LOAD_H

#include <gcompile/core/graph.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gc {

struct ProcessGroup;

/// Type of an edge column: the language's int, long, float and double.
enum class ColumnType { int32, int64, float32, float64 };

/// An edge property that a program reads from its input.
struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::int32;
};

enum class Directedness { any, directed, undirected };

/// What to do with self-loops or duplicate edges. `standard`: files keep self-loops and drop duplicates, generators
/// drop both.
enum class Keep { standard, keep, drop };

/// How the vertex ids of an edge list are read: `standard` decides by the first data line.
enum class IdKind { standard, integer, text };

/// Whether the first data line of an edge list names its columns: `standard` decides by the first two.
enum class HeaderLine { standard, yes, no };

/// How the vertices are numbered inside of a program. Its parameters and results have the input's ids.
enum class VertexOrder {
  input,     ///< as the input has them
  by_degree, ///< by descending out-degree, those of equal degree as in the input
  by_bfs ///< in breadth-first order along out-arcs from the vertex with the most of them, and again from the heaviest
         ///< vertex that is left
};

struct LoadOptions {
  std::string format;                       ///< a format name as in --format=; empty: by the file's extension
  Directedness program = Directedness::any; ///< what the program declares
  Directedness user = Directedness::any;    ///< --directed, --undirected
  Keep self_loops = Keep::standard;
  Keep duplicates = Keep::standard; ///< of duplicates, the one with the smallest first column stays
  IdKind ids = IdKind::standard;
  HeaderLine header = HeaderLine::standard;
  int vertex_bits = 0;             ///< 32, 64, or 0: chosen by the number of vertices
  std::vector<ColumnInfo> columns; ///< edge columns that the program reads, in its order
  bool all_columns = false;        ///< take the columns that the file has, instead of `columns`
  std::string weights;             ///< "LO..HI": seeded uniform values for every column
  std::uint64_t weights_seed = 1;
  std::vector<std::string> nonnegative; ///< names of columns whose values must not be negative
  VertexOrder vertex_order = VertexOrder::input;
  bool neighbors_by_degree = false;    ///< sort each list of arcs by descending out-degree of the neighbours
  bool packed = false;                 ///< drop the bits of the lists that they do not need
  bool keeps_plain = false;            ///< with `packed`: the lists stay as they are, too
  bool in_edges = false;               ///< build in_offsets and in_sources
  bool in_edge_ids = false;            ///< build in_edges
  bool count_input = false;            ///< count the edges of the input that start at each vertex
  double bytes_per_vertex = 0;         ///< state of the program, for the memory check
  double bytes_per_edge = 0;           ///< per arc
  double bytes_per_pair = 0;           ///< per ordered pair of vertices
  double bytes_per_resulting_pair = 0; ///< of these, what is a result
  double bytes_per_resulting_edge = 0; ///< the same of bytes_per_edge
  std::uint64_t memory_limit = 0;      ///< bytes; 0: what the machine has available
  ProcessGroup *group = nullptr; ///< the processes that load the graph together: each keeps the arcs at its vertices,
                                 ///< and all offsets
  std::string partition; ///< which vertices each process of `group` owns: "scotch", or a file of parts; empty: blocks
                         ///< in the input's order
  bool divides_lists = false; ///< with `group`: processes stand in a grid, and divide the arcs at a vertex
  bool out_of_copies = false; ///< with `group`: a process also keeps the arcs out of the vertices at the other ends of
                              ///< its arcs, with their columns
  bool into_copies = false;   ///< the same of the arcs into them
  int parts = 0;              ///< without `group`, how many these are; 0: none
  bool passes_messages = false; ///< these processes may pass on messages of others, for the memory check
  bool keeps_all = false;       ///< with `group`: this one keeps all arcs
  bool may_stream = false; ///< where a .gcsr file does not fit into memory, its arcs may stay there: only the threads
                           ///< of this process read them, and no system call
  bool notes = false;      ///< say on stderr that a line is taken as a header
  bool progress = false;   ///< show a progress line on stderr if that is a terminal

  /// Whether vertices get other numbers than the input's.
  bool renumbers() const { return vertex_order != VertexOrder::input || !partition.empty(); }
  /// Whether each process of `group` looks at the whole graph before it keeps its part.
  bool needs_whole() const { return renumbers() || divides_lists; }
};

/// The input's own names of the vertices 0..n-1: a range of integers, ascending integers, or strings, in the input's
/// order or in another one.
class VertexIds {
public:
  enum class Kind { range, integers, text };

  VertexIds() = default;
  /// first, first + 1, ..., first + n - 1.
  static VertexIds range(std::int64_t first, std::uint64_t n);
  /// Ascending, without duplicates.
  static VertexIds integers(std::vector<std::int64_t> ids);
  /// `ends[v]` is the position in `characters` after the name of v.
  static VertexIds text(std::string characters, std::vector<std::uint64_t> ends);

  Kind kind() const { return kind_; }
  std::uint64_t size() const { return size_; }
  std::int64_t first() const { return first_; }
  const std::vector<std::int64_t> &integer_ids() const { return integers_; }
  const std::string &characters() const { return characters_; }
  const std::vector<std::uint64_t> &ends() const { return ends_; }

  /// The vertex with that name, if there is one. Not thread-safe (builds an index at first use).
  std::optional<std::uint64_t> find(std::string_view name) const;
  /// The vertex with that integer id, if there is one.
  std::optional<std::uint64_t> find(std::int64_t id) const;
  /// Renumbers the vertices: vertex v is what was order[v]. Once.
  void reorder(std::vector<std::uint64_t> order);
  bool in_input_order() const { return order_.empty(); }
  /// The vertex that stands at a position in the input's order.
  std::uint64_t at(std::uint64_t position) const { return places_.empty() ? position : places_[position]; }
  /// The position of vertex v there.
  std::uint64_t position(std::uint64_t v) const { return order_.empty() ? v : order_[v]; }
  /// Appends the name of vertex v.
  void append(std::uint64_t v, std::string &out) const;
  std::string name(std::uint64_t v) const;
  /// Appends the name as a field of a line: in quotes, as in RFC 4180, if it could not be read back without them.
  void append_field(std::uint64_t v, std::string &out, bool begins_edge = false) const;

private:
  std::string_view text_of(std::uint64_t v) const;
  std::optional<std::uint64_t> position_of(std::string_view name) const;
  std::optional<std::uint64_t> position_of(std::int64_t id) const;

  Kind kind_ = Kind::range;
  std::uint64_t size_ = 0;
  std::int64_t first_ = 0;
  std::vector<std::int64_t> integers_;
  std::string characters_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint64_t> order_, places_; ///< empty: vertices are numbered as in the input
  mutable std::vector<std::uint64_t> by_name_;
};

namespace detail {
struct GraphStorage;
}

/// A graph in memory, with the names of its vertices and its edge columns. Move-only.
class LoadedGraph {
public:
  explicit LoadedGraph(std::unique_ptr<detail::GraphStorage> storage);
  LoadedGraph(LoadedGraph &&) noexcept;
  LoadedGraph &operator=(LoadedGraph &&) noexcept;
  ~LoadedGraph();

  /// Width of the vertex ids: 32 or 64.
  int vertex_bits() const;
  std::uint64_t num_vertices() const;
  std::uint64_t num_arcs() const;
  std::int64_t num_edges() const;
  bool directed() const;
  const VertexIds &ids() const;
  const std::vector<ColumnInfo> &columns() const;
  /// The time that another order of the vertices or of their arcs took, in seconds; 0 if all are as in the input.
  double layout_seconds() const;
  /// Arcs of the input that repeated others and were dropped.
  std::uint64_t dropped_arcs() const;
  /// The edges that the input lists, self-loops and copies among them; nothing where a file has them in order already.
  std::optional<std::uint64_t> input_edges() const;
  /// Bytes that the graph occupies.
  std::uint64_t bytes() const;
  /// Of these, what lists of neighbours and their offsets take; and what they would take if they were not packed.
  std::uint64_t adjacency_bytes() const;
  std::uint64_t plain_adjacency_bytes() const;
  /// Whether the arcs are read from the file as the program comes to them.
  bool streamed() const;

  /// The graph for kernels; V must be as wide as vertex_bits() says. Lives as long as this object.
  template <class V> const Graph<V> &view() const;

  detail::GraphStorage &storage() const { return *storage_; }

private:
  std::unique_ptr<detail::GraphStorage> storage_;
};

template <> const Graph<std::uint32_t> &LoadedGraph::view<std::uint32_t>() const;
template <> const Graph<std::uint64_t> &LoadedGraph::view<std::uint64_t>() const;

/// Reads a file, or generates a graph: "kronecker:scale=20,degree=16,seed=1", "grid:1500x1500" and so on. A file name
/// may be followed by "?weights=1..255&seed=1". Throws Error with one line that names file, line and reason.
LoadedGraph load_graph(const std::string &spec, const LoadOptions &options = {});

/// Writes the binary format (.gcsr), edge columns and vertex names included. Replaces the file only when complete.
void save_graph(const LoadedGraph &graph, const std::string &path);

/// Writes the same file as save_graph does of the graph that load_graph reads. With a memory_limit that is too little
/// for this, the arcs are sorted in temporary files beside it, if the reader gives its edges part by part: generators,
/// .gcsr files, and edge lists that are not compressed and have whole numbers as ids.
void convert_graph(const std::string &spec, const std::string &path, const LoadOptions &options);

/// The names that --format= accepts.
const std::vector<std::string> &format_names();

} // namespace gc

#endif
