// All ordered pairs of vertices as one range.
#ifndef GCOMPILE_OMP_SETS_PAIRS_H
#define GCOMPILE_OMP_SETS_PAIRS_H

#include <utility>

namespace gc {

/// (0, 0), (0, 1), ..., (n - 1, n - 1): for loops over pairs that end early.
template <class V> class Pairs {
public:
  explicit Pairs(V n) : n_(n) {}

  class Iterator {
  public:
    Iterator(V i, V n) : n_(n), pair_(i, V(0)) {}
    const std::pair<V, V> &operator*() const { return pair_; }
    Iterator &operator++() {
      if (++pair_.second == n_)
        pair_ = {static_cast<V>(pair_.first + 1), V(0)};
      return *this;
    }
    bool operator!=(const Iterator &other) const { return pair_ != other.pair_; }

  private:
    V n_;
    std::pair<V, V> pair_;
  };
  Iterator begin() const { return {V(0), n_}; }
  Iterator end() const { return {n_, n_}; }

private:
  V n_;
};

} // namespace gc

#endif
