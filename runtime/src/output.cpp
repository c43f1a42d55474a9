#include "output.h"
#include "file_writer.h"
#include "suggest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace gc::detail {

namespace {

template <class T> T load_as(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

const void *value_at(const Output &output, std::size_t i) {
  return static_cast<const char *>(output.view.data) + i * output.view.stride;
}

template <class T> void append_number(T value, std::string &out) {
  char text[48];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

template <class T> void append_or_inf(T value, std::string &out) {
  if (value == inf<T>())
    out += "inf";
  else
    append_number(value, out);
}

std::uint64_t id_of(ElementRef ref) {
  if (ref.storage == Storage::uint32) {
    const std::uint32_t id = load_as<std::uint32_t>(ref.data);
    return id == none<std::uint32_t>() ? none<std::uint64_t>() : id;
  }
  return load_as<std::uint64_t>(ref.data);
}

/// The ends of out-arc e.
template <class V> std::pair<std::uint64_t, std::uint64_t> ends_in(const Graph<V> &g, EdgeId e) {
  const EdgeId *after = std::upper_bound(g.out_offsets, g.out_offsets + g.n + 1, e);
  return {static_cast<std::uint64_t>(after - g.out_offsets) - 1, g.target(e)};
}

std::pair<std::uint64_t, std::uint64_t> ends_of(const LoadedGraph &graph, EdgeId e) {
  return graph.vertex_bits() == 32 ? ends_in(graph.view<std::uint32_t>(), e) : ends_in(graph.view<std::uint64_t>(), e);
}

void append_edge(const LoadedGraph &graph, EdgeId e, std::string &out) {
  const auto [u, v] = ends_of(graph, e);
  graph.ids().append(u, out);
  out += ' ';
  graph.ids().append(v, out);
}

void append_element(ElementType type, ElementRef ref, const LoadedGraph &graph, std::string &out) {
  switch (type) {
  case ElementType::boolean:
    out += load_as<std::uint8_t>(ref.data) ? "true" : "false";
    return;
  case ElementType::vertex:
  case ElementType::edge: {
    const std::uint64_t id = id_of(ref);
    if (id == none<std::uint64_t>())
      out += "none";
    else if (type == ElementType::vertex)
      graph.ids().append(id, out);
    else
      append_edge(graph, id, out);
    return;
  }
  default:
    break;
  }
  switch (ref.storage) {
  case Storage::uint8:
    return append_number(static_cast<int>(load_as<std::uint8_t>(ref.data)), out);
  case Storage::int32:
    return append_or_inf(load_as<std::int32_t>(ref.data), out);
  case Storage::int64:
    return append_or_inf(load_as<std::int64_t>(ref.data), out);
  case Storage::uint32:
    return append_number(load_as<std::uint32_t>(ref.data), out);
  case Storage::uint64:
    return append_number(load_as<std::uint64_t>(ref.data), out);
  case Storage::float32:
    return append_or_inf(load_as<float>(ref.data), out);
  case Storage::float64:
    return append_or_inf(load_as<double>(ref.data), out);
  case Storage::tuple:
    break;
  }
}

/// Where the extreme finite numbers of an output are.
struct NumberSummary {
  std::size_t infinite = 0, nan = 0, low_at = 0, high_at = 0;
};

template <class T> NumberSummary summarise(const Output &output) {
  NumberSummary result;
  T low = inf<T>(), high = std::numeric_limits<T>::lowest();
  bool first = true;
  for (std::size_t i = 0; i < output.view.count; ++i) {
    const T value = load_as<T>(value_at(output, i));
    if (value == inf<T>()) {
      ++result.infinite;
    } else if (value != value) {
      ++result.nan;
    } else {
      if (value < low) {
        low = value;
        result.low_at = i;
      }
      if (first || value > high) {
        high = value;
        result.high_at = i;
      }
      first = false;
    }
  }
  return result;
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3)
    text.insert(i - 3, ",");
  return text;
}

std::string numbers_summary(const Output &output) {
  const NumberSummary numbers = output.view.storage == Storage::int32     ? summarise<std::int32_t>(output)
                                : output.view.storage == Storage::int64   ? summarise<std::int64_t>(output)
                                : output.view.storage == Storage::float32 ? summarise<float>(output)
                                                                          : summarise<double>(output);
  std::string out;
  if (numbers.infinite + numbers.nan < output.view.count) {
    out += "min ";
    append_value(output, numbers.low_at, out);
    out += ", max ";
    append_value(output, numbers.high_at, out);
    const std::string where = index_name(output, numbers.high_at);
    out += (output.info.shape == OutputShape::vertex ? " at vertex " : " at ") + where;
  }
  if (numbers.infinite > 0) {
    out += out.empty() ? "" : ", ";
    out += "finite for " + grouped(output.view.count - numbers.infinite) + " of " + grouped(output.view.count);
  }
  if (numbers.nan > 0)
    out += (out.empty() ? "" : ", ") + grouped(numbers.nan) + " not a number";
  return out.empty() ? "no values" : out;
}

} // namespace

std::vector<Output> describe(const ProgramInfo &info, std::vector<OutputView> views, const LoadedGraph &graph) {
  std::vector<Output> outputs;
  for (OutputView &view : views)
    for (const OutputInfo &output : info.outputs)
      if (output.name == view.name)
        outputs.push_back({output, std::move(view), graph});
  return outputs;
}

void append_value(const Output &output, std::size_t i, std::string &out) {
  const void *value = value_at(output, i);
  if (output.view.storage != Storage::tuple)
    return append_element(output.info.type, {value, output.view.storage}, output.graph, out);
  for (std::size_t k = 0; k < output.info.elements.size(); ++k) {
    if (k > 0)
      out += ' ';
    append_element(output.info.elements[k], output.view.element(value, k), output.graph, out);
  }
}

std::string index_name(const Output &output, std::size_t i) {
  std::string out;
  switch (output.info.shape) {
  case OutputShape::scalar:
    break;
  case OutputShape::vertex:
    output.graph.ids().append(i, out);
    break;
  case OutputShape::edge:
    append_edge(output.graph, i, out);
    break;
  case OutputShape::dense: {
    const std::uint64_t n = output.graph.num_vertices();
    output.graph.ids().append(i / n, out);
    out += ' ';
    output.graph.ids().append(i % n, out);
    break;
  }
  }
  return out;
}

std::string summary(const Output &output) {
  std::string out;
  if (output.info.shape == OutputShape::scalar) {
    append_value(output, 0, out);
    return out;
  }
  const std::size_t count = output.view.count;
  switch (output.info.type) {
  case ElementType::boolean: {
    std::size_t yes = 0;
    for (std::size_t i = 0; i < count; ++i)
      yes += load_as<std::uint8_t>(value_at(output, i)) != 0;
    return "true for " + grouped(yes) + " of " + grouped(count);
  }
  case ElementType::vertex:
  case ElementType::edge: {
    std::vector<bool> seen(output.info.type == ElementType::vertex ? output.graph.num_vertices()
                                                                   : output.graph.num_arcs());
    std::size_t some = 0, distinct = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t id = id_of({value_at(output, i), output.view.storage});
      if (id >= seen.size())
        continue;
      ++some;
      distinct += !seen[id];
      seen[id] = true;
    }
    return "not none for " + grouped(some) + " of " + grouped(count) + ", " + grouped(distinct) + " distinct";
  }
  case ElementType::tuple:
    return grouped(count) + " values";
  default:
    return numbers_summary(output);
  }
}

