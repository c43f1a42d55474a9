#include "results.h"

#include "group_steps.h"
#include "storage.h"
#include "suggest.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

namespace gc::detail {

/// Whether processes have its lines, each those of its own vertices.
static bool has_lines_of_vertices(const OutputInfo &output) {
  return output.shape != OutputShape::scalar && output.shape != OutputShape::array;
}

bool is_written(const OutputInfo &output, const CommandLine &line) {
  return std::any_of(line.outputs.begin(), line.outputs.end(),
                     [&](const auto &written) { return written.first == output.name; });
}

bool is_needed_whole(const OutputInfo &output, const CommandLine &line) {
  // Blocks have the lines in the order of one process, and other partitions do not.
  return line.verifies ||
         ((!has_lines_of_vertices(output) || !line.load.partition.empty()) && is_written(output, line));
}

/// Brings the lines of a result to the process that speaks, some vertices at a time, which writes them.
static void write_in_turn(OutputFile *file, const OutputView &view, const OutputInfo &info, const LoadedGraph &graph,
                          ProcessGroup &group) {
  constexpr std::uint64_t lines = 1 << 16;
  const std::uint64_t step =
      std::max<std::uint64_t>(1, lines * graph.num_vertices() / std::max<std::uint64_t>(1, view.count));
  const VertexBlock own = own_block(graph, &group);
  const std::vector<std::uint64_t> blocks = group.all({own.begin, own.end});
  for (int r = 0; r < group.size(); ++r) {
    const std::uint64_t *const block = &blocks[2 * static_cast<std::size_t>(r)];
    for (std::uint64_t v = block[0]; v < block[1]; v += step) {
      std::vector<Bytes> to(static_cast<std::size_t>(group.size()));
      if (r == group.rank())
        for_lines(view, info, graph, {v, std::min(v + step, block[1])},
                  [&](std::string_view text) { std::memcpy(to[0].add(text.size()), text.data(), text.size()); });
      const std::vector<Bytes> come = group.exchange(std::move(to));
      if (const Bytes &text = come[static_cast<std::size_t>(r)]; file)
        file->write({text.data(), text.size()});
      group.wait_for_speaker();
    }
  }
}

/// Writes a result into a file that the process which speaks has made, and commits later: each process the lines of its
/// own vertices. That which speaks writes all of them where they do not follow each other in the order of one process,
/// where others do not see the file, and results of other shapes. Throws Error (resource) if this process cannot write.
/// `file`: null but for the one that speaks.
static void write_parts(OutputFile *file, const std::string &path, const OutputView &view, const OutputInfo &info,
                        const LoadedGraph &graph, ProcessGroup &group) {
  if (group.size() > 1 && has_lines_of_vertices(info) && graph.ids().in_input_order()) {
    const std::string temporary = told(group, file ? file->temporary() : "");
    OutputPart part(temporary, path);
    const std::vector<std::uint64_t> open = group.all({part.is_open()});
    if (std::find(open.begin(), open.end(), 0) == open.end()) {
      const VertexBlock block = own_block(graph, &group);
      // Lines are made twice, so that none need to be kept.
      std::uint64_t bytes = 0;
      for_lines(view, info, graph, block, [&](std::string_view text) { bytes += text.size(); });
      const std::vector<std::uint64_t> all = group.all({bytes});
      part.move_to(std::accumulate(all.begin(), all.begin() + group.rank(), std::uint64_t(0)));
      for_lines(view, info, graph, block, [&](std::string_view text) { part.write(text); });
      part.close();
    } else {
      write_in_turn(file, view, info, graph, group);
    }
    return;
  }
  if (file)
    write_output(*file, view, info, graph);
  group.wait_for_speaker();
}

const OutputInfo &info_of(const ProgramInfo &info, const std::string &name) {
  for (const OutputInfo &output : info.outputs)
    if (output.name == name)
      return output;
  std::vector<std::string> names;
  for (const OutputInfo &output : info.outputs)
    names.push_back(output.name);
  std::string list;
  for (const std::string &known : names)
    list += (list.empty() ? "" : ", ") + known;
  throw Error(ErrorKind::argument,
              "--output: there is no result '" + name + "', the results are: " + list + suggestion(name, names));
}

nlohmann::ordered_json scalars_of(const std::vector<OutputView> &views, const ProgramInfo &info,
                                  const LoadedGraph &graph) {
  nlohmann::ordered_json scalars = nlohmann::ordered_json::object();
  for (const OutputInfo &output : info.outputs)
    if (output.shape == OutputShape::scalar) {
      std::string text;
      append_value(view_of(views, output.name), 0, output, graph, text);
      const bool number =
          output.type != ElementType::vertex && output.type != ElementType::edge && output.type != ElementType::tuple;
      nlohmann::ordered_json value =
          number ? nlohmann::ordered_json::parse(text, nullptr, false) : nlohmann::ordered_json();
      scalars[output.name] = number && !value.is_discarded() ? value : nlohmann::ordered_json(text);
    }
  return scalars;
}

void write_outputs(const CommandLine &line, const std::string &value, const std::vector<OutputView> &views,
                   const ProgramInfo &info, const LoadedGraph &graph, ProcessGroup *group) {
  std::vector<OutputFile> files;
  for (const auto &[name, file] : line.outputs) {
    const std::string path = output_path(line, file, value);
    if (!group || group->speaks())
      files.emplace_back(path);
    if (group) {
      group->wait_for_speaker(); // which may open a pipe that nobody reads yet
      write_parts(files.empty() ? nullptr : &files.back(), path, view_of(views, name), info_of(info, name), graph,
                  *group);
    } else {
      write_output(files.back(), view_of(views, name), info_of(info, name), graph);
    }
  }
  if (group)
    group->all({}); // all have written
  for (OutputFile &file : files)
    file.commit();
}

} // namespace gc::detail
