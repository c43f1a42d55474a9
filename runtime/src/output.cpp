#include "runtime/tool_support/output.h"

#include "elements.h"
#include "storage.h"

#include <gcompile/core/adjacency.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <unordered_map>

namespace gc::detail {

namespace {

/// The ends of an arc: its source and its target.
template <class V> void append_edge(ArcId e, const LoadedGraph &graph, std::string &out) {
  const auto &far = graph.storage().far_targets;
  const auto found = std::lower_bound(far.begin(), far.end(), std::pair(e, std::uint64_t(0)));
  with_graph<V>(graph, [&](const auto &g) {
    graph.ids().append_field(source(g, e), out);
    out += ' ';
    graph.ids().append_field(found != far.end() && found->first == e ? found->second : g.target(e), out);
  });
}

void append_plain(ElementRef ref, ElementType type, const LoadedGraph &graph, std::string &out) {
  switch (type) {
  case ElementType::boolean:
    out += value_at<std::uint8_t>(ref.data) ? "true" : "false";
    return;
  case ElementType::int32:
    return append_number(value_at<std::int32_t>(ref.data), out);
  case ElementType::int64:
    return append_number(value_at<std::int64_t>(ref.data), out);
  case ElementType::float32:
    return append_number(value_at<float>(ref.data), out);
  case ElementType::float64:
    return append_number(value_at<double>(ref.data), out);
  case ElementType::vertex:
    if (is_none(ref))
      out += "none";
    else
      graph.ids().append_field(unsigned_of(ref), out);
    return;
  case ElementType::edge:
    if (is_none(ref))
      out += "none none";
    else if (graph.vertex_bits() == 32)
      append_edge<std::uint32_t>(unsigned_of(ref), graph, out);
    else
      append_edge<std::uint64_t>(unsigned_of(ref), graph, out);
    return;
  case ElementType::tuple:
    return;
  }
}

/// Edges are the same if their ends are: which of several from one vertex to another does not show.
/// `tolerance`: of real numbers, relative to the greater, where that of rounding is less.
bool same(ElementRef a, ElementRef b, ElementType type, const LoadedGraph &graph, double tolerance = 0) {
  if (type == ElementType::float32 || type == ElementType::float64) {
    const double x = real_of(a, type), y = real_of(b, type);
    if (std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)))
      return true;
    return type == ElementType::float32 ? agrees(static_cast<float>(x), static_cast<float>(y)) : agrees(x, y);
  }
  if (type == ElementType::boolean)
    return (value_at<std::uint8_t>(a.data) != 0) == (value_at<std::uint8_t>(b.data) != 0);
  if (type == ElementType::edge) {
    std::string first, second;
    append_plain(a, type, graph, first);
    append_plain(b, type, graph, second);
    return first == second;
  }
  const bool narrow = a.storage == Storage::int32 || a.storage == Storage::uint32;
  return std::memcmp(a.data, b.data, narrow ? 4 : 8) == 0;
}

/// Calls f(position, name appended to the text) for every value of `count`: what stands before the value on its line.
/// Of vertices, and what has values at them, for those of a block of the input's order.
template <class V, class F>
void for_each_place(const LoadedGraph &graph, OutputShape shape, std::size_t count, VertexBlock block,
                    std::string &text, F f) {
  const VertexIds &ids = graph.ids();
  const std::uint64_t n = graph.num_vertices();
  if (shape == OutputShape::scalar) {
    f(0);
  } else if (shape == OutputShape::array) {
    for (std::size_t i = 0; i < count; ++i) {
      text += std::to_string(i) + ' ';
      f(i);
    }
  } else if (shape == OutputShape::vertex) {
    for (std::uint64_t i = block.begin; i < block.end; ++i) {
      const std::uint64_t v = ids.at(i);
      ids.append_field(v, text);
      text += ' ';
      f(v);
    }
  } else {
    for (std::uint64_t k = block.begin; k < block.end; ++k) {
      const std::uint64_t u = ids.at(k);
      std::string from;
      ids.append_field(u, from, /*begins_edge=*/true);
      from += ' ';
      auto place = [&](std::uint64_t v, std::uint64_t i) {
        text += from;
        ids.append_field(v, text);
        text += ' ';
        f(i);
      };
      if (shape == OutputShape::edge)
        with_graph<V>(graph, [&](const auto &g) {
          std::vector<std::pair<std::uint64_t, ArcId>> arcs; // the position of the other end, and the arc
          for (const auto [v, e] : out_arcs(g, static_cast<V>(u)))
            arcs.emplace_back(ids.position(v), e);
          std::sort(arcs.begin(), arcs.end());
          for (const auto &[position, e] : arcs)
            place(ids.at(position), e);
        });
      else
        for (std::uint64_t j = 0; j < n; ++j)
          place(ids.at(j), u * n + ids.at(j));
    }
  }
}

