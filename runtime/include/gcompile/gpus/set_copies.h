// Membership in a set of vertices that other devices own.
#ifndef GCOMPILE_GPUS_SET_COPIES_H
#define GCOMPILE_GPUS_SET_COPIES_H

#include <gcompile/gpus/bit_copies.h>

namespace gc {
namespace gpus {

/// Which vertices are members of a set: own ones and copies, as of the last update.
template <class V> class SetCopies {
public:
  /// `set` holds the own members.
  SetCopies(Devices<V> &devices, cuda::VertexSet<V> &set) : set_(set), members_(devices) {}

  /// Brings the copies up to date. All devices.
  void update() { members_.update(set_.words()); }

  /// As kernels see it; its size is of no use.
  cuda::SetView<V> view() const { return {members_.words(), members_.size(), 0}; }

private:
  cuda::VertexSet<V> &set_;
  BitCopies<V> members_;
};

} // namespace gpus
} // namespace gc

#endif
