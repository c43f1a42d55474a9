#include "read_together.h"

#include "csr_build.h"
#include "estimate.h"
#include "graph_part.h"
#include "group_steps.h"
#include "symmetry.h"
#include "thread_errors.h"

#include <gcompile/core/partition.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gc::detail {

namespace {

/// Arcs on their way between processes: of each its ends, as V, and the values of the columns.
template <class V> class SentArcs final : public EdgeSource {
public:
  explicit SentArcs(std::size_t columns) : columns_(columns), width_(2 * sizeof(V) + 8 * columns) {}

  void send(Deal &deal, int process, V u, V v, const std::uint64_t *values) const {
    char *const to = deal.room(process, width_);
    const V ends[] = {u, v};
    std::memcpy(to, ends, sizeof ends);
    if (columns_ > 0)
      std::memcpy(to + sizeof ends, values, 8 * columns_);
  }
  void receive(std::vector<Bytes> bytes) {
    for (Bytes &each : bytes)
      if (!each.empty())
        pieces_.push_back({std::move(each)});
  }

  std::size_t chunks() const override { return pieces_.size(); }
  EdgeView chunk(std::size_t i, EdgeChunk &scratch) const override {
    const std::size_t count = pieces_[i].size() / width_;
    scratch.ends.resize(2 * count);
    scratch.values.resize(columns_ * count);
    const char *at = pieces_[i].data();
    for (std::size_t e = 0; e < count; ++e) {
      scratch.ends[2 * e] = take_value<V>(at);
      scratch.ends[2 * e + 1] = take_value<V>(at);
      for (std::size_t k = 0; k < columns_; ++k)
        scratch.values[e * columns_ + k] = take_value<std::uint64_t>(at);
    }
    return {scratch.ends.data(), scratch.values.data(), count};
  }
  void release() override { std::vector<Bytes>().swap(pieces_); }

private:
  std::size_t columns_, width_;
  std::vector<Bytes> pieces_;
};

/// From the edges that a process has to the part of the graph. A process first gets the arcs out of a stretch of the
/// vertices, for which it drops duplicates. Then the lists are final, and with them the blocks that processes own.
template <class V> class Distribution {
public:
  Distribution(const ReadContext &context, const BuildOptions &build, std::uint64_t n, GraphStorage &storage)
      : context_(context), options_(context.options), group_(*context.options.group), build_(build), n_(n),
        storage_(storage) {}

  void run(EdgeSource &source, const OwnChunks &own) {
    build_stretch(source, own);
    find_block();
    if (build_.count_input)
      count_inputs();
    take_block();
    if (options_.in_edges)
      find_in_arcs();
    storage_.part_bytes += 8 * (n_ + 1) + sizeof(V) * (offsets()[block_.end] - offsets()[block_.begin]);
    storage_.in_part = true;
  }

private:
  CsrArrays<V> &arrays() { return storage_.arrays<V>(); }
  const ArcId *offsets() { return arrays().out_offsets.data(); }
  int size() const { return group_.size(); }

  /// Of own vertices, adds up what processes have noted.
  void count_inputs() {
    std::sort(starts_.begin(), starts_.end());
    Deal deal(group_);
    for (auto at = starts_.begin(); at != starts_.end();) {
      const V v = *at;
      const auto next = std::upper_bound(at, starts_.end(), v);
      deal.put(owner_of(v), v);
      deal.put(owner_of(v), static_cast<std::uint64_t>(next - at));
      at = next;
    }
    starts_ = {};
    storage_.input_edges = Array<std::uint64_t>::zeros(n_);
    for (const Bytes &bytes : deal.exchange())
      for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
        const V v = take_value<V>(at);
        storage_.input_edges[v] += take_value<std::uint64_t>(at);
      }
  }

  /// Calls f(u, v, e) for the arcs of some edges, of which e is one.
  template <class F> void for_arcs(const std::uint64_t *ends, std::size_t size, const F &f) const {
    for (std::size_t e = 0; e < size; ++e) {
      const V u = static_cast<V>(ends[2 * e]), v = static_cast<V>(ends[2 * e + 1]);
      if (u == v && build_.drop_self_loops)
        continue;
      f(u, v, e);
      if (build_.mirror && u != v)
        f(v, u, e);
    }
  }

  /// Where arcs leave, of some of them.
  std::vector<std::int64_t> samples_of(const EdgeSource &source, const OwnChunks &own) const {
    constexpr std::size_t wanted = 1024, looked = 64; // samples, and chunks with these
    const std::size_t step = (own.end - own.begin) / looked + 1;
    const auto for_some = [&](const auto &f) {
      EdgeChunk scratch;
      for (std::size_t i = own.begin; i < own.end; i += step) {
        const EdgeView edges = source.chunk(i, scratch);
        for_arcs(edges.ends, edges.size, f);
      }
    };
    std::uint64_t arcs = 0, number = 0;
    for_some([&](V, V, std::size_t) { ++arcs; });
    std::vector<std::int64_t> samples;
    for_some([&](V u, V, std::size_t) {
      if (number++ % (arcs / wanted + 1) == 0)
        samples.push_back(static_cast<std::int64_t>(u));
    });
    return samples;
  }

