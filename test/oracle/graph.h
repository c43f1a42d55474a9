// A graph as an oracle sees it: plain adjacency lists read from `u v [w]` lines.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace oracle {

/// The answer is wrong, or a file cannot be used; the message says what is different.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Arc {
  int target;
  double weight;
};

/// Vertices are 0..n-1, in ascending order of their ids. Of repeated edges the lightest is kept; self-loops stay. An
/// undirected graph has every edge in the lists of both ends, a self-loop once, and in == out.
struct Graph {
  bool directed = false;
  std::vector<std::int64_t> ids;
  std::vector<std::vector<Arc>> out, in; // sorted by target

  int size() const { return static_cast<int>(ids.size()); }
  /// The vertex with that id; throws Mismatch if there is none.
  int find(std::int64_t id) const;
  /// The arc from u to v, or null.
  const Arc *arc(int u, int v) const;
};

/// Reads `u v [w]` lines; lines that begin with '#' are skipped. Vertices named alone on a line (`v`) exist as well.
Graph readGraph(const std::string &path, bool directed);

} // namespace oracle
