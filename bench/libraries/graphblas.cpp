// SuiteSparse:GraphBLAS: kernels that are a few lines of linear algebra. (Its library of algorithms is not packaged.)
#include "kernels.h"

extern "C" {
#include <GraphBLAS.h>
}

#include <cmath>
#include <stdexcept>

namespace bench {

namespace {

void check(GrB_Info info) {
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE)
    throw std::runtime_error("GraphBLAS: error " + std::to_string(info));
}

/// The library can be started but once in a process.
struct Session {
  Session() { check(GrB_init(GrB_NONBLOCKING)); }
  ~Session() { GrB_finalize(); }
};

class GraphBlas final : public Library {
public:
  GraphBlas(const View &view, const std::int32_t *columns, int rounds, int threads)
      : rounds(rounds), n(view.num_vertices()) {
    static Session session;
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
    std::vector<GrB_Index> from, to;
    std::vector<std::int32_t> values;
    from.reserve(view.num_arcs());
    to.reserve(view.num_arcs());
    values.reserve(view.num_arcs());
    degrees.resize(n);
    for (std::uint32_t u = 0; u < n; ++u) {
      degrees[u] = view.out_degree(u);
      for (gc::ArcId e = view.out_begin(u); e < view.out_end(u); ++e) {
        from.push_back(u);
        to.push_back(view.target(e));
        values.push_back(columns[e]);
      }
    }
    check(GrB_Matrix_new(&weighted, GrB_INT32, n, n));
    check(GrB_Matrix_build_INT32(weighted, from.data(), to.data(), values.data(), from.size(), GrB_FIRST_INT32));
    check(GrB_Matrix_new(&pattern, GrB_BOOL, n, n));
    check(GrB_Matrix_apply(pattern, nullptr, nullptr, GxB_ONE_BOOL, weighted, nullptr));
    check(GrB_Matrix_wait(pattern, GrB_MATERIALIZE));
    check(GrB_Matrix_wait(weighted, GrB_MATERIALIZE));
  }
  GraphBlas(const GraphBlas &) = delete;
  GraphBlas &operator=(const GraphBlas &) = delete;
  ~GraphBlas() override {
    GrB_Vector_free(&result);
    GrB_Matrix_free(&pattern);
    GrB_Matrix_free(&weighted);
  }
  std::string name() const override { return "GraphBLAS"; }
  std::vector<Task> tasks() const override {
    return {{Kernel::bfs}, {Kernel::sssp}, {Kernel::pagerank}, {Kernel::triangles}};
  }

  void run(Kernel kernel, std::uint32_t source) override {
    GrB_Vector_free(&result);
    single = kernel == Kernel::triangles;
    if (kernel == Kernel::bfs)
      bfs(source);
    else if (kernel == Kernel::sssp)
      sssp(source);
    else if (kernel == Kernel::pagerank)
      pagerank();
    else if (kernel == Kernel::triangles)
      triangles();
    if (result)
      check(GrB_Vector_wait(result, GrB_MATERIALIZE));
  }
  std::vector<double> answer() const override {
    if (single)
      return {static_cast<double>(count)};
    std::vector<double> values(n, -1);
    for (std::uint32_t v = 0; v < n; ++v)
      check(GrB_Vector_extractElement_FP64(&values[v], result, v));
    return values;
  }

private:
  /// One product a level; reached vertices are masked out.
  void bfs(std::uint32_t source) {
    GrB_Vector frontier = nullptr;
    check(GrB_Vector_new(&result, GrB_INT32, n));
    check(GrB_Vector_new(&frontier, GrB_BOOL, n));
    check(GrB_Vector_setElement_BOOL(frontier, true, source));
    GrB_Index active = 1;
    for (int depth = 0; active > 0; ++depth) {
      check(GrB_Vector_assign_INT32(result, frontier, nullptr, depth, GrB_ALL, n, GrB_DESC_S));
      check(GrB_vxm(frontier, result, nullptr, GxB_ANY_PAIR_BOOL, frontier, pattern, GrB_DESC_RSC));
      check(GrB_Vector_nvals(&active, frontier));
    }
    GrB_Vector_free(&frontier);
  }

