// How a thread reads its part of the current frontier in a push.
#ifndef GCOMPILE_OMP_FRONTIER_READER_H
#define GCOMPILE_OMP_FRONTIER_READER_H

#include <gcompile/core/adjacency/arcs.h>
#include <gcompile/omp/frontier/active_lists.h>
#include <gcompile/omp/frontier/frontier.h>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace gc {

/// One thread's way through its part of the current vertices in a push. One thread has each vertex; but a long list may
/// be cut, and its parts be walked by several.
template <class V, class A> class Frontier<V, A>::Reader {
public:
  /// Some of the current vertices.
  struct Block {
    const V *first;
    std::size_t count;
    std::size_t known; ///< vertices from `first` on that are known to follow
    ArcId longest;     ///< list that is not left to the reader
  };

  explicit Reader(Frontier &frontier);

  /// The next vertices, at least one; no vertices behind the last. Valid until it is called again.
  Block next();
  /// This thread's part of a list that may be cut.
  Arcs long_list(V v);

private:
  bool take();
  Block block();

  Frontier &frontier_;
  const std::size_t block_size_;
  Chunks::Way way_;
  std::size_t block_ = 0;
  bool whole_ = false; // or a part of a list
  typename CutLists<V>::Part part_;
  V found_[sparse_block];
};

template <class V, class A> template <class Lists, class... Fetched> class Frontier<V, A>::ActiveVertices {
public:
  ActiveVertices(Frontier &frontier, const Graph<V, A> &graph, Fetched... fetched)
      : reader_(frontier), lists_(graph), fetched_(fetched...) {}

  /// One of them.
  class Active {
  public:
    Active(V vertex, std::size_t place, ArcId longest, ActiveVertices &all)
        : vertex_(vertex), place_(place), longest_(longest), all_(all) {}

    V vertex() const { return vertex_; }
    /// Those of its arcs that this thread is to walk.
    Arcs out_arcs() const {
      const Arcs arcs{all_.lists_.graph().out_begin(vertex_), all_.lists_.graph().out_end(vertex_)};
      return arcs.end - arcs.begin > longest_ ? all_.reader_.long_list(vertex_) : arcs;
    }
    /// The same as vertices and edges; arcs_into: where the graph is transposed, and edges have the ids of the other
    /// one.
    auto arcs() const { return arcs(nullptr); }
    auto arcs_into() const { return arcs(all_.lists_.graph().in_edges); }
    /// Their targets.
    auto out_neighbors() const {
      return all_.lists_.neighbors(place_, vertex_, longest_, [this] { return all_.reader_.long_list(vertex_); });
    }

  private:
    auto arcs(const ArcId *edges) const {
      const Arcs arcs = out_arcs();
      return detail::arc_range(all_.lists_.targets(place_, vertex_, arcs), edges, arcs.begin, arcs.end, vertex_);
    }

    const V vertex_;
    const std::size_t place_;
    const ArcId longest_;
    ActiveVertices &all_;
  };

  class Iterator {
  public:
    explicit Iterator(ActiveVertices &all) : all_(all), block_(all.reader_.next()) { take(); }

    GCOMPILE_FETCHES Active operator*() const {
      const auto vertex = [this](std::size_t k) { return block_.first[i_ + k]; };
      std::apply(
          [&](const Fetched &...each) __attribute__((always_inline)) {
            all_.lists_.prefetch(i_ - taken_first_, block_.known - i_, vertex, each...);
          },
          all_.fetched_);
      return Active(block_.first[i_], i_ - taken_first_, block_.longest, all_);
    }
    Iterator &operator++() {
      if (++i_ == taken_last_) {
        if (i_ == block_.count) {
          block_ = all_.reader_.next();
          i_ = 0;
        }
        take();
      }
      return *this;
    }
    struct End {};
    bool operator!=(End) const { return i_ != block_.count; }

  private:
    /// Takes the lists of the next vertices.
    void take() {
      taken_first_ = i_;
      if (i_ != block_.count)
        taken_last_ = i_ + all_.lists_.take(block_.first + i_, block_.count - i_, block_.known - i_, block_.longest);
    }

    ActiveVertices &all_;
    typename Reader::Block block_;
    std::size_t i_ = 0, taken_first_ = 0, taken_last_ = 0;
  };
  /// Calls f(source, target) for each arc that this thread is to walk, in any order. In place of a loop over the
  /// vertices that does nothing but go over the neighbours of each: lists that are taken out are one loop then, and a
  /// processor need not foresee where each ends.
  template <class F> void each_arc(const F &f) {
    if constexpr (Lists::taken_out) {
      for (typename Reader::Block block = reader_.next(); block.count > 0; block = reader_.next())
        for (std::size_t i = 0; i < block.count;)
          i += std::apply(
              [&](const Fetched &...each) {
                return lists_.each_arc(
                    block.first + i, block.count - i, block.known - i, block.longest, f,
                    [this](V v) { return reader_.long_list(v); }, each...);
              },
              fetched_);
    } else {
      for (const Active active : *this) {
        const V u = active.vertex();
        for (const V v : active.out_neighbors())
          f(u, v);
      }
    }
  }

  Iterator begin() { return Iterator(*this); }
  typename Iterator::End end() const { return {}; }

private:
  Reader reader_;
  Lists lists_;
  const std::tuple<Fetched...> fetched_;
};

} // namespace gc

#endif
