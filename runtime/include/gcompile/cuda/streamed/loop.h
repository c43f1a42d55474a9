// Loops over all vertices whose lists stay in the host's memory: blocks of lists are copied to the device ahead of the
// kernels that walk them.
//
// Each slot of the graph's ListRoom has a stream, in which copies and kernels take turns. So while kernels walk the
// lists in some slots, the link fills another. The host waits for all of them.
#ifndef GCOMPILE_CUDA_STREAMED_LOOP_H
#define GCOMPILE_CUDA_STREAMED_LOOP_H

#include <gcompile/cuda/kernels/kernels.h>
#include <gcompile/cuda/streamed/lanes.h>
#include <gcompile/cuda/streamed/room.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

namespace gc {
namespace cuda {
namespace detail {

/// The streams of a GPU for lists.
struct ListStreams {
  std::array<cudaStream_t, ListRoom<std::uint32_t>::slots> slots; ///< their kernels come first: a copy waits
  cudaStream_t kept;

  static const ListStreams &get() {
    static auto *streams = new PerGpu<ListStreams *>; // as long as the process
    ListStreams *&mine = streams->mine();
    if (!mine)
      mine = new ListStreams;
    return *mine;
  }

private:
  ListStreams() {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cannot ask for priorities");
    for (cudaStream_t &stream : slots)
      check(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, greatest), "cannot make a stream");
    check(cudaStreamCreateWithPriority(&kept, cudaStreamDefault, least), "cannot make a stream");
  }
};

template <class V, class F> class StreamedLoop {
public:
  using Parts = typename PartsOf<F>::type;

  /// Whether the loop is to be streamed, as far as is known.
  static bool pays(ListRoom<V> &room) { return room.trial(&tag_).state != ListRoom<V>::Trial::reads_in_place; }

  static Parts run(const Graph<V> &graph, const F &f, const Members<V> &members, const HostLists<V> &lists,
                   ListRoom<V> &room) {
    return StreamedLoop(graph, f, members, lists, room).run();
  }

private:
  /// Vertices in a row whose lists are in one place.
  struct Piece {
    V first, last;
    enum Place { slot, kept, host } place;
    unsigned blocks; ///< of its kernel
  };

  StreamedLoop(const Graph<V> &graph, const F &f, const Members<V> &members, const HostLists<V> &lists,
               ListRoom<V> &room)
      : graph_(graph), f_(f), first_(members.first), last_(static_cast<V>(members.first + members.count)),
        lists_(lists), room_(room), trial_(room.trial(&tag_)) {}

  Parts run() {
    using Trial = typename ListRoom<V>::Trial;
    synchronize(); // the streams of the slots know of no other work
    V *const kept = room_.kept(lists_, at(first_));
    const V behind_kept = kept ? lists_within(first_, room_.kept_arcs()) : first_;
    V tried = behind_kept; // up to here lists are tried in place
    if (trial_.state == Trial::warm)
      tried = std::max(lists_within(behind_kept, (at(last_) - at(first_)) / tried_part), behind_kept);
    cut(behind_kept, tried);

    BlockParts<Parts> parts(blocks_);
    results_ = parts.data();
    if (tried > behind_kept) {
      const double in_place = seconds([&] { launch(pieces_.front()); });
      pieces_.erase(pieces_.begin());
      const double streamed = seconds([&] { stream(kept); });
      const auto arcs = static_cast<double>(at(tried) - at(behind_kept)),
                 others = static_cast<double>(at(last_) - at(first_)) - arcs;
      trial_.state = others > 0 && in_place * others < streamed * arcs ? Trial::reads_in_place : Trial::streams;
    } else {
      stream(kept);
      trial_.state = trial_.state == Trial::untried ? Trial::warm : Trial::streams;
    }
    synchronize();
    return parts.merged();
  }

  ArcId at(V v) const { return lists_.offsets[v]; }

  /// Up to where vertices from v on have no more than so many arcs.
  V lists_within(V v, ArcId arcs) const {
    const ArcId *const behind =
        std::upper_bound(lists_.offsets + v, lists_.offsets + last_ + 1, lists_.offsets[v] + arcs);
    return static_cast<V>(behind - lists_.offsets - 1);
  }

  /// Lists the pieces, what is tried first.
  void cut(V behind_kept, V tried) {
    if (tried > behind_kept)
      add(behind_kept, tried, Piece::host);
    if (behind_kept > first_)
      add(first_, behind_kept, Piece::kept);
    for (V v = tried, next = v; v < last_; v = next) {
      next = lists_within(v, room_.block_arcs());
      if (next == v) // the list is longer than a slot
        add(v, ++next, Piece::host);
      else
        add(v, next, Piece::slot);
    }
  }
  void add(V first, V last, typename Piece::Place place) {
    const std::uint64_t lanes = std::uint64_t(last - first) * (graph_.is_dense() ? 8 : 2);
    pieces_.push_back({first, last, place, blocks_for(lanes, place == Piece::slot ? 4 : 32)});
    blocks_ += pieces_.back().blocks;
  }

  /// Copies and walks all pieces.
  void stream(V *kept) {
    unsigned turn = 0;
    for (const Piece &piece : pieces_)
      if (piece.place == Piece::kept) {
        const cudaStream_t stream = ListStreams::get().kept;
        const ArcId from = room_.fill_kept(at(piece.last));
        copy(kept + (from - at(piece.first)), from, at(piece.last), stream);
        launch(piece, kept, at(piece.first), stream);
      } else {
        const unsigned slot = turn++ % ListRoom<V>::slots;
        const cudaStream_t stream = ListStreams::get().slots[slot];
        if (piece.place == Piece::host || at(piece.first) == at(piece.last)) {
          launch(piece, stream);
          continue;
        }
        const ArcId from = std::max(at(piece.first) / ListRoom<V>::line * ListRoom<V>::line, lists_.first);
        copy(room_.slot(slot), from, at(piece.last), stream);
        launch(piece, room_.slot(slot), from, stream);
      }
    check(cudaGetLastError(), "cannot start a kernel");
  }
  void copy(V *to, ArcId from, ArcId end, cudaStream_t stream) const {
    if (from == end)
      return;
    check(cudaMemcpyAsync(to, lists_.pinned + from, (end - from) * sizeof(V), cudaMemcpyHostToDevice, stream),
          "copy to the device");
  }

  /// Walks lists of which `copy` has those from arc `from` on.
  void launch(const Piece &piece, const V *copy, ArcId from, cudaStream_t stream) {
    const auto shift = reinterpret_cast<std::intptr_t>(copy) - reinterpret_cast<std::intptr_t>(lists_.seen + from);
    launch_kernel(OnCopy<V, F>{f_, {lists_.seen + at(piece.first), lists_.seen + at(piece.last), shift}}, piece,
                  stream);
  }
  void launch(const Piece &piece, cudaStream_t stream = 0) { launch_kernel(f_, piece, stream); }
  template <class Kernel> void launch_kernel(const Kernel &kernel, const Piece &piece, cudaStream_t stream) {
    const Members<V> members = {nullptr, std::uint64_t(piece.last - piece.first), piece.first}, none = {nullptr, 0};
    if (graph_.is_dense())
      GCOMPILE_CUDA_LAUNCH_ON(stream, (lanes_kernel<8, V, Kernel>), piece.blocks, block_threads, kernel, graph_.view(),
                              members, none, 0u, results_);
    else
      GCOMPILE_CUDA_LAUNCH_ON(stream, (lanes_kernel<2, V, Kernel>), piece.blocks, block_threads, kernel, graph_.view(),
                              members, none, 0u, results_);
    if (results_)
      results_ += piece.blocks;
  }

  /// How long the kernels take that `work` starts.
  template <class Work> static double seconds(const Work &work) {
    synchronize();
    const auto start = std::chrono::steady_clock::now();
    work();
    synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  static constexpr ArcId tried_part = 8; ///< so much of the arcs
  static constexpr char tag_ = 0;        ///< its address stands for the kernel

  const Graph<V> &graph_;
  const F &f_;
  const V first_, last_;
  const HostLists<V> &lists_;
  ListRoom<V> &room_;
  typename ListRoom<V>::Trial &trial_;
  std::vector<Piece> pieces_;
  unsigned blocks_ = 0;
  Parts *results_ = nullptr;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
