// Graphs of arrays that the caller has.
#include "csr_check.h"
#include "load.h"
#include "thread_errors.h"

#include <gcompile/omp/threads/threads.h>
#include <gcompile/program/arrays.h>

#include <algorithm>
#include <limits>

namespace gc {

using namespace detail;

namespace {

constexpr const char *name = "the graph";

[[noreturn]] void refuse(const std::string &why) { throw Error(ErrorKind::argument, std::string(name) + ": " + why); }

template <class V> void require_columns(const void *const *columns, const LoadOptions &options) {
  if (options.columns.size() > static_cast<std::size_t>(Graph<V>::max_columns))
    refuse("a program reads at most " + std::to_string(Graph<V>::max_columns) + " edge columns");
  for (std::size_t k = 0; k < options.columns.size(); ++k)
    if (!columns[k])
      refuse("the program reads the edge property '" + options.columns[k].name + "', of which there is no array");
}

template <class V> void require_vertices(std::uint64_t n) {
  if (n >= none<V>())
    refuse(std::to_string(n) + " vertices do not fit ids of " + std::to_string(8 * sizeof(V)) + " bits");
}

/// The edges of the caller, in the form that the builder reads.
template <class V> class ListedEdges final : public EdgeSource {
public:
  ListedEdges(const EdgeList<V> &list, const std::vector<ColumnInfo> &columns) : list_(list), columns_(columns) {}

  std::size_t chunks() const override { return (list_.num_edges + block - 1) / block; }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    const std::uint64_t begin = i * block, size = std::min(block, list_.num_edges - begin);
    scratch.ends.resize(2 * size);
    for (std::uint64_t e = 0; e < size; ++e) {
      scratch.ends[2 * e] = list_.sources[begin + e];
      scratch.ends[2 * e + 1] = list_.targets[begin + e];
    }
    scratch.values.resize(columns_.size() * size);
    for (std::size_t k = 0; k < columns_.size(); ++k)
      with_type(columns_[k].type, [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        const T *values = static_cast<const T *>(list_.columns[k]) + begin;
        for (std::uint64_t e = 0; e < size; ++e)
          if constexpr (std::is_floating_point<T>::value)
            scratch.values[e * columns_.size() + k] = bits_of(static_cast<double>(values[e]));
          else
            scratch.values[e * columns_.size() + k] = static_cast<std::uint64_t>(static_cast<std::int64_t>(values[e]));
      });
    return {scratch.ends.data(), scratch.values.data(), size};
  }

private:
  static constexpr std::uint64_t block = 1 << 16;

  const EdgeList<V> &list_;
  const std::vector<ColumnInfo> &columns_;
};

/// Has this thread make a small graph alone: it takes less time than for others to come.
class AloneIfSmall {
public:
  explicit AloneIfSmall(std::uint64_t size) : threads_(size <= GCOMPILE_MOST_ALONE ? omp_get_max_threads() : 0) {
    if (threads_ > 0)
      omp_set_num_threads(1);
  }
  AloneIfSmall(const AloneIfSmall &) = delete;
  ~AloneIfSmall() {
    if (threads_ > 0)
      omp_set_num_threads(threads_);
  }

private:
  int threads_;
};

} // namespace

template <class V> LoadedGraph refer_to(const Graph<V> &arrays, const LoadOptions &options) {
  if (!arrays.out_offsets)
    refuse("there are no offsets");
  require_vertices<V>(arrays.n);
  require_columns<V>(arrays.columns, options);
  const bool directed = choose_direction(options, arrays.is_directed);
  if (!directed && arrays.is_directed)
    refuse("the program is for undirected graphs, and this one is directed");
  const ArcId arcs = arrays.out_offsets[arrays.n];
  if (arcs > 0 && !arrays.out_targets)
    refuse("there are no targets");
  const AloneIfSmall alone(arrays.n + arcs);
  auto storage = std::make_unique<GraphStorage>();
  storage->vertex_bits = 8 * sizeof(V);
  storage->ids = VertexIds::range(0, arrays.n);
  storage->columns = options.columns;
  storage->column_data.resize(options.columns.size());
  Graph<V> &view = storage->template arrays<V>().view;
  view.n = arrays.n;
  view.is_directed = arrays.is_directed;
  view.out_offsets = arrays.out_offsets;
  view.out_targets = arrays.out_targets;
  for (std::size_t k = 0; k < options.columns.size(); ++k)
    view.columns[k] = storage->column_data[k].values = arrays.columns[k];
  const CsrCheck check = check_csr(view, arcs);
  if (check.problem)
    refuse(check.problem);
  view.is_directed = directed; // an undirected graph has the arcs of a directed one
  view.edges = directed ? static_cast<std::int64_t>(arcs) : check.edges;
  Progress progress(false);
  MemoryBudget budget(options.memory_limit);
  ReadContext context{options, {}, 0, budget, progress};
  take_columns(context);
  finish_graph<V>(name, *storage, options, context);
  return LoadedGraph(std::move(storage));
}

template <class V> LoadedGraph build_of(const EdgeList<V> &edges, const LoadOptions &given) {
  LoadOptions options = given;
  options.vertex_bits = 8 * sizeof(V);
  require_vertices<V>(edges.num_vertices);
  if (edges.num_edges > 0) {
    if (!edges.sources || !edges.targets)
      refuse("there are no sources or no targets");
    require_columns<V>(edges.columns, options);
  }
  const AloneIfSmall alone(edges.num_vertices + 2 * edges.num_edges);
  std::uint64_t bad = edges.num_edges;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::uint64_t e = 0; e < edges.num_edges; ++e)
    if (edges.sources[e] >= edges.num_vertices || edges.targets[e] >= edges.num_vertices)
      bad = std::min(bad, e);
  if (bad != edges.num_edges)
    refuse("edge " + std::to_string(bad) + " has an end that is no vertex: " + std::to_string(edges.sources[bad]) +
           " " + std::to_string(edges.targets[bad]));
  Progress progress(false);
  MemoryBudget budget(options.memory_limit);
  ReadContext context{options, {}, 0, budget, progress};
  take_columns(context);
  Input input{std::make_unique<ListedEdges<V>>(edges, options.columns), edges.num_vertices,
              static_cast<double>(edges.num_edges), edges.is_directed, false};
  std::unique_ptr<GraphStorage> storage =
      build_graph(name, std::move(input), VertexIds::range(0, edges.num_vertices), context);
  finish_graph<V>(name, *storage, options, context);
  return LoadedGraph(std::move(storage));
}

template LoadedGraph refer_to(const Graph<std::uint32_t> &, const LoadOptions &);
template LoadedGraph refer_to(const Graph<std::uint64_t> &, const LoadOptions &);
template LoadedGraph build_of(const EdgeList<std::uint32_t> &, const LoadOptions &);
template LoadedGraph build_of(const EdgeList<std::uint64_t> &, const LoadOptions &);

} // namespace gc
