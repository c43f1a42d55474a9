// The formats of graph files: their names, the files that have them, and their readers.
#include "formats.h"

#include "estimate.h"
#include "group_steps.h"
#include "suggest.h"

#include <algorithm>
#include <optional>

#include <unistd.h>

namespace gc {

namespace detail {

namespace {

struct Format {
  std::string name; ///< of --format
  std::vector<std::string_view> extensions;
  RawGraph (*read)(const InputFile &file, const ReadContext &context); ///< null: not one file that lists edges
  bool may_be_empty = false; ///< a file without a byte is the graph without vertices
  char edge_end = '\n';      ///< what stands behind an edge, by which the number of edges is estimated
  bool ranges = false;       ///< see has_ranges
};

const std::vector<Format> &formats() {
  static const std::vector<Format> table = {
      {"el", {".el", ".wel", ".txt", ".csv", ".tsv", ".edges"}, read_edge_list, true, '\n', true},
      {"konect", {".konect"}, read_konect, true, '\n', true},
      {"mtx", {".mtx"}, read_matrix_market, false, '\n', true},
      {"gr", {".gr"}, read_dimacs, false, '\n', true},
      {"metis", {".graph", ".metis"}, read_metis, false, ' ', true},
      {"webgraph", {".graph-txt"}, read_webgraph, false, ' ', true},
      {"adjacency", {".adj"}, read_adjacency, true, ' ', true},
      {"gml", {".gml"}, read_gml, false, '['},
      {"graphml", {".graphml"}, read_graphml, false, '/'},
      {"ldbc", {".v", ".e"}, nullptr, true, '\n', true},
      {"sg", {".sg"}, nullptr},
      {"wsg", {".wsg"}, nullptr},
      {"gcsr", {".gcsr"}, nullptr},
  };
  return table;
}

const Format &format_called(const std::string &name) {
  return *std::find_if(formats().begin(), formats().end(), [&](const Format &listed) { return listed.name == name; });
}

/// How many edges a text has, judged by its size and its first lines.
double estimated_edges(const InputFile &file, char edge_end) {
  const std::string_view head = file.text.view().substr(0, 1 << 16);
  if (head.empty())
    return 0;
  const bool lines = edge_end == '\n'; // the last line may lack its end
  return (static_cast<double>(std::count(head.begin(), head.end(), edge_end)) + (lines ? 1 : 0)) *
         static_cast<double>(file.text.size()) / static_cast<double>(head.size());
}

/// Refuses a text, or the range of it that this process reads, that will not fit when it is parsed.
void check_text_size(const InputFile &file, const Format &format, const ReadContext &context) {
  if (!context.readers)
    return require_whole_text(file, format.edge_end, context);
  // Of each edge, which may be two arcs: as it is read, and as it arrives.
  const double each = 3 * (16 + 8 * static_cast<double>(context.columns.size()));
  context.budget.require(estimated_edges(file, format.edge_end) / context.readers->size() * each,
                         "reading a part of " + file.path);
}

/// Opens a file for all readers, if there are several. Throws Error if it cannot be read, or is no text.
InputFile open_text(const std::string &path, bool may_be_empty, const ReadContext &context) {
  std::optional<InputFile> file;
  agreed(context.readers, [&] {
    file.emplace(open_input(path, context.budget, may_be_empty));
    check_first_line(*file);
  });
  if (context.readers)
    for (const std::uint64_t size : context.readers->all({file->text.size()}))
      if (size != file->text.size())
        throw Error(ErrorKind::input, path + ": the ranks see files of different sizes");
  return std::move(*file);
}

/// The path with its .v or .e, before any compression, replaced; the first such file that exists.
std::string sibling(const std::string &path, char letter) {
  std::string stem(without_compression(path));
  stem.back() = letter;
  for (const char *compression : {"", ".gz", ".zst", ".xz"})
    if (access((stem + compression).c_str(), F_OK) == 0)
      return stem + compression;
  return stem;
}

} // namespace

std::string format_of(const std::string &path, const std::string &wanted) {
  if (!wanted.empty()) {
    const auto &names = format_names();
    if (std::find(names.begin(), names.end(), wanted) == names.end())
      throw Error(ErrorKind::argument, "unknown format '" + wanted + "'" + suggestion(wanted, names));
    return wanted;
  }
  const std::string_view plain = without_compression(path);
  for (const Format &format : formats())
    for (const std::string_view extension : format.extensions)
      if (plain.size() > extension.size() && plain.substr(plain.size() - extension.size()) == extension)
        return format.name;
  std::string all;
  for (const std::string &name : format_names())
    all += (all.empty() ? "" : ", ") + name;
  fail_file(path, "the name does not tell the format; give --format=NAME with one of " + all);
}

bool has_ranges(const std::string &format) { return format_called(format).ranges; }

void require_whole_text(const InputFile &file, char edge_end, const ReadContext &context) {
  const double edges = estimated_edges(file, edge_end);
  const double parsed = edges * (16 + 8 * static_cast<double>(context.columns.size()));
  const double graph = memory_needs(context.options, context.columns, {0, edges, true}, Arrival::edges, 0).sum();
  context.budget.require(parsed + graph, "reading " + file.path);
}

RawGraph read_raw(const std::string &path, const std::string &name, const ReadContext &context) {
  const Format &format = format_called(name);
  if (name == "ldbc") {
    const std::string_view plain = without_compression(path);
    if (plain.size() < 3 || (plain.substr(plain.size() - 2) != ".v" && plain.substr(plain.size() - 2) != ".e"))
      fail_file(path, "an LDBC graph is named by its .v or .e file");
    const InputFile vertices = open_text(plain.back() == 'v' ? path : sibling(path, 'v'), true, context);
    const InputFile edges = open_text(plain.back() == 'e' ? path : sibling(path, 'e'), true, context);
    check_text_size(edges, format, context);
    return read_ldbc(vertices, edges, context);
  }
  const InputFile file = open_text(path, format.may_be_empty, context);
  check_text_size(file, format, context);
  return format.read(file, context);
}

} // namespace detail

const std::vector<std::string> &format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const detail::Format &format : detail::formats())
      result.push_back(format.name);
    return result;
  }();
  return names;
}

} // namespace gc
