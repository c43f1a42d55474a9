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

/// The lowest bits of a word, fewer than 64. A compiler that sees a shift and a mask computes the mask in front of each
/// loop over a list, which costs more than it saves in short ones.
inline std::uint64_t low_bits(std::uint64_t word, unsigned bits) {
#ifdef __BMI2__
  return __builtin_ia32_bzhi_di(word, bits);
#else
  return word & ((std::uint64_t(1) << bits) - 1);
#endif
}

/// A cache line that says where the lists of 16 vertices are.
struct alignas(64) PackedGroup {
  static constexpr unsigned vertices = 16;
  static constexpr std::uint64_t most_arcs = 0xffff, most_arcs_of_all = std::uint64_t(1) << 48;
  static constexpr std::size_t record_words = vertices + 1;

  std::uint64_t fields;               ///< where its fields begin, in bytes
  std::uint64_t least;                ///< the least neighbour, which a field counts from
  std::uint64_t first_arc;            ///< of the first vertex
  std::uint32_t record;               ///< 0, or, where there are more than most_arcs, one more than the number of the
                                      ///< record of 17 words that has the places
  std::uint8_t width, unused;         ///< of a field, in bits
  std::uint16_t places[vertices + 1]; ///< where the list of each vertex begins and the last one ends, in arcs from the
                                      ///< first
};
static_assert(sizeof(PackedGroup) == 64, "a group fills a cache line");

/// The words of 8 bytes behind the last field: one is read from the byte on in which a field begins.
constexpr std::size_t packed_room = 1;

template <class V> class UnpackedSide;
template <class V> class UnpackedChoice;
template <class V> class FieldReader;
template <class V, class A> class SixteenLists;

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
    const std::uint64_t bit = at * width_;
    const std::uint64_t word = detail::load_word(fields_ + (bit >> 3)) >> (bit & 7);
    return static_cast<V>(base_ + static_cast<V>(detail::low_bits(word, width_)));
  }

  const std::uint8_t *fields_ = nullptr;
  std::uint64_t at_ = 0;
  unsigned width_ = 0;
  V base_ = 0;
};

/// A packed list of neighbours.
template <class V> using PackedList = Span<V, PackedIterator<V>>;

/// The packed lists of all vertices, owned by somebody else. A field is the distance of a neighbour from the least one
/// of the whole group.
template <class V> class PackedLists {
  using Group = detail::PackedGroup;

public:
  /// What a field may take: 8 bytes hold one that begins at any bit.
  static constexpr unsigned most_bits = sizeof(V) == 4 ? 32 : 57;

  PackedLists() = default;
  /// Of n vertices. The bytes from `fields` to `fields_end` have 8 behind the last field.
  PackedLists(std::uint64_t n, std::uint64_t arcs, const detail::PackedGroup *groups, const std::uint64_t *records,
              const std::uint8_t *fields, const std::uint8_t *fields_end)
      : groups_(groups), records_(records), fields_(fields), fields_end_(fields_end), arcs_(arcs), n_(n) {}

  bool empty() const { return groups_ == nullptr; }
  ArcId num_arcs() const { return arcs_; }

  /// The arcs of v.
  ArcId begin(V v) const { return group(v).first_arc + places_of(v).begin; }
  ArcId end(V v) const { return group(v).first_arc + places_of(v).end; }
  ArcId size(V v) const {
    const Places places = places_of(v);
    return places.end - places.begin;
  }
  PackedList<V> list(V v) const {
    const Places places = places_of(v);
    const PackedIterator<V> fields = fields_at(v);
    return {fields + places.begin, fields + places.end};
  }
  /// Gives, for an arc of v, its other end.
  PackedIterator<V> ends_at(V v) const { return fields_at(v) - group(v).first_arc; }

  /// The vertex that has an arc.
  V owner(ArcId e) const {
    std::uint64_t low = 0,
                  high = (n_ + Group::vertices - 1) / Group::vertices; // the last group that begins at e or before
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (groups_[middle].first_arc <= e ? low : high) = middle;
    }
    V v = static_cast<V>(low * Group::vertices);
    while (end(v) <= e)
      ++v;
    return v;
  }

  /// Where it is noted where the arcs of v are, and where they begin (in a group with a record: those of the group): to
  /// be fetched.
  const Group *place(V v) const { return &group(v); }
  const std::uint8_t *data(V v) const {
    const Group &at = group(v);
    return fields_ + at.fields + std::size_t(at.places[v % Group::vertices]) * at.width / 8;
  }

private:
  friend class detail::UnpackedSide<V>;
  friend class detail::UnpackedChoice<V>;
  friend class detail::FieldReader<V>;
  friend class detail::SixteenLists<V, Packed>;

  struct Places {
    std::uint64_t begin, end; // in arcs of the group
  };
  const Group &group(V v) const {
    // Four bytes a vertex: a mask and a scaled address, where an index takes two shifts.
    static_assert(sizeof(Group) == 4 * Group::vertices, "scaled by what an address can be scaled by");
    const std::size_t first = std::size_t(v) & ~std::size_t(Group::vertices - 1);
    return *reinterpret_cast<const Group *>(reinterpret_cast<const std::uint8_t *>(groups_) + 4 * first);
  }
  Places places_of(V v) const {
    const Group &at = group(v);
    const std::size_t i = v % Group::vertices;
    if (__builtin_expect(at.record != 0, 0)) {
      const std::uint64_t *const places = record(at);
      return {places[i], places[i + 1]};
    }
    const std::uint16_t *const places = at.places + i;
    return {places[0], places[1]};
  }
  const std::uint64_t *record(const Group &at) const { return records_ + Group::record_words * (at.record - 1); }
  PackedIterator<V> fields_at(V v) const {
    const Group &at = group(v);
    return {fields_ + at.fields, 0, at.width, static_cast<V>(at.least)};
  }

  const Group *groups_ = nullptr;
  const std::uint64_t *records_ = nullptr;
  const std::uint8_t *fields_ = nullptr, *fields_end_ = nullptr;
  ArcId arcs_ = 0;
  std::uint64_t n_ = 0;
};

} // namespace gc

#endif
