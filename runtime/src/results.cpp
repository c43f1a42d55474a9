#include "results.h"

#include "group_steps.h"
#include "suggest.h"

#include <algorithm>
#include <numeric>

namespace gc::detail {

static VertexBlock own_block(const LoadedGraph &graph, const ProcessGroup &group) {
  return graph.vertex_bits() == 32 ? group.block(graph.view<std::uint32_t>())
                                   : group.block(graph.view<std::uint64_t>());
}

/// Writes a result into a file that the process which speaks has made, and commits later: each process the lines of its
/// own vertices. That which speaks writes all of them where they do not follow each other in the order of one process,
/// where others do not see the file, and results of other shapes. Throws Error (resource) if this process cannot write.
/// `file`: null but for the one that speaks.
static void write_parts(OutputFile *file, const std::string &path, const OutputView &view, const OutputInfo &info,
                        const LoadedGraph &graph, ProcessGroup &group) {
  const bool in_blocks = (info.shape == OutputShape::vertex || info.shape == OutputShape::dense) &&
                         !info.names_edges() && graph.ids().in_input_order();
  const std::string temporary = in_blocks && group.size() > 1 ? told(group, file ? file->temporary() : "") : "";
  if (!temporary.empty()) {
    OutputPart part(temporary, path);
    const std::vector<std::uint64_t> open = group.all({part.is_open()});
    if (std::find(open.begin(), open.end(), 0) == open.end()) {
      const VertexBlock block = own_block(graph, group);
      // Lines are made twice, so that none need to be kept.
      std::uint64_t bytes = 0;
      for_lines(view, info, graph, block, [&](std::string_view text) { bytes += text.size(); });
      const std::vector<std::uint64_t> all = group.all({bytes});
      part.move_to(std::accumulate(all.begin(), all.begin() + group.rank(), std::uint64_t(0)));
      for_lines(view, info, graph, block, [&](std::string_view text) { part.write(text); });
      part.close();
      return;
    }
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
