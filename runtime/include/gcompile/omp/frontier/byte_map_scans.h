// What is done to all bytes of a byte map.
#ifndef GCOMPILE_OMP_FRONTIER_BYTE_MAP_SCANS_H
#define GCOMPILE_OMP_FRONTIER_BYTE_MAP_SCANS_H

#include <gcompile/omp/frontier/byte_map.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gc {

GCOMPILE_OF_LIBRARY void ByteMap::clear() {
  const std::size_t size = bytes_.size(), piece = std::size_t(1) << 20;
  parallel_for(size > piece, (size + piece - 1) / piece, [&](std::size_t i) {
    std::memset(bytes_.data() + i * piece, 0, size - i * piece < piece ? size - i * piece : piece);
  });
}

GCOMPILE_OF_LIBRARY void ByteMap::take(Bitmap &bits) {
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

} // namespace gc

#endif
