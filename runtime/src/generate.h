// Generated graphs and generated weights. Everything is a function of the seed alone, whatever the number of threads.
#ifndef GCOMPILE_SRC_GENERATE_H
#define GCOMPILE_SRC_GENERATE_H

#include "edges.h"
#include "storage.h"

#include <memory>
#include <string>

namespace gc::detail {

/// One step of SplitMix64: 64 bits that depend on all bits of x. Stored files and generated graphs rest on it.
inline std::uint64_t splitmix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct GeneratedGraph {
  std::unique_ptr<EdgeSource> source;
  std::uint64_t n = 0;
  double num_edges = 0; ///< before self-loops and duplicates are dropped
  bool directed = false;
  std::string weights; ///< "LO..HI" or empty
  std::uint64_t weights_seed = 1;
};

/// Whether the argument names a generator: "kronecker:...", "grid:...".
bool is_generator(const std::string &spec);

/// Throws an argument Error for an unknown generator or option, or a value out of range.
GeneratedGraph make_generator(const std::string &spec);

/// A range of weights, "1..255" or "0.5..2.5".
struct WeightRange {
  bool real = false; ///< uniform reals, not integers
  std::int64_t low = 0, high = 0;
  double real_low = 0, real_high = 0;
};

/// Throws an argument Error if the text is not a range, or a column cannot hold its values.
WeightRange parse_weights(const std::string &text, const std::vector<ColumnInfo> &columns,
                          const std::vector<std::string> &nonnegative);

/// The weight of the edge between u and v in column k, in either direction.
template <class T>
T weight_of(const WeightRange &range, std::uint64_t seed, std::size_t k, std::uint64_t u, std::uint64_t v);

/// Fills every column of a built graph, for the arcs out of some vertices: uniform values that depend on the seed, the
/// column and the two ends, in either order, so that opposite arcs agree. The values of other arcs are zero, and take
/// no memory.
template <class V>
void fill_weights(GraphStorage &storage, VertexBlock rows, const WeightRange &range, std::uint64_t seed);

} // namespace gc::detail

#endif
