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
  static constexpr std::size_t read_bytes = 64; ///< from the byte on in which the first field begins, at most
#else
  static constexpr unsigned count = 8;
  static constexpr std::size_t read_bytes = most_bits / 2 + 17;
  /// The byte in which the fifth field begins: the first of those that go to the upper half of a vector.
  static constexpr unsigned fifth(unsigned width, unsigned bit) { return (bit + 4 * width) / 8; }
#endif
  using Bytes [[gnu::vector_size(4 * count)]] = char;
  using Words [[gnu::vector_size(4 * count)]] = std::uint32_t;

  alignas(64) std::array<std::uint8_t, 4 * count> bytes;
  alignas(64) std::array<std::uint32_t, count> shifts;

  /// Of so many bits each, the first from this bit of a byte on.
  static constexpr FieldLanes of(unsigned width, unsigned bit) {
    FieldLanes lanes{};
    for (unsigned k = 0; k < count; ++k) {
      unsigned byte = (bit + k * width) / 8;
#ifndef __AVX512VBMI__
      byte -= k < 4 ? 0 : fifth(width, bit);
#endif
      for (unsigned i = 0; i < 4; ++i)
        lanes.bytes[4 * k + i] = static_cast<std::uint8_t>(byte + i);
      lanes.shifts[k] = (bit + k * width) % 8;
    }
    return lanes;
  }

  static Words load(const std::uint8_t *fields, [[maybe_unused]] unsigned width, [[maybe_unused]] unsigned bit,
                    Bytes bytes) {
#ifdef __AVX512VBMI__
    const Bytes all = load_vector<Bytes>(fields);
#ifdef __clang__
    return reinterpret_cast<Words>(__builtin_ia32_permvarqi512(all, bytes));
#else
    return reinterpret_cast<Words>(__builtin_ia32_permvarqi512_mask(all, bytes, all, ~0ull));
#endif
#else
    using Half [[gnu::vector_size(16)]] = char;
    const Half low = load_vector<Half>(fields), high = load_vector<Half>(fields + fifth(width, bit));
    const Bytes both = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                               18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    return reinterpret_cast<Words>(__builtin_ia32_pshufb256(both, bytes));
#endif
  }
};
using LanesOfBits = std::array<FieldLanes, 8>;
constexpr std::array<LanesOfBits, FieldLanes::most_bits + 1> lanes_of_widths() {
  std::array<LanesOfBits, FieldLanes::most_bits + 1> all{};
  for (unsigned width = 0; width < all.size(); ++width)
    for (unsigned bit = 0; bit < 8; ++bit)
      all[width][bit] = FieldLanes::of(width, bit);
  return all;
}
inline constexpr std::array<LanesOfBits, FieldLanes::most_bits + 1> lanes_of_width = lanes_of_widths();

/// Writes the `count` values of fields, of which the first begins at a bit of the byte. Twice a vector's are written in
/// any case, as most lists have fewer and no processor foresees how many. Up to a vector's more are written than there
/// are, and read_bytes read from where the last of those begins that are written.
inline void unpack_lanes(const std::uint8_t *fields, unsigned bit, unsigned width, std::uint32_t least,
                         std::size_t count, std::uint32_t *to) {
  using Words = FieldLanes::Words;
  const FieldLanes &lanes = lanes_of_width[width][bit];
  const auto bytes = load_vector<FieldLanes::Bytes>(lanes.bytes.data());
  const auto shifts = load_vector<Words>(lanes.shifts.data());
  const auto mask = static_cast<std::uint32_t>(low_bits(~std::uint64_t(0), width));
  constexpr std::size_t step = FieldLanes::count, known = 2 * step;
  const std::size_t bytes_of_step = step * width / 8;
  const auto unpack = [&](std::size_t k) {
    const Words values = ((FieldLanes::load(fields, width, bit, bytes) >> shifts) & mask) + least;
    std::memcpy(to + k, &values, sizeof values);
    fields += bytes_of_step;
  };
  unpack(0);
  unpack(step);
  for (std::size_t k = known; k < count; k += step)
    unpack(k);
}

#endif

/// Takes neighbours out of the fields of packed lists.
template <class V> class FieldReader {
public:
  static constexpr std::size_t spare = 31; ///< what may be written behind the last neighbour
  static constexpr std::size_t few = 256;

  explicit FieldReader(const PackedLists<V> &lists)
      : fields_(lists.fields_), fields_end_(lists.fields_end_),
        last_of_few_(fields_end_ - fields_ < read_of_few ? nullptr : fields_end_ - read_of_few) {}

  /// Writes the neighbours at some places of a group.
  void take(const PackedGroup &group, std::size_t begin, std::size_t end, V *to) const {
#ifdef GCOMPILE_UNPACKS_LANES
    if constexpr (sizeof(V) == 4) {
      const First first = first_of(group, begin);
      const std::size_t count = std::max<std::size_t>(end - begin, 2 * FieldLanes::count);
      if (group.width <= FieldLanes::most_bits &&
          static_cast<std::size_t>(fields_end_ - first.byte) >= (count * group.width + 7) / 8 + FieldLanes::read_bytes)
        return take_lanes(group, first, end - begin, to);
    }
#endif
    take_each(group, begin, end, to);
  }
  /// The same of at most `few` neighbours, in less time.
  void take_few(const PackedGroup &group, std::size_t begin, std::size_t end, V *to) const {
#ifdef GCOMPILE_UNPACKS_LANES
    if constexpr (sizeof(V) == 4) {
      const First first = first_of(group, begin);
      if (__builtin_expect(group.width <= FieldLanes::most_bits && first.byte <= last_of_few_, 1))
        return take_lanes(group, first, end - begin, to);
    }
#endif
    take_each(group, begin, end, to);
  }

private:
  static constexpr std::ptrdiff_t read_of_few = 1024; // bytes, more than are read for the longest

  /// Where a field begins.
  struct First {
    const std::uint8_t *byte;
    unsigned bit;
  };
  First first_of(const PackedGroup &group, std::size_t place) const {
    const std::size_t bits = place * group.width;
    return {fields_ + group.fields + bits / 8, static_cast<unsigned>(bits % 8)};
  }
#ifdef GCOMPILE_UNPACKS_LANES
  static_assert((few + FieldLanes::count) * FieldLanes::most_bits / 8 + FieldLanes::read_bytes < read_of_few);
  static void take_lanes(const PackedGroup &group, const First &first, std::size_t count, V *to) {
    unpack_lanes(first.byte, first.bit, group.width, static_cast<V>(group.least), count, to);
  }
#endif
  [[gnu::noinline]] void take_each(const PackedGroup &group, std::size_t begin, std::size_t end, V *to) const {
    const PackedIterator<V> fields(fields_ + group.fields, begin, group.width, static_cast<V>(group.least));
    std::copy_n(fields, end - begin, to);
  }

  const std::uint8_t *const fields_, *const fields_end_;
  const std::uint8_t *const last_of_few_; // where the fields of a few may begin, at the latest
};

} // namespace detail
} // namespace gc

#endif