  /// Chooses stretches of vertices with about as many arcs each, and sorts the lists of its own.
  void build_stretch(EdgeSource &source, const OwnChunks &own) {
    const std::size_t columns = storage_.columns.size();
    const std::vector<std::int64_t> begins = stretches(group_, samples_of(source, own));
    SentArcs<V> arrived(columns);
    // Some chunks at a time: what has been sent leaves memory while more arrives.
    const std::uint64_t turns = group_.greatest((own.end - own.begin) / own.together + 1);
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      const std::size_t begin = std::min(own.begin + turn * own.together, own.end);
      std::vector<EdgeChunk> chunks(std::min(own.together, own.end - begin));
      ThreadErrors errors;
#pragma omp parallel for schedule(dynamic, 1)
      for (std::size_t i = 0; i < chunks.size(); ++i)
        errors.guard([&] { chunks[i] = source.take(begin + i); });
      errors.raise();
      Deal deal(group_);
      for (EdgeChunk &each : chunks) {
        const EdgeChunk chunk = std::move(each);
        entries_ += chunk.size();
        for (std::size_t e = 0; build_.count_input && e < chunk.size(); ++e)
          starts_.push_back(static_cast<V>(chunk.ends[2 * e]));
        for_arcs(chunk.ends.data(), chunk.size(), [&](V u, V v, std::size_t e) {
          arrived.send(deal, stretch_of(begins, static_cast<std::int64_t>(u)), u, v, chunk.values.data() + e * columns);
        });
      }
      arrived.receive(deal.exchange());
    }
    source.release();
    for (const std::int64_t begin : begins)
      stretches_.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(begin, 0)));
    stretches_.push_back(n_);
    BuildOptions lists = build_;
    lists.mirror = lists.drop_self_loops = lists.count_input = false;
    agreed(group_, [&] { build_csr<V>(arrived, n_, lists, context_, storage_); });
  }

  /// From the lengths of all lists: the offsets, and the block of each process.
  void find_block() {
    const std::uint64_t begin = stretches_[rank()], end = stretches_[rank() + 1];
    Graph<V> &g = arrays().view;
    std::uint64_t loops = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      const Span<V> list = g.out_neighbors(static_cast<V>(v));
      const auto range = std::equal_range(list.begin(), list.end(), static_cast<V>(v));
      loops += static_cast<std::uint64_t>(range.second - range.first);
    }
    const std::vector<std::uint64_t> sums = group_.sums({entries_, storage_.dropped_arcs, loops});
    storage_.num_input_edges = sums[0];
    storage_.dropped_arcs = sums[1];
    arrays().out_offsets = offsets_of(begin, end, offsets());
    g.out_offsets = offsets();
    g.edges = edges_of_arcs(g.num_arcs(), sums[2], g.is_directed);
    block_ = group_.block(g);
    blocks_ = group_.all({block_.begin});
    blocks_.push_back(n_);
  }
  /// The offsets of all lists, of which those from `begin` to `end` are as long as this process knows.
  Array<ArcId> offsets_of(std::uint64_t begin, std::uint64_t end, const ArcId *own) {
    std::vector<std::uint64_t> lengths;
    for (std::uint64_t v = begin; v < end; ++v)
      lengths.push_back(own[v + 1] - own[v]);
    const std::vector<std::uint64_t> all = group_.all(lengths);
    Array<ArcId> offsets(n_ + 1);
    std::copy(all.begin(), all.end(), offsets.begin());
    exclusive_scan(offsets.data(), n_);
    return offsets;
  }

  std::size_t rank() const { return static_cast<std::size_t>(group_.rank()); }
  int owner_of(V v) const {
    return static_cast<int>(std::upper_bound(blocks_.begin(), blocks_.end(), std::uint64_t(v)) - blocks_.begin()) - 1;
  }
  /// The arcs that process `from` has for process `to`.
  std::pair<ArcId, ArcId> moved(std::size_t from, std::size_t to) {
    const ArcId begin = std::max(offsets()[stretches_[from]], offsets()[blocks_[to]]);
    return {begin, std::max(begin, std::min(offsets()[stretches_[from + 1]], offsets()[blocks_[to + 1]]))};
  }

  /// Moves the arcs from the stretches to the blocks, into arrays with an element for each arc.
  void take_block() {
    move_array<V>(arrays().out_targets.data(), [&](V *values, Array<V> &&array) {
      arrays().out_targets = std::move(array);
      arrays().view.out_targets = values;
    });
    for (std::size_t k = 0; k < storage_.columns.size(); ++k)
      with_type(storage_.columns[k].type, [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        ColumnData &column = storage_.column_data[k];
        ColumnData part = zero_column(storage_.columns[k].type, offsets()[n_]);
        move_values(values_of<T>(column), values_of<T>(part));
        column = std::move(part);
        arrays().view.columns[k] = column.values;
        storage_.part_bytes += sizeof(T) * (offsets()[block_.end] - offsets()[block_.begin]);
      });
  }
  template <class T, class Keep> void move_array(const T *own, const Keep &keep) {
    Array<T> array = Array<T>::zeros(offsets()[n_]);
    T *const values = array.data();
    move_values(own, values);
    keep(values, std::move(array));
  }
  /// `own`: of the arcs of the stretch.
  template <class T> void move_values(const T *own, T *all) {
    Deal deal(group_);
    for (std::size_t r = 0; r < static_cast<std::size_t>(size()); ++r) {
      const auto [begin, end] = moved(rank(), r);
      deal.put(static_cast<int>(r), own + (begin - offsets()[stretches_[rank()]]), end - begin);
    }
    const std::vector<Bytes> arrived = deal.exchange();
    for (std::size_t r = 0; r < arrived.size(); ++r) {
      const auto [begin, end] = moved(r, rank());
      if (begin < end)
        copy_part(all, reinterpret_cast<const T *>(arrived[r].data()) - begin, begin, end);
    }
  }

  /// Sends each arc to the process that owns its target, which lists the sources. They ascend, as processes and their
  /// arcs do.
  void find_in_arcs() {
    Graph<V> &g = arrays().view;
    if (!g.is_directed) {
      g.in_offsets = g.out_offsets;
      g.in_sources = g.out_targets;
      return;
    }
    Deal deal(group_);
    for (std::uint64_t u = block_.begin; u < block_.end; ++u)
      for (const V v : g.out_neighbors(static_cast<V>(u))) {
        deal.put(owner_of(v), v);
        deal.put(owner_of(v), static_cast<V>(u));
      }
    const std::vector<Bytes> arrived = deal.exchange();
    const auto for_arrived = [&](const auto &f) {
      for (const Bytes &bytes : arrived)
        for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
          const V v = take_value<V>(at);
          f(v, take_value<V>(at));
        }
    };
    std::vector<ArcId> own(block_.end - block_.begin + 1, 0);
    for_arrived([&](V v, V) { ++own[v - block_.begin]; });
    exclusive_scan(own.data(), own.size() - 1);
    arrays().in_offsets = offsets_of(block_.begin, block_.end, own.data() - block_.begin);
    g.in_offsets = arrays().in_offsets.data();
    check_degrees(g.in_offsets, n_, storage_.ids);
    arrays().in_sources = Array<V>::zeros(offsets()[n_]);
    V *const sources = arrays().in_sources.data();
    std::copy(g.in_offsets + block_.begin, g.in_offsets + block_.end, own.begin());
    for_arrived([&](V v, V u) { sources[own[v - block_.begin]++] = u; });
    g.in_sources = sources;
    storage_.part_bytes += 8 * (n_ + 1) + sizeof(V) * (g.in_offsets[block_.end] - g.in_offsets[block_.begin]);
  }

  const ReadContext &context_;
  const LoadOptions &options_;
  ProcessGroup &group_;
  const BuildOptions build_;
  const std::uint64_t n_;
  GraphStorage &storage_;
  std::uint64_t entries_ = 0;                     ///< edges that this process had
  std::vector<V> starts_;                         ///< of these, if they are counted
  std::vector<std::uint64_t> stretches_, blocks_; ///< where they begin, and the number of vertices
  VertexBlock block_;
};

} // namespace