  /// Bellman and Ford's algorithm over the vertices whose distance fell.
  void sssp(std::uint32_t source) {
    GrB_Vector frontier = nullptr, shorter = nullptr;
    check(GrB_Vector_new(&result, GrB_INT32, n));
    check(GrB_Vector_new(&frontier, GrB_INT32, n));
    check(GrB_Vector_new(&shorter, GrB_BOOL, n));
    check(GrB_Vector_setElement_INT32(result, 0, source));
    check(GrB_Vector_setElement_INT32(frontier, 0, source));
    for (GrB_Index active = 1; active > 0;) {
      check(GrB_vxm(frontier, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_INT32, frontier, weighted, nullptr));
      // Kept: what is reached for the first time, and what is shorter than before.
      check(GrB_Vector_clear(shorter));
      check(GrB_Vector_assign_BOOL(shorter, frontier, nullptr, true, GrB_ALL, n, GrB_DESC_S));
      check(GrB_Vector_eWiseMult_BinaryOp(shorter, nullptr, GrB_SECOND_BOOL, GrB_LT_INT32, frontier, result, nullptr));
      check(GrB_Vector_apply(frontier, shorter, nullptr, GrB_IDENTITY_INT32, frontier, GrB_DESC_R));
      check(GrB_Vector_assign(result, frontier, nullptr, frontier, GrB_ALL, n, GrB_DESC_S));
      check(GrB_Vector_nvals(&active, frontier));
    }
    GrB_Vector_free(&frontier);
    GrB_Vector_free(&shorter);
  }

  void pagerank() {
    GrB_Vector share = nullptr, degree = nullptr;
    check(GrB_Vector_new(&result, GrB_FP64, n));
    check(GrB_Vector_new(&share, GrB_FP64, n));
    check(GrB_Vector_new(&degree, GrB_FP64, n));
    for (std::uint32_t v = 0; v < n; ++v)
      if (degrees[v] > 0)
        check(GrB_Vector_setElement_FP64(degree, degrees[v], v));
    check(GrB_Vector_assign_FP64(result, nullptr, nullptr, 1.0 / n, GrB_ALL, n, nullptr));
    for (int round = 0; round < rounds; ++round) {
      check(GrB_Vector_eWiseMult_BinaryOp(share, nullptr, nullptr, GrB_DIV_FP64, result, degree, nullptr));
      check(GrB_Vector_apply_BinaryOp2nd_FP64(share, nullptr, nullptr, GrB_TIMES_FP64, share, 0.85, nullptr));
      check(GrB_Vector_assign_FP64(result, nullptr, nullptr, 0.15 / n, GrB_ALL, n, nullptr));
      check(GrB_mxv(result, nullptr, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, pattern, share, nullptr));
    }
    GrB_Vector_free(&share);
    GrB_Vector_free(&degree);
  }

  /// Pairs of edges from a vertex to smaller ones whose ends are adjacent.
  void triangles() {
    GrB_Matrix lower = nullptr, closed = nullptr;
    check(GrB_Matrix_new(&lower, GrB_BOOL, n, n));
    check(GrB_Matrix_new(&closed, GrB_INT64, n, n));
    check(GrB_Matrix_select_INT64(lower, nullptr, nullptr, GrB_TRIL, pattern, -1, nullptr));
    check(GrB_mxm(closed, lower, nullptr, GxB_PLUS_PAIR_INT64, lower, lower, GrB_DESC_ST1));
    check(GrB_Matrix_reduce_INT64(&count, nullptr, GrB_PLUS_MONOID_INT64, closed, nullptr));
    GrB_Matrix_free(&lower);
    GrB_Matrix_free(&closed);
  }

  int rounds;
  std::uint32_t n;
  std::vector<std::int32_t> degrees;
  GrB_Matrix weighted = nullptr, pattern = nullptr;
  GrB_Vector result = nullptr;
  std::int64_t count = 0;
  bool single = false;
};

} // namespace

std::unique_ptr<Library> graphblas(const View &graph, const std::int32_t *weights, int rounds, int threads) {
  return std::make_unique<GraphBlas>(graph, weights, rounds, threads);
}

} // namespace bench
