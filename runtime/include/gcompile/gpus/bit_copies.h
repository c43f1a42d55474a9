// One bit for each vertex, which every device learns of the others.
#ifndef GCOMPILE_GPUS_BIT_COPIES_H
#define GCOMPILE_GPUS_BIT_COPIES_H

#include <gcompile/gpus/devices.h>

#include <cstdint>
#include <vector>

namespace gc {
namespace gpus {

namespace detail {
/// The bits of the range are those of `from`, whose first word is that of the first vertex of the range.
template <class V> __global__ void copy_bits_kernel(std::uint32_t *to, const std::uint32_t *from, Range<V> range) {
  const std::uint64_t begin = range.first / 32, end = words_for(range.last);
  for (std::uint64_t i = begin + blockIdx.x * std::uint64_t(cuda::block_threads) + threadIdx.x; i < end;
       i += std::uint64_t(gridDim.x) * cuda::block_threads) {
    std::uint32_t mask = ~std::uint32_t(0);
    if (i == begin)
      mask &= mask << (range.first % 32);
    if (i == range.last / 32)
      mask &= (std::uint32_t(1) << (range.last % 32)) - 1;
    to[i] = (to[i] & ~mask) | ((from ? from[i - begin] : 0) & mask);
  }
}
} // namespace detail

/// A bitmap of all vertices, as of the last update. What others fetch stands in one of two memories, since they may
/// still read the last one: they are done with it before the next meeting.
template <class V> class BitCopies {
public:
  explicit BitCopies(Devices<V> &devices) : devices_(devices) {}

  /// Takes the bits of each device's own vertices from its bitmap of all vertices; nullptr: all are zero. All devices.
  void update(const std::uint32_t *own) {
    if (own)
      cuda::check(cudaMemcpyAsync(next_own().data(), own + first_word(devices_.rank()),
                                  word_count(devices_.rank()) * sizeof *own, cudaMemcpyDeviceToDevice, 0),
                  "copy on the device");
    publish(own != nullptr);
  }
  /// The same from a list of own vertices. All devices.
  void update(const V *items, std::uint64_t count) {
    if (count > 0) {
      const Range<V> places = {static_cast<V>(first_word(devices_.rank()) * 32), devices_.own_range().last};
      next_own().clear_bytes();
      GCOMPILE_CUDA_LAUNCH((detail::mark_members_kernel<V>), cuda::blocks_for(count), cuda::block_threads,
                           next_own().data(), places, items, count);
    }
    publish(count > 0);
  }

  /// The number of vertices.
  V size() const { return devices_.partition().end(devices_.size() - 1); }
  const std::uint32_t *words() const { return words_.data(); }

private:
  // The words with a device's vertices; the first and the last may have vertices of others too.
  std::uint64_t first_word(int rank) const { return devices_.partition().begin(rank) / 32; }
  std::uint64_t word_count(int rank) const {
    return detail::words_for(devices_.partition().end(rank)) - first_word(rank);
  }
  /// Memory for the own words of the next update.
  cuda::Buffer<std::uint32_t> &next_own() {
    own_[turn_].reserve_discard(word_count(devices_.rank()));
    return own_[turn_];
  }
  /// `any`: the memory of next_own() holds the own words; without it, all own bits are zero.
  void publish(bool any) {
    words_.reserve_discard(detail::words_for(size()));
    if (devices_.size() > 1)
      cuda::synchronize();
    const std::vector<const std::uint32_t *> all =
        devices_.team().meet(static_cast<const std::uint32_t *>(any ? next_own().data() : nullptr));
    turn_ = 1 - turn_;
    for (int r = 0; r < devices_.size(); ++r) {
      const Range<V> range = {devices_.partition().begin(r), devices_.partition().end(r)};
      if (range.size() == 0)
        continue;
      const std::uint64_t count = word_count(r);
      const std::uint32_t *from = all[static_cast<std::size_t>(r)];
      if (from && r != devices_.rank()) {
        arrived_.reserve_discard(count);
        detail::copy_from_peer(arrived_.data(), from, count, devices_.rank(), r);
        from = arrived_.data();
      }
      GCOMPILE_CUDA_LAUNCH((detail::copy_bits_kernel<V>), cuda::blocks_for(count), cuda::block_threads, words_.data(),
                           from, range);
    }
    cuda::check(cudaGetLastError(), "cannot start a kernel");
  }

  Devices<V> &devices_;
  cuda::Buffer<std::uint32_t> words_, arrived_, own_[2];
  unsigned turn_ = 0;
};

} // namespace gpus
} // namespace gc

#endif
