// A fuzzer for one reader, `--format=NAME`: any bytes give a sound graph or one Error, within 32 MiB.
//
// The first three bytes choose what the program and the user want of the graph, the others are the file. With
// `--format=values` it is not a graph's, but holds a value for each vertex of a small one.
#include "gcsr.h"

#include <gcompile/program.h>
#include <gcompile/program/load.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <omp.h>
#include <unistd.h>

namespace {

using namespace gc;
namespace fs = std::filesystem;

void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "the loaded graph is not sound: %s\n", what);
  std::abort();
}

/// A folder of this process in memory, removed at its end.
struct Folder {
  Folder() {
    const fs::path memory = "/dev/shm";
    path = (fs::exists(memory) ? memory : fs::temp_directory_path()) / ("gcompile-fuzz-" + std::to_string(getpid()));
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string write(const std::string &name, const char *data, std::size_t size) const {
    const std::string file = path / name;
    std::ofstream(file, std::ios::binary).write(data, static_cast<std::streamsize>(size));
    return file;
  }
  fs::path path;
};

/// The format's name, or what stands for several: `compressed`, `generator`.
std::string format;

LoadOptions options_from(const std::uint8_t *choice) {
  LoadOptions options;
  options.memory_limit = format == "generator" ? 1 << 20 : 32 << 20; // a few letters make a large graph
  const unsigned a = choice[0], b = choice[1], c = choice[2];
  const auto type = static_cast<ColumnType>(a >> 2 & 3);
  if ((a & 3) == 3)
    options.all_columns = true;
  else
    for (unsigned k = 0; k < (a & 3); ++k)
      options.columns.push_back({k == 0 ? "weight" : "length", k == 0 ? type : ColumnType::float64});
  options.program = static_cast<Directedness>((a >> 4 & 3) % 3);
  options.in_edges = (a & 64) != 0;
  options.in_edge_ids = (a & 128) != 0;
  options.self_loops = static_cast<Keep>((b & 3) % 3);
  options.duplicates = static_cast<Keep>((b >> 2 & 3) % 3);
  options.ids = static_cast<IdKind>((b >> 4 & 3) % 3);
  if ((b & 64) != 0 && !options.columns.empty())
    options.nonnegative = {"weight"};
  if ((b & 128) != 0)
    options.weights = "1..9";
  options.vertex_bits = (c & 3) == 1 ? 32 : (c & 3) == 2 ? 64 : 0;
  return options;
}

template <class V> void check(const LoadedGraph &loaded, const LoadOptions &options) {
  const Graph<V> &g = loaded.view<V>();
  require(g.n == loaded.num_vertices() && g.out_offsets[0] == 0, "the number of vertices");
  std::vector<std::pair<V, V>> out, in;
  for (V v = 0; v < g.n; ++v) {
    require(g.out_begin(v) <= g.out_end(v), "the offsets");
    const auto list = g.out_neighbors(v);
    require(std::is_sorted(list.begin(), list.end()), "the order of a list");
    for (V u : list) {
      require(u < g.n, "a target");
      out.emplace_back(v, u);
    }
    if (!g.in_offsets)
      continue;
    for (ArcId k = g.in_begin(v); k < g.in_end(v); ++k) {
      in.emplace_back(g.in_source(k), v);
      if (g.in_edges)
        require(g.in_edges[k] < g.num_arcs() && g.target(g.in_edges[k]) == v &&
                    g.out_begin(g.in_source(k)) <= g.in_edges[k] && g.in_edges[k] < g.out_end(g.in_source(k)),
                "an in-edge");
    }
  }
  std::sort(in.begin(), in.end());
  require(out.size() == g.num_arcs() && (!g.in_offsets || in == out), "the in-lists");
  for (const auto &[u, v] : out)
    require(g.directed() || std::binary_search(out.begin(), out.end(), std::make_pair(v, u)), "the symmetry");
  if (options.duplicates == Keep::drop)
    require(std::adjacent_find(out.begin(), out.end()) == out.end(), "a duplicate");
  // A name is found again; a corrupt binary file may give one to several vertices.
  for (std::uint64_t v = 0; v < std::min<std::uint64_t>(g.n, 64); ++v) {
    const std::string name = loaded.ids().name(v);
    const std::optional<std::uint64_t> found = loaded.ids().find(std::string_view(name));
    require(found && loaded.ids().name(*found) == name, "the names of the vertices");
  }
  for (std::size_t k = 0; k < loaded.columns().size(); ++k)
    detail::with_type(loaded.columns()[k].type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      const T *values = g.template edge_column<T>(static_cast<int>(k));
      for (ArcId e = 0; e < g.num_arcs(); ++e)
        require(options.nonnegative.empty() || loaded.columns()[k].name != options.nonnegative[0] || !(values[e] < 0),
                "a negative value");
    });
}

void check(const LoadedGraph &loaded, const LoadOptions &options) {
  if (loaded.vertex_bits() == 32)
    check<std::uint32_t>(loaded, options);
  else
    check<std::uint64_t>(loaded, options);
}

