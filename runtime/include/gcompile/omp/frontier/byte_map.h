// A byte map: one byte for each vertex. Threads set bytes without read-modify-write, and scan them in order.
#ifndef GCOMPILE_OMP_FRONTIER_BYTE_MAP_H
#define GCOMPILE_OMP_FRONTIER_BYTE_MAP_H

#include <gcompile/omp/sets/bitmap.h>
#include <gcompile/omp/threads/team.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gc {

/// A set of vertices that is read once: taking its members clears it.
class ByteMap {
public:
  /// Makes room for n vertices; all bytes are clear if the size changes, otherwise they stay as they are.
  void resize(std::size_t n) {
    const std::size_t bytes = (n + 63) / 64 * 64;
    if (bytes == bytes_.size())
      return;
    bytes_.resize_discard(bytes);
    clear();
  }
  void clear() {
    const std::size_t size = bytes_.size(), piece = std::size_t(1) << 20;
    parallel_for(size > piece, (size + piece - 1) / piece, [&](std::size_t i) {
      std::memset(bytes_.data() + i * piece, 0, size - i * piece < piece ? size - i * piece : piece);
    });
  }
  std::uint8_t *data() { return bytes_.data(); }
  template <class V> bool contains(V v) const { return bytes_[v] != 0; }

  /// Moves the members in begin..end-1 to `out` and returns their number. `begin` is a multiple of 64.
  template <class V> std::size_t take(std::size_t begin, std::size_t end, V *out) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; i += 8) {
      std::uint64_t word = load(i);
      if (word == 0)
        continue;
      store(i, 0);
      for (; word; word &= word - 1) // one bit of the byte is set
        out[count++] = static_cast<V>(i + static_cast<std::size_t>(__builtin_ctzll(word)) / 8);
    }
    return count;
  }
  /// Moves all members to a bitmap of the same size.
  void take(Bitmap &bits) {
    const std::size_t words = bytes_.size() / 64;
    parallel_for(words > 1024, words, [&](std::size_t w) {
      std::uint64_t bit_word = 0;
      for (std::size_t i = 0; i < 64; i += 8) {
        // The lowest bits of eight bytes, brought together.
        bit_word |= (load(w * 64 + i) * std::uint64_t(0x0102040810204080) >> 56) << i;
        store(w * 64 + i, 0);
      }
      bits.data()[w] = bit_word;
    });
    for (std::size_t w = words; w < bits.words(); ++w)
      bits.data()[w] = 0;
  }

private:
  std::uint64_t load(std::size_t i) const {
    std::uint64_t word;
    std::memcpy(&word, bytes_.data() + i, 8);
    return word;
  }
  void store(std::size_t i, std::uint64_t word) { std::memcpy(bytes_.data() + i, &word, 8); }

  Array<std::uint8_t> bytes_;
};

} // namespace gc

#endif