template <class F>
void for_each_place(const LoadedGraph &graph, OutputShape shape, std::size_t count, VertexBlock block,
                    std::string &text, F f) {
  if (graph.vertex_bits() == 32)
    for_each_place<std::uint32_t>(graph, shape, count, block, text, f);
  else
    for_each_place<std::uint64_t>(graph, shape, count, block, text, f);
}
template <class F>
void for_each_place(const LoadedGraph &graph, OutputShape shape, std::size_t count, std::string &text, F f) {
  for_each_place(graph, shape, count, {0, graph.num_vertices()}, text, f);
}

} // namespace

void append_value(const OutputView &view, std::size_t i, const OutputInfo &info, const LoadedGraph &graph,
                  std::string &out) {
  const void *data = element_at(view, i);
  if (info.type != ElementType::tuple)
    return append_plain({data, view.storage}, info.type, graph, out);
  for (std::size_t k = 0; k < info.elements.size(); ++k) {
    if (k != 0)
      out += ' ';
    append_plain(view.element(data, k), info.elements[k], graph, out);
  }
}

void for_lines(const OutputView &view, const OutputInfo &info, const LoadedGraph &graph, VertexBlock block,
               const std::function<void(std::string_view)> &take) {
  std::string text;
  for_each_place(graph, info.shape, view.count, block, text, [&](std::size_t i) {
    append_value(view, i, info, graph, text);
    text += '\n';
    if (text.size() >= (std::size_t(1) << 20)) {
      take(text);
      text.clear();
    }
  });
  take(text);
}

void write_output(OutputFile &file, const OutputView &view, const OutputInfo &info, const LoadedGraph &graph) {
  for_lines(view, info, graph, {0, graph.num_vertices()}, [&](std::string_view text) { file.write(text); });
}

/// Up to `limit` differences, a line each; empty: they agree.
static std::vector<std::string> differences(const OutputView &parallel, const OutputView &serial,
                                            const OutputInfo &info, const LoadedGraph &graph, const char *other,
                                            std::size_t limit) {
  std::vector<std::string> result;
  if (parallel.count != serial.count)
    return {info.name + ": " + std::to_string(parallel.count) + " values, the " + other + " has " +
            std::to_string(serial.count)};
  std::string place;
  for_each_place(graph, info.shape, parallel.count, place, [&](std::size_t i) {
    const void *a = element_at(parallel, i), *b = element_at(serial, i);
    bool equal = true;
    if (info.type != ElementType::tuple)
      equal = same({a, parallel.storage}, {b, serial.storage}, info.type, graph, info.tolerance);
    else
      for (std::size_t k = 0; k < info.elements.size(); ++k)
        equal &= same(parallel.element(a, k), serial.element(b, k), info.elements[k], graph);
    if (!equal && result.size() < limit) {
      std::string line =
          info.name + (info.shape == OutputShape::scalar ? "" : " of " + place.substr(0, place.size() - 1)) + ": ";
      append_value(parallel, i, info, graph, line);
      line += std::string(", the ") + other + " has ";
      append_value(serial, i, info, graph, line);
      result.push_back(std::move(line));
    }
    place.clear();
  });
  return result;
}

