// What one form of a program leaves to another that goes on with the rounds of a propagate (S1).
#ifndef GCOMPILE_CORE_HAND_OVER_H
#define GCOMPILE_CORE_HAND_OVER_H

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace gc {

/// The frontiers of the rounds so far. No other vertex has changed, so with the values of these the other form has all
/// that this one has.
template <class V> class HandOver {
public:
  /// Before a run that may be handed over.
  void begin() {
    begun_ = true;
    went_ = false;
    seen_.clear();
    first_ = previous_ = 0;
  }
  /// After it.
  void end() { begun_ = false; }

  /// Before each round; whether the other form goes on from here. It does once the frontier has more than `above`
  /// vertices, and more than `growth` times those of the round before.
  template <class Frontier> bool is_due(const Frontier &frontier, std::int32_t round, double above, double growth) {
    if (!begun_)
      return false;
    const std::size_t size = frontier.size();
    first_ = seen_.size();
    seen_.resize(first_ + size);
    frontier.copy_to(seen_.data() + first_);
    round_ = round;
    went_ = static_cast<double>(size) > above &&
            (round == 1 || static_cast<double>(size) > growth * static_cast<double>(previous_));
    previous_ = size;
    // Where vertices come back again and again, the lists would get longer than the values.
    if (!went_ && seen_.size() > most * frontier.num_vertices())
      begun_ = false;
    return went_;
  }

  /// Whether the last run is to go on elsewhere.
  bool went() const { return went_; }
  /// The vertices of all frontiers; those of the present one begin at `first`.
  const std::vector<V> &seen() const { return seen_; }
  std::size_t first() const { return first_; }
  std::int32_t round() const { return round_; }

  /// Bytes that have been moved to the other side.
  void note_moved(std::uint64_t bytes) { moved_ = bytes; }
  std::uint64_t moved() const { return went_ ? moved_ : 0; }

private:
  static constexpr std::size_t most = 2; // entries for each vertex

  bool begun_ = false, went_ = false;
  std::vector<V> seen_;
  std::size_t first_ = 0, previous_ = 0;
  std::int32_t round_ = 1;
  std::uint64_t moved_ = 0;
};

/// Stands for another form of a program that has done nothing yet.
template <class V> struct NotBegun {
  HandOver<V> &hand_over() { return nothing; }
  std::tuple<> crossing() const { return {}; }
  HandOver<V> nothing;
};

} // namespace gc

#endif
