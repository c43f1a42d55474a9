#include "external_build.h"

#include "gcsr.h"
#include "generate.h"
#include "order_key.h"
#include "sorted_runs.h"
#include "symmetry.h"
#include "thread_errors.h"

#include <algorithm>

#include <gcompile/omp/threads/threads.h>

namespace gc::detail {

namespace {

/// Both ends of an arc in one number or in two, then its values in the order in which arcs are sorted.
template <std::size_t words, bool wide> struct Arcs {
  static constexpr std::size_t ends = wide ? 2 : 1, columns = words - ends;
  using Record = typename SortedRuns<words>::Record;

  static void set_ends(Record &arc, std::uint64_t u, std::uint64_t v) {
    if constexpr (wide) {
      arc[0] = u;
      arc[1] = v;
    } else {
      arc[0] = u << 32 | v;
    }
  }
  static std::uint64_t source(const Record &arc) { return wide ? arc[0] : arc[0] >> 32; }
  static std::uint64_t target(const Record &arc) { return wide ? arc[1] : arc[0] & 0xffffffffu; }
  static bool same_ends(const Record &a, const Record &b) { return std::equal(&a[0], &a[0] + ends, &b[0]); }
};

class Build {
public:
  Build(std::string path, const EdgeStream &stream, const BuildOptions &options, std::uint64_t memory,
        const ReadContext &context)
      : path_(std::move(path)), stream_(stream), options_(options), memory_(memory), context_(context) {
    if (context.options.weights.empty())
      columns_ = stream.columns;
    else
      columns_ = context.options.columns;
  }

  template <bool wide> void run() {
    switch (stream_.columns.size()) {
    case 0:
      return sort<wide, 0>();
    case 1:
      return sort<wide, 1>();
    case 2:
      return sort<wide, 2>();
    default:
      throw Error(ErrorKind::resource, path_ + ": edges with more than two columns are sorted in memory only: convert "
                                               "them without --memory, or choose with --column");
    }
  }

private:
  template <bool wide, std::size_t columns> void sort() {
    constexpr std::size_t words = (wide ? 2 : 1) + columns;
    using A = Arcs<words, wide>;
    const bool in_arrays = options_.directed && takes_in_arrays(context_.options);
    SortedRuns<words> runs(path_, in_arrays ? memory_ / 2 : memory_);
    add_all<A>(runs);
    SortedRuns<A::ends> turned(path_, memory_ / 2);
    write<A, wide>(runs, in_arrays ? &turned : nullptr);
  }

  template <class A, class Runs> void add_all(Runs &runs) {
    const std::size_t chunks = stream_.edges->chunks();
    std::size_t done = 0;
    ThreadErrors errors;
#pragma omp parallel
    {
      typename Runs::Writer writer(runs, omp_get_num_threads());
      EdgeChunk scratch;
#pragma omp for schedule(dynamic, 1)
      for (std::size_t i = 0; i < chunks; ++i)
        errors.guard([&] {
          add<A>(writer, stream_.edges->chunk(i, scratch));
          std::size_t so_far;
#pragma omp atomic capture
          so_far = ++done;
          if (omp_get_thread_num() == 0)
            context_.progress.update("sorting edges", static_cast<double>(so_far) / static_cast<double>(chunks));
        });
      errors.guard([&] { writer.flush(); });
    }
    errors.raise();
  }

  template <class A, class Writer> void add(Writer &writer, EdgeView edges) const {
    typename A::Record arc;
    for (std::size_t i = 0; i < edges.size; ++i) {
      const std::uint64_t u = edges.ends[2 * i], v = edges.ends[2 * i + 1];
      if (u == v && options_.drop_self_loops)
        continue;
      if constexpr (A::columns > 0)
        for (std::size_t k = 0; k < A::columns; ++k)
          arc[A::ends + k] = key_of(stream_.columns[k].type, edges.values[i * A::columns + k]);
      A::set_ends(arc, u, v);
      writer.add(arc);
      if (options_.mirror && u != v) {
        A::set_ends(arc, v, u);
        writer.add(arc);
      }
    }
  }

  /// The key of a value of scan_value's form, as its column holds it.
  static std::uint64_t key_of(ColumnType type, std::uint64_t bits) {
    return with_type(type, [&](auto *tag) {
      using T = std::remove_pointer_t<decltype(tag)>;
      return order_key(is_real(type) ? static_cast<T>(real_of(bits)) : static_cast<T>(static_cast<std::int64_t>(bits)));
    });
  }

