// A byte map: one byte for each vertex. Threads set bytes without read-modify-write, and scan them in order.
#ifndef GCOMPILE_OMP_FRONTIER_BYTE_MAP_H
#define GCOMPILE_OMP_FRONTIER_BYTE_MAP_H

#include <gcompile/omp/sets/bitmap.h>

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
  void clear();
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
  void take(Bitmap &bits);

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

// As chunks.h says.
#ifdef GCOMPILE_TEAM_IN_PROGRAM
#include <gcompile/omp/frontier/byte_map_scans.h>
#endif

#endif
