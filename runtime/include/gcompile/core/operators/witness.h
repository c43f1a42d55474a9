// The vertex or edge that has the least, or the greatest, key.
#ifndef GCOMPILE_CORE_OPERATORS_WITNESS_H
#define GCOMPILE_CORE_OPERATORS_WITNESS_H

#include <gcompile/core/numeric.h>

namespace gc {

/// The vertex or edge with the least key; of several, the one with the smallest id. None if nothing is added.
template <class Key, class Witness> class ArgMin {
public:
  /// Whether a witness with that key could be the one.
  GCOMPILE_HD bool improves(Key key) const { return !(key_ < key); }
  GCOMPILE_HD void add(Key key, Witness witness) {
    if (key < key_ || (!(key_ < key) && witness < witness_)) {
      key_ = key;
      witness_ = witness;
    }
  }
  GCOMPILE_HD void merge(const ArgMin &other) { add(other.key_, other.witness_); }
  GCOMPILE_HD Key key() const { return key_; }
  GCOMPILE_HD Witness witness() const { return witness_; }

private:
  Key key_ = greatest<Key>();
  Witness witness_ = none<Witness>();
};

/// The vertex or edge with the greatest key; of several, the one with the smallest id. None if nothing is added.
template <class Key, class Witness> class ArgMax {
public:
  /// Whether a witness with that key could be the one.
  GCOMPILE_HD bool improves(Key key) const { return !(key < key_); }
  GCOMPILE_HD void add(Key key, Witness witness) {
    if (key_ < key || (!(key < key_) && witness < witness_)) {
      key_ = key;
      witness_ = witness;
    }
  }
  GCOMPILE_HD void merge(const ArgMax &other) { add(other.key_, other.witness_); }
  GCOMPILE_HD Key key() const { return key_; }
  GCOMPILE_HD Witness witness() const { return witness_; }

private:
  Key key_ = lowest<Key>();
  Witness witness_ = none<Witness>();
};

} // namespace gc

#endif
