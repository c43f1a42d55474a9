#include "protocol.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace graph500 {

namespace {

/// The i-th number of a stream of 64-bit random numbers (SplitMix64, Steele et al. 2014).
std::uint64_t draw(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t x = seed + (i + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double unit(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

} // namespace

Edges kronecker(int scale, int edge_factor, std::uint64_t seed) {
  constexpr double a = 0.57, b = 0.19, c = 0.19;
  Edges list;
  list.num_vertices = std::uint64_t(1) << scale;
  const std::uint64_t edges = list.num_vertices * static_cast<std::uint64_t>(edge_factor);
  list.sources.resize(edges);
  list.targets.resize(edges);
  list.weights.resize(edges);
  std::vector<Vertex> label(list.num_vertices);
  std::iota(label.begin(), label.end(), Vertex(0));
  std::mt19937_64 random(draw(seed, 0));
  std::shuffle(label.begin(), label.end(), random);
  const std::uint64_t bits = draw(seed, 1), values = draw(seed, 2);
#pragma omp parallel for schedule(static)
  for (std::uint64_t e = 0; e < edges; ++e) {
    Vertex u = 0, v = 0;
    for (int level = 0; level < scale; ++level) {
      const std::uint64_t i = 2 * (e * 64 + static_cast<std::uint64_t>(level));
      const bool lower = unit(draw(bits, i)) > a + b;
      const bool right = unit(draw(bits, i + 1)) > (lower ? c / (1 - (a + b)) : a / (a + b));
      u = 2 * u + lower;
      v = 2 * v + right;
    }
    list.sources[e] = label[u];
    list.targets[e] = label[v];
    list.weights[e] = static_cast<float>(2 * (draw(values, e) >> 41) + 1) * 0x1p-24F;
  }
  return list;
}

std::vector<Vertex> draw_roots(const Edges &edges, std::size_t count, std::uint64_t seed) {
  std::vector<std::uint8_t> joined(edges.num_vertices, 0);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges.sources[e] != edges.targets[e])
      joined[edges.sources[e]] = joined[edges.targets[e]] = 1;
  std::vector<Vertex> candidates;
  for (Vertex v = 0; v < edges.num_vertices; ++v)
    if (joined[v])
      candidates.push_back(v);
  std::mt19937_64 random(draw(seed, 3));
  std::vector<Vertex> roots;
  while (roots.size() < count && roots.size() < candidates.size()) {
    const std::size_t place = roots.size() + random() % (candidates.size() - roots.size());
    std::swap(candidates[roots.size()], candidates[place]);
    roots.push_back(candidates[roots.size()]);
  }
  return roots;
}

} // namespace graph500
