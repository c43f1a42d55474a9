// In-arcs cut into segments by their sources, so that what a loop reads of the sources stays in the cache.
#ifndef GCOMPILE_OMP_SEGMENTS_H
#define GCOMPILE_OMP_SEGMENTS_H

#include <gcompile/core/graph.h>
#include <gcompile/core/locality.h>
#include <gcompile/core/memory.h>
#include <gcompile/core/property.h>
#include <gcompile/omp/threads/team.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gc {

/// The in-arcs of a graph in segments: segment s has the arcs whose sources are the vertices s * width to
/// (s + 1) * width - 1 for a power of two, as a compact CSR over the vertices that they lead to (Zhang et al., "Making
/// caches work for graph analytics", 2017). A segment consists of parts of similar work, in which each vertex occurs at
/// most once in the whole segment: threads share the parts of one segment, and all finish it before the next. The lists
/// of a part, most of them short, are in the order of their lengths: a processor foresees where each ends.
template <class V> class Segments {
  static constexpr std::size_t part_work = 1 << 15; // arcs and vertices of a part, about

  struct Part {
    std::size_t list; ///< its first list
    ArcId arc;        ///< its first arc
    std::size_t run;  ///< its first run
  };
  /// Lists that follow each other and are equally long.
  struct Run {
    std::uint32_t length, lists;
  };

public:
  Segments(const Graph<V> &graph, std::size_t width) { cut(graph, width); }

  /// Number of segments.
  std::size_t size() const { return first_parts_.size() - 1; }
  /// Number of parts of segment s.
  std::size_t parts(std::size_t s) const { return first_parts_[s + 1] - first_parts_[s]; }
  /// The time that the construction took.
  double seconds() const { return seconds_; }

  /// A vertex and the sources in the segment of the arcs into it, ascending if the graph's lists are.
  struct List {
    V target;
    Span<V> sources;
  };
  class Iterator {
  public:
    Iterator(const Segments &all, const Part &part)
        : target_(all.targets_.data() + part.list), sources_(all.sources_.data() + part.arc),
          run_(all.runs_.data() + part.run), left_(run_->lists) {}
    List operator*() const { return {*target_, {sources_, sources_ + run_->length}}; }
    Iterator &operator++() {
      ++target_;
      sources_ += run_->length;
      if (--left_ == 0)
        left_ = (++run_)->lists;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return target_ != other.target_; }

  private:
    const V *target_, *sources_;
    const Run *run_;
    std::uint32_t left_; // lists of the run, from this one on
  };
  struct Lists {
    const Segments &all;
    std::size_t part;
    Iterator begin() const { return {all, all.parts_[part]}; }
    Iterator end() const { return {all, all.parts_[part + 1]}; }
  };
  /// The lists of a part of segment s.
  Lists part(std::size_t s, std::size_t p) const { return {*this, first_parts_[s] + p}; }

protected:
  /// To be cut later.
  Segments() = default;
  /// Of that width, or of the next smaller power of two.
  void cut(const Graph<V> &graph, std::size_t width) {
    const auto start = std::chrono::steady_clock::now();
    while (width >> (shift_ + 1) && shift_ + 1 < sizeof(V) * 8)
      ++shift_;
    build(graph);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

private:
  void build(const Graph<V> &graph) {
    const std::size_t n = graph.num_vertices(), count = n == 0 ? 0 : ((n - 1) >> shift_) + 1;
    // Each segment is filled by blocks of vertices in turn; first how much comes from each block.
    constexpr std::size_t block_size = 1 << 14;
    const std::size_t blocks = (n + block_size - 1) / block_size;
    std::vector<Part> starts(count * blocks + 1, Part{0, 0, 0}); // of segment s and block b: at s * blocks + b
    visit(graph, blocks, block_size, [&](std::size_t b, auto lists) {
      std::vector<Part> own(count, Part{0, 0, 0}); // threads do not share cache lines
      lists([&](V, std::size_t s, Span<V> sources) {
        ++own[s].list;
        own[s].arc += sources.size();
      });
      for (std::size_t s = 0; s < count; ++s)
        starts[s * blocks + b] = own[s];
    });
    Part sum{0, 0, 0};
    for (Part &part : starts) {
      std::swap(part, sum);
      sum.list += part.list;
      sum.arc += part.arc;
    }
    const Part all = starts.back();
    targets_ = Array<V>(all.list);
    Array<std::uint32_t> lengths(all.list);
    sources_ = Array<V>(all.arc + 1); // one more, so that an empty part at the end has an address
    visit(graph, blocks, block_size, [&](std::size_t b, auto lists) {
      std::vector<Part> own(count);
      for (std::size_t s = 0; s < count; ++s)
        own[s] = starts[s * blocks + b];
      lists([&](V v, std::size_t s, Span<V> sources) {
        Part &at = own[s];
        targets_[at.list] = v;
        lengths[at.list++] = static_cast<std::uint32_t>(sources.size());
        std::copy(sources.begin(), sources.end(), &sources_[at.arc]);
        at.arc += sources.size();
      });
    });
    // Parts end with the segments, and where they have become large enough.
    first_parts_.push_back(0);
    for (std::size_t s = 0; s < count; ++s) {
      Part at = starts[s * blocks];
      const std::size_t last = starts[(s + 1) * blocks].list;
      while (at.list < last) {
        parts_.push_back(at);
        for (std::size_t work = 0; at.list < last && work < part_work; ++at.list) {
          work += lengths[at.list] + 1;
          at.arc += lengths[at.list];
        }
      }
      first_parts_.push_back(parts_.size());
    }
    parts_.push_back(all);
    order_lists(lengths);
  }

  /// Fills `order` with the numbers of as many lists, the shorter ones first.
  static void sort_by_length(const std::uint32_t *lengths, std::vector<std::uint32_t> &order) {
    constexpr std::uint32_t longest = 255; // list that is counted, not compared
    std::uint32_t starts[longest + 2] = {};
    for (std::size_t i = 0; i < order.size(); ++i)
      ++starts[std::min(lengths[i], longest) + 1];
    for (std::uint32_t length = 0; length <= longest; ++length)
      starts[length + 1] += starts[length];
    const std::uint32_t counted = starts[longest];
    for (std::size_t i = 0; i < order.size(); ++i)
      order[starts[std::min(lengths[i], longest)]++] = static_cast<std::uint32_t>(i);
    std::sort(order.begin() + counted, order.end(),
              [=](std::uint32_t a, std::uint32_t b) { return std::pair(lengths[a], a) < std::pair(lengths[b], b); });
  }
  /// Orders the lists of each part by their lengths.
  void order_lists(const Array<std::uint32_t> &lengths) {
    const std::size_t count = parts_.size() - 1;
    std::vector<std::vector<Run>> runs(count + 1);
    each(count, [&](auto mine) {
      std::vector<std::uint32_t> order;
      std::vector<V> targets, sources;
      std::vector<ArcId> arcs;
      mine([&](std::size_t p) {
        const Part first = parts_[p], last = parts_[p + 1];
        order.resize(last.list - first.list);
        sort_by_length(lengths.data() + first.list, order);
        targets.assign(targets_.data() + first.list, targets_.data() + last.list);
        sources.assign(sources_.data() + first.arc, sources_.data() + last.arc);
        arcs.resize(order.size() + 1);
        arcs[0] = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
          arcs[i + 1] = arcs[i] + lengths[first.list + i];
        V *target = targets_.data() + first.list, *source = sources_.data() + first.arc;
        for (const std::uint32_t i : order) {
          const std::uint32_t length = lengths[first.list + i];
          if (runs[p].empty() || runs[p].back().length != length)
            runs[p].push_back({length, 0});
          ++runs[p].back().lists;
          *target++ = targets[i];
          source = std::copy(sources.data() + arcs[i], sources.data() + arcs[i + 1], source);
        }
      });
    });
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      parts_[p].run = runs_.size();
      runs_.insert(runs_.end(), runs[p].begin(), runs[p].end());
    }
    runs_.push_back({0, 0}); // where those behind the last part would begin
  }

  /// For each block of vertices, in parallel, calls `visit(block, lists)`; lists(f) calls `f(v, s, sources)` for the
  /// sources in segment s of the arcs into v.
  template <class Visit>
  void visit(const Graph<V> &graph, std::size_t blocks, std::size_t block_size, Visit visit) const {
    each(blocks, [&](auto mine) {
      mine([&](std::size_t b) {
        visit(b, [&, b](auto f) {
          const std::size_t end = std::min<std::size_t>((b + 1) * block_size, graph.num_vertices());
          for (std::size_t i = b * block_size; i < end; ++i) {
            const V v = static_cast<V>(i);
            const Span<V> list = graph.in_neighbors(v);
            for (const V *u = list.begin(); u != list.end();) {
              const V segment = *u >> shift_;
              const V *const first = u;
              while (u != list.end() && *u >> shift_ == segment)
                ++u;
              f(v, static_cast<std::size_t>(segment), Span<V>{first, u});
            }
          }
        });
      });
    });
  }
  /// Calls `thread(mine)` on each thread; mine(f) calls f(i) for its share of the indices below `count`.
  template <class Thread> static void each(std::size_t count, const Thread &thread) {
    parallel(true, [&](const Share &share) {
      thread([&](const auto &f) {
        for (auto part = share.dynamic(count, 1); part.next();)
          for (std::size_t i = part.begin; i < part.end; ++i)
            f(i);
      });
    });
  }

  unsigned shift_ = 0;
  double seconds_ = 0;
  Array<V> targets_, sources_;
  std::vector<Part> parts_;
  std::vector<Run> runs_;
  std::vector<std::size_t> first_parts_;
};