  template <class A, bool wide, class Runs> void write(Runs &runs, SortedRuns<A::ends> *turned) {
    using V = std::conditional_t<wide, std::uint64_t, std::uint32_t>;
    const std::uint64_t n = stream_.ids.size();
    const bool weights = !context_.options.weights.empty() && !columns_.empty();
    const WeightRange range =
        weights ? parse_weights(context_.options.weights, columns_, context_.options.nonnegative) : WeightRange();
    SpoolFile targets(path_);
    std::vector<SpoolFile> values;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      values.emplace_back(path_);
    Array<ArcId> offsets(n + 1), in_offsets(turned ? n + 1 : 0);
    std::fill(offsets.begin(), offsets.end(), 0);
    std::fill(in_offsets.begin(), in_offsets.end(), 0);
    std::uint64_t loops = 0, arcs = 0;
    context_.progress.update("merging the arcs");
    {
      std::optional<typename SortedRuns<A::ends>::Writer> back;
      if (turned)
        back.emplace(*turned, 1);
      typename A::Record last{};
      runs.merge([&](const typename A::Record &arc) {
        if (options_.drop_duplicates && arcs > 0 && A::same_ends(arc, last))
          return;
        last = arc;
        ++arcs;
        const std::uint64_t u = A::source(arc), v = A::target(arc);
        loops += u == v;
        ++offsets[u];
        const V target = static_cast<V>(v);
        targets.append(&target, sizeof target);
        for (std::size_t k = 0; k < columns_.size(); ++k)
          with_type(columns_[k].type, [&](auto *tag) {
            using T = std::remove_pointer_t<decltype(tag)>;
            T value = 0;
            if (weights)
              value = weight_of<T>(range, context_.options.weights_seed, k, u, v);
            else if constexpr (A::columns > 0)
              value = from_order_key<T>(arc[A::ends + k]);
            values[k].append(&value, sizeof value);
          });
        if (back) {
          ++in_offsets[v];
          typename SortedRuns<A::ends>::Record opposite;
          Arcs<A::ends, wide>::set_ends(opposite, v, u);
          back->add(opposite);
        }
      });
      if (back)
        back->flush();
    }
    const auto finish = [&](Array<ArcId> &counts) {
      exclusive_scan(counts.data(), n);
      check_degrees(counts.data(), n, stream_.ids);
    };
    finish(offsets);
    std::optional<SpoolFile> sources;
    if (turned) {
      finish(in_offsets);
      sources.emplace(path_);
      turned->merge([&](const auto &arc) {
        const V source = static_cast<V>(Arcs<A::ends, wide>::target(arc));
        sources->append(&source, sizeof source);
      });
    }

    GcsrHeader header = header_of(stream_.ids, columns_, 8 * sizeof(V), options_.directed, turned != nullptr);
    header.arcs = arcs;
    header.edges = edges_of_arcs(arcs, loops, options_.directed);
    const GcsrSections place = finish_header(header);
    GcsrWriter file(path_);
    file.write_at(0, &header, header.stored_bytes());
    file.write_at(place.offsets, offsets.data(), 8 * (n + 1));
    file.copy_at(place.targets, targets);
    for (std::size_t k = 0; k < columns_.size(); ++k)
      file.copy_at(place.columns[k], values[k]);
    file.write_ids_at(place, stream_.ids);
    if (turned) {
      file.write_at(place.in_offsets, in_offsets.data(), 8 * (n + 1));
      file.copy_at(place.in_sources, *sources);
    }
    file.write_at(place.file_bytes, nullptr, 0);
    file.commit();
  }

  std::string path_;
  const EdgeStream &stream_;
  const BuildOptions options_;
  const std::uint64_t memory_;
  const ReadContext &context_;
  std::vector<ColumnInfo> columns_; // of the file
};

} // namespace

void build_file(const std::string &path, const EdgeStream &stream, const BuildOptions &options, int vertex_bits,
                std::uint64_t memory, const ReadContext &context) {
  Build build(path, stream, options, memory, context);
  if (vertex_bits == 64)
    build.run<true>();
  else
    build.run<false>();
}

} // namespace gc::detail
