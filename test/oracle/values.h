// The outputs of a program, and how they are compared.
#pragma once

#include "graph.h"

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace oracle {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A missing vertex (`none`).
constexpr int nothing = -1;

/// Reads a scalar: one line. `inf` is infinity.
double readScalar(const std::string &path);

/// Reads `index value` lines: the elements of an array, from 0 on without a gap. Throws Mismatch otherwise.
std::vector<double> readArray(const std::string &path);

/// Reads `vertex value` lines: one value for every vertex, each vertex once. Throws Mismatch otherwise.
std::vector<double> readNumbers(const std::string &path, const Graph &graph);

/// The same for vertex values; `none` is `nothing`.
std::vector<int> readVertices(const std::string &path, const Graph &graph);

/// The same for `true` and `false`.
std::vector<bool> readFlags(const std::string &path, const Graph &graph);

/// Reads `u v value` lines: one value for every arc, by its ends, each arc once. Throws Mismatch otherwise.
std::map<std::pair<int, int>, double> readArcs(const std::string &path, const Graph &graph);

/// Reads `u v value` lines of a dense output, row by row; `true` is 1 and `false` 0.
std::vector<std::vector<double>> readMatrix(const std::string &path, const Graph &graph);

/// The same for vertex values; `none` is `nothing`.
std::vector<std::vector<int>> readVertexMatrix(const std::string &path, const Graph &graph);

/// Whether two numbers agree up to a relative difference of `tolerance`; numbers below 1e-6 count as that large.
bool close(double a, double b, double tolerance);

/// Throws Mismatch naming the first vertex at which the two differ by more than `tolerance`.
void compare(const std::string &name, const Graph &graph, const std::vector<double> &expected,
             const std::vector<double> &found, double tolerance);

/// Throws Mismatch `NAME of vertex ID: TEXT`.
[[noreturn]] void fail(const std::string &name, const Graph &graph, int vertex, const std::string &text);

/// Compares two `vertex value` files line by line in any order; `Infinity`, `inf` and 9223372036854775807 are the same.
void compareFiles(const std::string &expected, const std::string &found, double tolerance);

} // namespace oracle
