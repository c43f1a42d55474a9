// From the graph argument to a .gcsr file, in memory or outside of it.
#include "converted_edges.h"
#include "estimate.h"
#include "external_build.h"
#include "formats.h"
#include "gcsr.h"
#include "generate.h"
#include "load.h"
#include "streamed_graph.h"

#include <gcompile/omp/threads/threads.h>

#include <sys/stat.h>

namespace gc {

using namespace detail;

namespace {

/// What sorting needs besides its buffers, in all and for each thread.
constexpr double besides = 8 << 20, besides_a_thread = 6 << 20;
constexpr double least_buffers = 4 << 20;

bool is_regular(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// Builds the file outside of memory. False: it can be built in memory, or must be.
bool build_outside(const std::string &spec, const std::string &path, const LoadOptions &given) {
  if (given.packed)
    return false;
  const GraphRequest request = resolve(spec, given);
  const LoadOptions &options = request.options;
  const std::uint64_t resident = resident_memory();
  const std::optional<StreamPlan> forced = forced_plan();
  if (!forced && options.memory_limit <= resident)
    throw Error(ErrorKind::argument,
                "the process alone has " + format_bytes(static_cast<double>(resident)) +
                    " in memory, more than --memory=" + format_bytes(static_cast<double>(options.memory_limit)));
  Progress progress(options.progress);
  MemoryBudget budget(forced ? 0 : options.memory_limit - resident);
  ReadContext context{options, {}, 0, budget, progress};
  if (options.weights.empty())
    take_columns(context);

  EdgeStream stream;
  InputFile file;                       // that the stream refers to
  std::unique_ptr<GraphStorage> stored; // and this
  double in_memory = 0;                 // what a reader keeps
  const std::string format = request.generated ? "" : format_of(request.path, options.format);
  if (request.generated) {
    GeneratedGraph generator = make_generator(spec);
    stream = {std::move(generator.source),
              VertexIds::range(0, generator.n),
              {},
              generator.num_edges,
              generator.directed,
              true};
  } else if (format == "gcsr" && is_regular(request.path)) {
    stored = stream_arrays(request.path, budget.left() / 4);
    if (!stored)
      return false;
    if (options.all_columns)
      context.columns = stored->columns;
    if (context.columns.size() > stored->columns.size())
      return false; // which says so
    const bool narrow = stored->vertex_bits == 32;
    stream.directed = narrow ? stored->narrow.view.is_directed : stored->wide.view.is_directed;
    stream.num_entries = static_cast<double>(narrow ? stored->narrow.view.edges : stored->wide.view.edges);
    stream.ids = stored->ids;
    stream.columns = context.columns;
    stream.edges = converted_edges(edges_of(*stored), *stored, request.path, context);
  } else if (format == "el" && is_regular(request.path) && compression_of(request.path) == Compression::none) {
    file = open_input(request.path, budget, /*may_be_empty=*/true);
    check_first_line(file);
    std::optional<EdgeStream> lines = stream_edge_list(file, context);
    if (!lines)
      return false;
    stream = std::move(*lines);
    in_memory = static_cast<double>(file.text.size()) +
                stream.num_entries * (16 + 8 * static_cast<double>(stream.columns.size()));
  } else {
    return false;
  }

  const BuildOptions build = build_options(options, stream.directed, stream.generated);
  const double n = static_cast<double>(stream.ids.size()), arcs = stream.num_entries * (build.mirror ? 2 : 1);
  const int bits = choose_bits(options, stream.ids.size());
  if (forced) {
    build_file(path, stream, build, bits, forced->room, context);
    return true;
  }
  const MemoryNeeds needs =
      memory_needs(options, options.weights.empty() ? stream.columns : options.columns, {n, arcs, build.directed},
                   build.drop_duplicates ? Arrival::repeating_edges : Arrival::edges, 0);
  const double whole = in_memory + needs.sum();
  const double left = static_cast<double>(options.memory_limit - std::min(options.memory_limit, resident_memory()));
  if (whole + besides < left)
    return false;
  const double kept = 8 * n * (build.directed && options.in_edges ? 2 : 1) +
                      8 * static_cast<double>(stream.ids.integer_ids().size()) + besides +
                      besides_a_thread * omp_get_max_threads();
  if (kept + least_buffers > left)
    throw Error(ErrorKind::resource, spec + ": sorting the edges outside of memory needs about " +
                                         format_bytes(kept + least_buffers) + " of memory, but only " +
                                         format_bytes(left) + " is available");
  build_file(path, stream, build, bits, static_cast<std::uint64_t>(left - kept), context);
  return true;
}

} // namespace

void convert_graph(const std::string &spec, const std::string &path, const LoadOptions &options) {
  if ((options.memory_limit == 0 && !forced_plan()) || !build_outside(spec, path, options))
    save_graph(load_graph(spec, options), path);
}

} // namespace gc
