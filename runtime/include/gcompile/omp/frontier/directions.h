// Which way the rounds of a frontier go, and the arcs that decide it.
#ifndef GCOMPILE_OMP_FRONTIER_DIRECTIONS_H
#define GCOMPILE_OMP_FRONTIER_DIRECTIONS_H

#include <gcompile/omp/frontier/frontier.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gc {

template <class V, class A> bool Frontier<V, A>::pulls(double alpha, double beta) {
  return pulls_if([&] { return begins_to_pull(arcs_, unseen_, graph_.num_arcs(), alpha); }, beta);
}

template <class V, class A> bool Frontier<V, A>::pulls_by_work(double beta) {
  const std::size_t n = graph_.num_vertices();
  visited_ += size_;
  const int threads = omp_get_max_threads();
  const std::size_t waiting = n - std::min(n, visited_);
  if (!pulling_)
    return pulls_if([&] { return pull_work_.is_less(graph_, {size_, arcs_}, unseen_, waiting, threads); }, beta);
  const bool many = goes_on_pulling(size_, previous_size_, n, beta);
  const bool pull = pull_work_.is_less_again(graph_, size_, many, unseen_, waiting, receivers_.count(), threads,
                                             [this] { return count_arcs_of_bits(); });
  if (!pull)
    unseen_ -= std::min(unseen_, arcs_);
  begin(pull);
  return pull;
}

template <class V, class A> bool Frontier<V, A>::pulls_by_work_of_all(double beta) {
  const std::size_t n = graph_.num_vertices();
  visited_ += size_;
  const int threads = omp_get_max_threads();
  return pulls_if(
      [&] {
        return pull_work_.is_less_of_all(graph_, {size_, arcs_}, unseen_, n - std::min(n, visited_), threads);
      },
      beta);
}

template <class V, class A> template <class Begins> bool Frontier<V, A>::pulls_if(const Begins &begins, double beta) {
  bool pull = false;
  if (!pulling_) {
    count_arcs();
    pull = begins();
    if (!pull)
      unseen_ -= std::min(unseen_, arcs_);
  } else {
    pull = goes_on_pulling(size_, previous_size_, graph_.num_vertices(), beta);
  }
  begin(pull);
  return pull;
}

template <class V, class A> bool Frontier<V, A>::pulls_by_growth(double alpha, double beta) {
  const double n = static_cast<double>(graph_.num_vertices());
  const double factor = std::max(static_cast<double>(graph_.num_arcs()) / n / 2, 1.0);
  count_arcs();
  const ArcId scanned = previous_arcs_;
  visited_ += size_;
  const double rest = std::max(n - static_cast<double>(visited_), 0.0) * factor + n;
  const bool pull = size_ > previous_size_ ? pulling_ || static_cast<double>(scanned) >= rest / alpha
                                           : static_cast<double>(size_) >= rest / (factor * beta);
  begin(pull);
  return pull;
}

template <class V, class A> void Frontier<V, A>::begin(bool pull) {
  if (pull)
    begin_pull();
  else
    begin_push();
}

template <class V, class A> void Frontier<V, A>::count_arcs() {
  if (!counting_) {
    counting_ = true;
    unseen_ = graph_.num_arcs();
    arcs_ = size_ == graph_.num_vertices() ? unseen_ : arcs_of_list();
  }
}

template <class V, class A> ArcId Frontier<V, A>::count_arcs_of_bits() {
  arcs_ = 0;
  has_long_ = false;
  parallel(size_ > 16384, [&](const Share &mine) {
    ArcId own = 0, longest = 0;
    for (auto part = mine.equal(bits_.words()); part.next();)
      for (std::size_t w = part.begin; w < part.end; ++w)
        for (std::uint64_t word = bits_.data()[w]; word; word &= word - 1) {
          const V v = static_cast<V>(w * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
          const ArcId list = graph_.out_end(v) - graph_.out_begin(v);
          own += list;
          longest = std::max(longest, list);
        }
    __atomic_fetch_add(&arcs_, own, __ATOMIC_RELAXED);
    if (longest > CutLists<V>::longest)
      __atomic_store_n(&has_long_, true, __ATOMIC_RELAXED);
  });
  return arcs_;
}

template <class V, class A> ArcId Frontier<V, A>::arcs_of_list() const {
  ArcId arcs = 0;
  parallel(size_ > 16384, [&](const Share &mine) {
    ArcId own = 0;
    for (auto part = mine.equal(size_); part.next();)
      for (std::size_t i = part.begin; i < part.end; ++i)
        own += graph_.out_end(list_[i]) - graph_.out_begin(list_[i]);
    __atomic_fetch_add(&arcs, own, __ATOMIC_RELAXED);
  });
  return arcs;
}

} // namespace gc

#endif
