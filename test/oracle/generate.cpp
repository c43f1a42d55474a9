// Small graphs of several shapes, as text.
#include "checks.h"

#include <fstream>
#include <functional>
#include <random>

namespace oracle {

namespace {

struct Writer {
  std::ofstream file;
  std::mt19937_64 random{20240607};

  int below(int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); }
  void edge(int u, int v) { file << u << ' ' << v << ' ' << 1 + below(100) << '\n'; }
};

/// Skewed degrees: the quadrant of the adjacency matrix is drawn bit by bit.
void kronecker(Writer &w) {
  constexpr int scale = 9;
  for (int i = 0; i < (8 << scale); ++i) {
    int u = 0, v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      int draw = w.below(100);
      u = 2 * u + (draw >= 76);
      v = 2 * v + (draw >= 57 && (draw < 76 || draw >= 95));
    }
    w.edge(u, v);
  }
}

void uniform(Writer &w) {
  for (int i = 0; i < 8 * 500; ++i)
    w.edge(w.below(500), w.below(500));
}

/// A large diameter; ids far apart and not starting from 0.
void grid(Writer &w) {
  constexpr int rows = 22, columns = 25;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      int v = 1000000 + 7 * (r * columns + c);
      if (c + 1 < columns)
        w.edge(v, v + 7);
      if (r + 1 < rows)
        w.edge(v, v + 7 * columns);
    }
}

/// A long path, and a star in a component of its own.
void pathAndStar(Writer &w) {
  for (int v = 0; v < 299; ++v)
    w.edge(v, v + 1);
  for (int v = 301; v < 450; ++v)
    w.edge(300, v);
}

/// Many components, self-loops, and repeated edges with other weights.
void loopsAndDuplicates(Writer &w) {
  for (int block = 0; block < 12; ++block)
    for (int i = 0; i < 90; ++i) {
      int u = 40 * block + w.below(30), v = 40 * block + w.below(30);
      w.edge(u, v);
      if (i % 7 == 0)
        w.edge(u, u);
      if (i % 5 == 0)
        w.edge(u, v);
      if (i % 9 == 0)
        w.edge(v, u);
    }
}

const std::map<std::string, std::function<void(Writer &)>> shapes = {{"kronecker", kronecker},
                                                                     {"uniform", uniform},
                                                                     {"grid", grid},
                                                                     {"path-star", pathAndStar},
                                                                     {"loops", loopsAndDuplicates}};

} // namespace

void generate(const std::string &shape, const std::string &path) {
  auto found = shapes.find(shape);
  if (found == shapes.end())
    throw Mismatch("unknown shape " + shape);
  Writer writer;
  writer.file.open(path);
  found->second(writer);
  writer.file.close();
  if (!writer.file)
    throw Mismatch(path + " cannot be written");
}

} // namespace oracle
