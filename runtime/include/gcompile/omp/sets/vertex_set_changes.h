// What is done to sets of vertices between loops over them.
#ifndef GCOMPILE_OMP_SETS_VERTEX_SET_CHANGES_H
#define GCOMPILE_OMP_SETS_VERTEX_SET_CHANGES_H

#include <gcompile/omp/sets/vertex_set_builder.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace gc {

template <class V> VertexSet<V>::VertexSet(VertexSet &&) noexcept = default;
template <class V> VertexSet<V> &VertexSet<V>::operator=(VertexSet &&) noexcept = default;
template <class V> VertexSet<V>::~VertexSet() = default;

template <class V> VertexSet<V> &VertexSet<V>::operator=(const VertexSet &other) {
  if (this == &other)
    return *this;
  n_ = other.n_;
  count_ = other.count_;
  all_ = other.all_;
  sorted_ = other.sorted_;
  has_bits_ = other.has_bits_;
  passed_ = other.passed_;
  if (!all_) {
    listed_ = other.listed_;
    storage_.resize_discard(listed_);
    std::copy(other.list_, other.list_ + listed_, storage_.data());
    list_ = storage_.data();
  }
  if (has_bits_)
    bits_.assign(other.bits_);
  return *this;
}

template <class V> VertexSet<V> VertexSet<V>::of(V n, std::initializer_list<V> members) {
  return of<std::initializer_list<V>>(n, members);
}
template <class V> VertexSet<V> VertexSet<V>::ascending() const { return of(n_, *this); }

template <class V> VertexSet<V> VertexSet<V>::from_sorted(V n, const V *members, std::size_t count) {
  VertexSet set;
  set.n_ = n;
  set.storage_ = Array<V>(count);
  std::copy(members, members + count, set.storage_.data());
  set.own_list(count);
  set.index();
  return set;
}

template <class V> VertexSet<V> &VertexSet<V>::operator-=(const VertexSet &other) {
  if (other.empty() || empty())
    return *this;
  if (!has_bits_ && slots() <= small())
    return keep_if([&](V v) { return !other.contains(v); });
  need_bits();
  count_ -= count_changes(other, [this](V v) { return bits_.reset_atomic(v); });
  // A loop guesses wrong at the slots of what was removed: a few of them take longer than the place of a new list.
  if (count_ < slots() / 2 || passed_ > count_ / 4)
    list_from_bits();
  return *this;
}

template <class V> VertexSet<V> &VertexSet<V>::operator&=(const VertexSet &other) {
  if (other.is_all())
    return *this;
  return keep_if([&](V v) { return other.contains(v); });
}

template <class V> VertexSet<V> &VertexSet<V>::operator+=(const VertexSet &other) {
  if (n_ == 0)
    return *this = other;
  if (other.empty() || is_all())
    return *this;
  if (other.is_all())
    return *this = other;
  if (!has_bits_ && slots() + other.slots() <= small()) {
    std::vector<V> members(begin_list(), begin_list() + listed_);
    for (V v : other)
      members.push_back(v);
    return *this = of(n_, members);
  }
  need_bits();
  count_ += count_changes(other, [this](V v) { return bits_.set_atomic(v); });
  list_from_bits();
  return *this;
}

template <class V> VertexSet<V> VertexSet<V>::united(const VertexSet &other) const {
  VertexSet result = *this;
  result += other;
  return result;
}

template <class V> VertexSet<V> VertexSet<V>::intersected(const VertexSet &other) const {
  VertexSet result = *this;
  result &= other;
  return result;
}

template <class V> VertexSet<V> VertexSet<V>::subtracted(const VertexSet &other) const {
  VertexSet result = *this;
  result -= other;
  return result;
}

template <class V> void VertexSet<V>::own_list(std::size_t count) {
  list_ = storage_.data();
  listed_ = count_ = count;
  all_ = false;
  sorted_ = true;
  has_bits_ = false;
}

template <class V> void VertexSet<V>::index() {
  if (!all_ && !has_bits_ && listed_ > small())
    need_bits();
}

template <class V> void VertexSet<V>::need_bits() {
  if (has_bits_)
    return;
  bits_.resize(n_);
  has_bits_ = true;
  if (all_) {
    bits_.set_all();
    return;
  }
  bits_.clear();
  bits_.set_all(list_, listed_);
}

template <class V> void VertexSet<V>::list_from_bits() {
  storage_.resize_discard(count_);
  bits_.list(storage_.data());
  list_ = storage_.data();
  listed_ = count_;
  all_ = false;
  sorted_ = true;
  passed_ = 0;
}

template <class V>
template <class Change>
std::size_t VertexSet<V>::count_changes(const VertexSet &other, const Change &change) {
  std::size_t count = 0;
  parallel(other.slots() >= vertices_worth_sharing, [&](const Share &mine) {
    std::size_t own = 0;
    for (auto part = mine.equal(other.slots()); part.next();)
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const V v = other.slot(i);
        own += v != none<V>() && change(v);
      }
    __atomic_fetch_add(&count, own, __ATOMIC_RELAXED);
  });
  return count;
}

template <class V> template <class Keep> VertexSet<V> &VertexSet<V>::keep_if(Keep keep) {
  std::vector<V> members;
  for (V v : *this)
    if (keep(v))
      members.push_back(v);
  if (!sorted_)
    std::sort(members.begin(), members.end());
  return *this = from_sorted(n_, members.data(), members.size());
}

template <class V>
VertexSetBuilder<V>::VertexSetBuilder(V n, std::size_t most) : n_(n), marks_(most > VertexSet<V>::small(n)) {
  if (!marks_)
    return;
  bits_.resize(n);
  bits_.clear();
}
template <class V> VertexSetBuilder<V>::~VertexSetBuilder() = default;

template <class V> VertexSetBuilder<V>::Writer::~Writer() {
  if (marks_)
    flush();
  else
    builder_.parts_.mine() = std::move(members_);
}

template <class V> void VertexSetBuilder<V>::Writer::list(V v) { members_.push_back(v); }

template <class V> VertexSet<V> VertexSetBuilder<V>::finish() {
  VertexSet<V> set;
  set.n_ = n_;
  if (marks_) {
    set.bits_ = std::move(bits_);
    set.count_ = set.bits_.count();
    if (set.count_ == n_)
      return VertexSet<V>::all(n_);
    set.list_from_bits();
    set.has_bits_ = set.count_ > set.small();
    return set;
  }
  std::size_t total = 0;
  parts_.each([&](const std::vector<V> &part) { total += part.size(); });
  set.storage_ = Array<V>(total);
  V *out = set.storage_.data();
  parts_.each([&](const std::vector<V> &part) { out = std::copy(part.begin(), part.end(), out); });
  set.own_list(total);
  if (!std::is_sorted(set.list_, set.list_ + total))
    std::sort(set.storage_.begin(), set.storage_.end());
  set.index();
  return set;
}

} // namespace gc

#endif
