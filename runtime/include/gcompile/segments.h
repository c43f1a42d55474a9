// In-arcs cut into segments by their sources, so that what a loop reads of the sources stays in the cache.
#ifndef GCOMPILE_SEGMENTS_H
#define GCOMPILE_SEGMENTS_H

#include <gcompile/graph.h>
#include <gcompile/property.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gc {

/// The in-arcs of a graph in segments: segment s has the arcs whose sources are the vertices s * width to
/// (s + 1) * width - 1, as a compact CSR over the vertices that they lead to (Zhang et al., "Making caches work for
/// graph analytics", 2017). A segment consists of parts of similar work, in which each vertex occurs at most once in
/// the whole segment: threads share the parts of one segment, and all finish it before the next.
template <class V> class Segments {
  static constexpr std::size_t part_work = 1 << 15; // arcs and vertices of a part, about

  struct Part {
    std::size_t list; ///< its first list
    EdgeId arc;       ///< its first arc
  };

public:
  Segments(const Graph<V> &graph, std::size_t width) : width_(static_cast<V>(width)) {
    const auto start = std::chrono::steady_clock::now();
    build(graph);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  /// Number of segments.
  std::size_t size() const { return first_parts_.size() - 1; }
  /// The parts of segment s are begin(s)..end(s)-1.
  std::size_t begin(std::size_t s) const { return first_parts_[s]; }
  std::size_t end(std::size_t s) const { return first_parts_[s + 1]; }
  /// The time that the construction took.
  double seconds() const { return seconds_; }

  /// A vertex and the sources in the segment of the arcs into it, ascending if the graph's lists are.
  struct List {
    V target;
    Span<V> sources;
  };
  class Iterator {
  public:
    Iterator(const Segments &all, const Part &part) : all_(all), list_(part.list), sources_(&all.sources_[part.arc]) {}
    List operator*() const { return {all_.targets_[list_], {sources_, sources_ + all_.lengths_[list_]}}; }
    Iterator &operator++() {
      sources_ += all_.lengths_[list_++];
      return *this;
    }
    bool operator!=(const Iterator &other) const { return list_ != other.list_; }

  private:
    const Segments &all_;
    std::size_t list_;
    const V *sources_;
  };
  struct Lists {
    const Segments &all;
    std::size_t part;
    Iterator begin() const { return {all, all.parts_[part]}; }
    Iterator end() const { return {all, all.parts_[part + 1]}; }
  };
  /// The lists of a part.
  Lists part(std::size_t p) const { return {*this, p}; }

private:
  void build(const Graph<V> &graph) {
    const std::size_t n = graph.num_vertices(), count = n == 0 ? 0 : (n - 1) / width_ + 1;
    // Each segment is filled by blocks of vertices in turn; first how much comes from each block.
    constexpr std::size_t block_size = 1 << 14;
    const std::size_t blocks = (n + block_size - 1) / block_size;
    std::vector<Part> starts(count * blocks + 1, Part{0, 0}); // of segment s and block b: at s * blocks + b
    visit(graph, blocks, block_size, [&](std::size_t b, V, std::size_t s, Span<V> sources) {
      Part &part = starts[s * blocks + b];
      ++part.list;
      part.arc += sources.size();
    });
    Part sum{0, 0};
    for (Part &part : starts) {
      std::swap(part, sum);
      sum.list += part.list;
      sum.arc += part.arc;
    }
    const Part all = starts.back();
    targets_ = Array<V>(all.list);
    lengths_ = Array<std::uint32_t>(all.list);
    sources_ = Array<V>(all.arc + 1); // one more, so that an empty part at the end has an address
    std::vector<std::size_t> last(count);
    for (std::size_t s = 0; s < count; ++s)
      last[s] = starts[(s + 1) * blocks].list;
    const std::vector<Part> first = starts;
    visit(graph, blocks, block_size, [&](std::size_t b, V v, std::size_t s, Span<V> sources) {
      Part &part = starts[s * blocks + b];
      targets_[part.list] = v;
      lengths_[part.list++] = static_cast<std::uint32_t>(sources.size());
      std::copy(sources.begin(), sources.end(), &sources_[part.arc]);
      part.arc += sources.size();
    });
    // Parts end with the segments, and where they have become large enough.
    first_parts_.push_back(0);
    for (std::size_t s = 0; s < count; ++s) {
      Part at = first[s * blocks];
      while (at.list < last[s]) {
        parts_.push_back(at);
        for (std::size_t work = 0; at.list < last[s] && work < part_work; ++at.list) {
          work += lengths_[at.list] + 1;
          at.arc += lengths_[at.list];
        }
      }
      first_parts_.push_back(parts_.size());
    }
    parts_.push_back(all);
  }

  /// Calls `visit(block, v, s, sources)` for the sources in segment s of the arcs into v, in parallel by block.
  template <class Visit>
  void visit(const Graph<V> &graph, std::size_t blocks, std::size_t block_size, Visit visit) const {
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t end = std::min<std::size_t>((b + 1) * block_size, graph.num_vertices());
      for (std::size_t i = b * block_size; i < end; ++i) {
        const V v = static_cast<V>(i);
        const Span<V> list = graph.in_neighbors(v);
        for (const V *u = list.begin(); u != list.end();) {
          const V segment = *u / width_;
          const V *const first = u;
          while (u != list.end() && *u / width_ == segment)
            ++u;
          visit(b, v, static_cast<std::size_t>(segment), Span<V>{first, u});
        }
      }
    }
  }

  V width_;
  double seconds_ = 0;
  Array<V> targets_, sources_;
  Array<std::uint32_t> lengths_;
  std::vector<Part> parts_;
  std::vector<std::size_t> first_parts_;
};

} // namespace gc

#endif
