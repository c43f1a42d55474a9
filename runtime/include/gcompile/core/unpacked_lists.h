// Packed lists of vertices that follow each other, taken out of their fields some at a time.
#ifndef GCOMPILE_CORE_UNPACKED_LISTS_H
#define GCOMPILE_CORE_UNPACKED_LISTS_H

#include <gcompile/core/packed_graph.h>
#include <gcompile/core/unpack.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace gc {

/// What a loop takes out of the fields of each vertex.
enum Unpack : unsigned { unpack_out_lists = 1, unpack_in_lists = 2, unpack_out_degrees = 4, unpack_in_degrees = 8 };

namespace detail {

/// Some groups' lists of one side, taken out of their fields.
template <class V> class UnpackedSide {
public:
  /// The most vertices that are taken out at a time.
  static constexpr unsigned most_vertices = 256;

  explicit UnpackedSide(const PackedLists<V> &lists) : lists_(lists) {}

  /// Takes out the lists of vertices from `first` on, which begins a group, up to `last`, or earlier where they have
  /// many arcs. Gives the last.
  V take_lists(V first, V last) {
    std::size_t arcs = 0;
    return each_group(first, last, [&](std::size_t i, const PackedGroup &group, const auto *places) {
      for (unsigned k = 0; k <= PackedGroup::vertices; ++k)
        places_[i + k] = arcs + places[k];
      const std::size_t count = places[PackedGroup::vertices];
      FieldReader<V>(lists_).take(group, 0, count, room(arcs, count));
      return (arcs += count) < most_arcs;
    });
  }
  void take_degrees(V first, V last) {
    each_group(first, last, [&](std::size_t i, const PackedGroup &, const auto *places) {
      for (unsigned k = 0; k < PackedGroup::vertices; ++k)
        degrees_[i + k] = static_cast<std::int32_t>(places[k + 1] - places[k]);
      return true;
    });
  }

  /// Where list k begins among the ends, and k + 1 where it ends.
  const std::size_t *places() const { return places_.data(); }
  const V *ends() const { return ends_.get(); }
  const std::int32_t *degrees() const { return degrees_.data(); }

private:
  static constexpr std::size_t most_arcs = 4096; // after which no further group is taken out

  /// Calls f(number of its first vertex, group, places) until that is false, for most_vertices at most. Gives the
  /// vertex behind the last.
  template <class F> V each_group(V first, V last, const F &f) const {
    const std::size_t count = std::min<std::size_t>(last - first, most_vertices);
    for (std::size_t i = 0; i < count; i += PackedGroup::vertices) {
      const PackedGroup &group = lists_.group(static_cast<V>(first + i));
      const bool more = group.record ? f(i, group, lists_.record(group)) : f(i, group, group.places);
      if (!more)
        return static_cast<V>(first + std::min<std::size_t>(i + PackedGroup::vertices, count));
    }
    return static_cast<V>(first + count);
  }

  /// Where `more` ends go behind `used` ones.
  V *room(std::size_t used, std::size_t more) {
    if (used + more + FieldReader<V>::spare > size_) {
      size_ = std::max(used + more, most_arcs) + FieldReader<V>::spare;
      std::unique_ptr<V[]> larger(new V[size_]);
      std::copy_n(ends_.get(), used, larger.get());
      ends_ = std::move(larger);
    }
    return ends_.get() + used;
  }

  const PackedLists<V> lists_;
  std::array<std::size_t, most_vertices + 1> places_;
  std::array<std::int32_t, most_vertices> degrees_;
  std::unique_ptr<V[]> ends_;
  std::size_t size_ = 0;
};

} // namespace detail

/// Goes over vertices in order, a block of some hundred at a time, with their lists as arrays and their degrees: of
/// those `what` says (bits of Unpack). Each thread has its own.
template <class V, unsigned what> class UnpackedLists {
  using Side = detail::UnpackedSide<V>;

public:
  explicit UnpackedLists(const PackedGraph<V> &graph) : out_(graph.out), in_(graph.in) {}

  /// Vertices that follow each other. It ends with the next block.
  class Block {
  public:
    V first() const { return first_; }
    V last() const { return last_; }
    Span<V> out_neighbors(V v) const { return out_.list(v - start_); }
    Span<V> in_neighbors(V v) const { return in_.list(v - start_); }
    template <class I> std::int32_t out_degree(I v) const { return out_.degrees[v - start_]; }
    template <class I> std::int32_t in_degree(I v) const { return in_.degrees[v - start_]; }

  private:
    friend class UnpackedLists;
    struct Lists {
      const std::size_t *places;
      const V *ends;
      const std::int32_t *degrees;
      Span<V> list(std::size_t i) const { return {ends + places[i], ends + places[i + 1]}; }
    };
    V start_, first_, last_; // start_: of a group
    Lists out_, in_;
  };

  /// The blocks of the vertices from `first` to `last`.
  class Blocks {
  public:
    class Iterator {
    public:
      Iterator(UnpackedLists &all, V at, V last) : all_(all), at_(at), last_(last) { take(); }
      const Block &operator*() const { return block_; }
      Iterator &operator++() {
        at_ = block_.last();
        take();
        return *this;
      }
      bool operator!=(const Iterator &other) const { return at_ != other.at_; }

    private:
      void take() {
        if (at_ != last_)
          block_ = all_.block(at_, last_);
      }
      UnpackedLists &all_;
      V at_, last_;
      Block block_;
    };

    Blocks(UnpackedLists &all, V first, V last) : all_(all), first_(first), last_(last) {}
    Iterator begin() const { return {all_, first_, last_}; }
    Iterator end() const { return {all_, last_, last_}; }

  private:
    UnpackedLists &all_;
    V first_, last_;
  };
  Blocks blocks(V first, V last) { return {*this, first, last}; }

private:
  // Not inlined: what the loop over the vertices of a block keeps in registers is then the loop's own.
  [[gnu::noinline]] Block block(V first, V last) {
    Block block;
    block.start_ = first - first % detail::PackedGroup::vertices;
    block.first_ = first;
    if (last - block.start_ > Side::most_vertices)
      last = block.start_ + Side::most_vertices;
    if constexpr ((what & unpack_out_lists) != 0)
      last = out_.take_lists(block.start_, last);
    if constexpr ((what & unpack_in_lists) != 0)
      last = in_.take_lists(block.start_, last);
    if constexpr ((what & unpack_out_degrees) != 0)
      out_.take_degrees(block.start_, last);
    if constexpr ((what & unpack_in_degrees) != 0)
      in_.take_degrees(block.start_, last);
    block.last_ = last;
    block.out_ = {out_.places(), out_.ends(), out_.degrees()};
    block.in_ = {in_.places(), in_.ends(), in_.degrees()};
    return block;
  }

  Side out_, in_;
};

} // namespace gc

#endif
