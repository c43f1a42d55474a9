// What buckets do once a round, or once a chunk of entries.
#ifndef GCOMPILE_OMP_ORDER_BUCKET_ROUNDS_H
#define GCOMPILE_OMP_ORDER_BUCKET_ROUNDS_H

#include <gcompile/omp/order/buckets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {

template <class V, class P> Buckets<V, P>::Buckets() = default;
template <class V, class P> Buckets<V, P>::~Buckets() = default;

template <class V, class P> void Buckets<V, P>::begin(const Value *priority, double delta, std::size_t fused) {
  swept_.stop();
  priority_ = priority;
  levels_ = PriorityLevels<P>(delta);
  fused_ = fused;
  ends_.clear();
  shares_.resize(static_cast<std::size_t>(omp_get_max_threads()));
  for (Share &share : shares_) { // a run that ended early has left some
    share.bins.resize(window);
    for (auto *entries : {&share.current, &share.later, &share.own})
      entries->clear();
    for (EntryList<Entry> &bin : share.bins)
      bin.clear();
  }
}

template <class V, class P> void Buckets<V, P>::start(const VertexSet<V> &from) {
  bool any = false;
  Index least = no_bucket;
  for (V v : from) {
    least = std::min(least, levels_.of(priority_[v]));
    any = true;
  }
  base_ = now_ = any ? least : 0;
  Bins bins(*this);
  for (V v : from)
    bins.push(v);
}

template <class V, class P> bool Buckets<V, P>::advance() {
  if (swept_.in_use()) {
    const bool found = swept_.advance();
    size_ = swept_.size();
    return found;
  }
  Index chosen = no_bucket;
  for (std::uint64_t i = place(now_); i < window && chosen == no_bucket; ++i)
    for (const Share &share : shares_)
      if (!share.bins[i].empty())
        chosen = base_ + static_cast<Index>(i);
  if (chosen == no_bucket) {
    chosen = first_later();
    if (chosen == no_bucket)
      return false;
    move_window(chosen);
  }
  if constexpr (std::is_same<P, Value>::value)
    if (!ends_.empty() && levels_.of(last_wanted()) < chosen)
      return false;
  now_ = chosen;
  size_ = 0;
  for (Share &share : shares_) {
    share.current.clear();
    if (share.current.has_memory())
      share.emptied.push_back(std::move(share.current));
    share.current = std::move(share.bins[place(now_)]);
    share.taken = 0;
    size_ += share.current.size();
  }
  return true;
}

template <class V, class P> void Buckets<V, P>::make_room(Share &share, EntryList<Entry> &bin) {
  if (!bin.has_memory() && !share.emptied.empty()) {
    bin = std::move(share.emptied.back());
    share.emptied.pop_back();
  }
  if (bin.full())
    bin.grow();
}

template <class V, class P> typename Buckets<V, P>::Value Buckets<V, P>::last_wanted() const {
  Value last = first_end_ ? inf<Value>() : lowest<Value>();
  for (const V end : ends_) {
    const Value p = end == none<V>() ? inf<Value>() : priority_[end];
    last = first_end_ ? std::min(last, p) : std::max(last, p);
  }
  return last;
}

template <class V, class P> typename Buckets<V, P>::Index Buckets<V, P>::first_later() {
  Index first = no_bucket;
  for (Share &share : shares_) {
    std::size_t kept = 0;
    for (const Entry &entry : share.later)
      if (priority_[entry.vertex] == entry.priority) {
        first = std::min(first, levels_.of(entry.priority));
        share.later.begin()[kept++] = entry;
      }
    share.later.cut(kept);
  }
  return first;
}

template <class V, class P> void Buckets<V, P>::move_window(Index base) {
  base_ = base;
  for (Share &share : shares_) {
    std::size_t kept = 0;
    for (const Entry &entry : share.later) {
      if (const std::uint64_t at = place(levels_.of(entry.priority)); at < window)
        add(share, share.bins[at], entry);
      else
        share.later.begin()[kept++] = entry;
    }
    share.later.cut(kept);
  }
}

template <class V, class P> typename Buckets<V, P>::Taken Buckets<V, P>::take(std::size_t victim, Share &own) {
  if (swept_.in_use()) {
    own.own.clear();
    swept_.take([&](V v) { add(own, own.own, {v, load(priority_[v])}); });
    return {own.own.begin(), own.own.end(), victim};
  }
  const std::size_t threads = shares_.size();
  for (std::size_t tried = 0; tried < threads; ++tried) {
    Share &share = shares_[victim];
    const std::size_t size = share.current.size();
    if (__atomic_load_n(&share.taken, __ATOMIC_RELAXED) < size) {
      const std::size_t begin = __atomic_fetch_add(&share.taken, chunk, __ATOMIC_RELAXED);
      if (begin < size)
        return {share.current.begin() + begin, share.current.begin() + std::min(begin + chunk, size), victim};
    }
    victim = victim + 1 == threads ? 0 : victim + 1;
  }
  EntryList<Entry> &added = own.bins[place(now_)];
  if (added.empty() || added.size() >= fused_)
    return {nullptr, nullptr, victim};
  std::swap(own.own, added);
  added.clear();
  return {own.own.begin(), own.own.end(), victim};
}

} // namespace gc

#endif
