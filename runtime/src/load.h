// The steps from edges to a LoadedGraph.
#ifndef GCOMPILE_SRC_LOAD_H
#define GCOMPILE_SRC_LOAD_H

#include "csr_build.h"
#include "edges.h"
#include "estimate.h"
#include "storage.h"

#include <gcompile/program/info.h>

#include <memory>
#include <string>

namespace gc::detail {

/// Whether the graph becomes directed, from what the program declares, the user says and the input says.
bool choose_direction(const LoadOptions &options, bool input_directed);

/// The width of the ids of n vertices. Throws Error if it is not the one that the user wants.
int choose_bits(const LoadOptions &options, std::uint64_t n);

/// What arrays in a file are like.
struct StoredArrays {
  int vertex_bits = 32;
  bool directed = true;
  std::vector<ColumnInfo> columns;
};
/// Whether they serve as they are as a graph with these columns.
bool serves_as_is(const StoredArrays &stored, const LoadOptions &options, bool directed, int bits,
                  const std::vector<ColumnInfo> &columns);

/// Counts for the memory check that the process which speaks gets a whole result.
void add_whole_result(LoadOptions &options, const OutputInfo &output);

/// The bytes of `needs` that this process needs.
double needs_of(const MemoryNeeds &needs, const LoadOptions &options);

/// How many processes load the graph together; 0: there is no group.
int processes_of(const LoadOptions &options);

BuildOptions build_options(const LoadOptions &options, bool input_directed, bool generated);

/// A graph's name, taken apart.
struct GraphRequest {
  std::string path; ///< without what follows it
  LoadOptions options;
  bool generated = false;
};
/// Throws Error if the name or the options are wrong.
GraphRequest resolve(const std::string &spec, const LoadOptions &given);

struct Input {
  std::unique_ptr<EdgeSource> source;
  std::uint64_t n = 0;
  double num_entries = 0;
  bool directed = true;
  bool generated = false;
};

/// The context takes the columns that the program reads, with their checks.
void take_columns(ReadContext &context);

/// Builds the out-arrays of a graph whose edges, ids and columns are known.
std::unique_ptr<GraphStorage> build_graph(const std::string &name, Input input, VertexIds ids,
                                          const ReadContext &context);

/// Gives a graph with out-arrays and columns what else the options ask for: weights, an order, in-arrays. Throws Error
/// if a column that must not be negative is.
template <class V>
void finish_graph(const std::string &name, GraphStorage &storage, const LoadOptions &options,
                  const ReadContext &context);

} // namespace gc::detail

#endif
