// The blocks that take a small frontier: those of one cluster, or some of the grid.
#ifndef GCOMPILE_CUDA_SMALL_FRONTIER_BLOCKS_H
#define GCOMPILE_CUDA_SMALL_FRONTIER_BLOCKS_H

#include <gcompile/cuda/device/cluster.h>
#include <gcompile/cuda/device/team.h>
#include <gcompile/cuda/small_frontier/list.h>

#include <utility>

namespace gc {
namespace cuda {
namespace detail {

/// The blocks of one cluster, which see each other's shared memory and meet at a barrier in hardware. Best for few
/// vertices: more would wait for the few multiprocessors.
template <class V> class ClusterBlocks {
public:
  static constexpr unsigned threads = block_threads, most_blocks = 16;
  static constexpr std::uint32_t most_steps = 1; ///< of a block that walks its own part
  /// Arcs of a frontier that this is best for.
  GCOMPILE_HD static constexpr ArcId most_arcs(unsigned blocks) { return ArcId(blocks) * threads / 2; }
  struct Memory {
    SmallLists<V> lists;
    SmallPart inbox[2][most_blocks]; // what each block has found, in this round and in the last
  };
  /// What the host provides.
  struct View {};

  __device__ ClusterBlocks(const View &, Memory &memory) : memory_(memory) {
    cluster_.sync(); // a block's shared memory is there once it has begun
  }
  __device__ unsigned blocks() const { return cluster_.blocks(); }
  __device__ unsigned rank() const { return cluster_.rank(); }
  __device__ unsigned size() const { return cluster_.size(); }
  __device__ SmallLists<V> &lists() const { return memory_.lists; }
  /// Lets other blocks read this one's list and what it has found. Every thread calls.
  __device__ void share(unsigned, const SmallPart &) const {}
  /// A vertex of any block's list that is shared.
  __device__ SmallItem<V> item(unsigned which, unsigned block, unsigned place) const {
    return cluster_.at(block, memory_.lists.items[which][place]);
  }
  /// Tells all blocks what this one has found; its threads have met. Every thread calls, and then settle().
  __device__ void post(const SmallPart &found, Order) {
    slot_ = 1 - slot_;
    if (threadIdx.x < blocks())
      cluster_.at(threadIdx.x, memory_.inbox[slot_][blockIdx.x]) = found;
    cluster_.arrive(); // in any case with order: what is found is in the shared memory of others
  }
  __device__ SmallSum settle(Order) {
    cluster_.wait();
    __syncthreads(); // what was done meanwhile was done after the arrival
    const SmallPart part = lane_of_warp() < blocks() ? found(lane_of_warp()) : SmallPart{0, 0};
    const std::uint32_t arcs = SmallTally::arcs(part.tally), size = part.size();
    return {warp_sum(size), warp_sum(arcs), __any_sync(full_warp, part.grown != 0) != 0,
            __any_sync(full_warp, part.steps(threads) > most_steps) != 0};
  }
  /// What a block has posted in the last meeting with order, or shared since.
  __device__ SmallPart found(unsigned block) const { return memory_.inbox[slot_][block]; }
  __device__ void sync() { cluster_.sync(); }

private:
  Memory &memory_;
  Cluster cluster_;
  unsigned slot_ = 0; // of the inbox
};

/// Blocks on many multiprocessors. They meet at words in memory that add up what they have found.
template <class V> class GridBlocks {
public:
  static constexpr unsigned threads = 2 * block_threads, most_blocks = 64;
  static constexpr std::uint32_t most_steps = 1;
  GCOMPILE_HD static constexpr ArcId most_arcs(unsigned blocks) { return ArcId(blocks) * threads; }
  struct Memory {
    SmallLists<V> lists;
    SmallSum sum;
    unsigned long long seen[3]; // of each word, when all blocks had added to it
  };
  struct View {
    SmallItem<V> *items; ///< 2 * most_blocks * small_capacity
    SmallPart *inbox;    ///< 2 * most_blocks
    MeetingPoints *meeting;
  };

  __device__ GridBlocks(const View &view, Memory &memory)
      : view_(view), memory_(memory), team_(gridDim.x, &view.meeting->small) {
    if (threadIdx.x == 0)
      memory_.seen[0] = memory_.seen[1] = memory_.seen[2] = 0;
  }
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ unsigned rank() const { return team_.rank(); }
  __device__ unsigned size() const { return team_.size(); }
  __device__ SmallLists<V> &lists() const { return memory_.lists; }
  __device__ void share(unsigned which, const SmallPart &part) {
    publish(part);
    for (std::uint32_t i = threadIdx.x; i < part.size(); i += blockDim.x)
      shared(blockIdx.x)[i] = memory_.lists.items[which][i];
    team_.sync();
  }
  __device__ SmallItem<V> item(unsigned, unsigned block, unsigned place) const { return shared(block)[place]; }
  __device__ void post(const SmallPart &found, Order order) {
    turn_ = turn_ == 2 ? 0 : turn_ + 1;
    if (order == Order::release_acquire)
      publish(found);
    if (threadIdx.x == 0)
      arrive(&view_.meeting->small_rounds[turn_], Meeting::of(found), order);
  }
  /// A word is never reset, which would have to be ordered: what it has grown by since its last turn, mod 2^64, is the
  /// sum of this one, whose fields have room for all blocks. Nobody adds to it for its next turn before all have seen
  /// this one's sum, since all have come to two meetings in between, and to the first of them after they had seen it.
  __device__ SmallSum settle(Order order) {
    if (threadIdx.x == 0) {
      const unsigned long long *const word = &view_.meeting->small_rounds[turn_];
      const unsigned long long seen = memory_.seen[turn_];
      unsigned long long grown = arrivals(word, order) - seen;
      for (; Meeting::blocks(grown) < gridDim.x; grown = arrivals(word, order) - seen)
        pause();
      memory_.seen[turn_] = seen + grown;
      memory_.sum = Meeting::sum(grown);
    }
    __syncthreads();
    return memory_.sum;
  }
  __device__ SmallPart found(unsigned block) const { return view_.inbox[slot_ * most_blocks + block]; }
  __device__ void sync() { team_.sync(); }

private:
  /// From the lowest bit: the blocks that have come (7), how many of them have grown (7) and have too much (7), the
  /// vertices (17), the arcs (26).
  struct Meeting {
    __device__ static unsigned long long of(const SmallPart &found) {
      return 1ull | (found.grown != 0 ? 1ull << 7 : 0) | (found.steps(threads) > most_steps ? 1ull << 14 : 0) |
             static_cast<unsigned long long>(found.size()) << 21 |
             static_cast<unsigned long long>(SmallTally::arcs(found.tally)) << 38;
    }
    __device__ static unsigned blocks(unsigned long long grown) { return grown & 127; }
    __device__ static SmallSum sum(unsigned long long grown) {
      return {static_cast<std::uint32_t>(grown >> 21 & 0x1ffff), static_cast<std::uint32_t>(grown >> 38),
              (grown >> 7 & 127) != 0, (grown >> 14 & 127) != 0};
    }
  };
  /// For others to read after the meeting, or sync(), with order that follows. Before they came to the one that
  /// followed the last publish(), they had read what stood in this slot.
  __device__ void publish(const SmallPart &found) {
    slot_ = 1 - slot_;
    if (threadIdx.x == 0)
      view_.inbox[slot_ * most_blocks + blockIdx.x] = found;
  }
  __device__ SmallItem<V> *shared(unsigned block) const {
    return view_.items + std::size_t(slot_ * most_blocks + block) * small_capacity;
  }

  const View view_;
  Memory &memory_;
  Team team_;
  unsigned turn_ = 0; // of the words
  unsigned slot_ = 0; // of what others read
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
