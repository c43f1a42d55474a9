#include "streamed_graph.h"

#include "estimate.h"
#include "gcsr.h"
#include "load.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <gcompile/omp/threads/threads.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gc::detail {

namespace {

/// What a process needs besides its arrays: stacks of threads, buffers.
constexpr double besides = 4 << 20, besides_a_thread = 256 << 10;

/// The first bytes of a regular file; empty if it is none.
std::string head_of(const std::string &path, std::uint64_t &file_bytes) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) // who opens a pipe must read it
    return {};
  std::string head(sizeof(GcsrHeader), 0);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ssize_t count = -1;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    file_bytes = static_cast<std::uint64_t>(status.st_size);
    count = pread(file, head.data(), head.size(), 0);
  }
  if (file >= 0)
    close(file);
  head.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return head;
}

/// Whether nothing is to be streamed: for comparisons with a mapped file.
bool is_off() {
  const char *text = std::getenv("GCOMPILE_STREAM");
  return text && std::strcmp(text, "off") == 0;
}

/// Why the arrays of the file do not serve as they are; empty if they do.
std::string obstacle(const GcsrHeader &header, const ReadContext &context) {
  const LoadOptions &options = context.options;
  if (!options.weights.empty())
    return "--weights gives the edges other values: write them with 'gcompile convert --weights'";
  if (header.is_packed())
    return "its lists of neighbours are packed";
  if (options.needs_whole() || options.neighbors_by_degree || options.packed)
    return "the program's schedule asks for another layout of it";
  if (choose_direction(options, header.directed != 0) != (header.directed != 0))
    return std::string("the program reads it as ") + (header.directed ? "undirected" : "directed") +
           ": write it so with 'gcompile convert --" + (header.directed ? "undirected'" : "directed'");
  if (options.vertex_bits != 0 && options.vertex_bits != static_cast<int>(header.vertex_bits))
    return "--vertex-bits is not that of the file, which is " + std::to_string(header.vertex_bits);
  if (options.self_loops == Keep::drop || options.duplicates == Keep::drop)
    return "edges are to be dropped: give --self-loops and --duplicates to 'gcompile convert'";
  if (context.columns.size() > header.num_columns)
    return "it has no " + context.columns[header.num_columns].name + ", which the program reads";
  for (std::size_t k = 0; k < context.columns.size(); ++k)
    if (const auto type = static_cast<ColumnType>(header.column_types[k]); type != context.columns[k].type)
      return "its column '" + std::string(header.column_names[k], strnlen(header.column_names[k], 40)) +
             "' is of type " + type_name(type) + ", and the program reads " + type_name(context.columns[k].type) +
             ": write it so with 'gcompile convert --column'";
  if (options.in_edge_ids)
    return "the program reads the properties of edges into vertices";
  if (options.in_edges && header.directed && !header.has_in_arcs())
    return "the program reads the edges into vertices: write them too with 'gcompile convert --in-edges'";
  return "";
}

std::unique_ptr<GraphStorage> open_stream(const std::string &path, const GcsrHeader &header, const StreamPlan &plan,
                                          bool in_arrays) {
  auto file = std::make_unique<StreamedFile>(path, header.file_bytes, plan);
  std::unique_ptr<GraphStorage> storage = view_arrays(path, header, file->data(), in_arrays);
  storage->streamed = std::move(file);
  storage->narrow.view.lists_in_file = storage->wide.view.lists_in_file = true;
  copy_offsets(*storage);
  check_arrays(path, header, *storage);
  const GcsrSections place = place_sections(header);
  const int width = static_cast<int>(header.vertex_bits / 8);
  const std::uint64_t bytes = static_cast<std::uint64_t>(width) * header.arcs;
  storage->streamed->require_below(place.targets, place.targets + bytes, width, header.n);
  if (in_arrays && place.in_sources != place.in_offsets)
    storage->streamed->require_below(place.in_sources, place.in_sources + bytes, width, header.n);
  return storage;
}

} // namespace

