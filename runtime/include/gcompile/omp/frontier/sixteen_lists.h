// The lists of 16 vertices at a time, or 16 neighbours of one, where the processor can (AVX-512 with VBMI).
#ifndef GCOMPILE_OMP_FRONTIER_SIXTEEN_LISTS_H
#define GCOMPILE_OMP_FRONTIER_SIXTEEN_LISTS_H

#include <gcompile/core/packed_graph.h>
#include <gcompile/core/unpack.h>
#include <gcompile/omp/prefetch.h>

#if defined(GCOMPILE_UNPACKS_LANES) && defined(__AVX512VBMI__)
#define GCOMPILE_TESTS_SIXTEEN 1

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gc::detail {

/// 16 values, each in its lane. A set of lanes is a number with a bit for each.
using Sixteen = FieldLanes::Words;
using SixteenInts [[gnu::vector_size(64)]] = int;
using SixteenShorts [[gnu::vector_size(32)]] = std::uint16_t;
using EightInts [[gnu::vector_size(32)]] = int;
using EightPlaces [[gnu::vector_size(64)]] = std::uint64_t;
using EightLongs [[gnu::vector_size(64)]] = long long;
constexpr Sixteen lane_numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

inline unsigned first_lanes(std::size_t count) {
  return static_cast<unsigned>(low_bits(0xffff, static_cast<unsigned>(std::min<std::size_t>(count, 16))));
}
/// The lanes where a < b.
inline unsigned lanes_less(Sixteen a, Sixteen b) {
  constexpr int less = 1;
  return static_cast<std::uint16_t>(
      __builtin_ia32_ucmpd512_mask(reinterpret_cast<SixteenInts>(a), reinterpret_cast<SixteenInts>(b), less, 0xffff));
}
inline unsigned lanes_less(EightPlaces a, EightPlaces b) {
  constexpr int less = 1;
  return static_cast<std::uint8_t>(
      __builtin_ia32_ucmpq512_mask(reinterpret_cast<EightLongs>(a), reinterpret_cast<EightLongs>(b), less, 0xff));
}
/// The 4 bytes at `base` + `scale` * place, for the lanes of `live`. Nothing is read for others.
template <int scale> Sixteen gather(const void *base, Sixteen places, unsigned live) {
  return reinterpret_cast<Sixteen>(__builtin_ia32_gathersiv16si(
      SixteenInts{}, base, reinterpret_cast<SixteenInts>(places), static_cast<std::int16_t>(live), scale));
}
/// The lanes of `live` whose bit is set in a bitmap.
inline unsigned lanes_in(const std::uint64_t *words, Sixteen bits, unsigned live) {
  const Sixteen found = gather<4>(words, bits >> 5, live) >> (bits & 31) & 1;
  return lanes_less(Sixteen{}, found) & live;
}
/// Writes the values of some lanes one behind the other, and something in the rest of 16 places. Gives how many.
inline std::size_t write_lanes(Sixteen values, unsigned lanes, std::uint32_t *to) {
  const SixteenInts together = __builtin_ia32_compresssi512_mask(reinterpret_cast<SixteenInts>(values), SixteenInts{},
                                                                 static_cast<std::uint16_t>(lanes));
  std::memcpy(to, &together, sizeof together);
  return static_cast<std::size_t>(__builtin_popcount(lanes));
}
inline void write_lanes(EightPlaces values, unsigned lanes, std::uint64_t *to) {
  const EightLongs together = __builtin_ia32_compressdi512_mask(reinterpret_cast<EightLongs>(values), EightLongs{},
                                                                static_cast<std::uint8_t>(lanes));
  std::memcpy(to, &together, sizeof together);
}
inline std::uint32_t value_of(Sixteen values, unsigned lane) {
  std::uint32_t each[16];
  std::memcpy(each, &values, sizeof each);
  return each[lane];
}

// SixteenLists: the lists of arcs into vertices. `first` and the 15 vertices behind it are a group, and all exist;
// `live` are the lanes of some of them, to which arcs lead.

template <class V> class SixteenLists<V, Plain> {
public:
  explicit SixteenLists(const Graph<V, Plain> &graph) : offsets_(graph.in_offsets), sources_(graph.in_sources) {}

  /// Whether lanes read their lists faster than one by one.
  static bool suit(V) { return true; }

  /// Has their first neighbours fetched.
  GCOMPILE_FETCHES void prefetch(V first, unsigned live) const {
    const ArcId *const offsets = offsets_ + first;
    std::uint64_t each[16];
    write_lanes(load_vector<EightPlaces>(offsets), live, each);
    write_lanes(load_vector<EightPlaces>(offsets + 8), live >> 8, each + 8);
    for (unsigned k = 0; k < 16; ++k)
      __builtin_prefetch(sources_ + each[k]);
  }
  /// Their neighbours number `depth`. Those that have no more than that are taken from `live`.
  Sixteen neighbors(V first, unsigned depth, unsigned &live) const {
    const ArcId *const offsets = offsets_ + first;
    auto low = load_vector<EightPlaces>(offsets), high = load_vector<EightPlaces>(offsets + 8);
    if (depth > 0) {
      low += depth;
      high += depth;
      live &= lanes_less(low, load_vector<EightPlaces>(offsets + 1)) |
              lanes_less(high, load_vector<EightPlaces>(offsets + 9)) << 8;
    }
    const EightInts below = sources(low, live), above = sources(high, live >> 8);
    return reinterpret_cast<Sixteen>(
        __builtin_shufflevector(below, above, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  }
  /// Calls test(neighbours, lanes) for those of v from number `from` on, until it is true.
  template <class Test> void each_sixteen(V v, std::size_t from, const Test &test) const {
    const ArcId end = offsets_[v + 1];
    for (ArcId at = offsets_[v] + from; at < end; at += 16) {
      const unsigned lanes = first_lanes(end - at);
      const SixteenInts some = __builtin_ia32_loaddqusi512_mask(reinterpret_cast<const int *>(sources_ + at),
                                                                SixteenInts{}, static_cast<std::uint16_t>(lanes));
      if (test(reinterpret_cast<Sixteen>(some), lanes))
        return;
    }
  }

private:
  EightInts sources(EightPlaces places, unsigned live) const {
    return __builtin_ia32_gatherdiv16si(EightInts{}, sources_, reinterpret_cast<EightLongs>(places),
                                        static_cast<char>(live), sizeof(V));
  }

  const ArcId *const offsets_;
  const V *const sources_;
};

template <class V> class SixteenLists<V, Packed> {
  static_assert(PackedGroup::vertices == 16, "a group has the lists");

public:
  explicit SixteenLists(const Graph<V, Packed> &graph) : lists_(graph.in) {}

  bool suit(V first) const { return lists_.group(first).width <= FieldLanes::most_bits; }

  GCOMPILE_FETCHES void prefetch(V first, unsigned live) const {
    const PackedGroup &group = lists_.group(first);
    std::uint32_t each[16]; // bytes from the first field of the group
    write_lanes(places(group.places) * std::uint32_t(group.width) >> 3, live, each);
    const std::uint8_t *const fields = lists_.fields_ + group.fields;
    for (unsigned k = 0; k < 16; ++k)
      __builtin_prefetch(fields + each[k]);
  }
  Sixteen neighbors(V first, unsigned depth, unsigned &live) const {
    const PackedGroup &group = lists_.group(first);
    if (__builtin_expect(group.record != 0 || group.width > FieldLanes::most_bits, 0))
      return one_by_one(first, depth, live);
    Sixteen at = places(group.places);
    if (depth > 0) {
      at += depth;
      live &= lanes_less(at, places(group.places + 1));
    }
    const Sixteen bits = at * std::uint32_t(group.width);
    const Sixteen words = gather<1>(lists_.fields_ + group.fields, bits >> 3, live);
    return (words >> (bits & 7) & mask(group)) + static_cast<std::uint32_t>(group.least);
  }
  template <class Test> void each_sixteen(V v, std::size_t from, const Test &test) const {
    const PackedGroup &group = lists_.group(v);
    const auto list = lists_.places_of(v);
    if (list.begin + from >= list.end)
      return;
    const std::uint64_t bit = (list.begin + from) * group.width;
    const std::uint8_t *fields = lists_.fields_ + group.fields + bit / 8;
    std::size_t count = list.end - (list.begin + from);
    // More is read than the list has, but not than all lists have.
    const auto behind = static_cast<std::size_t>(lists_.fields_end_ - fields);
    if (__builtin_expect(group.width > FieldLanes::most_bits || count * group.width / 8 + sizeof(Sixteen) > behind, 0))
      return one_by_one(v, from, test);
    const FieldLanes &lanes = lanes_of_width[group.width][bit % 8];
    const auto bytes = load_vector<FieldLanes::Bytes>(lanes.bytes.data());
    const auto shifts = load_vector<Sixteen>(lanes.shifts.data());
    const std::uint32_t kept = mask(group), least = static_cast<std::uint32_t>(group.least);
    for (;;) {
      const Sixteen some = (FieldLanes::load(fields, group.width, bit % 8, bytes) >> shifts & kept) + least;
      if (test(some, first_lanes(count)) || count <= 16)
        return;
      count -= 16;
      fields += std::size_t(2) * group.width;
    }
  }

private:
  static Sixteen places(const std::uint16_t *from) {
    return __builtin_convertvector(load_vector<SixteenShorts>(from), Sixteen);
  }
  static std::uint32_t mask(const PackedGroup &group) {
    return static_cast<std::uint32_t>(low_bits(~std::uint64_t(0), group.width));
  }
  [[gnu::noinline]] Sixteen one_by_one(V first, unsigned depth, unsigned &live) const {
    std::uint32_t each[16] = {};
    for (unsigned left = live; left; left &= left - 1) {
      const auto k = static_cast<unsigned>(__builtin_ctz(left));
      const auto list = lists_.list(static_cast<V>(first + k));
      if (depth < list.size())
        each[k] = list[depth];
      else
        live &= ~(1U << k);
    }
    return load_vector<Sixteen>(each);
  }
  template <class Test> [[gnu::noinline]] void one_by_one(V v, std::size_t from, const Test &test) const {
    const auto list = lists_.list(v);
    for (std::size_t k = from; k < list.size(); ++k)
      if (test(Sixteen{} + list[k], 1U))
        return;
  }

  const PackedLists<V> lists_;
};

} // namespace gc::detail

#endif

#endif
