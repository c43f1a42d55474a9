// From the graph argument to a LoadedGraph: built of edges, or of the arrays that a file holds.
#include "load.h"
#include "converted_edges.h"
#include "csr_build.h"
#include "divided_part.h"
#include "edge_values.h"
#include "edges.h"
#include "estimate.h"
#include "formats.h"
#include "gap.h"
#include "gcsr.h"
#include "generate.h"
#include "graph_part.h"
#include "layout.h"
#include "pack.h"
#include "read_together.h"
#include "scan.h"
#include "streamed_graph.h"
#include "suggest.h"
#include "vertex_parts.h"

#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/process_group.h>

#include <algorithm>
#include <chrono>

#include <unistd.h>

namespace gc {

using namespace detail;

namespace {

/// Cuts "?weights=1..255&seed=1" off the argument and puts it into the options.
std::string cut_suffix(const std::string &spec, LoadOptions &options) {
  const std::size_t mark = spec.rfind('?');
  if (mark == std::string::npos || access(spec.c_str(), F_OK) == 0)
    return spec;
  std::size_t begin = mark + 1;
  while (begin < spec.size()) {
    const std::size_t end = std::min(spec.find('&', begin), spec.size());
    const std::string part = spec.substr(begin, end - begin);
    const std::string key = part.substr(0, part.find('='));
    const std::string value = key.size() < part.size() ? part.substr(key.size() + 1) : "";
    const std::optional<std::int64_t> number = whole_integer(value);
    if (key == "weights") {
      if (options.weights.empty())
        options.weights = value;
    } else if (key == "seed") {
      if (!number || *number < 0)
        throw Error(ErrorKind::argument, spec + ": seed must be an integer from 0, not '" + value + "'");
      options.weights_seed = static_cast<std::uint64_t>(*number);
    } else {
      throw Error(ErrorKind::argument, spec + ": unknown option '" + key + "'" + suggestion(key, {"weights", "seed"}));
    }
    begin = end + 1;
  }
  return spec.substr(0, mark);
}

} // namespace

bool detail::choose_direction(const LoadOptions &options, bool input_directed) {
  if (options.program != Directedness::any) {
    if (options.user != Directedness::any && options.user != options.program)
      throw Error(ErrorKind::argument, options.program == Directedness::directed
                                           ? "the program is for directed graphs: --undirected cannot be used"
                                           : "the program is for undirected graphs: --directed cannot be used");
    return options.program == Directedness::directed;
  }
  return options.user == Directedness::any ? input_directed : options.user == Directedness::directed;
}

int detail::choose_bits(const LoadOptions &options, std::uint64_t n) {
  const bool fits = n < none<std::uint32_t>();
  if (options.vertex_bits == 32 && !fits)
    throw Error(ErrorKind::argument, std::to_string(n) + " vertices need 64-bit ids: --vertex-bits=32 cannot be used");
  return options.vertex_bits ? options.vertex_bits : fits ? 32 : 64;
}

bool detail::serves_as_is(const StoredArrays &stored, const LoadOptions &options, bool directed, int bits,
                          const std::vector<ColumnInfo> &columns) {
  bool same_columns = columns.size() <= stored.columns.size();
  for (std::size_t k = 0; same_columns && k < columns.size(); ++k)
    same_columns = columns[k].type == stored.columns[k].type;
  return stored.directed == directed && stored.vertex_bits == bits && same_columns &&
         options.self_loops != Keep::drop && options.duplicates != Keep::drop;
}

int detail::processes_of(const LoadOptions &options) { return options.group ? options.group->size() : 0; }

BuildOptions detail::build_options(const LoadOptions &options, bool input_directed, bool generated) {
  const Keep standard_loops = generated ? Keep::drop : Keep::keep;
  BuildOptions build_options;
  build_options.directed = choose_direction(options, input_directed);
  build_options.mirror = !build_options.directed || !input_directed;
  build_options.drop_self_loops =
      (options.self_loops == Keep::standard ? standard_loops : options.self_loops) == Keep::drop;
  build_options.drop_duplicates = options.duplicates != Keep::keep;
  build_options.count_input = options.count_input;
  return build_options;
}

double detail::needs_of(const MemoryNeeds &needs, const LoadOptions &options) {
  return needs.sum() + (options.group && options.group->speaks() ? needs.results : 0);
}

std::unique_ptr<GraphStorage> detail::build_graph(const std::string &name, Input input, VertexIds ids,
                                                  const ReadContext &context) {
  const LoadOptions &options = context.options;
  const BuildOptions build_options = detail::build_options(options, input.directed, input.generated);
  const double arcs = input.num_entries * (build_options.mirror ? 2 : 1);
  const MemoryNeeds needs =
      memory_needs(options, options.weights.empty() ? context.columns : options.columns,
                   {static_cast<double>(input.n), arcs, build_options.directed},
                   build_options.drop_duplicates ? Arrival::repeating_edges : Arrival::edges, processes_of(options));
  context.budget.require(needs_of(needs, options) + (options.count_input ? 8 * static_cast<double>(input.n) : 0),
                         name + ": the graph and the program's data");
  auto storage = std::make_unique<GraphStorage>();
  storage->vertex_bits = choose_bits(options, input.n);
  storage->ids = std::move(ids);
  storage->columns = context.columns;
  if (storage->vertex_bits == 32)
    build_csr<std::uint32_t>(*input.source, input.n, build_options, context, *storage);
  else
    build_csr<std::uint64_t>(*input.source, input.n, build_options, context, *storage);
  return storage;
}

namespace {

bool serves_as_is(const GraphStorage &storage, const LoadOptions &options, bool directed, int bits,
                  const std::vector<ColumnInfo> &columns) {
  const bool stored_directed =
      storage.vertex_bits == 32 ? storage.narrow.view.is_directed : storage.wide.view.is_directed;
  return detail::serves_as_is({storage.vertex_bits, stored_directed, storage.columns}, options, directed, bits,
                              columns);
}

/// Refuses a program whose data do not fit beside a graph that is in memory already, or the part of it that a process
/// takes from there; how many bytes they take.
double require_program_data(const std::string &path, const GraphStorage &stored, bool directed,
                            const ReadContext &context) {
  const LoadOptions &options = context.options;
  const double arcs = static_cast<double>(stored.num_arcs());
  const GraphSize size{static_cast<double>(stored.ids.size()), arcs, directed};
  if (reads_by_parts(options)) {
    const std::vector<ColumnInfo> &columns = options.weights.empty() ? context.columns : options.columns;
    const double own =
        needs_of(memory_needs(options, columns, size, Arrival::part_of_arrays, processes_of(options)), options);
    context.budget.require(own, path + ": a part of the graph and the program's data");
    return own;
  }
  const MemoryNeeds needs = memory_needs(options, {}, size, Arrival::arrays, processes_of(options));
  const double own = needs_of(needs, options) - needs.graph - needs.loading + in_array_bytes(options, size);
  context.budget.require(own, path + ": the program's data");
  return own;
}

/// Whether packed lists serve as they are in a file.
bool takes_packed(const GraphStorage &stored, const LoadOptions &options) {
  const auto has_sides = [&](const auto &view) {
    return !options.in_edges || !view.is_directed || !view.packed->in.empty();
  };
  return options.packed && options.weights.empty() && !options.keeps_plain && !options.renumbers() &&
         !options.neighbors_by_degree && !options.in_edge_ids && !options.group &&
         (stored.vertex_bits == 32 ? has_sides(stored.narrow.view) : has_sides(stored.wide.view));
}

/// Calls the columns of a file as the program does, and leaves out those that it does not read.
void name_columns(GraphStorage &stored, const std::vector<ColumnInfo> &columns) {
  stored.columns.resize(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    stored.columns[k].name = columns[k].name;
}

std::unique_ptr<GraphStorage> load_binary(const std::string &path, const ReadContext &outer) {
  ReadContext context = outer;
  const LoadOptions &options = context.options;
  if (options.may_stream)
    if (std::unique_ptr<GraphStorage> streamed = stream_graph(path, context)) {
      name_columns(*streamed, context.columns);
      return streamed;
    }
  std::unique_ptr<GraphStorage> stored = read_gcsr(open_input(path, context.budget), context);
  if (options.all_columns)
    context.columns = stored->columns;
  if (context.columns.size() > stored->columns.size())
    fail_file(path, missing_column(context.columns[stored->columns.size()], "the graph"));
  const bool stored_directed =
      stored->vertex_bits == 32 ? stored->narrow.view.is_directed : stored->wide.view.is_directed;
  const bool directed = choose_direction(options, stored_directed);
  const std::uint64_t n = stored->ids.size();
  const bool serves = serves_as_is(*stored, options, directed, choose_bits(options, n), context.columns);
  const bool unpacks = stored->is_packed() && !(serves && takes_packed(*stored, options));
  if (unpacks && stored->vertex_bits == 32)
    unpack_adjacency<std::uint32_t>(*stored, context);
  else if (unpacks)
    unpack_adjacency<std::uint64_t>(*stored, context);
  if (serves) {
    const double own = require_program_data(path, *stored, directed, context);
    name_columns(*stored, context.columns);
    if (unpacks) {
      copy_to_memory(*stored); // the columns
      return stored;
    }
    if (reads_by_parts(options)) {
      keep_part(*stored, options);
      return stored;
    }
    // Where memory is short the file stays mapped.
    if (own + 2 * static_cast<double>(stored->mapping.size()) < context.budget.left())
      copy_to_memory(*stored);
    return stored;
  }
  Input input;
  input.n = n;
  input.directed = stored_directed;
  input.num_entries = stored->vertex_bits == 32 ? static_cast<double>(stored->narrow.view.num_edges())
                                                : static_cast<double>(stored->wide.view.num_edges());
  input.source = converted_edges(edges_of(*stored), *stored, path, context);
  VertexIds ids = stored->ids;
  return build_graph(path, std::move(input), std::move(ids), context);
}

/// A graph of edges with ids from 0, of which each reader has some if they are in ranges.
std::unique_ptr<GraphStorage> build_raw(const std::string &path, RawGraph raw, const ReadContext &outer) {
  ReadContext context = outer;
  context.columns = raw.columns;
  Input input{nullptr, raw.ids.size(), static_cast<double>(raw.num_entries()), raw.directed, false};
  input.source = std::make_unique<ChunkSource>(std::move(raw.chunks));
  if (context.readers && raw.in_ranges) {
    input.num_entries = static_cast<double>(context.readers->sums({static_cast<std::uint64_t>(input.num_entries)})[0]);
    const OwnChunks own{0, input.source->chunks(), 4};
    return build_together(path, std::move(input), own, std::move(raw.ids), context);
  }
  return build_graph(path, std::move(input), std::move(raw.ids), context);
}

/// The arrays of a .sg or .wsg file where they serve as they are, else a graph built of its edges.
std::unique_ptr<GraphStorage> load_gap(const std::string &path, bool weighted, const ReadContext &context) {
  const InputFile file = open_input(path, context.budget);
  if (std::unique_ptr<GraphStorage> stored = read_gap_arrays(file, weighted, context)) {
    const bool directed = choose_direction(context.options, stored->narrow.view.is_directed);
    if (serves_as_is(*stored, context.options, directed, choose_bits(context.options, stored->ids.size()),
                     stored->columns)) {
      require_program_data(path, *stored, directed, context);
      return stored;
    }
  }
  return build_raw(path, read_gap(file, weighted, context), context);
}

} // namespace

template <class V>
void detail::finish_graph(const std::string &name, GraphStorage &storage, const LoadOptions &options,
                          const ReadContext &context) {
  const bool packed = storage.is_packed(); // in the file already
  if (!options.weights.empty() && !options.columns.empty()) {
    add_weights<V>(storage, options);
  } else {
    for (std::size_t k = 0; k < storage.columns.size(); ++k)
      if (context.must_not_be_negative(k))
        check_values<V>(name, storage, options, k);
  }
  if (options.renumbers()) {
    const auto start = std::chrono::steady_clock::now();
    order_vertices<V>(options.vertex_order, divide_vertices<V>(storage, context), storage, context);
    storage.layout_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if ((options.in_edges || options.in_edge_ids) && !packed)
    build_in_edges<V>(storage, options.in_edge_ids, context);
  if (options.neighbors_by_degree && options.vertex_order != VertexOrder::by_degree) {
    const auto start = std::chrono::steady_clock::now();
    order_neighbors_by_degree<V>(storage, context);
    storage.layout_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if (options.packed && !packed) {
    const auto start = std::chrono::steady_clock::now();
    pack_adjacency<V>(storage, options.keeps_plain, context);
    storage.layout_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
}

template void detail::finish_graph<std::uint32_t>(const std::string &, GraphStorage &, const LoadOptions &,
                                                  const ReadContext &);
template void detail::finish_graph<std::uint64_t>(const std::string &, GraphStorage &, const LoadOptions &,
                                                  const ReadContext &);

void detail::take_columns(ReadContext &context) {
  const LoadOptions &options = context.options;
  context.columns = options.columns;
  for (std::size_t k = 0; k < options.columns.size(); ++k)
    if (std::find(options.nonnegative.begin(), options.nonnegative.end(), options.columns[k].name) !=
        options.nonnegative.end())
      context.nonnegative |= std::uint32_t(1) << k;
}

GraphRequest detail::resolve(const std::string &spec, const LoadOptions &given) {
  GraphRequest request;
  LoadOptions &options = request.options = given;
  if (options.columns.size() > static_cast<std::size_t>(Graph<std::uint32_t>::max_columns))
    throw Error(ErrorKind::argument,
                "a program reads at most " + std::to_string(Graph<std::uint32_t>::max_columns) + " edge columns");
  request.generated = is_generator(spec) && access(spec.c_str(), F_OK) != 0;
  request.path = request.generated ? spec : cut_suffix(spec, options);
  if (request.generated) {
    const GeneratedGraph generator = make_generator(spec);
    if (options.weights.empty()) {
      options.weights = generator.weights;
      options.weights_seed = generator.weights_seed;
    }
    if (options.all_columns && !options.weights.empty())
      options.columns = {{"weight", options.weights.find('.') == options.weights.find("..") ? ColumnType::int32
                                                                                            : ColumnType::float64}};
    if (!options.columns.empty() && options.weights.empty())
      throw Error(ErrorKind::argument, spec + ": the generated graph has no " + options.columns[0].name +
                                           ", which the program reads; add weights=LO..HI, as in weights=1..255");
  }
  if (!options.weights.empty()) // before any work, to find mistakes
    parse_weights(options.weights, options.columns, options.nonnegative);
  return request;
}

/// Bytes of a value, with ids of 32 bits.
static double bytes_of(ElementType type) {
  switch (type) {
  case ElementType::boolean:
    return 1;
  case ElementType::int32:
  case ElementType::float32:
  case ElementType::vertex:
    return 4;
  default:
    return 8;
  }
}
static double bytes_of(const OutputInfo &output) {
  double bytes = output.elements.empty() ? bytes_of(output.type) : 0;
  for (const ElementType element : output.elements)
    bytes += bytes_of(element);
  return bytes;
}

LoadOptions load_options(const ProgramInfo &info, LoadOptions options) {
  options.program = info.directedness;
  options.columns = info.edge_columns;
  options.nonnegative = info.nonnegative_weights;
  options.vertex_order = info.vertex_order;
  options.neighbors_by_degree = info.neighbors_by_degree;
  options.packed = info.packed;
  options.in_edges = info.needs_in_edges;
  options.in_edge_ids = info.needs_in_edge_ids;
  options.out_of_copies = info.needs_out_of_copies;
  options.into_copies = info.needs_into_copies;
  options.keeps_all = info.needs_edges_of_all;
  options.bytes_per_vertex = info.bytes_per_vertex + (options.divides_lists ? info.bytes_per_divided_vertex : 0);
  options.bytes_per_edge = info.bytes_per_edge;
  options.bytes_per_pair = info.bytes_per_pair;
  return options;
}

void detail::add_whole_result(LoadOptions &options, const OutputInfo &output) {
  if (output.shape == OutputShape::dense)
    options.bytes_per_resulting_pair += bytes_of(output);
  else if (output.shape == OutputShape::edge)
    options.bytes_per_resulting_edge += bytes_of(output);
}

LoadedGraph load_graph(const std::string &spec, const LoadOptions &given) {
  const GraphRequest request = resolve(spec, given);
  const LoadOptions &options = request.options;
  const std::string &path = request.path;
  Progress progress(options.progress);
  MemoryBudget budget(options.memory_limit);
  ReadContext context{options, {}, 0, budget, progress};
  if (options.weights.empty())
    take_columns(context);
  std::unique_ptr<GraphStorage> storage;
  if (request.generated) {
    GeneratedGraph generator = make_generator(spec);
    const VertexIds ids = VertexIds::range(0, generator.n);
    Input input{std::move(generator.source), generator.n, generator.num_edges, generator.directed, true};
    if (reads_together(options)) {
      const OwnChunks own = share_of_chunks(*input.source, *options.group);
      storage = build_together(spec, std::move(input), own, ids, context);
    } else {
      storage = build_graph(spec, std::move(input), ids, context);
    }
  } else {
    const std::string format = format_of(path, options.format);
    if (format == "gcsr") {
      storage = load_binary(path, context);
    } else if (format == "sg" || format == "wsg") {
      storage = load_gap(path, format == "wsg", context);
    } else {
      if (has_ranges(format) && compression_of(path) == Compression::none && reads_together(options))
        context.readers = options.group;
      storage = build_raw(path, read_raw(path, format, context), context);
    }
  }
  if (storage->vertex_bits == 32)
    finish_graph<std::uint32_t>(path, *storage, options, context);
  else
    finish_graph<std::uint64_t>(path, *storage, options, context);
  if (options.group && !storage->part_begins.empty())
    options.group->divide(storage->part_begins);
  if (options.group)
    options.group->stand(options.divides_lists ? Grid::of(options.group->size()) : Grid(options.group->size()));
  if (options.group && !storage->in_part)
    keep_part(*storage, options);
  else if (options.group && options.group->grid().divided())
    divide_part(*storage, *options.group);
  return LoadedGraph(std::move(storage));
}

} // namespace gc
