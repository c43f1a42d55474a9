// The device's memory for lists of arcs that stay in the host's memory, while loops over all vertices walk them.
#ifndef GCOMPILE_CUDA_STREAMED_ROOM_H
#define GCOMPILE_CUDA_STREAMED_ROOM_H

#include <gcompile/core/types.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/cuda/placement.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

namespace gc {
namespace cuda {

/// Lists in the host's memory, of vertices in a row.
template <class V> struct HostLists {
  const V *pinned = nullptr;      ///< where arc 0 would be, for copies; nullptr: the lists are on the device
  const V *seen = nullptr;        ///< the same for kernels
  const ArcId *offsets = nullptr; ///< on the host
  ArcId first = 0;                ///< the first arc that is there
};

/// Room for blocks of lists: slots for some at a time, and room for the first lists of an array, which are copied once.
/// It is planned with the graph, and allocated when a loop first needs it.
template <class V> class ListRoom {
public:
  static constexpr unsigned slots = 4;
  /// A copy begins at such a multiple of arcs: whole lines of the host's memory.
  static constexpr ArcId line = 128 / sizeof(V);

  /// What is left in the plan, for lists of so many arcs in all; nullptr where that is too little. Others may want
  /// `reserved` bytes of it.
  static std::shared_ptr<ListRoom> plan(Placement &placement, double reserved, ArcId arcs) {
    const double left = std::max(placement.left() - reserved, 0.0);
    const auto most = static_cast<ArcId>(left / (slots * sizeof(V)));
    if (most < least_block + line)
      return nullptr;
    const ArcId block = std::min(std::clamp(arcs / 16, least_block, most_block), most - line);
    const double blocks = static_cast<double>(slots * (block + line) * sizeof(V));
    // What else is allocated while the program runs is not known to the byte.
    const auto kept_in = [&](double bytes) {
      return static_cast<ArcId>(std::min((bytes - blocks) * 7 / 8 / sizeof(V), static_cast<double>(arcs)));
    };
    ArcId kept = kept_in(placement.left()), beside = kept_in(left);
#ifdef GCOMPILE_CUDA_EMULATION
    if (device_memory.limit() == 0) // any number is right
      beside = kept = emulation::tosses() ? beside / 3 : 0;
#endif
    placement.require("blocks of edges", blocks + static_cast<double>(kept) * sizeof(V));
    return std::make_shared<ListRoom>(block, kept, beside);
  }

  /// `kept`: arcs of the lists that are kept where nobody wants what was reserved; `beside`: where somebody does.
  ListRoom(ArcId block, ArcId kept, ArcId beside) : block_(block), kept_(kept), beside_(beside) {}

  /// The most arcs of a block.
  ArcId block_arcs() const { return block_; }
  V *slot(unsigned number) {
    if (blocks_.size() == 0)
      blocks_ = Buffer<V>(slots * (block_ + line));
    return blocks_.data() + number * (block_ + line);
  }

  /// The room for lists of `lists` from arc `first` on; of the first array that asks. nullptr: another one has it.
  V *kept(const HostLists<V> &lists, ArcId first) {
    if (kept_ == 0 || (kept_of_ && (kept_of_ != lists.pinned || kept_from_ != first)))
      return nullptr;
    if (!kept_of_) {
      kept_lists_ = Buffer<V>(kept_);
      kept_of_ = lists.pinned;
      kept_from_ = filled_ = first;
    }
    return kept_lists_.data();
  }
  /// Leaves the reserved bytes to who asks; false: the kept lists have some of them already.
  bool leaves_reserved() {
    if (!kept_of_)
      kept_ = beside_;
    return kept_ == beside_;
  }
  /// The most arcs there.
  ArcId kept_arcs() const { return kept_; }
  /// The first arc from which those up to `end` have to be copied there: each once.
  ArcId fill_kept(ArcId end) { return std::min(std::exchange(filled_, std::max(filled_, end)), end); }

  /// What is known of a loop: it is streamed first, then in part read in place, and then as is faster.
  struct Trial {
    enum { untried, warm, streams, reads_in_place } state = untried;
  };
  Trial &trial(const void *kernel) { return trials_[kernel]; }

private:
#ifdef GCOMPILE_CUDA_EMULATION // small ones, so that there are several
  static constexpr ArcId least_block = 64;
#else
  static constexpr ArcId least_block = (ArcId(2) << 20) / sizeof(V);
#endif
  static constexpr ArcId most_block = (ArcId(16) << 20) / sizeof(V);

  const ArcId block_;
  ArcId kept_;
  const ArcId beside_;
  Buffer<V> blocks_, kept_lists_;
  const V *kept_of_ = nullptr;
  ArcId kept_from_ = 0, filled_ = 0;
  std::map<const void *, Trial> trials_;
};

} // namespace cuda
} // namespace gc

#endif
