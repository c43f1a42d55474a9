// How segments are cut.
#ifndef GCOMPILE_OMP_SEGMENTS_CUT_H
#define GCOMPILE_OMP_SEGMENTS_CUT_H

#include <gcompile/omp/segments.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <gcompile/core/locality.h>
#include <gcompile/core/memory.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace gc {

template <class V, class A> template <class Thread> void Segments<V, A>::each(std::size_t count, const Thread &thread) {
  parallel(true, [&](const Share &share) {
    thread([&](const auto &f) {
      for (auto part = share.dynamic(count, 1); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          f(i);
    });
  });
}

template <class V, class A>
template <class Visit>
void Segments<V, A>::visit(const Graph<V, A> &graph, std::size_t blocks, std::size_t block_size, Visit visit) const {
  each(blocks, [&](auto mine) {
    mine([&](std::size_t b) {
      visit(b, [&, b](auto f) {
        const std::size_t end = std::min<std::size_t>((b + 1) * block_size, graph.num_vertices());
        for (std::size_t i = b * block_size; i < end; ++i) {
          const V v = static_cast<V>(i);
          const auto list = graph.in_neighbors(v);
          for (auto u = list.begin(); u != list.end();) {
            const V segment = *u >> shift_;
            const auto first = u;
            while (u != list.end() && *u >> shift_ == segment)
              ++u;
            f(v, static_cast<std::size_t>(segment), std::decay_t<decltype(list)>{first, u});
          }
        }
      });
    });
  });
}

template <class V, class A> void Segments<V, A>::cut(const Graph<V, A> &graph, std::size_t width) {
  const auto start = std::chrono::steady_clock::now();
  while (width >> (shift_ + 1) && shift_ + 1 < 8 * sizeof(V) && shift_ < id_bits)
    ++shift_;
  build(graph);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class V, class A> void Segments<V, A>::build(const Graph<V, A> &graph) {
  const std::size_t n = graph.num_vertices(), count = n == 0 ? 0 : ((n - 1) >> shift_) + 1;
  // Each segment is filled by blocks of vertices in turn; first how much comes from each block.
  constexpr std::size_t block_size = 1 << 14;
  const std::size_t blocks = (n + block_size - 1) / block_size;
  std::vector<Part> starts(count * blocks + 1, Part{0, 0, 0, 0}); // of segment s and block b: at s * blocks + b
  visit(graph, blocks, block_size, [&](std::size_t b, auto lists) {
    std::vector<Part> own(count, Part{0, 0, 0, 0}); // threads do not share cache lines
    lists([&](V, std::size_t s, const auto &sources) {
      ++own[s].list;
      own[s].arc += sources.size();
    });
    for (std::size_t s = 0; s < count; ++s)
      starts[s * blocks + b] = own[s];
  });
  Part sum{0, 0, 0, 0};
  for (Part &part : starts) {
    std::swap(part, sum);
    sum.list += part.list;
    sum.arc += part.arc;
  }
  const Part all = starts.back();
  targets_ = Array<Id>(all.list);
  Array<std::uint32_t> lengths(all.list);
  sources_ = Array<Id>(all.arc + 1); // one more, so that an empty part at the end has an address
  visit(graph, blocks, block_size, [&](std::size_t b, auto lists) {
    std::vector<Part> own(count);
    for (std::size_t s = 0; s < count; ++s)
      own[s] = starts[s * blocks + b];
    lists([&](V v, std::size_t s, const auto &sources) {
      Part &at = own[s];
      targets_[at.list] = static_cast<Id>(v);
      lengths[at.list++] = static_cast<std::uint32_t>(sources.size());
      const V first = near ? static_cast<V>(std::uint64_t(s) << shift_) : 0;
      for (const V u : sources)
        sources_[at.arc++] = static_cast<Id>(u - first);
    });
  });
  // Parts end with the segments, with the blocks of targets that 16 bits number, and where they have become large
  // enough.
  const std::size_t together = near ? (std::size_t(1) << id_bits) / block_size : std::max<std::size_t>(blocks, 1);
  first_parts_.push_back(0);
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t b = 0; b < blocks; b += together) {
      Part at = starts[s * blocks + b];
      at.first = static_cast<V>(b * block_size);
      const std::size_t last = starts[s * blocks + std::min(b + together, blocks)].list;
      while (at.list < last) {
        parts_.push_back(at);
        for (std::size_t work = 0; at.list < last && work < part_work; ++at.list) {
          work += lengths[at.list] + 1;
          at.arc += lengths[at.list];
        }
      }
    }
    first_parts_.push_back(parts_.size());
  }
  parts_.push_back(all);
  order_lists(lengths);
}

template <class V, class A>
void Segments<V, A>::sort_by_length(const std::uint32_t *lengths, std::vector<std::uint32_t> &order) {
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

template <class V, class A> void Segments<V, A>::order_lists(const Array<std::uint32_t> &lengths) {
  const std::size_t count = parts_.size() - 1;
  std::vector<std::vector<Run>> runs(count + 1);
  each(count, [&](auto mine) {
    std::vector<std::uint32_t> order;
    std::vector<Id> targets, sources;
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
      Id *target = targets_.data() + first.list, *source = sources_.data() + first.arc;
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

template <class V, class A> bool ChosenSegments<V, A>::pay() {
  constexpr int patience = 3;        // rounds: a cut takes as long as it saves in five to fifteen
  constexpr std::size_t most = 4096; // segments
  if (rounds_ < patience && ++rounds_ == patience) {
    const std::size_t half = detail::second_level_cache() / 2;
    const std::size_t bytes = graph_.num_vertices() * bytes_;
    const std::size_t width = std::clamp<std::size_t>(half / bytes_, 1, this->most_sources);
    pays_ = bytes > 3 * half && graph_.num_vertices() / width < most && !isShort() &&
            detail::are_scattered(graph_.num_vertices(), half / bytes_, [this](V v) { return graph_.in_neighbors(v); });
    if (pays_)
      this->cut(graph_, half / bytes_);
  }
  return pays_;
}

template <class V, class A> bool ChosenSegments<V, A>::isShort() const {
  return graph_.num_arcs() * 2 * (2 * this->id_bytes + 4) > available_memory();
}

} // namespace gc

#endif
