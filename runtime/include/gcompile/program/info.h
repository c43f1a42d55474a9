// What a generated program says about itself: its parameters, its outputs, and what it needs of the graph.
#ifndef GCOMPILE_PROGRAM_INFO_H
#define GCOMPILE_PROGRAM_INFO_H

#include <gcompile/program/load.h>
#include <gcompile/program/placement.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace gc {

enum class ParameterType { boolean, integer32, integer64, real32, real64, vertex, vertex_set };

/// A parameter of the algorithm, which is an option --NAME=VALUE of the program.
struct ParameterInfo {
  std::string name;
  ParameterType type = ParameterType::integer32;
  bool required = true;
  /// As on the command line: "0.85", "all", "none"; with a value for each vertex also "self", "v.degree",
  /// "v.out_degree" or "v.in_degree". Used if not required.
  std::string default_text;
  std::string doc;          ///< one line for --help
  bool per_vertex = false;  ///< `T[g]`: a value for each vertex
  bool nonnegative = false; ///< a negative value is an error
  std::string joint{};      ///< the option that gives it together with others: "pos" of --pos=@FILE; empty: none
  std::size_t column = 0;   ///< its place among these
  std::size_t columns = 1;  ///< how many they are
};

/// Element types of the language. A `bool` property is stored as std::uint8_t, a `vertex` as V, an `edge` as ArcId.
enum class ElementType { boolean, int32, int64, float32, float64, vertex, edge, tuple };

enum class OutputShape { scalar, vertex, edge, dense, array };

/// A result of the algorithm.
struct OutputInfo {
  std::string name;
  ElementType type = ElementType::int32;
  OutputShape shape = OutputShape::vertex;
  bool unordered_claim = false;      ///< any legal winner is right: --verify does not compare it
  std::vector<ElementType> elements; ///< of a tuple
  double tolerance = 0; ///< sums that were handed on in another order differ by so much, relative to either

  /// Whether its lines name edges by their ends: for places, or as values.
  bool names_edges() const {
    return shape == OutputShape::edge || type == ElementType::edge ||
           std::find(elements.begin(), elements.end(), ElementType::edge) != elements.end();
  }
};

/// The edges along which a program goes, from its roots on.
enum class Along { out, in, both };

/// An output that is, of every vertex, the least sum of an edge property along a path.
struct PathSums {
  std::string output, column;
  Along along = Along::out; ///< the edges of a path
  std::string place;        ///< the statement, "sssp.gdsl:12"
};

/// An output that is, of every pair of vertices, the least sum over all ways between them.
struct ClosedSums {
  std::string output;
  std::string place; ///< the loop over all vertices between, "apsp.gdsl:11"
};

/// What a generated program says about itself.
struct ProgramInfo {
  // Of the library, as programs are compiled in less time so.
  ProgramInfo();
  ProgramInfo(const ProgramInfo &);
  ProgramInfo(ProgramInfo &&) noexcept;
  ProgramInfo &operator=(const ProgramInfo &);
  ProgramInfo &operator=(ProgramInfo &&) noexcept;
  ~ProgramInfo();

  // What a program calls to say it. The members are those of what is added.
  void add_parameter(const char *name, ParameterType type, bool required, const char *default_text, const char *doc,
                     bool per_vertex = false, bool nonnegative = false);
  /// An option that gives several parameters together.
  void add_joint(const char *name, const std::vector<std::string> &names);
  void add_output(const char *name, ElementType type, OutputShape shape, bool unordered_claim,
                  std::initializer_list<ElementType> elements = {});
  void add_tolerance(const char *output, double tolerance);
  void add_edge_column(const char *name, ColumnType type, bool nonnegative);
  void add_root(const char *parameter);
  void add_path_sums(const char *output, const char *column, Along along, const char *place);
  void add_closed_sums(const char *output, const char *place);
  void add_rounds(const char *place);

  std::string name;
  std::string source; ///< name of the .gdsl file
  std::vector<ParameterInfo> parameters;
  std::vector<OutputInfo> outputs;
  Directedness directedness = Directedness::any;
  std::vector<ColumnInfo> edge_columns;
  bool needs_in_edges = false;                  ///< reads in_offsets and in_sources
  bool needs_in_edge_ids = false;               ///< reads in_edges
  bool needs_out_of_copies = false;             ///< of a program that runs in parts: reads the edges out of vertices at
                                                ///< the other ends of own edges
  bool needs_into_copies = false;               ///< the same of the edges into them
  bool needs_edges_of_all = false;              ///< of one that runs in parts: the edges of all vertices
  std::vector<std::string> nonnegative_weights; ///< columns whose values must not be negative
  VertexOrder vertex_order = VertexOrder::input; ///< how the vertices are numbered that it runs on
  std::string numbers_used; ///< of a program that runs in parts: where results come to depend on how the vertices are
                            ///< numbered, "components.gdsl:12"; or empty
  std::string whole_lists;  ///< of one that runs in parts: why it cannot where the edges at a vertex are divided, and
                            ///< where: "bfs.gdsl:12: a vertex ends early"; or empty
  bool neighbors_by_degree = false; ///< runs on adjacency lists sorted by the neighbours' descending out-degree
  bool packed = false;              ///< runs on packed lists of neighbours
  /// The parameters from which all that it does along edges starts; empty: it may reach all edges.
  std::vector<std::string> roots;
  Along along = Along::out; ///< from the roots
  std::vector<PathSums> path_sums;
  std::vector<ClosedSums> closed_sums;
  /// The statements of rounds, in no other loop, behind each of which a run can be resumed: "sssp.gdsl:12".
  std::vector<std::string> rounds;
  bool profiled = false;               ///< records the calls of its kernels
  std::optional<Sides> sides;          ///< of a program with a form for the CPU and one for the GPU
  int edge_lists = 0;                  ///< lists of edges that the frontiers of a GPU go through
  bool edge_lists_number = false;      ///< and these have the numbers of the edges
  bool lists_only_reached = false;     ///< on a GPU, of vertices with edges and single vertices among the parameters
  bool walks_all_lists = false;        ///< on a GPU, the list of each vertex, in one loop
  bool has_frontiers = true;           ///< or other lists of vertices; if not, a GPU has more room for those of edges
  double bytes_per_vertex = 0;         ///< state that the program allocates
  double bytes_per_divided_vertex = 0; ///< the same besides, where arcs at a vertex are divided
  double bytes_per_edge = 0;           ///< per arc
  double bytes_per_pair = 0;           ///< per ordered pair of vertices
};

/// How a graph is to be loaded for the program; `options` say what the user decides.
LoadOptions load_options(const ProgramInfo &info, LoadOptions options = {});

} // namespace gc

extern template class std::vector<gc::ClosedSums>;
extern template class std::vector<gc::ColumnInfo>;
extern template class std::vector<gc::OutputInfo>;
extern template class std::vector<gc::ParameterInfo>;
extern template class std::vector<gc::PathSums>;

#endif
