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

/// A bitmap of all vertices, as of the last update.
template <class V> class BitCopies {
public:
  explicit BitCopies(Devices<V> &devices) : devices_(devices) {}

  /// Takes the bits of each device's own vertices from its bitmap of all vertices; nullptr: all are zero. All devices.
  void update(const std::uint32_t *own) {
    words_.reserve_discard(detail::words_for(size()));
    cuda::synchronize();
    const std::vector<const std::uint32_t *> all = devices_.team().meet(own);
    for (int r = 0; r < devices_.size(); ++r) {
      const Range<V> range = {devices_.partition().begin(r), devices_.partition().end(r)};
      if (range.size() == 0)
        continue;
      const std::uint64_t begin = range.first / 32, count = detail::words_for(range.last) - begin;
      const std::uint32_t *from = all[static_cast<std::size_t>(r)];
      if (from && r != devices_.rank()) {
        arrived_.reserve_discard(count);
        detail::copy_from_peer(arrived_.data(), from + begin, count, devices_.rank(), r);
        from = arrived_.data();
      } else if (from) {
        from += begin;
      }
      GCOMPILE_CUDA_LAUNCH((detail::copy_bits_kernel<V>), cuda::blocks_for(count), cuda::block_threads, words_.data(),
                           from, range);
    }
    cuda::synchronize();
    devices_.team().meet(0); // before owners change what others fetch
  }

  /// The number of vertices.
  V size() const { return devices_.partition().end(devices_.size() - 1); }
  const std::uint32_t *words() const { return words_.data(); }

private:
  Devices<V> &devices_;
  cuda::Buffer<std::uint32_t> words_, arrived_;
};

} // namespace gpus
} // namespace gc

#endif
