// The calls of a loop of kernels, in its one kernel.
#ifndef GCOMPILE_CUDA_LOOP_DEVICE_H
#define GCOMPILE_CUDA_LOOP_DEVICE_H

#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/kernels/gather_tiles.h>
#include <gcompile/cuda/kernels/share_out.h>
#include <gcompile/cuda/loop/memory.h>
#include <gcompile/cuda/order/kept_index.h>

#include <cstdint>
#include <type_traits>

namespace gc {
namespace cuda {

/// The device, in one thread of a loop's kernel. `count` lanes take a short list.
template <class V, unsigned count, class Loop> class LoopDevice {
  static constexpr unsigned num_sets = detail::NumSets<Loop>::value;
  static constexpr std::size_t most_bytes = Loop::Kernels::most_bytes;
  using LoopFrontier = std::conditional_t<detail::Propagates<Loop>::value, detail::FrontierOf<V, Loop>, NoKernel>;

public:
  __device__ LoopDevice(const detail::LoopView<V, Loop> &view, detail::LoopMemory<V, Loop> &memory)
      : view_(view), memory_(memory), team_(gridDim.x, view.arrived),
        sets_(view.graph, team_, sets_of(memory), outbox_of(memory), memory.hubs, view.tallies),
        frontier_(frontier_of(view, memory)) {
    if constexpr (num_sets > 0) {
      for (unsigned set = threadIdx.x; set < num_sets; set += block_threads)
        memory.sets.sets[set] = view.sets[set];
      __syncthreads();
    }
    if constexpr (detail::HasIndices<Loop>::value) {
      if (threadIdx.x < detail::HasIndices<Loop>::count)
        memory.indices[threadIdx.x].count = 0;
      __syncthreads();
    }
  }
  __device__ const gc::Graph<V> &graph() const { return view_.graph; }

  /// f(v) for every vertex.
  template <class F> __device__ typename detail::PartsOf<F>::type for_vertices(const F &f) {
    return visit(f, sets_.all(), view_.hubs, view_.hub_shares);
  }
  /// f(v) for every member of a set.
  template <class F> __device__ typename detail::PartsOf<F>::type for_vertices(unsigned set, const F &f) {
    return sets_.is_all(set) ? for_vertices(f) : visit(f, sets_.members(set), {nullptr, 0}, 0);
  }
  /// f(u, v, e) for every arc.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(const F &f) {
    return walk_all(f, view_.graph, view_.arcs);
  }
  /// The same for the arcs out of the members of a set.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(unsigned set, const F &f) {
    return sets_.is_all(set) ? for_out_edges(f) : walk(f, view_.graph, set);
  }
  /// The same in other lists.
  template <class F> __device__ typename detail::PartsOf<F>::type for_out_edges(const LoopLists<V> &lists, const F &f) {
    return walk_all(f, lists.view, lists.arcs);
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type for_out_edges(const LoopLists<V> &lists, unsigned set, const F &f) {
    return sets_.is_all(set) ? for_out_edges(lists, f) : walk(f, lists.view, set);
  }
  /// The same for the arcs out of one vertex; `none` has no arcs.
  template <class F> __device__ typename detail::PartsOf<F>::type for_edges_of(V u, const F &f) {
    return walk_one(f, view_.graph, u);
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type for_edges_of(const LoopLists<V> &lists, V u, const F &f) {
    return walk_one(f, lists.view, u);
  }
  /// f(e) for every arc.
  template <class F> __device__ typename detail::PartsOf<F>::type for_arcs(const F &f) {
    return for_each(view_.arcs, f, [](std::uint64_t e) { return static_cast<ArcId>(e); });
  }
  /// f(i, j) for every ordered pair of vertices.
  template <class F> __device__ typename detail::PartsOf<F>::type for_pairs(const F &f) {
    using Parts = typename detail::PartsOf<F>::type;
    Parts parts = {};
    const V n = view_.graph.num_vertices();
    detail::each_pair(n, n, team_.rank(), team_.size(), [&](V i, V j) { detail::call(f, parts, i, j); });
    detail::merge_block(parts, parts_of<Parts>(blockIdx.x), memory_.parts);
    return settle<Parts>(gridDim.x);
  }

  /// f() by one thread.
  template <class F> __device__ void once(const F &f) {
    if (team_.rank() == 0)
      f();
    team_.sync();
  }
  /// f(parts) by one thread; gives what it leaves there.
  template <class F> __device__ typename F::Parts once(const F &f, typename F::Parts parts) {
    typename F::Parts *const merged = next_merged<typename F::Parts>();
    if (team_.rank() == 0) {
      f(parts);
      *merged = parts;
    }
    team_.sync();
    return *merged;
  }

  /// The host alone makes segments, which do not pay in small graphs.
  template <class Segments> __device__ bool segments_pay(Segments *, unsigned) const { return false; }
  template <class Segments, class F>
  __device__ void segments_gather(Segments *, const F &, typename F::Value *) const {}

  template <class T> __device__ void copy_per_vertex(T *to, const T *from) {
    copy(to, from, view_.graph.num_vertices());
  }
  template <class T> __device__ void copy_per_arc(T *to, const T *from) { copy(to, from, view_.arcs); }
  template <class T> __device__ void copy_per_pair(const DenseView<T> &to, const DenseView<T> &from) {
    copy(to.values, from.values, std::uint64_t(from.n) * from.n);
  }
  template <class T, class Matrix> __device__ void copy_column(T *to, const Matrix &from, std::size_t j) {
    copy(to, from.values + j, from.n, from.n);
  }
  /// One element, before anyone changes it.
  template <class T> __device__ T read(const T *at) {
    const T value = *at;
    team_.sync();
    return value;
  }
  template <class T> __device__ void write(T *at, gc::detail::SameAs<T> value) {
    if (team_.rank() == 0)
      *at = value;
    team_.sync();
  }
  /// The tables of modes, of which none is in use.
  __device__ ModeRoom emptied(const ModeRoom &room) {
    write(room.used, 0);
    return room;
  }

  // ---- The frontier of its propagates -------------------------------------------------------------------------------

  /// Starts from the members of a set; the rounds go along the arcs of the graph, or along other lists.
  __device__ void start(unsigned from) { start(view_.graph, view_.arcs, from); }
  __device__ void start(const LoopLists<V> &lists, unsigned from) { start(lists.view, lists.arcs, from); }
  /// From one vertex, of which it makes that set.
  __device__ void start_at(unsigned to, V v) { start(set_of(to, v)); }
  __device__ void start_at(const LoopLists<V> &lists, unsigned to, V v) { start(lists, set_of(to, v)); }
  __device__ bool frontier_empty() const { return frontier_.empty(); }
  template <class Push, class Pull, class Commit>
  __device__ void propagate(const Push &push, const Pull &pull, const Commit &commit, const Rounds &rounds) {
    frontier_.propagate(push, pull, commit, rounds);
  }

  // ---- Ordered propagates -------------------------------------------------------------------------------------------

  /// From the members of a set.
  template <class P, class Push>
  __device__ void ordered(const LoopOrder<V, P> &order, unsigned from, const Push &push) {
    using State = detail::NearFarState<P>;
    static_assert(sizeof(State) <= sizeof memory_.run.order.state, "as large as any other");
    const detail::Members<V> members = sets_.members(from);
    detail::start_far(order.view, {members.items, sets_[from].words, 0, members.count}, team_.rank(), team_.size());
    team_.sync();
    detail::NearFarRun<V, P> run(
        order.view, members.count,
        {memory_.sets.outbox, memory_.run.order.far, reinterpret_cast<State &>(memory_.run.order.state)});
    detail::run_near_far(team_, run, push);
  }
  /// From one vertex, of which it makes that set.
  template <class P, class Push>
  __device__ void ordered_at(const LoopOrder<V, P> &order, unsigned to, V v, const Push &push) {
    ordered(order, set_of(to, v), push);
  }

  // ---- Kept indices -------------------------------------------------------------------------------------------------

  /// What kernels note for it.
  template <class K, bool least> __device__ IndexNotes<V> notes(const LoopIndex<V, K, least> &index) const {
    IndexNotes<V> notes = index.notes;
    if constexpr (detail::HasIndices<Loop>::value)
      if (is_near(index)) {
        detail::LoopIndexMemory<V> &own = memory_.indices[index.number];
        constexpr unsigned room = sizeof own.vertices / sizeof(V);
        notes.count = &own.count;
        notes.near = own.vertices;
        notes.near_room = notes.room < room ? notes.room : room;
      }
    return notes;
  }
  /// The best vertex and its key, as of the last reindex.
  template <class K, bool least>
  __device__ typename KeptIndex<V, K, least>::Entry best(const LoopIndex<V, K, least> &index) const {
    return tree_of(index).best();
  }
  template <class K, bool least, class Keys>
  __device__ void reindex(const LoopIndex<V, K, least> &index, const Keys &keys) {
    const auto tree = tree_of(index);
    if (tree.near && !(near_indices_ >> index.number & 1)) { // it comes to shared memory
      near_indices_ |= 1u << index.number;
      for (std::uint64_t i = tree.near_first + threadIdx.x; i <= tree.root; i += block_threads)
        tree.near[i - tree.near_first] = tree.entries[i];
      __syncthreads();
    }
    detail::reindex(team_, tree, notes(index), keys);
  }

  // ---- Sets ---------------------------------------------------------------------------------------------------------

  __device__ std::int64_t size(unsigned set) const { return static_cast<std::int64_t>(sets_[set].size); }
  __device__ bool contains(unsigned set, V v) { return sets_.contains(set, v); }
  __device__ SetView<V> view(unsigned set) const { return sets_.view(set); }
  /// The vertices, or the members of another set, for which f(v) holds.
  template <class F> __device__ unsigned filter(unsigned to, const F &f) {
    sets_.template filter<count>(to, sets_.all(), f);
    return to;
  }
  template <class F> __device__ unsigned filter(unsigned to, unsigned from, const F &f) {
    sets_.template filter<count>(to, sets_.members(from), f);
    return to;
  }
  __device__ unsigned set_all(unsigned to) {
    sets_.set_all(to);
    return to;
  }
  template <class... Vertices> __device__ unsigned set_of(unsigned to, Vertices... vertices) {
    sets_.set_of(to, vertices...);
    return to;
  }
  __device__ unsigned out_neighbors(unsigned to, V v) {
    sets_.set_of_lists(to, view_.graph.out_neighbors(v));
    return to;
  }
  __device__ unsigned in_neighbors(unsigned to, V v) {
    sets_.set_of_lists(to, view_.graph.in_neighbors(v));
    return to;
  }
  __device__ unsigned both_neighbors(unsigned to, V v) {
    if (!view_.graph.directed())
      return out_neighbors(to, v);
    sets_.set_of_lists(to, view_.graph.out_neighbors(v), view_.graph.in_neighbors(v));
    return to;
  }
  __device__ unsigned copy_set(unsigned to, unsigned from) {
    sets_.copy(to, from);
    return to;
  }
  /// `from` is not asked again.
  __device__ void move_set(unsigned to, unsigned from) { sets_.swap(to, from); }
  __device__ unsigned unite(unsigned to, unsigned other) {
    sets_.combine(detail::SetKernel::unite, to, other);
    return to;
  }
  __device__ unsigned intersect(unsigned to, unsigned other) {
    sets_.combine(detail::SetKernel::intersect, to, other);
    return to;
  }
  __device__ unsigned subtract(unsigned to, unsigned other) {
    sets_.combine(detail::SetKernel::subtract, to, other);
    return to;
  }

  /// By one thread, at the end.
  __device__ void leave(detail::LoopResult<V, Loop> &result) const {
    if constexpr (num_sets > 0)
      for (unsigned set = 0; set < num_sets; ++set)
        result.sets[set] = sets_[set];
  }

private:
  __device__ static LoopSet<V> *sets_of(detail::LoopMemory<V, Loop> &memory) {
    if constexpr (num_sets > 0)
      return memory.sets.sets;
    else
      return nullptr;
  }
  __device__ static OutboxMemory<V> *outbox_of(detail::LoopMemory<V, Loop> &memory) {
    if constexpr (num_sets > 0)
      return &memory.sets.outbox;
    else
      return nullptr;
  }
  __device__ static LoopFrontier frontier_of(const detail::LoopView<V, Loop> &view,
                                             detail::LoopMemory<V, Loop> &memory) {
    if constexpr (detail::Propagates<Loop>::value)
      return LoopFrontier(view.frontier, memory.frontier, memory.run.rounds, memory.sets.outbox);
    else
      return {};
  }
  /// Whether parts of an index are in shared memory: one block has them.
  template <class K, bool least> __device__ static bool is_near(const LoopIndex<V, K, least> &index) {
    return gridDim.x == 1 && index.number < detail::HasIndices<Loop>::count;
  }
  template <class K, bool least>
  __device__ detail::IndexTree<V, typename KeptIndex<V, K, least>::Entry>
  tree_of(const LoopIndex<V, K, least> &index) const {
    using Entry = typename KeptIndex<V, K, least>::Entry;
    auto tree = index.tree;
    if constexpr (detail::HasIndices<Loop>::value)
      if (is_near(index))
        tree.near = reinterpret_cast<Entry *>(memory_.indices[index.number].entries);
    return tree;
  }
  __device__ void start(const gc::Graph<V> &graph, ArcId arcs, unsigned from) {
    const detail::Members<V> members = sets_.members(from);
    const bool own = members.items && graph.out_offsets == view_.graph.out_offsets;
    frontier_.start(graph, arcs, members, own ? &sets_[from] : nullptr);
  }
  template <class T> __device__ void copy(T *to, const T *from, std::uint64_t size, std::uint64_t step = 1) {
    for (std::uint64_t i = team_.rank(); i < size; i += team_.size())
      to[i] = from[i * step];
    team_.sync();
  }
  template <class F>
  __device__ typename detail::PartsOf<F>::type visit(const F &f, const detail::Members<V> &members,
                                                     const detail::Members<V> &hubs, unsigned hub_shares);
  /// f(u, v, e) for arc e of a list.
  template <class F, class Walk>
  __device__ typename detail::PartsOf<F>::type walk_lists(const F &f, const gc::Graph<V> &graph, const Walk &walk);
  template <class F>
  __device__ typename detail::PartsOf<F>::type walk_all(const F &f, const gc::Graph<V> &graph, ArcId arcs);
  template <class F>
  __device__ typename detail::PartsOf<F>::type walk(const F &f, const gc::Graph<V> &graph, unsigned set);
  template <class F> __device__ typename detail::PartsOf<F>::type walk_one(const F &f, const gc::Graph<V> &graph, V u);
  template <class F, class At>
  __device__ typename detail::PartsOf<F>::type for_each(std::uint64_t size, const F &f, const At &at);

  template <class Parts> __device__ Parts *parts_of(unsigned share) const {
    return static_cast<Parts *>(view_.parts) + share;
  }
  /// Where the next result goes. All blocks have met since the last in this place was read.
  template <class Parts> __device__ Parts *next_merged() {
    merged_ = 1 - merged_;
    return reinterpret_cast<Parts *>(static_cast<unsigned char *>(view_.merged) + merged_ * most_bytes);
  }

  /// visit(i) for each of so many shares; a block that has finished one takes the next.
  template <class Visit> __device__ void each_share(unsigned shares, const Visit &visit);

  /// All blocks meet; gives what they have counted, merged in the order of the shares.
  template <class Parts> __device__ Parts settle(unsigned shares);

  const detail::LoopView<V, Loop> &view_;
  detail::LoopMemory<V, Loop> &memory_;
  Team team_;
  std::conditional_t<num_sets == 0, detail::NoSets<V>, detail::DeviceSets<V>> sets_;
  LoopFrontier frontier_;
  unsigned turn_ = 0, merged_ = 0, due_ = 0, settled_ = 0, near_indices_ = 0; // the last: a bit for each index
};

} // namespace cuda
} // namespace gc

#endif
