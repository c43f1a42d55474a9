// Membership in a set of vertices that other ranks own.
#ifndef GCOMPILE_MPI_SET_COPIES_H
#define GCOMPILE_MPI_SET_COPIES_H

#include <gcompile/core/adjacency/cursors.h>
#include <gcompile/mpi/ranks.h>
#include <gcompile/omp/sets/bitmap.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc::mpi {

/// Which copies are members of a set. Owners tell only what has changed since they last did.
template <class V> class SetCopies {
public:
  /// `set` holds the own members.
  SetCopies(Ranks<V> &ranks, const VertexSet<V> &set)
      : ranks_(ranks), set_(set), first_word_(ranks.first() / 64), told_(ranks.last() / 64 + 1 - first_word_, 0) {
    members_.resize(ranks.num_vertices());
  }

  /// Brings the copies up to date; where these are but `of_lists`, only if arcs are divided. All ranks.
  void update(Copies copies = Copies::of_ends) {
    if (copies == Copies::of_lists && !ranks_.divided())
      return;
    find_changed();
    ranks_.send_vertices(
        [&](int r, const auto &send) {
          const std::vector<V> &held = ranks_.held_by(r);
          const V *next = held.data(), *const end = next + held.size();
          for (const V v : changed_)
            if (next = gc::detail::gallop(next, end, v); next != end && *next == v)
              send(v);
        },
        [&](V v) { members_.data()[v / 64] ^= std::uint64_t(1) << (v % 64); });
  }

  /// What kernels ask, as long as the set stays as it is.
  class View {
  public:
    explicit View(const SetCopies &copies)
        : set_(copies.set_), n_(copies.ranks_.num_vertices()), first_(copies.ranks_.first()),
          count_(copies.ranks_.count()), own_(set_.bitmap()), members_(copies.members_.data()) {}

    bool contains(V v) const {
      if (v >= n_)
        return false;
      const bool owned = v - first_ < count_;
      if (owned && !own_)
        return set_.contains(v);
      return BitView{owned ? own_ : members_}.contains(v);
    }

  private:
    const VertexSet<V> &set_;
    const V n_, first_, count_;
    const std::uint64_t *const own_, *const members_;
  };
  View view() const { return View(*this); }

private:
  /// Lists the own vertices that have come into the set, or left it, since copies were told.
  void find_changed() {
    changed_.clear();
    const std::uint64_t *now = set_.bitmap();
    if (now) {
      now += first_word_;
    } else {
      now_.assign(told_.size(), 0);
      for (const V v : set_)
        now_[v / 64 - first_word_] |= std::uint64_t(1) << (v % 64);
      now = now_.data();
    }
    for (std::size_t w = 0; w < told_.size(); ++w) {
      for (std::uint64_t news = now[w] ^ told_[w]; news != 0; news &= news - 1)
        changed_.push_back(static_cast<V>((first_word_ + w) * 64 + static_cast<std::size_t>(__builtin_ctzll(news))));
      told_[w] = now[w];
    }
  }

  Ranks<V> &ranks_;
  const VertexSet<V> &set_;
  std::size_t first_word_;          ///< of a bitmap of all vertices, the one with the first own vertex
  std::vector<std::uint64_t> told_; ///< from there on, what copies know
  std::vector<std::uint64_t> now_;
  std::vector<V> changed_; ///< ascending
  Bitmap members_;         ///< of copies
};

} // namespace gc::mpi

#endif