/// Segments of a program that asks in each of its rounds whether to go by them. They are cut the third time, where
/// the values that are read of the sources exceed a processor's second-level cache, most are read far away from the
/// last, and memory is left. Then a segment has as many sources as fit into half of that cache.
template <class V> class ChosenSegments : public Segments<V> {
public:
  /// `bytes` are read of each source.
  ChosenSegments(const Graph<V> &graph, std::size_t bytes) : graph_(graph), bytes_(bytes) {}

  /// Whether to go by segments in this round.
  bool pay() {
    constexpr int patience = 3;        // rounds: a cut takes as long as it saves in five to fifteen
    constexpr std::size_t most = 4096; // segments
    if (rounds_ < patience && ++rounds_ == patience) {
      const std::size_t half = detail::second_level_cache() / 2;
      const std::size_t bytes = graph_.num_vertices() * bytes_;
      pays_ =
          bytes > 3 * half && bytes / half < most && !isShort() &&
          detail::are_scattered(graph_.num_vertices(), half / bytes_, [this](V v) { return graph_.in_neighbors(v); });
      if (pays_)
        this->cut(graph_, half / bytes_);
    }
    return pays_;
  }

private:
  /// A cut takes up to two ids and a length an arc, and leaves half of what there is.
  bool isShort() const { return graph_.num_arcs() * 2 * (2 * sizeof(V) + 4) > available_memory(); }

  const Graph<V> graph_;
  const std::size_t bytes_;
  int rounds_ = 0;
  bool pays_ = false;
};

} // namespace gc

#endif
