// Lists of neighbours in as few bits as the ids of some near lists need, each place of which can be read by itself.
//
// The bits that a whole list does not need are dropped, as in the Graph500 search of S5; that neighbours are stored by
// their distance where it is short, and that places are found in a cache line for many vertices, is from Log(Graph)
// (Besta et al. 2018).
#ifndef GCOMPILE_CORE_PACKED_LISTS_H
#define GCOMPILE_CORE_PACKED_LISTS_H

#include <gcompile/core/graph.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace gc {

namespace detail {

inline std::uint64_t load_word(const std::uint8_t *at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// A cache line that says where the lists of 32 vertices are. Its bits, from the lowest of the first byte on:
///
///   0..39    the first arc of the first vertex
///   40..45   the width of a field in bits; `many` where the lists have more arcs than a place can count
///   46..82   where their fields begin, in words of 8 bytes
///   83..511  33 places of 13 bits: where the list of each vertex begins and the last one ends, in arcs from the first.
///            With `many`, 32 bits: the number of the record that has width and places, of 34 words.
struct alignas(64) PackedGroup {
  static constexpr unsigned vertices = 32, many = 63;
  static constexpr unsigned arc_bits = 40, width_bits = 6, field_bits = 37, place_bits = 13;
  static constexpr unsigned first_place = arc_bits + width_bits + field_bits;
  static constexpr std::uint64_t most_arcs = (std::uint64_t(1) << place_bits) - 1;
  static constexpr std::size_t record_words = 2 + vertices;

  std::uint8_t bytes[64];
};
static_assert(PackedGroup::first_place + 33 * PackedGroup::place_bits == 512, "a group fills a cache line");

/// The bits that number n vertices.
inline unsigned bits_of_ids(std::uint64_t n) { return n > 1 ? 64 - static_cast<unsigned>(__builtin_clzll(n - 1)) : 0; }

} // namespace detail

/// Points to a neighbour in a packed list, as `const V *` does in an array.
template <class V> class PackedIterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = V;
  using difference_type = std::ptrdiff_t;
  using pointer = const V *;
  using reference = V;

  PackedIterator() = default;
  /// The field number `at` of those that begin at `fields`; 8 bytes from the first of a field on are read.
  PackedIterator(const std::uint8_t *fields, std::uint64_t at, unsigned width, V base)
      : fields_(fields), at_(at), width_(width), base_(base) {}

  V operator*() const { return value(at_); }
  template <class I> V operator[](I k) const { return value(at_ + static_cast<std::uint64_t>(k)); }
  PackedIterator &operator++() {
    ++at_;
    return *this;
  }
  PackedIterator operator++(int) {
    const PackedIterator before = *this;
    ++at_;
    return before;
  }
  PackedIterator &operator--() {
    --at_;
    return *this;
  }
  template <class I> PackedIterator &operator+=(I k) {
    at_ += static_cast<std::uint64_t>(k);
    return *this;
  }
  template <class I> friend PackedIterator operator+(PackedIterator a, I k) { return a += k; }
  template <class I> friend PackedIterator operator-(PackedIterator a, I k) { return a += std::uint64_t(0) - k; }
  friend difference_type operator-(const PackedIterator &a, const PackedIterator &b) {
    return static_cast<difference_type>(a.at_ - b.at_);
  }
  friend bool operator==(const PackedIterator &a, const PackedIterator &b) { return a.at_ == b.at_; }
  friend bool operator!=(const PackedIterator &a, const PackedIterator &b) { return a.at_ != b.at_; }
  friend bool operator<(const PackedIterator &a, const PackedIterator &b) { return a.at_ < b.at_; }

private:
  V value(std::uint64_t at) const {
    const std::uint64_t bit = at * width_, mask = (std::uint64_t(1) << width_) - 1;
    return static_cast<V>(base_ + static_cast<V>((detail::load_word(fields_ + (bit >> 3)) >> (bit & 7)) & mask));
  }

  const std::uint8_t *fields_ = nullptr;
  std::uint64_t at_ = 0;
  unsigned width_ = 0;
  V base_ = 0;
};

/// A packed list of neighbours.
template <class V> using PackedList = Span<V, PackedIterator<V>>;