/// Puts a valid magic number, version, size and checksums into the header of a binary graph, so that what is behind
/// them is tested.
void mend_header(std::string &bytes) {
  detail::GcsrHeader header;
  if (bytes.size() < sizeof header)
    return;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.magic_number = detail::GcsrHeader::magic;
  if (!header.is_packed())
    header.version_number = detail::GcsrHeader::version;
  header.file_bytes = bytes.size();
  header.checksum = detail::checksum_of(header);
  header.packs_checksum = detail::packs_checksum_of(header);
  std::memcpy(&bytes[0], &header, header.stored_bytes());
}

/// The extension of a file that is read in the format.
std::string extension_of(std::uint8_t choice) {
  if (format == "compressed")
    return std::string(".el") + (choice & 64 ? ".gz" : choice & 128 ? ".zst" : ".xz");
  if (format == "webgraph")
    return ".graph-txt";
  if (format == "adjacency")
    return ".adj";
  return "." + format;
}

const LoadedGraph &small_graph(const Folder &folder, bool names) {
  const auto load = [&](const std::string &text) {
    return load_graph(folder.write("small.el", text.data(), text.size()));
  };
  static const LoadedGraph numbered = load("1 2\n2 30\n"), named = load("a #b\n#b c\n");
  return names ? named : numbered;
}

template <class T> void check_values(const Arguments &arguments, const Graph<std::uint32_t> &graph) {
  const Property<T> values = arguments.vertex_values<T>("x").on(graph, "x"); // throws for a vertex that is none of it
  require(values.size() == graph.n, "the number of values");
}

/// A file of a value for each vertex.
void read_values(const Folder &folder, const std::uint8_t *choice, const std::string &bytes) {
  const LoadedGraph &graph = small_graph(folder, (choice[0] & 1) != 0);
  const auto &view = graph.view<std::uint32_t>();
  const auto type = static_cast<ParameterType>(choice[1] % 6); // all but sets
  const std::string otherwise = type == ParameterType::boolean ? "true" : type == ParameterType::vertex ? "self" : "1";
  const ParameterInfo parameter{"x", type, (choice[0] & 2) != 0, otherwise, "", true};
  const Arguments arguments({parameter}, {{"x", "@" + folder.write("values", bytes.data(), bytes.size())}}, graph);
  switch (type) {
  case ParameterType::boolean:
    return check_values<std::uint8_t>(arguments, view);
  case ParameterType::integer32:
    return check_values<std::int32_t>(arguments, view);
  case ParameterType::integer64:
    return check_values<std::int64_t>(arguments, view);
  case ParameterType::real32:
    return check_values<float>(arguments, view);
  case ParameterType::real64:
    return check_values<double>(arguments, view);
  default:
    return check_values<std::uint32_t>(arguments, view);
  }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const std::string flag = "--format=";
  for (int i = 1; i < *argc; ++i)
    if (std::string((*argv)[i]).compare(0, flag.size(), flag) == 0)
      format = (*argv)[i] + flag.size();
  if (format.empty()) {
    std::fprintf(stderr, "usage: fuzz_reader --format=NAME [libFuzzer's options] [folders of inputs]\n");
    std::exit(2);
  }
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const Folder folder;
  if (size < 4)
    return -1;
  const LoadOptions options = options_from(data);
  std::string bytes(reinterpret_cast<const char *>(data) + 3, size - 3);
  if (format == "values") {
    try {
      read_values(folder, data, bytes);
    } catch (const Error &error) {
      require(std::strchr(error.what(), '\n') == nullptr, "a message of several lines");
    }
    return 0;
  }
  if (format == "gcsr")
    mend_header(bytes);
  std::string spec;
  if (format == "ldbc") { // two files, with a zero between them
    const std::size_t middle = std::min(bytes.find('\0'), bytes.size());
    spec = folder.write("graph.v", bytes.data(), middle);
    folder.write("graph.e", bytes.data() + std::min(middle + 1, bytes.size()),
                 bytes.size() - std::min(middle + 1, bytes.size()));
  } else if (format == "generator") {
    spec = bytes.substr(0, bytes.find('\0'));
    if (spec.find(':') == std::string::npos || spec.find('/') != std::string::npos)
      return -1;
  } else {
    spec = folder.write("graph" + extension_of(data[2]), bytes.data(), bytes.size());
  }
  try {
    const LoadedGraph graph = load_graph(spec, options);
    check(graph, options);
    const std::string saved = folder.path / "saved.gcsr";
    save_graph(graph, saved);
    LoadOptions again;
    again.all_columns = true;
    again.duplicates = Keep::keep;
    const LoadedGraph copy = load_graph(saved, again);
    check(copy, again);
    require(copy.num_arcs() == graph.num_arcs() && copy.columns().size() == graph.columns().size(), "the saved copy");
  } catch (const Error &error) {
    require(std::strchr(error.what(), '\n') == nullptr, "a message of several lines");
  }
  return 0;
}
