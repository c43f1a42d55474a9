// The steps from edges to a LoadedGraph.
#ifndef GCOMPILE_SRC_LOAD_H
#define GCOMPILE_SRC_LOAD_H

#include "edges.h"
#include "storage.h"

#include <memory>
#include <string>

namespace gc::detail {

/// Whether the graph becomes directed, from what the program declares, the user says and the input says.
bool choose_direction(const LoadOptions &options, bool input_directed);

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
