// The programs of examples/, compiled to headers.
#include "kernels.h"

#include "betweenness.h"
#include "bfs.h"
#include "boruvka.h"
#include "components.h"
#include "kcore.h"
#include "pagerank.h"
#include "prim.h"
#include "sssp.h"
#include "triangles.h"

#include <functional>
#include <map>
#include <type_traits>

namespace bench {

namespace {

/// Takes one output of a program, as numbers.
struct Take {
  std::string wanted;
  std::vector<double> &values;

  template <class T> void operator()(const char *name, const gc::Array<T> &property) {
    if (wanted != name)
      return;
    values.resize(property.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      values[v] = static_cast<double>(property[v]);
      if constexpr (std::is_signed<T>::value)
        if (property[v] == gc::inf<T>())
          values[v] = -1;
    }
  }
  void operator()(const char *name, std::int64_t value) {
    if (wanted == name)
      values = {static_cast<double>(value)};
  }
};

double sum_of_reached(const std::vector<double> &keys) {
  double sum = 0;
  for (const double key : keys)
    sum += key < 0 ? 0 : key;
  return sum;
}

class Ours final : public Library {
public:
  explicit Ours(const gc::LoadedGraph &graph) : graph(graph) {}
  std::string name() const override { return "gcompile"; }
  std::vector<Task> tasks() const override {
    return {{Kernel::bfs},       {Kernel::sssp},  {Kernel::pagerank}, {Kernel::components}, {Kernel::betweenness},
            {Kernel::triangles}, {Kernel::kcore}, {Kernel::prim},     {Kernel::forest}};
  }

  void run(Kernel kernel, std::uint32_t source) override {
    std::string vertex = std::to_string(source);
    switch (kernel) {
    case Kernel::bfs:
      return run<Bfs>(bfs_info(), {{"root", vertex}}, "depth");
    case Kernel::sssp:
      return run<Sssp>(sssp_info(), {{"source", vertex}}, "dist");
    case Kernel::pagerank:
      return run<Pagerank>(pagerank_info(), {{"tolerance", "0"}}, "rank");
    case Kernel::components:
      return run<Components>(components_info(), {}, "label");
    case Kernel::betweenness:
      return run<Betweenness>(betweenness_info(), {{"sources", vertex}}, "score");
    case Kernel::triangles:
      return run<Triangles>(triangles_info(), {}, "count");
    case Kernel::kcore:
      return run<Kcore>(kcore_info(), {}, "core");
    case Kernel::prim:
      run<Prim>(prim_info(), {{"root", vertex}}, "key");
      take = [keys = std::move(take)] { return std::vector<double>{sum_of_reached(keys())}; };
      return;
    case Kernel::forest:
      return run<Boruvka>(boruvka_info(), {}, "total");
    }
  }
  std::vector<double> answer() const override { return take(); }

private:
  template <template <class> class Algorithm>
  void run(const gc::ProgramInfo &info, const std::map<std::string, std::string> &parameters,
           const std::string &output) {
    auto algorithm = std::make_shared<Algorithm<std::uint32_t>>(graph.view<std::uint32_t>(),
                                                                gc::Arguments(info.parameters, parameters, graph));
    algorithm->run();
    take = [algorithm, output] {
      std::vector<double> values;
      algorithm->outputs(Take{output, values});
      return values;
    };
  }

  const gc::LoadedGraph &graph;
  std::function<std::vector<double>()> take;
};

} // namespace

std::unique_ptr<Library> ours(const gc::LoadedGraph &graph) { return std::make_unique<Ours>(graph); }

} // namespace bench
