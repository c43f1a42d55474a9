// Membership in a set of vertices that other ranks own.
#ifndef GCOMPILE_MPI_SET_COPIES_H
#define GCOMPILE_MPI_SET_COPIES_H

#include <gcompile/mpi/ranks.h>

#include <algorithm>
#include <vector>

namespace gc::mpi {

/// Which copies are members of a set. Owners tell only what has changed since they last did.
template <class V> class SetCopies {
public:
  /// `set` holds the own members.
  SetCopies(Ranks<V> &ranks, const VertexSet<V> &set)
      : ranks_(ranks), set_(set), told_(ranks.size()), members_(ranks.num_vertices(), 0) {
    for (int r = 0; r < ranks.size(); ++r)
      told_[r].resize(ranks.held_by(r).size(), 0);
  }

  /// Brings the copies up to date. All ranks.
  void update() {
    ranks_.send_vertices(
        [&](int r, const auto &send) {
          const std::vector<V> &vertices = ranks_.held_by(r);
          for (std::size_t i = 0; i < vertices.size(); ++i)
            if (const char is = set_.contains(vertices[i]); is != told_[r][i]) {
              told_[r][i] = is;
              send(vertices[i]);
            }
        },
        [&](V v) { members_[v] = !members_[v]; });
  }

  bool contains(V v) const { return ranks_.owns(v) ? set_.contains(v) : v < ranks_.num_vertices() && members_[v]; }

private:
  Ranks<V> &ranks_;
  const VertexSet<V> &set_;
  std::vector<std::vector<char>> told_; ///< by rank, what it knows of the own vertices that it has copies of
  std::vector<char> members_;           ///< of copies
};

} // namespace gc::mpi

#endif
