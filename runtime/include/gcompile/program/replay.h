// A replay: the claims that one execution has won, won again in another one.
#ifndef GCOMPILE_PROGRAM_REPLAY_H
#define GCOMPILE_PROGRAM_REPLAY_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gc {

/// Whether results of two executions agree: real numbers may differ by what another order of sums makes of them.
template <class T> bool agrees(T a, T b) {
  if constexpr (std::is_floating_point<T>::value) {
    const double x = a, y = b, relative = sizeof(T) == 4 ? 1e-4 : 1e-6;
    return x == y || (std::isnan(x) && std::isnan(y)) ||
           std::abs(x - y) <= 1e-12 + relative * std::max(std::abs(x), std::abs(y));
  }
  return a == b;
}

/// An element that an execution should have claimed in a round and has not.
struct OverdueClaim {
  std::size_t element;     ///< its place in the state
  std::int32_t round;      ///< counted from 1; 0: the statement has no rounds
  bool with_another_value; ///< it is claimed, but with a value that no iteration of the round assigns
};

/// Lets those iterations win the claims of a state that assign what another execution left there. What can be claimed
/// in a round is due in it: one of the iterations that can claim it must assign what the other execution left.
template <class T> class Replay {
public:
  /// `outcome`: the state after the other execution, an array or a matrix that outlives this object.
  template <class Values> explicit Replay(const Values &outcome) : outcome_(outcome.data()) {}

  /// Changes `expected` to `desired` in element `i`, which is `target`, if the other execution left `desired` there.
  /// `expected` is the same in all calls.
  bool claim(T &target, std::size_t i, T expected, T desired) {
    if (!(target == expected))
      return false;
    if (agrees(outcome_[i], desired)) {
      target = desired;
      return true;
    }
    expected_ = expected;
    if (i / 64 >= noted_.size())
      noted_.resize(i / 64 * 2 + 1);
    const std::uint64_t bit = std::uint64_t(1) << i % 64;
    if (!(noted_[i / 64] & bit)) {
      noted_[i / 64] |= bit;
      due_.push_back(i);
    }
    return false;
  }

  /// `values`: the state at the end of the round.
  template <class Values> void end_round(const Values &values) {
    ++round_;
    for (const std::size_t i : due_) {
      if (values.data()[i] == expected_)
        overdue_.push_back({i, round_, !(outcome_[i] == expected_)}); // and stays noted: each is told once
      else
        noted_[i / 64] &= ~(std::uint64_t(1) << i % 64);
    }
    due_.clear();
  }

  const std::vector<OverdueClaim> &overdue() const { return overdue_; }

private:
  const T *outcome_;
  T expected_{};
  std::int32_t round_ = 0;
  std::vector<std::size_t> due_;     // in this round
  std::vector<std::uint64_t> noted_; // a bit for each element that is due or overdue
  std::vector<OverdueClaim> overdue_;
};

} // namespace gc

#endif