bool wants_own_arcs(const LoadOptions &options) {
  return may_part(options) && !options.all_columns && !options.out_of_copies && !options.into_copies &&
         !options.keeps_all;
}

bool reads_together(const LoadOptions &options) {
  return options.group && options.group->size() > 1 && options.group->greatest(!wants_own_arcs(options)) == 0;
}

OwnChunks share_of_chunks(const EdgeSource &source, const ProcessGroup &group) {
  const std::size_t chunks = source.chunks(), of = static_cast<std::size_t>(group.size());
  const auto begin = [&](std::size_t share) { return chunks / of * share + chunks % of * share / of; };
  const std::size_t share = static_cast<std::size_t>(group.rank());
  return {begin(share), begin(share + 1), 16};
}

std::unique_ptr<GraphStorage> build_together(const std::string &name, Input input, const OwnChunks &own, VertexIds ids,
                                             const ReadContext &context) {
  const LoadOptions &options = context.options;
  const BuildOptions build = build_options(options, input.directed, input.generated);
  const double arcs = input.num_entries * (build.mirror ? 2 : 1);
  const std::vector<ColumnInfo> &columns = options.weights.empty() ? context.columns : options.columns;
  context.budget.require(needs_of(memory_needs(options, columns, {static_cast<double>(input.n), arcs, build.directed},
                                               Arrival::part_of_edges, options.group->size()),
                                  options),
                         name + ": a part of the graph and the program's data");
  auto storage = std::make_unique<GraphStorage>();
  storage->ids = std::move(ids);
  storage->vertex_bits = choose_bits(options, input.n);
  storage->columns = context.columns;
  if (storage->vertex_bits == 32)
    Distribution<std::uint32_t>(context, build, input.n, *storage).run(*input.source, own);
  else
    Distribution<std::uint64_t>(context, build, input.n, *storage).run(*input.source, own);
  return storage;
}

} // namespace gc::detail
