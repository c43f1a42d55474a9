#include "read_together.h"

#include "csr_build.h"
#include "estimate.h"
#include "formats.h"
#include "graph_part.h"
#include "group_steps.h"
#include "load.h"
#include "row_lines.h"
#include "symmetry.h"

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

/// From the edges of a range to the part of the graph. A process first gets the arcs out of a stretch of the vertices,
/// for which it drops duplicates. Then the lists are final, and with them the blocks that processes own.
template <class V> class Distribution {
public:
  Distribution(const ReadContext &context, const BuildOptions &build, std::uint64_t n, GraphStorage &storage)
      : context_(context), options_(context.options), group_(*context.options.group), build_(build), n_(n),
        storage_(storage) {}

  void run(std::vector<EdgeChunk> chunks) {
    std::uint64_t entries = 0;
    for (const EdgeChunk &chunk : chunks)
      entries += chunk.size();
    if (build_.count_input)
      note_inputs(chunks);
    build_stretch(std::move(chunks));
    find_block(entries);
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

  /// Notes how many edges of the input, as far as this process has read it, start at a vertex.
  void note_inputs(const std::vector<EdgeChunk> &chunks) {
    std::vector<V> starts;
    for (const EdgeChunk &chunk : chunks)
      for (std::size_t e = 0; e < chunk.size(); ++e)
        starts.push_back(static_cast<V>(chunk.ends[2 * e]));
    std::sort(starts.begin(), starts.end());
    for (auto at = starts.begin(); at != starts.end();) {
      const auto next = std::upper_bound(at, starts.end(), *at);
      inputs_.emplace_back(*at, static_cast<std::uint64_t>(next - at));
      at = next;
    }
  }
  /// Of own vertices, adds up what processes have noted.
  void count_inputs() {
    Deal deal(group_);
    for (const auto &[v, count] : inputs_) {
      deal.put(owner_of(v), v);
      deal.put(owner_of(v), count);
    }
    inputs_ = {};
    storage_.input_edges = Array<std::uint64_t>::zeros(n_);
    for (const Bytes &bytes : deal.exchange())
      for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
        const V v = take_value<V>(at);
        storage_.input_edges[v] += take_value<std::uint64_t>(at);
      }
  }

  /// Chooses stretches of vertices with about as many arcs each, and sorts the lists of its own.
  void build_stretch(std::vector<EdgeChunk> chunks) {
    constexpr std::uint64_t wanted = 1024; // samples of each process
    const std::size_t columns = storage_.columns.size();
    const auto for_arcs = [&](const EdgeChunk &chunk, const auto &f) {
      for (std::size_t e = 0; e < chunk.size(); ++e) {
        const V u = static_cast<V>(chunk.ends[2 * e]), v = static_cast<V>(chunk.ends[2 * e + 1]);
        if (u == v && build_.drop_self_loops)
          continue;
        f(u, v, e);
        if (build_.mirror && u != v)
          f(v, u, e);
      }
    };
    std::uint64_t arcs = 0;
    for (const EdgeChunk &chunk : chunks)
      for_arcs(chunk, [&](V, V, std::size_t) { ++arcs; });
    std::vector<std::int64_t> samples;
    std::uint64_t number = 0;
    for (const EdgeChunk &chunk : chunks)
      for_arcs(chunk, [&](V u, V, std::size_t) {
        if (number++ % (arcs / wanted + 1) == 0)
          samples.push_back(static_cast<std::int64_t>(u));
      });
    const std::vector<std::int64_t> begins = stretches(group_, samples);
    SentArcs<V> arrived(columns);
    // A few chunks at a time: what has been sent leaves memory while more arrives.
    constexpr std::size_t together = 4;
    const std::uint64_t turns = group_.greatest(chunks.size() / together + 1);
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      Deal deal(group_);
      for (std::size_t i = turn * together; i < std::min<std::size_t>((turn + 1) * together, chunks.size()); ++i) {
        const EdgeChunk chunk = std::move(chunks[i]);
        for_arcs(chunk, [&](V u, V v, std::size_t e) {
          arrived.send(deal, stretch_of(begins, static_cast<std::int64_t>(u)), u, v, chunk.values.data() + e * columns);
        });
      }
      arrived.receive(deal.exchange());
    }
    for (const std::int64_t begin : begins)
      stretches_.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(begin, 0)));
    stretches_.push_back(n_);
    BuildOptions lists = build_;
    lists.mirror = lists.drop_self_loops = lists.count_input = false;
    agreed(group_, [&] { build_csr<V>(arrived, n_, lists, context_, storage_); });
  }

  /// From the lengths of all lists: the offsets, and the block of each process.
  void find_block(std::uint64_t entries) {
    const std::uint64_t begin = stretches_[rank()], end = stretches_[rank() + 1];
    Graph<V> &g = arrays().view;
    std::uint64_t loops = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      const Span<V> list = g.out_neighbors(static_cast<V>(v));
      const auto range = std::equal_range(list.begin(), list.end(), static_cast<V>(v));
      loops += static_cast<std::uint64_t>(range.second - range.first);
    }
    const std::vector<std::uint64_t> sums = group_.sums({entries, storage_.dropped_arcs, loops});
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
        ColumnData part;
        part.words = Array<std::uint64_t>::zeros((offsets()[n_] * sizeof(T) + 7) / 8);
        part.values = part.words.data();
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
  std::vector<std::pair<V, std::uint64_t>> inputs_; ///< vertices, and the edges of the input that start there
  std::vector<std::uint64_t> stretches_, blocks_;   ///< where they begin, and the number of vertices
  VertexBlock block_;
};