std::optional<StreamPlan> forced_plan() {
  const char *text = std::getenv("GCOMPILE_STREAM");
  if (!text || is_off())
    return std::nullopt;
  StreamPlan plan;
  const char *end = text + std::strlen(text);
  const auto bytes = std::from_chars(text, end, plan.block_bytes);
  if (bytes.ec == std::errc() && bytes.ptr < end && plan.block_bytes >= 4096 &&
      (plan.block_bytes & (plan.block_bytes - 1)) == 0 &&
      std::from_chars(bytes.ptr + 1, end, plan.room).ec == std::errc()) {
    plan.room *= plan.block_bytes;
    return plan;
  }
  throw Error(ErrorKind::argument, "GCOMPILE_STREAM is BYTES:BLOCKS, not '" + std::string(text) + "'");
}

std::unique_ptr<GraphStorage> stream_graph(const std::string &path, const ReadContext &context) {
  if (is_off())
    return nullptr;
  std::uint64_t file_bytes = 0;
  const std::string head = head_of(path, file_bytes);
  if (head.empty())
    return nullptr;
  const GcsrHeader header = read_header(path, head);
  require_size(path, header, file_bytes);

  const LoadOptions &options = context.options;
  if (header.is_packed() && options.packed)
    return nullptr; // they are mapped
  const double n = static_cast<double>(header.n), arcs = static_cast<double>(header.arcs);
  const double own = n * options.bytes_per_vertex + arcs * options.bytes_per_edge + n * n * options.bytes_per_pair;
  const std::uint64_t resident = resident_memory();
  const double left =
      options.memory_limit == 0
          ? context.budget.left()
          : std::min(context.budget.left(),
                     static_cast<double>(options.memory_limit - std::min(options.memory_limit, resident)));
  const bool in_file = header.has_in_arcs();
  const double made = options.in_edges && header.directed && !in_file ? 8 * n + header.vertex_bits / 8 * arcs : 0;
  std::optional<StreamPlan> plan = forced_plan();
  if (!plan && own + made + static_cast<double>(file_bytes) <= left)
    return nullptr;
  const std::string why_not = obstacle(header, context);
  if (!why_not.empty()) {
    if (plan)
      return nullptr;
    throw Error(ErrorKind::resource, path + ": the graph and the program's data need about " +
                                         format_bytes(own + made + static_cast<double>(file_bytes)) +
                                         " of memory, but only " + format_bytes(left) +
                                         " is available, and the arcs cannot stay in the file: " + why_not);
  }
  if (!plan) {
    const double ids = header.id_kind == static_cast<std::uint32_t>(VertexIds::Kind::range)
                           ? 0
                           : 8 * n + static_cast<double>(header.characters);
    const double kept =
        own + 8 * n * (in_file && options.in_edges ? 2 : 1) + ids + besides + besides_a_thread * omp_get_max_threads();
    const double least = kept + static_cast<double>(least_room(std::uint64_t(1) << 16));
    if (least > left)
      throw Error(ErrorKind::resource,
                  path + ": the arcs can stay in the file, but the program's data and the offsets need about " +
                      format_bytes(least) + " of memory, and only " + format_bytes(left) + " is available");
    plan = plan_stream(file_bytes, static_cast<std::uint64_t>(left - kept),
                       resident + static_cast<std::uint64_t>(left) - (std::uint64_t(3) << 20));
  }

  context.progress.update("checking " + path);
  return open_stream(path, header, *plan, takes_in_arrays(options));
}

std::unique_ptr<GraphStorage> stream_arrays(const std::string &path, double room) {
  std::uint64_t file_bytes = 0;
  const GcsrHeader header = read_header(path, head_of(path, file_bytes));
  require_size(path, header, file_bytes);
  if (header.is_packed())
    return nullptr;
  const double least = static_cast<double>(least_room(std::uint64_t(1) << 16));
  const StreamPlan plan = plan_stream(file_bytes, static_cast<std::uint64_t>(std::max(room, least)), 0);
  return open_stream(path, header, forced_plan().value_or(plan), false);
}

} // namespace gc::detail
