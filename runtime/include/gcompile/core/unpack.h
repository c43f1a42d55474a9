// Neighbours taken out of the fields of packed lists, several at a time where the processor can.
//
// Fields are shuffled and shifted into place several at a time, as in Lemire and Boytsov, "Decoding billions of
// integers per second through vectorization" (2015).
#ifndef GCOMPILE_CORE_UNPACK_H
#define GCOMPILE_CORE_UNPACK_H

#include <gcompile/core/packed_lists.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gc {
namespace detail {

#if defined(__AVX2__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define GCOMPILE_UNPACKS_LANES 1
#endif
#endif

#ifdef GCOMPILE_UNPACKS_LANES

template <class Vector> Vector load_vector(const void *at) {
  Vector vector;
  std::memcpy(&vector, at, sizeof vector);
  return vector;
}

/// How fields get into lanes of 32 bits. `bytes`: for each byte of a lane the byte that goes there, of those that were
/// loaded; `shifts`: by how many bits a lane is then shifted.
struct FieldLanes {
  static constexpr unsigned most_bits = 25; // a field that begins at any bit of a byte lies in four bytes

#ifdef __AVX512VBMI__
  static constexpr unsigned count = 16;
  static constexpr std::size_t read_bytes = 64; ///< from the first field on, at most
  static constexpr unsigned byte(unsigned lane, unsigned width) { return lane * width / 8; }
#else
  static constexpr unsigned count = 8;
  static constexpr std::size_t read_bytes = most_bits / 2 + 16;
  static constexpr unsigned fifth(unsigned width) { return 4 * width / 8; } // the first byte of the fifth field
  /// In each half of a vector, of those that are there.
  static constexpr unsigned byte(unsigned lane, unsigned width) {
    return lane * width / 8 - (lane < 4 ? 0 : fifth(width));
  }
#endif
  using Bytes [[gnu::vector_size(4 * count)]] = char;
  using Words [[gnu::vector_size(4 * count)]] = std::uint32_t;

  alignas(64) std::array<std::uint8_t, 4 * count> bytes;
  alignas(64) std::array<std::uint32_t, count> shifts;

  static constexpr FieldLanes of(unsigned width) {
    FieldLanes lanes{};
    for (unsigned k = 0; k < count; ++k) {
      for (unsigned i = 0; i < 4; ++i)
        lanes.bytes[4 * k + i] = static_cast<std::uint8_t>(byte(k, width) + i);
      lanes.shifts[k] = k * width % 8;
    }
    return lanes;
  }

  static Words load(const std::uint8_t *fields, [[maybe_unused]] unsigned width, Bytes bytes) {
#ifdef __AVX512VBMI__
    const Bytes all = load_vector<Bytes>(fields);
#ifdef __clang__
    return reinterpret_cast<Words>(__builtin_ia32_permvarqi512(all, bytes));
#else
    return reinterpret_cast<Words>(__builtin_ia32_permvarqi512_mask(all, bytes, all, ~0ull));
#endif
#else
    using Half [[gnu::vector_size(16)]] = char;
    const Half low = load_vector<Half>(fields), high = load_vector<Half>(fields + fifth(width));
    const Bytes both = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                               18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    return reinterpret_cast<Words>(__builtin_ia32_pshufb256(both, bytes));
#endif
  }
};
constexpr std::array<FieldLanes, FieldLanes::most_bits + 1> lanes_of_widths() {
  std::array<FieldLanes, FieldLanes::most_bits + 1> all{};
  for (unsigned width = 0; width < all.size(); ++width)
    all[width] = FieldLanes::of(width);
  return all;
}
inline constexpr std::array<FieldLanes, FieldLanes::most_bits + 1> lanes_of_width = lanes_of_widths();

/// Writes the `count` values of fields that begin at a byte, counted from `least`; up to a vector's more are written,
/// and read_bytes read from where the last field begins.
inline void unpack_lanes(const std::uint8_t *fields, unsigned width, std::uint32_t least, std::size_t count,
                         std::uint32_t *to) {
  using Words = FieldLanes::Words;
  const auto bytes = load_vector<FieldLanes::Bytes>(lanes_of_width[width].bytes.data());
  const auto shifts = load_vector<Words>(lanes_of_width[width].shifts.data());
  const std::uint32_t mask = (std::uint32_t(1) << width) - 1;
  constexpr std::size_t step = FieldLanes::count;
  for (std::size_t k = 0; k < count; k += step, fields += step * width / 8) {
    const Words values = ((FieldLanes::load(fields, width, bytes) >> shifts) & mask) + least;
    std::memcpy(to + k, &values, sizeof values);
  }
}

#endif

/// Takes neighbours out of the fields of packed lists.
template <class V> struct FieldReader {
  static constexpr std::size_t before = 7; ///< what may be written before the first neighbour
  static constexpr std::size_t spare = 15; ///< and behind the last one

  /// Writes the neighbours at some places of a group to where `to` points, or up to `before` behind it, and gives where
  /// the first is: fields that begin at a byte are eight apart.
  static V *take(const PackedLists<V> &lists, const PackedGroup &group, std::size_t begin, std::size_t end, V *to) {
    const std::size_t skipped = begin % 8;
    V *const first = to + skipped;
#ifdef GCOMPILE_UNPACKS_LANES
    if constexpr (sizeof(V) == 4) {
      const std::uint8_t *const fields = lists.fields_ + group.fields + begin / 8 * group.width;
      const std::size_t count = skipped + end - begin;
      if (__builtin_expect(group.width <= FieldLanes::most_bits &&
                               static_cast<std::size_t>(lists.fields_end_ - fields) >=
                                   count * group.width / 8 + FieldLanes::read_bytes,
                           1)) {
        unpack_lanes(fields, group.width, static_cast<V>(group.least), count, to);
        return first;
      }
    }
#endif
    const PackedIterator<V> fields(lists.fields_ + group.fields, begin, group.width, static_cast<V>(group.least));
    std::copy_n(fields, end - begin, first);
    return first;
  }
};

} // namespace detail
} // namespace gc

#endif
