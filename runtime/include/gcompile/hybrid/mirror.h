// What both sides have had of a state: only the blocks that differ from it are moved.
#ifndef GCOMPILE_HYBRID_MIRROR_H
#define GCOMPILE_HYBRID_MIRROR_H

#include <gcompile/cuda/device/link.h>
#include <gcompile/cuda/device/memory.h>
#include <gcompile/program/parts.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gc {
namespace hybrid {

/// What is compared, and moved, together; a multiple of 8 bytes.
#ifdef GCOMPILE_CUDA_EMULATION
constexpr std::size_t moved_block = 256; // small states have several
#else
constexpr std::size_t moved_block = std::size_t(1) << 16;
#endif

/// Blocks of a state of so many bytes.
inline std::size_t blocks_of(std::size_t bytes) { return (bytes + moved_block - 1) / moved_block; }

namespace detail {

/// Sets `changed` of each block in which two arrays of the device differ. The last bytes need not make up a word.
template <class Word>
__global__ void compare_blocks_kernel(const Word *now, const Word *before, std::uint64_t bytes,
                                      unsigned char *changed) {
  constexpr std::uint64_t words = moved_block / sizeof(Word); // of a block
  const std::uint64_t all = bytes / sizeof(Word), rest = bytes % sizeof(Word);
  for (std::uint64_t block = blockIdx.x; block * moved_block < bytes; block += gridDim.x) {
    const std::uint64_t begin = block * words, end = all < begin + words ? all : begin + words;
    bool differs = false;
    for (std::uint64_t i = begin + threadIdx.x; i < end; i += blockDim.x)
      differs |= now[i] != before[i];
    if (end == all && threadIdx.x < rest && end < begin + words)
      differs |= reinterpret_cast<const unsigned char *>(now + all)[threadIdx.x] !=
                 reinterpret_cast<const unsigned char *>(before + all)[threadIdx.x];
    if (__syncthreads_or(differs) && threadIdx.x == 0)
      changed[block] = 1;
  }
}

} // namespace detail

/// Moves one state of consecutive bytes between the sides. The caller sees to it that the side that gives has the
/// present value, and that only one side has changed it since both had the same.
///
/// To the GPU: the host keeps a copy of what the GPU has, compares with it while it copies, and gives the blocks that
/// differ. To the CPU: before the GPU changes the state, remember() copies it on the device; a kernel says which blocks
/// differ from that.
class Mirror {
public:
  /// Nothing is known of what the sides have.
  void forget() { keeps_ = remembers_ = false; }

  /// Begins to move it to the GPU: Link::order(). `again`: that will come again, after the CPU has changed it. Gives
  /// the bytes that are moved.
  std::size_t to_gpu(void *to, const void *from, std::size_t bytes, bool again) {
    cuda::Link &link = cuda::Link::get();
    link.follow();
    if (again && (!keeps_ || kept_.size() != bytes)) {
      kept_.resize_discard(bytes);
      known_.assign(blocks_of(bytes), 0);
      keeps_ = true;
    }
    if (!keeps_ || kept_.size() != bytes) {
      link.upload(to, from, bytes);
      link.send();
      return bytes;
    }
    std::size_t moved = 0;
    const std::size_t blocks = blocks_of(bytes);
    for (std::size_t first = 0; first < blocks; first += window) {
      const std::size_t count = std::min(window, blocks - first);
      changed_.assign(count, 0);
      gc::detail::for_parts(count, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i)
          changed_[i] = known_[first + i] == 0 || differs(from, first + i, bytes);
      });
      moved += take(first, count, bytes, [&](std::size_t at, std::size_t length) {
        link.upload(static_cast<char *>(to) + at, static_cast<const char *>(from) + at, length, kept_.data() + at);
      });
      link.send();
    }
    return moved;
  }

  /// Before the GPU changes a state that both sides have: this is what the CPU has. It is not remembered where the
  /// device's memory gets short.
  void remember(const void *on_device, std::size_t bytes) {
    remembers_ = false;
    if (bytes == 0 || (before_.size() < bytes && !has_room(bytes)))
      return;
    before_.reserve_discard(bytes);
    cuda::check(cudaMemcpyAsync(before_.data(), on_device, bytes, cudaMemcpyDeviceToDevice, 0), "copy on the device");
    remembers_ = true;
  }

  /// Begins to move it to the CPU: Link::finish(). Gives the bytes that are moved.
  std::size_t to_cpu(void *to, const void *from, std::size_t bytes) {
    cuda::Link &link = cuda::Link::get();
    link.follow();
    keeps_ = keeps_ && kept_.size() == bytes;
    const std::size_t blocks = blocks_of(bytes);
    if (remembers_) {
      flags_.reserve(blocks);
      auto *const flags = static_cast<unsigned char *>(flags_.data());
      std::memset(flags, 0, blocks);
      GCOMPILE_CUDA_LAUNCH_ON(link.stream(), (detail::compare_blocks_kernel<std::uint64_t>),
                              static_cast<unsigned>(std::min<std::size_t>(blocks, most_grid)), cuda::block_threads,
                              static_cast<const std::uint64_t *>(from),
                              reinterpret_cast<const std::uint64_t *>(before_.data()), std::uint64_t(bytes), flags);
      cuda::check(cudaGetLastError(), "cannot start a kernel");
      cuda::check(cudaStreamSynchronize(link.stream()), "a kernel did not end well");
      changed_.assign(flags, flags + blocks);
    } else {
      changed_.assign(blocks, 1);
    }
    remembers_ = false;
    const std::size_t moved = take(0, blocks, bytes, [&](std::size_t at, std::size_t length) {
      link.download(static_cast<char *>(to) + at, static_cast<const char *>(from) + at, length,
                    keeps_ ? kept_.data() + at : nullptr);
    });
    link.send();
    return moved;
  }

private:
  static constexpr std::size_t window = 64; // blocks that are compared before they are sent
  static constexpr std::size_t most_grid = std::size_t(1) << 16;

  bool differs(const void *from, std::size_t block, std::size_t bytes) const {
    const std::size_t at = block * moved_block;
    return std::memcmp(static_cast<const char *>(from) + at, kept_.data() + at, std::min(moved_block, bytes - at)) != 0;
  }
  /// Calls move(offset, length) for each changed block; what the host keeps of it is then what both sides have.
  template <class Move> std::size_t take(std::size_t first, std::size_t count, std::size_t bytes, const Move &move) {
    std::size_t moved = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (changed_[i] == 0)
        continue;
      const std::size_t at = (first + i) * moved_block, length = std::min(moved_block, bytes - at);
      move(at, length);
      moved += length;
      if (keeps_)
        known_[first + i] = 1;
    }
    return moved;
  }
  /// Whether a quarter of the device is left if it gets so many bytes.
  static bool has_room(std::size_t bytes) {
    std::size_t free = 0, total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "cannot ask for the device's memory");
    return device_memory.has_room(bytes) && free >= bytes + total / 4;
  }

  bool keeps_ = false;
  Array<char> kept_;        ///< if it keeps it: what the GPU has, of the blocks that are known
  std::vector<char> known_; ///< of each block
  bool remembers_ = false;
  cuda::Buffer<char> before_; ///< if it remembers: what the CPU has, on the device
  std::vector<char> changed_; ///< of the blocks at hand
  cuda::HostRoom flags_;      ///< the same, from the device
};

} // namespace hybrid
} // namespace gc

#endif