/// Up to `limit` claims of an output that came too late, or never, a line each.
static std::vector<std::string> overdue_lines(const std::vector<OverdueClaim> &claims, const OutputView &view,
                                              const OutputInfo &info, const LoadedGraph &graph, std::size_t limit) {
  std::vector<std::string> result;
  if (claims.empty())
    return result;
  std::unordered_map<std::size_t, const OverdueClaim *> by_element;
  for (const OverdueClaim &claim : claims)
    by_element[claim.element] = &claim;
  std::string place;
  for_each_place(graph, info.shape, view.count, place, [&](std::size_t i) {
    const auto found = by_element.find(i);
    if (found != by_element.end() && result.size() < limit) {
      const OverdueClaim &claim = *found->second;
      std::string line = info.name + " of " + place.substr(0, place.size() - 1) + ": ";
      append_value(view, i, info, graph, line);
      line += ", but the claim was due";
      if (claim.round > 0)
        line += " in round " + std::to_string(claim.round);
      if (claim.with_another_value)
        line += ", with another value";
      result.push_back(std::move(line));
    }
    place.clear();
  });
  return result;
}

const OutputView &view_of(const std::vector<OutputView> &views, const std::string &name) {
  return *std::find_if(views.begin(), views.end(), [&](const OutputView &view) { return view.name == name; });
}

void print_not_compared(const ProgramInfo &info) {
  const bool sums = std::any_of(info.outputs.begin(), info.outputs.end(),
                                [](const OutputInfo &output) { return output.tolerance > 0; });
  for (const OutputInfo &output : info.outputs)
    if (output.unordered_claim)
      std::fprintf(stderr, "not compared: %s, %s\n", output.name.c_str(),
                   sums ? "which another order of the work may change" : "whose claims may have any legal winner");
}

void add_overdue(OverdueClaims &claims, const char *output, const std::vector<OverdueClaim> &of_output) {
  claims[output] = of_output;
}

bool outputs_agree(const std::vector<OutputView> &views, const Instance &execution, const ProgramInfo &info,
                   const LoadedGraph &graph, const char *other, const std::string &what) {
  constexpr std::size_t shown = 5;
  bool agree = true;
  const std::vector<OutputView> others = execution.outputs();
  OverdueClaims overdue;
  execution.overdue(overdue);
  const auto report = [&](const OutputInfo &output, const std::vector<std::string> &lines, const char *more) {
    for (std::size_t i = 0; i < std::min(lines.size(), shown); ++i)
      std::fprintf(stderr, "error: verification failed: %s%s\n", what.c_str(), lines[i].c_str());
    if (lines.size() > shown)
      std::fprintf(stderr, "error: verification failed: %s%s has more %s\n", what.c_str(), output.name.c_str(), more);
    agree &= lines.empty();
  };
  for (const OutputInfo &output : info.outputs) {
    if (const auto claims = overdue.find(output.name); claims != overdue.end())
      report(output, overdue_lines(claims->second, view_of(views, output.name), output, graph, shown + 1),
             "such claims");
    if (!output.unordered_claim)
      report(output,
             differences(view_of(views, output.name), view_of(others, output.name), output, graph, other, shown + 1),
             "differences");
  }
  return agree;
}

void print_verified(const ProgramInfo &info, const char *other, const std::string &where) {
  std::size_t agreed = 0;
  bool floating = false;
  std::string tolerances;
  for (const OutputInfo &output : info.outputs)
    if (!output.unordered_claim) {
      ++agreed;
      floating |= output.type == ElementType::float32 || output.type == ElementType::float64;
      if (output.tolerance > 0) {
        tolerances += ", '" + output.name + "' ";
        append_number(output.tolerance, tolerances);
      }
    }
  std::printf("verified: %zu %s with the %s%s%s%s%s\n", agreed, agreed == 1 ? "output agrees" : "outputs agree", other,
              where.c_str(), floating ? " (floating point within 1e-6 relative, float 1e-4" : "", tolerances.c_str(),
              floating ? ")" : "");
}

int compare_outputs(const std::vector<OutputView> &views, const Instance &execution, const ProgramInfo &info,
                    const LoadedGraph &graph, const char *other, bool quiet) {
  print_not_compared(info);
  if (!outputs_agree(views, execution, info, graph, other))
    return exit_verification_failed;
  if (!quiet)
    print_verified(info, other);
  return exit_ok;
}

} // namespace gc::detail