/// The packed lists of all vertices, owned by somebody else. A field is a neighbour's id, or, where that takes fewer
/// bits in the whole group, its distance from the vertex, which may be negative.
template <class V> class PackedLists {
  using Group = detail::PackedGroup;

public:
  /// What a field may take: 8 bytes hold one that begins at any bit.
  static constexpr unsigned most_bits = 57;

  PackedLists() = default;
  /// Of n vertices. `fields` has 8 bytes behind the last field.
  PackedLists(std::uint64_t n, std::uint64_t arcs, const detail::PackedGroup *groups, const std::uint64_t *records,
              const std::uint8_t *fields)
      : groups_(groups), records_(records), fields_(fields), arcs_(arcs), n_(n), id_bits_(detail::bits_of_ids(n)) {}

  bool empty() const { return groups_ == nullptr; }
  ArcId num_arcs() const { return arcs_; }

  /// The arcs of v.
  ArcId begin(V v) const { return first_of(group(v)) + places_of(v).begin; }
  ArcId end(V v) const { return first_of(group(v)) + places_of(v).end; }
  ArcId size(V v) const {
    const Places places = places_of(v);
    return places.end - places.begin;
  }
  PackedList<V> list(V v) const {
    const Places places = places_of(v);
    const PackedIterator<V> fields = fields_at(v, places.width);
    return {fields + places.begin, fields + places.end};
  }
  /// Gives, for an arc of v, its other end.
  PackedIterator<V> ends_at(V v) const { return fields_at(v, places_of(v).width) - first_of(group(v)); }

  /// The vertex that has an arc.
  V owner(ArcId e) const {
    std::uint64_t low = 0,
                  high = (n_ + Group::vertices - 1) / Group::vertices; // the last group that begins at e or before
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (first_of(groups_[middle].bytes) <= e ? low : high) = middle;
    }
    V v = static_cast<V>(low * Group::vertices);
    while (end(v) <= e)
      ++v;
    return v;
  }

  /// Where it is noted where the arcs of v are, and where they begin: to be fetched.
  const std::uint8_t *place(V v) const { return group(v); }
  const std::uint8_t *data(V v) const {
    const Places places = places_of(v);
    return fields_ + 8 * field_of(group(v)) + places.begin * places.width / 8;
  }

private:
  struct Places {
    std::uint64_t begin, end; // in arcs of the group
    unsigned width;
  };
  const std::uint8_t *group(V v) const { return groups_[v / Group::vertices].bytes; }
  static ArcId first_of(const std::uint8_t *group) {
    return detail::load_word(group) & ((std::uint64_t(1) << Group::arc_bits) - 1);
  }
  static std::uint64_t field_of(const std::uint8_t *group) {
    return detail::load_word(group + 5) >> Group::width_bits & ((std::uint64_t(1) << Group::field_bits) - 1);
  }
  Places places_of(V v) const {
    const std::uint8_t *const at = group(v);
    const unsigned i = static_cast<unsigned>(v % Group::vertices), width = at[5] & 63;
    if (__builtin_expect(width == Group::many, 0)) {
      const std::uint64_t *const record = records_ + Group::record_words * record_of(at);
      return {record[1 + i], record[2 + i], static_cast<unsigned>(record[0])};
    }
    const unsigned bit = Group::first_place + Group::place_bits * i, byte = bit / 8 < 56 ? bit / 8 : 56;
    const std::uint64_t both = detail::load_word(at + byte) >> (bit - 8 * byte);
    return {both & Group::most_arcs, both >> Group::place_bits & Group::most_arcs, width};
  }
  static std::uint64_t record_of(const std::uint8_t *group) {
    return detail::load_word(group + Group::first_place / 8) >> Group::first_place % 8 & 0xffffffff;
  }
  PackedIterator<V> fields_at(V v, unsigned width) const {
    const V base = width == id_bits_ ? V(0) : static_cast<V>(v - static_cast<V>(std::uint64_t(1) << (width - 1)));
    return {fields_ + 8 * field_of(group(v)), 0, width, base};
  }

  const detail::PackedGroup *groups_ = nullptr;
  const std::uint64_t *records_ = nullptr;
  const std::uint8_t *fields_ = nullptr;
  ArcId arcs_ = 0;
  std::uint64_t n_ = 0;
  unsigned id_bits_ = 0;
};

} // namespace gc

#endif