OutputFiles::OutputFiles(const ProgramInfo &info,
                         const std::vector<std::pair<std::string, std::string>> &names_and_files)
    : files_(names_and_files) {
  std::vector<std::string> names;
  for (const OutputInfo &output : info.outputs)
    names.push_back(output.name);
  for (const auto &[name, file] : files_) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(ErrorKind::argument, info.name + " has no output '" + name + "'" + suggestion(name, names));
    check_writable(file);
  }
}

void OutputFiles::write(const std::vector<Output> &outputs) const {
  for (const auto &[name, file] : files_)
    for (const Output &output : outputs) {
      if (output.info.name != name)
        continue;
      FileWriter writer(file);
      std::string buffer;
      const bool undirected_edges = output.info.shape == OutputShape::edge && !output.graph.directed();
      std::uint64_t source = 0; // of the current arc, found by walking along
      const auto *narrow = output.graph.vertex_bits() == 32 ? &output.graph.view<std::uint32_t>() : nullptr;
      const auto *wide = narrow ? nullptr : &output.graph.view<std::uint64_t>();
      for (std::size_t i = 0; i < output.view.count; ++i) {
        if (output.info.shape == OutputShape::edge) {
          const EdgeId *offsets = narrow ? narrow->out_offsets : wide->out_offsets;
          while (offsets[source + 1] <= i)
            ++source;
          const std::uint64_t target = narrow ? narrow->out_targets[i] : wide->out_targets[i];
          if (undirected_edges && source > target)
            continue; // the opposite arc stands for the edge
          output.graph.ids().append(source, buffer);
          buffer += ' ';
          output.graph.ids().append(target, buffer);
          buffer += ' ';
        } else if (output.info.shape == OutputShape::vertex) {
          output.graph.ids().append(i, buffer);
          buffer += ' ';
        } else if (output.info.shape == OutputShape::dense) {
          buffer += index_name(output, i);
          buffer += ' ';
        }
        append_value(output, i, buffer);
        buffer += '\n';
        if (buffer.size() > std::size_t(1) << 20) {
          writer.write(buffer);
          buffer.clear();
        }
      }
      writer.write(buffer);
      writer.commit();
    }
}

} // namespace gc::detail
