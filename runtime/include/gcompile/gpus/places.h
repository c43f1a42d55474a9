// Vertices, or arcs, of which each device owns a block: values of own ones, copies of others, and what moves between
// them.
#ifndef GCOMPILE_GPUS_PLACES_H
#define GCOMPILE_GPUS_PLACES_H

#include <gcompile/core/partition.h>
#include <gcompile/core/sums.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/gpus/exchange.h>
#include <gcompile/gpus/marks.h>
#include <gcompile/gpus/team.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gc {
namespace gpus {

/// Every device calls the functions that are marked "all devices" in the same order. A device has an element of each
/// property for every place, of which it uses its own ones and its copies of those of others. `counted`: what is sent
/// gets no room before it is known how much it is.
template <class Id, bool counted> class Places {
public:
  Places(Team &team, Partition<Id> partition)
      : team_(team), partition_(std::move(partition)), touched_(detail::words_for(count())) {
    touched_.clear_bytes();
  }

  int rank() const { return team_.rank(); }
  int size() const { return team_.size(); }
  Team &team() const { return team_; }
  const Partition<Id> &partition() const { return partition_; }
  Range<Id> own_range() const { return {partition_.begin(rank()), partition_.end(rank())}; }
  /// The places of all devices.
  Id count() const { return partition_.end(size() - 1); }

  // ---- Values of one place ------------------------------------------------------------------------------------------

  /// What get() is for the owner of a place; where there is none, each device asks for itself. All devices.
  template <class Get> auto of_owner(Id place, const Get &get) const {
    if (place >= count())
      return get();
    struct One {
      decltype(get()) value;
    };
    return team_.meet(One{own_range().owns(place) ? get() : decltype(get())()})[owner(place)].value;
  }
  /// The value of one place, from its owner. All devices.
  template <class T> T value_of_owner(const cuda::Property<T> &state, Id place) const {
    return of_owner(place, [&]() -> T { return state.read(place); });
  }

  // ---- Between copies and owners ------------------------------------------------------------------------------------

  Touched<Id> touched() { return {touched_.data(), own_range()}; }

  /// Gives all copies this value.
  template <class T> void reset_copies(cuda::Property<T> &state, const gc::detail::SameAs<T> &value) {
    if (size() > 1)
      GCOMPILE_CUDA_LAUNCH((detail::reset_copies_kernel<Id, T>), cuda::blocks_for(count()), cuda::block_threads,
                           state.data(), T(value), count(), own_range());
  }

  /// Sends the touched copies; their owners call apply(place, values..., next) for each, in the order of the devices
  /// that send. All devices.
  template <class Apply, class Next, class... T>
  void reduce_to_owner(const Apply &apply, const Next &next, cuda::Property<T> &...states) {
    if (size() > 1)
      exchange_.template send<T...>(touched_, partition_, detail::Keep(), apply, next, states.data()...);
  }
  /// The same for copies that collect: those sent become `neutral`. All devices.
  template <class Apply, class Next, class T>
  void collect_at_owner(const gc::detail::SameAs<T> &neutral, const Apply &apply, const Next &next,
                        cuda::Property<T> &state) {
    if (size() > 1)
      exchange_.template send<T>(touched_, partition_, detail::Become<T>{T(neutral)}, apply, next, state.data());
  }

  /// Owners give their values to all others. All devices.
  template <class T> void give_to_copies(cuda::Property<T> &state) { spread(state.data(), true); }
  /// Brings all values to the first device. All devices.
  template <class T> void gather(cuda::Property<T> &state) { spread(state.data(), rank() == 0); }

protected:
  std::size_t owner(Id place) const { return static_cast<std::size_t>(partition_.owner(place)); }

  /// Fetches the values of others from their owners, where that is wanted.
  template <class T> void spread(T *values, bool wanted) {
    if (size() == 1)
      return;
    cuda::synchronize();
    const std::vector<T *> all = team_.meet(values);
    for (int r = 0; r < size(); ++r)
      if (wanted && r != rank())
        detail::copy_from_peer(values + partition_.begin(r), all[static_cast<std::size_t>(r)] + partition_.begin(r),
                               partition_.end(r) - partition_.begin(r), rank(), r);
    cuda::synchronize();
    team_.meet(0); // before owners change what others fetch
  }

  Team &team_;
  Partition<Id> partition_;
  cuda::Buffer<std::uint32_t> touched_; ///< a bit for each place; zero but between a kernel and what it sends
  detail::Exchange<Id, counted> exchange_{team_};
};

} // namespace gpus
} // namespace gc

#endif