/// Refuses a range that will not fit when it is parsed and sent on, judged by the size of the file and its first lines.
void check_range_size(const InputFile &file, const ReadContext &context) {
  const std::string_view head = file.text.view().substr(0, 1 << 16);
  const int processes = context.options.group->size();
  const double lines = static_cast<double>(std::count(head.begin(), head.end(), '\n')) + 1;
  const double entries = lines * static_cast<double>(file.text.size()) / static_cast<double>(head.size());
  // Of each edge, which may be two arcs: as it is read, and as it arrives.
  const double each = 16 + 8 * static_cast<double>(context.columns.size());
  context.budget.require(entries / processes * 3 * each, "reading a part of " + file.path);
}

} // namespace

bool reads_together(const std::string &path, const std::string &format, const LoadOptions &options) {
  if (!reads_by_parts(options) || options.group->size() == 1 || !look_of(format) || options.all_columns ||
      compression_of(path) != Compression::none || options.out_of_copies || options.into_copies)
    return false;
  return options.group->greatest(options.keeps_all) == 0;
}

std::unique_ptr<GraphStorage> read_together(const std::string &path, const std::string &format,
                                            const ReadContext &context) {
  const LoadOptions &options = context.options;
  ProcessGroup &group = *options.group;
  std::optional<InputFile> file;
  agreed(group, [&] { file.emplace(open_text(path, format, context.budget)); });
  for (const std::uint64_t size : group.all({file->text.size()}))
    if (size != file->text.size())
      throw Error(ErrorKind::input, path + ": the ranks see files of different sizes");
  if (file->text.size() == 0)
    return nullptr;
  check_range_size(*file, context);
  std::optional<EdgeText> text;
  agreed(group, [&] { text = look_of(format)(*file, context); });
  if (!text)
    return nullptr;
  std::vector<EdgeChunk> chunks;
  agreed(group, [&] { chunks = read_edge_range(*file, *text, context, group.rank(), group.size()); });
  std::uint64_t entries = 0;
  for (const EdgeChunk &chunk : chunks)
    entries += chunk.size();
  entries = group.sums({entries})[0];
  if (text->header)
    agreed(group, [&] { check_num_edges(*file, text->header, text->declared, entries); });
  if (text->complete)
    agreed(group, [&] { text->complete(*file, chunks, context); });
  file.reset();
  auto storage = std::make_unique<GraphStorage>();
  storage->ids =
      text->header ? VertexIds::range(1, text->n) : number_ids(chunks, united(group, ids_of(chunks, context)));
  const std::uint64_t n = storage->ids.size();
  const BuildOptions build = build_options(options, text->directed, /*generated=*/false);
  const double arcs = static_cast<double>(entries) * (build.mirror || text->complete ? 2 : 1);
  context.budget.require(needs_of(memory_needs(options, context.columns, {static_cast<double>(n), arcs, build.directed},
                                               Arrival::part_of_arrays, group.size()),
                                  options),
                         path + ": a part of the graph and the program's data");
  storage->vertex_bits = choose_bits(options, n);
  storage->columns = context.columns;
  if (storage->vertex_bits == 32)
    Distribution<std::uint32_t>(context, build, n, *storage).run(std::move(chunks));
  else
    Distribution<std::uint64_t>(context, build, n, *storage).run(std::move(chunks));
  return storage;
}

} // namespace gc::detail
