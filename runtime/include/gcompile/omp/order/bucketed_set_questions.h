// How a bucketed set answers.
#ifndef GCOMPILE_OMP_ORDER_BUCKETED_SET_QUESTIONS_H
#define GCOMPILE_OMP_ORDER_BUCKETED_SET_QUESTIONS_H

#include <gcompile/omp/order/bucketed_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

template <class V, class P> void BucketedSet<V, P>::start(const VertexSet<V> &set, const P *priority) {
  set_ = &set;
  priority_ = priority;
  entries_.resize(static_cast<std::size_t>(omp_get_max_threads()));
  seen_.resize(n_);
  open_ = 0; // the first question opens a window
}

template <class V, class P> P BucketedSet<V, P>::min() {
  const std::size_t b = first();
  if (b != 0)
    return b < open_ ? static_cast<P>(base_ + static_cast<P>(b)) : greatest<P>();
  P least = greatest<P>(); // the first bucket also holds what has sunk below the window
  std::size_t entries = 0;
  for (const Entries &own : entries_)
    entries += own.bucket[0].size();
  parallel(entries >= vertices_worth_sharing, [&](const Share &mine) {
    P own = greatest<P>();
    for (auto part = mine.dynamic(entries_.size(), 1); part.next();)
      for (std::size_t t = part.begin; t < part.end; ++t) {
        keepMembers(entries_[t], 0);
        for (V v : entries_[t].bucket[0])
          own = std::min(own, priority_[v]);
      }
    atomic_min(least, own);
  });
  return least;
}

template <class V, class P> VertexSet<V> BucketedSet<V, P>::at_most(P bound) {
  return select(bound, [=](P priority) { return priority <= bound; });
}

template <class V, class P> VertexSet<V> BucketedSet<V, P>::below(P bound) {
  return select(bound, [=](P priority) { return priority < bound; });
}

template <class V, class P> VertexSet<V> BucketedSet<V, P>::equal_to(P bound) {
  return select(bound, [=](P priority) { return priority == bound; });
}

template <class V, class P> void BucketedSet<V, P>::keepMembers(Entries &own, std::size_t b) const {
  std::vector<V> &entries = own.bucket[b];
  entries.erase(std::remove_if(entries.begin(), entries.end(), [&](V v) { return !isIn(b, v); }), entries.end());
}

template <class V, class P> std::size_t BucketedSet<V, P>::first() {
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::size_t least = open_;
    for (Entries &own : entries_) {
      while (own.least < least && !hasMember(own, own.least))
        ++own.least;
      least = std::min(least, own.least);
    }
    if (least < open_ || set_->empty())
      return least;
    open();
  }
  return open_;
}

template <class V, class P> bool BucketedSet<V, P>::hasMember(Entries &own, std::size_t b) {
  std::vector<V> &entries = own.bucket[b];
  while (!entries.empty() && !isIn(b, entries.back()))
    entries.pop_back();
  if (!entries.empty())
    return true;
  if (entries.capacity() > 4096)
    std::vector<V>().swap(entries);
  return false;
}

template <class V, class P> void BucketedSet<V, P>::open() {
  const std::size_t slots = set_->slots();
  base_ = greatest<P>();
  parallel(slots > 16384, [&](const Share &mine) {
    P least = greatest<P>();
    for (auto part = mine.equal(slots); part.next();)
      for (std::size_t i = part.begin; i < part.end; ++i)
        if (const V v = set_->slot(i); v != none<V>())
          least = std::min(least, priority_[v]);
    atomic_min(base_, least);
  });
  open_ = width;
  for (Entries &own : entries_) {
    own.least = width;
    for (std::vector<V> &entries : own.bucket)
      entries.clear();
  }
  parallel(slots > 16384, [&](const Share &mine) {
    Entries &own = entries_[static_cast<std::size_t>(omp_get_thread_num())];
    for (auto part = mine.equal(slots); part.next();)
      for (std::size_t i = part.begin; i < part.end; ++i)
        if (const V v = set_->slot(i); v != none<V>())
          add(own, v, priority_[v]);
  });
}

template <class V, class P> template <class Wanted> VertexSet<V> BucketedSet<V, P>::select(P bound, Wanted wanted) {
  const std::size_t least = first(), last = bucket(bound);
  if (least >= open_)
    return VertexSet<V>::of(n_, {});
  if (last >= open_) {
    const std::size_t slots = set_->slots();
    VertexSetBuilder<V> members(n_, slots);
    parallel(slots > 16384, [&](const Share &mine) {
      auto kept = members.writer();
      for (auto part = mine.equal(slots); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          if (const V v = set_->slot(i); v != none<V>() && wanted(priority_[v]))
            kept.push(v);
    });
    return members.finish();
  }
  std::size_t entries = 0;
  for (const Entries &own : entries_)
    for (std::size_t b = least; b <= last; ++b)
      entries += own.bucket[b].size();
  VertexSetBuilder<V> members(n_, entries);
  parallel(entries >= vertices_worth_sharing, [&](const Share &mine) {
    auto kept = members.writer();
    for (auto part = mine.dynamic(entries_.size(), 1); part.next();)
      for (std::size_t t = part.begin; t < part.end; ++t)
        for (std::size_t b = least; b <= last; ++b) {
          keepMembers(entries_[t], b);
          for (V v : entries_[t].bucket[b])
            if (wanted(priority_[v]) && seen_.set_atomic(v)) // an entry may have come back to its bucket
              kept.push(v);
        }
  });
  VertexSet<V> chosen = members.finish();
  parallel_for(chosen.slots() >= vertices_worth_sharing, chosen.slots(),
               [&](std::size_t i) { seen_.reset_word(static_cast<V>(chosen.slot(i))); });
  return chosen;
}

} // namespace gc

#endif
