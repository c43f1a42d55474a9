#include "runtime/tool_support/fields.h"
#include "runtime/tool_support/memory_size.h"
#include "runtime/tool_support/thread_count.h"
#include "tools/gcompile/failure.h"
#include "tools/gcompile/files.h"
#include "tools/gcompile/run.h"

#include <gcompile/program/load.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

namespace fs = std::filesystem;

namespace gcompile {

namespace {

gc::Keep keepOf(const std::string &text) {
  return text.empty() ? gc::Keep::standard : text == "keep" ? gc::Keep::keep : gc::Keep::drop;
}

/// `weight:int`.
gc::ColumnInfo columnOf(const std::string &text) {
  std::size_t colon = text.find(':');
  std::string type = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (auto [name, columnType] : {std::pair("int", gc::ColumnType::int32),
                                  {"long", gc::ColumnType::int64},
                                  {"float", gc::ColumnType::float32},
                                  {"double", gc::ColumnType::float64}})
    if (type == name && colon > 0)
      return {text.substr(0, colon), columnType};
  failUsage("a column is NAME:TYPE with the type int, long, float or double, not '{}'", text);
}

/// What is not a number has no sign, so that it is written as `nan`.
template <class T> T withoutSign(T value) { return std::isnan(value) ? std::abs(value) : value; }

/// Appends the value of column k at an arc.
template <class V>
void appendColumn(std::string &out, const gc::Graph<V> &graph, int k, gc::ColumnType type, gc::ArcId arc) {
  auto into = std::back_inserter(out);
  switch (type) {
  case gc::ColumnType::int32:
    fmt::format_to(into, " {}", graph.template edge_column<std::int32_t>(k)[arc]);
    break;
  case gc::ColumnType::int64:
    fmt::format_to(into, " {}", graph.template edge_column<std::int64_t>(k)[arc]);
    break;
  case gc::ColumnType::float32:
    fmt::format_to(into, " {}", withoutSign(graph.template edge_column<float>(k)[arc]));
    break;
  case gc::ColumnType::float64:
    fmt::format_to(into, " {}", withoutSign(graph.template edge_column<double>(k)[arc]));
    break;
  }
}

/// Whether the ids' edges, without a header, could be read as edges of numbers or their first line as a header.
bool needHeader(const gc::VertexIds &ids) {
  if (ids.kind() != gc::VertexIds::Kind::text)
    return false;
  for (std::uint64_t v = 0; v < ids.size(); ++v) {
    std::string name = ids.name(v);
    char *end = nullptr;
    std::strtod(name.c_str(), &end);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (*end == '\0' || name == "source" || name == "from" || name == "src")
      return true;
  }
  return false;
}

/// The header of such an edge list.
std::string headerOf(const std::vector<gc::ColumnInfo> &columns) {
  std::string line = "source target";
  for (const gc::ColumnInfo &column : columns) {
    line += ' ';
    gc::detail::append_field(column.name, /*begins_edge=*/false, line);
  }
  return line + '\n';
}

/// `u v [column]...` lines in the graph's own ids; an edge of an undirected graph appears once.
template <class V> std::string edgeList(const gc::LoadedGraph &loaded) {
  const gc::Graph<V> &graph = loaded.view<V>();
  bool header = needHeader(loaded.ids()), first = header; // quotes in the first edge say that the ids are texts
  std::string out = header ? headerOf(loaded.columns()) : "";
  std::string source;
  for (V u = 0; u < graph.num_vertices(); ++u) {
    source.clear();
    loaded.ids().append_field(u, source, /*begins_edge=*/true);
    for (gc::ArcId arc = graph.out_begin(u); arc < graph.out_end(u); ++arc) {
      V v = graph.target(arc);
      if (!graph.directed() && v < u)
        continue;
      out += first && source[0] != '"' ? '"' + source + '"' : source;
      first = false;
      out += ' ';
      loaded.ids().append_field(v, out);
      for (std::size_t k = 0; k < loaded.columns().size(); ++k)
        appendColumn(out, graph, static_cast<int>(k), loaded.columns()[k].type, arc);
      out += '\n';
    }
  }
  return out;
}

} // namespace

void convertGraph(const Options &options) {
  std::string extension = fs::path(options.output).extension().string();
  bool text = extension == ".el" || extension == ".wel" || options.output == "-";
  if (!text && extension != ".gcsr")
    failUsage("{}: can be written as .gcsr or .el only", options.output);
  if (sameFile(options.inputs[0], options.output))
    failUsage("{}: the output would replace the graph", options.output);
  checkWritable(options.output);
  gc::detail::use_threads(0);

  gc::LoadOptions load;
  load.format = options.format;
  load.user = options.directed     ? gc::Directedness::directed
              : options.undirected ? gc::Directedness::undirected
                                   : gc::Directedness::any;
  load.self_loops = keepOf(options.selfLoops);
  load.duplicates = keepOf(options.duplicates);
  load.header = options.header == "yes"  ? gc::HeaderLine::yes
                : options.header == "no" ? gc::HeaderLine::no
                                         : gc::HeaderLine::standard;
  load.weights = options.weights;
  load.all_columns = options.columns.empty();
  for (const std::string &column : options.columns)
    load.columns.push_back(columnOf(column));
  if (!load.weights.empty() && load.columns.empty()) {
    load.all_columns = false;
    load.columns.push_back({"weight", gc::ColumnType::int32});
  }
  load.in_edges = options.inEdges && !text;
  load.packed = options.adjacency == "packed";
  if (load.packed && text)
    failUsage("--adjacency=packed is for .gcsr files: {} has lines", options.output);
  load.progress = load.notes = true;

  if (!options.memory.empty())
    load.memory_limit = gc::detail::memory_size("--memory", options.memory);
  if (!text)
    return gc::convert_graph(options.inputs[0], options.output, load);
  gc::LoadedGraph graph = gc::load_graph(options.inputs[0], load);
  writeIfChanged(options.output,
                 graph.vertex_bits() == 32 ? edgeList<std::uint32_t>(graph) : edgeList<std::uint64_t>(graph));
}

} // namespace gcompile
