// igraph's C library. Its PageRank hands on the rank of vertices without edges, so it is another one.
#include "kernels.h"

#include <igraph/igraph.h>

#include <stdexcept>

namespace bench {

namespace {

void check(igraph_error_t code) {
  if (code != IGRAPH_SUCCESS)
    throw std::runtime_error(std::string("igraph: ") + igraph_strerror(code));
}

class Igraph final : public Library {
public:
  Igraph(const View &view, const std::int32_t *columns) : n(view.num_vertices()) {
    igraph_vector_int_t ends;
    check(igraph_vector_int_init(&ends, 0));
    check(igraph_vector_int_reserve(&ends, static_cast<igraph_integer_t>(view.num_edges() * 2)));
    check(igraph_vector_init(&weights, 0));
    for (std::uint32_t u = 0; u < n; ++u)
      for (gc::ArcId e = view.out_begin(u); e < view.out_end(u); ++e)
        if (u <= view.target(e)) {
          check(igraph_vector_int_push_back(&ends, u));
          check(igraph_vector_int_push_back(&ends, view.target(e)));
          check(igraph_vector_push_back(&weights, columns[e]));
        }
    check(igraph_create(&graph, &ends, n, IGRAPH_UNDIRECTED));
    igraph_vector_int_destroy(&ends);
  }
  Igraph(const Igraph &) = delete;
  Igraph &operator=(const Igraph &) = delete;
  ~Igraph() override {
    igraph_vector_destroy(&weights);
    igraph_destroy(&graph);
  }
  std::string name() const override { return "igraph"; }
  std::vector<Task> tasks() const override {
    return {{Kernel::bfs},         {Kernel::sssp},      {Kernel::components},
            {Kernel::betweenness}, {Kernel::triangles}, {Kernel::kcore}};
  }

  void run(Kernel kernel, std::uint32_t source) override {
    auto root = static_cast<igraph_integer_t>(source);
    if (kernel == Kernel::bfs)
      bfs(root);
    else if (kernel == Kernel::sssp)
      sssp(root);
    else if (kernel == Kernel::components)
      integers([&](igraph_vector_int_t *membership) {
        return igraph_connected_components(&graph, membership, nullptr, nullptr, IGRAPH_WEAK);
      });
    else if (kernel == Kernel::kcore)
      integers([&](igraph_vector_int_t *cores) { return igraph_coreness(&graph, cores, IGRAPH_ALL); });
    else if (kernel == Kernel::betweenness)
      reals([&](igraph_vector_t *score) {
        return igraph_betweenness_subset(&graph, score, igraph_vss_all(), false, igraph_vss_1(root), igraph_vss_all(),
                                         nullptr);
      });
    else if (kernel == Kernel::triangles)
      reals([&](igraph_vector_t *counts) { return igraph_adjacent_triangles(&graph, counts, igraph_vss_all()); });
    if (kernel == Kernel::betweenness) // both directions of a pair count half in an undirected graph
      for (double &value : values)
        value *= 2;
    if (kernel == Kernel::triangles) {
      double sum = 0;
      for (double value : values)
        sum += value;
      values = {sum / 3};
    }
  }
  std::vector<double> answer() const override { return values; }

private:
  void bfs(igraph_integer_t root) {
    igraph_vector_int_t order, layers;
    check(igraph_vector_int_init(&order, 0));
    check(igraph_vector_int_init(&layers, 0));
    check(igraph_bfs_simple(&graph, root, IGRAPH_ALL, &order, &layers, nullptr));
    values.assign(n, -1);
    for (igraph_integer_t depth = 0; depth + 1 < igraph_vector_int_size(&layers); ++depth)
      for (igraph_integer_t i = VECTOR(layers)[depth]; i < VECTOR(layers)[depth + 1]; ++i)
        values[VECTOR(order)[i]] = static_cast<double>(depth);
    igraph_vector_int_destroy(&order);
    igraph_vector_int_destroy(&layers);
  }

  void sssp(igraph_integer_t root) {
    igraph_matrix_t distances;
    check(igraph_matrix_init(&distances, 0, 0));
    check(igraph_distances_dijkstra(&graph, &distances, igraph_vss_1(root), igraph_vss_all(), &weights, IGRAPH_ALL));
    values.resize(n);
    for (std::uint32_t v = 0; v < n; ++v)
      values[v] = MATRIX(distances, 0, v) == IGRAPH_INFINITY ? -1 : MATRIX(distances, 0, v);
    igraph_matrix_destroy(&distances);
  }

  template <class Compute> void integers(Compute &&compute) {
    igraph_vector_int_t result;
    check(igraph_vector_int_init(&result, 0));
    check(compute(&result));
    values.assign(VECTOR(result), VECTOR(result) + n);
    igraph_vector_int_destroy(&result);
  }
  template <class Compute> void reals(Compute &&compute) {
    igraph_vector_t result;
    check(igraph_vector_init(&result, 0));
    check(compute(&result));
    values.assign(VECTOR(result), VECTOR(result) + n);
    igraph_vector_destroy(&result);
  }

  std::uint32_t n;
  igraph_t graph;
  igraph_vector_t weights;
  std::vector<double> values;
};

} // namespace

std::unique_ptr<Library> igraph(const View &graph, const std::int32_t *weights) {
  return std::make_unique<Igraph>(graph, weights);
}

} // namespace bench
