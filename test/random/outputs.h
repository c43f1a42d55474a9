// What the two sides of the random programs share: the graphs, the parameters, and the printing of outputs.
#pragma once

#include <gcompile/program.h>
#include <gcompile/program/load.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

/// A graph of the batch, read as the algorithm wants it and the options say: with the column `weight`, and all in-edge
/// arrays.
inline gc::LoadedGraph loadRandomGraph(const std::string &path, bool directed, gc::LoadOptions options = {}) {
  options.user = directed ? gc::Directedness::directed : gc::Directedness::undirected;
  options.columns = {{"weight", gc::ColumnType::int32}};
  options.in_edges = options.in_edge_ids = true;
  options.keeps_plain = true; // InputOrder reads it
  return gc::load_graph(path, options);
}

/// The parameters of every random program: a root, a number, and values for each vertex (GIVEN in generate.py).
inline const std::vector<gc::ParameterInfo> &randomParameters() {
  using gc::ParameterType;
  static const std::vector<gc::ParameterInfo> parameters = {
      {"root", ParameterType::vertex, true, "", "", false},
      {"k", ParameterType::integer32, false, "3", "", false},
      {"given_int", ParameterType::integer32, false, "v.degree", "", true},
      {"given_long", ParameterType::integer64, false, "inf", "", true},
      {"given_double", ParameterType::real64, false, "0.5", "", true},
      {"given_float", ParameterType::real32, false, "-1.5", "", true},
      {"given_bool", ParameterType::boolean, false, "true", "", true},
      {"given_vertex", ParameterType::vertex, false, "self", "", true},
      {"made_x", ParameterType::integer32, false, "3", "", true},
      {"made_y", ParameterType::integer32, false, "v.degree", "", true}};
  return parameters;
}

/// What they are given: of the values for each vertex, those in the files beside the graph.
inline gc::Arguments randomArguments(const gc::LoadedGraph &graph, const std::string &path) {
  std::map<std::string, std::string> texts = {{"root", graph.ids().name(graph.ids().at(graph.num_vertices() / 2))}};
  for (const gc::ParameterInfo &parameter : randomParameters())
    if (parameter.per_vertex) {
      const bool made = parameter.name.rfind("made_", 0) == 0; // of integers
      texts[parameter.name] = "@" + path + "." + (made ? "int" : parameter.name.substr(std::strlen("given_")));
    }
  return gc::Arguments(randomParameters(), texts, graph);
}

/// Others: the first vertex, and the default values.
inline gc::Arguments otherArguments(const gc::LoadedGraph &graph) {
  return gc::Arguments(randomParameters(), {{"root", graph.ids().name(graph.ids().at(0))}}, graph);
}

/// The input's order, for the results of a program that runs on vertices in another one.
class InputOrder {
public:
  InputOrder() = default; ///< the same order
  template <class V>
  InputOrder(const gc::ProgramInfo &info, const gc::LoadedGraph &loaded, const gc::Graph<V> &graph)
      : vertices_(graph.n), places_(graph.n), arcs_(graph.num_arcs()) {
    for (std::uint64_t i = 0; i < graph.n; ++i) {
      vertices_[i] = loaded.ids().at(i);
      places_[vertices_[i]] = i;
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ends(arcs_.size());
    for (V u = 0; u < graph.n; ++u)
      for (gc::ArcId e = graph.out_begin(u); e < graph.out_end(u); ++e)
        ends[e] = {places_[u], places_[graph.target(e)]};
    std::iota(arcs_.begin(), arcs_.end(), std::size_t(0));
    std::stable_sort(arcs_.begin(), arcs_.end(), [&](std::size_t a, std::size_t b) { return ends[a] < ends[b]; });
    for (const gc::OutputInfo &output : info.outputs)
      outputs_[output.name] = output;
  }

  /// Where the i-th value of a result is.
  std::size_t at(const std::string &output, std::size_t i) const {
    if (outputs_.empty())
      return i;
    const std::size_t n = vertices_.size();
    switch (outputs_.at(output).shape) {
    case gc::OutputShape::scalar:
    case gc::OutputShape::array:
      break;
    case gc::OutputShape::vertex:
      return vertices_[i];
    case gc::OutputShape::edge:
      return arcs_[i];
    case gc::OutputShape::dense:
      return vertices_[i / n] * n + vertices_[i % n];
    }
    return i;
  }
  /// The number of a vertex in a result, or in the `part`-th element of its tuples.
  long long named(const std::string &output, std::size_t part, long long value) const {
    if (outputs_.empty() || value < 0)
      return value;
    const gc::OutputInfo &info = outputs_.at(output);
    const gc::ElementType type = info.type == gc::ElementType::tuple ? info.elements[part] : info.type;
    return type == gc::ElementType::vertex ? static_cast<long long>(places_[static_cast<std::size_t>(value)]) : value;
  }

private:
  std::vector<std::size_t> vertices_, places_, arcs_;
  std::map<std::string, gc::OutputInfo> outputs_;
};

/// `named` gives the number of a vertex.
template <class Named> void printCell(gc::detail::Storage storage, const void *data, const Named &named) {
  auto load = [&](auto zero) {
    std::memcpy(&zero, data, sizeof zero);
    return zero;
  };
  using gc::detail::Storage;
  switch (storage) {
  case Storage::uint8:
    std::printf(" %d", int(load(std::uint8_t()) != 0));
    break;
  case Storage::int32:
    std::printf(" %d", load(std::int32_t()));
    break;
  case Storage::int64:
    std::printf(" %lld", static_cast<long long>(load(std::int64_t())));
    break;
  case Storage::uint32:
    std::printf(" %lld", named(static_cast<std::int32_t>(load(std::uint32_t())))); // none is -1
    break;
  case Storage::uint64:
    std::printf(" %lld", named(static_cast<long long>(load(std::uint64_t()))));
    break;
  case Storage::float32:
    std::printf(" %.9g", double(load(float())));
    break;
  case Storage::float64:
    std::printf(" %.17g", load(double()));
    break;
  case Storage::tuple:
    break;
  }
}

/// One line for each output: ALGORITHM GRAPH OUTPUT VALUE... All tuples of random programs are pairs.
inline void printOutputs(const std::string &algorithm, const std::string &graph,
                         const std::vector<gc::detail::OutputView> &views, const InputOrder &order = {}) {
  for (const gc::detail::OutputView &view : views) {
    std::printf("%s %s %s", algorithm.c_str(), graph.c_str(), view.name.c_str());
    for (std::size_t i = 0; i < view.count; ++i) {
      const void *data = static_cast<const char *>(view.data) + order.at(view.name, i) * view.stride;
      if (view.storage != gc::detail::Storage::tuple) {
        printCell(view.storage, data, [&](long long v) { return order.named(view.name, 0, v); });
        continue;
      }
      for (std::size_t part = 0; part < 2; ++part) {
        gc::detail::ElementRef cell = view.element(data, part);
        printCell(cell.storage, cell.data, [&](long long v) { return order.named(view.name, part, v); });
      }
    }
    std::printf("\n");
  }
}
