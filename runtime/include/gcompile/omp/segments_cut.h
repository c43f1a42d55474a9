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

namespace detail {

template <class V, class Id>
template <class Thread>
void CutArcs<V, Id>::each(std::size_t count, const Thread &thread) {
  parallel(true, [&](const Share &share) {
    thread([&](const auto &f) {
      for (auto part = share.dynamic(count, 1); part.next();)
        for (std::size_t i = part.begin; i < part.end; ++i)
          f(i);
    });
  });
}

template <class V, class Id>
template <class Sources, class F>
void CutArcs<V, Id>::split(const Sources &list, const F &f) const {
  for (auto u = list.begin(); u != list.end();) {
    const V segment = *u >> shift_;
    const auto first = u;
    while (u != list.end() && *u >> shift_ == segment)
      ++u;
    f(static_cast<std::size_t>(segment), Sources{first, u});
  }
}

template <class V, class Id>
template <class A, class Visit>
void CutArcs<V, Id>::for_blocks(const Graph<V, A> &graph, Rows<V> rows, std::size_t blocks, std::size_t block_size,
                                Visit visit) const {
  each(blocks, [&](auto mine) {
    mine([&](std::size_t b) {
      visit(b, [&, b](auto f) {
        const std::size_t end = std::min<std::size_t>((b + 1) * block_size, rows.size());
        for (std::size_t i = b * block_size; i < end; ++i) {
          const V v = static_cast<V>(rows.first + i);
          split(graph.in_neighbors(v), [&](std::size_t s, const auto &sources) { f(v, s, sources); });
        }
      });
    });
  });
}

template <class V, class Id>
template <class A>
void CutArcs<V, Id>::cut(const Graph<V, A> &graph, Rows<V> rows, std::size_t width, bool by_targets) {
  while (width >> (shift_ + 1) && shift_ + 1 < 8 * sizeof(V) && shift_ < id_bits)
    ++shift_;
  if (graph.num_vertices() > 0 && (by_targets || (graph.num_vertices() - 1) >> shift_ == 0))
    build_by_targets(graph, rows);
  else
    build(graph, rows);
}

template <class V, class Id> template <class A> void CutArcs<V, Id>::build(const Graph<V, A> &graph, Rows<V> rows) {
  const std::size_t n = graph.num_vertices(), count = n == 0 ? 0 : ((n - 1) >> shift_) + 1;
  // Each segment is filled by blocks of vertices in turn; first how much comes from each block.
  constexpr std::size_t block_size = 1 << 14;
  const std::size_t blocks = (rows.size() + block_size - 1) / block_size;
  std::vector<Part> starts(count * blocks + 1, Part()); // of segment s and block b: at s * blocks + b
  for_blocks(graph, rows, blocks, block_size, [&](std::size_t b, auto lists) {
    std::vector<Part> own(count, Part()); // threads do not share cache lines
    lists([&](V, std::size_t s, const auto &sources) {
      ++own[s].list;
      own[s].arc += sources.size();
    });
    for (std::size_t s = 0; s < count; ++s)
      starts[s * blocks + b] = own[s];
  });
  Part sum = Part();
  for (Part &part : starts) {
    std::swap(part, sum);
    sum.list += part.list;
    sum.arc += part.arc;
  }
  const Part all = starts.back();
  targets_ = Array<Id>(all.list);
  Array<std::uint32_t> lengths(all.list);
  sources_ = Array<Id>(all.arc + 1); // one more, so that an empty part at the end has an address
  for_blocks(graph, rows, blocks, block_size, [&](std::size_t b, auto lists) {
    std::vector<Part> own(count);
    for (std::size_t s = 0; s < count; ++s)
      own[s] = starts[s * blocks + b];
    lists([&](V v, std::size_t s, const auto &sources) {
      Part &at = own[s];
      targets_[at.list] = static_cast<Id>(v - base_of(rows, v));
      lengths[at.list++] = static_cast<std::uint32_t>(sources.size());
      const V first = near ? static_cast<V>(std::uint64_t(s) << shift_) : 0;
      for (const V u : sources)
        sources_[at.arc++] = static_cast<Id>(u - first);
    });
  });
  // Parts end with the segments, with the blocks of targets that 16 bits number, and where they have become large
  // enough.
  const std::size_t together = near ? (std::size_t(1) << id_bits) / block_size : std::max<std::size_t>(blocks, 1);
  const std::size_t part_work = work_of_parts((all.arc + all.list) / std::max<std::size_t>(count, 1));
  std::vector<Block> of_parts;
  first_parts_.push_back(0);
  for (std::size_t s = 0; s < count; ++s) {
    const V source = static_cast<V>(std::uint64_t(s) << shift_);
    for (std::size_t b = 0; b < blocks; b += together) {
      Part at = starts[s * blocks + b];
      const std::size_t last = starts[s * blocks + std::min(b + together, blocks)].list;
      while (at.list < last) {
        parts_.push_back(at);
        of_parts.push_back({at.list, at.arc, base_of(rows, static_cast<V>(rows.first + b * block_size)), source});
        for (std::size_t work = 0; at.list < last && work < part_work; ++at.list) {
          work += lengths[at.list] + 1;
          at.arc += lengths[at.list];
        }
      }
    }
    first_parts_.push_back(parts_.size());
  }
  parts_.push_back(all);
  order_lists(lengths, of_parts);
}

template <class V, class Id> std::size_t CutArcs<V, Id>::work_of_parts(std::size_t work) {
  return std::clamp<std::size_t>(work / (8 * static_cast<std::size_t>(omp_get_max_threads())), 1 << 11, 1 << 15);
}

template <class V, class Id>
void CutArcs<V, Id>::sort_by_length(const std::uint32_t *lengths, std::vector<std::uint32_t> &order) {
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

template <class V, class Id>
template <class Target, class Source>
void CutArcs<V, Id>::store(const Block &block, const std::uint32_t *lengths, std::vector<std::uint32_t> &order,
                           const Target &target, const Source &source, V less, std::vector<Run> &runs) {
  sort_by_length(lengths, order);
  const std::size_t first = runs.size();
  for (const std::uint32_t i : order) {
    if (runs.size() == first || runs.back().length != lengths[i])
      runs.push_back({lengths[i], 0, block.target, block.source});
    ++runs.back().lists;
  }
  Id *to = targets_.data() + block.list, *at = sources_.data() + block.arc;
  const std::uint32_t *i = order.data();
  for (auto run = runs.begin() + static_cast<std::ptrdiff_t>(first); run != runs.end(); ++run)
    for (const std::uint32_t *const end = i + run->lists; i < end; ++i) {
      *to++ = target(*i);
      auto from = source(*i);
      for (std::uint32_t k = 0; k < run->length; ++k, ++from)
        *at++ = static_cast<Id>(*from - less);
    }
}

template <class V, class Id> void CutArcs<V, Id>::append_runs(const std::vector<std::vector<Run>> &of_parts) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].run = runs_.size();
    runs_.insert(runs_.end(), of_parts[p].begin(), of_parts[p].end());
  }
  runs_.push_back({0, 0, 0, 0}); // where those behind the last part would begin
}

template <class V, class Id>
void CutArcs<V, Id>::order_lists(const Array<std::uint32_t> &lengths, const std::vector<Block> &of_parts) {
  std::vector<std::vector<Run>> runs(parts_.size());
  each(of_parts.size(), [&](auto mine) {
    std::vector<std::uint32_t> order;
    std::vector<Id> targets, sources;
    std::vector<ArcId> arcs;
    mine([&](std::size_t p) {
      const Part first = parts_[p], last = parts_[p + 1];
      order.resize(last.list - first.list);
      targets.assign(targets_.data() + first.list, targets_.data() + last.list);
      sources.assign(sources_.data() + first.arc, sources_.data() + last.arc);
      arcs.resize(order.size() + 1);
      arcs[0] = 0;
      for (std::size_t i = 0; i < order.size(); ++i)
        arcs[i + 1] = arcs[i] + lengths[first.list + i];
      store(
          of_parts[p], lengths.data() + first.list, order, [&](std::uint32_t i) { return targets[i]; },
          [&](std::uint32_t i) { return sources.data() + arcs[i]; }, 0, runs[p]);
    });
  });
  append_runs(runs);
}

template <class V, class Id>
template <class A>
void CutArcs<V, Id>::build_by_targets(const Graph<V, A> &graph, Rows<V> rows) {
  const auto length = [&](V v) { return static_cast<std::size_t>(graph.in_end(v) - graph.in_begin(v)); };
  const std::size_t count = ((graph.num_vertices() - 1) >> shift_) + 1; // blocks of sources
  const std::size_t part_work = work_of_parts(arcs_into(graph, rows) + rows.size());
  std::vector<V> firsts; // vertices with which the parts begin; none is in two blocks of those that 16 bits number
  for (V v = rows.first; v < rows.last;) {
    firsts.push_back(v);
    const V end = static_cast<V>(std::min<std::uint64_t>(rows.last, base_of(rows, v) + most_sources));
    for (std::size_t work = 0; v < end && work < part_work; ++v)
      work += length(v) + 1;
  }
  const std::size_t parts = firsts.size();
  firsts.push_back(rows.last);
  first_parts_ = {0, parts};
  const auto lists = [&](std::size_t p, const auto &f) { // f(v, s, sources) in part p
    for (V v = firsts[p]; v < firsts[p + 1]; ++v)
      split(graph.in_neighbors(v), [&](std::size_t s, const auto &sources) { f(v, s, sources); });
  };

  // The blocks of each part: at first, how many lists and arcs they have.
  std::vector<std::vector<Block>> blocks(parts);
  each(parts, [&](auto mine) {
    std::vector<Block> all(count);
    mine([&](std::size_t p) {
      std::fill(all.begin(), all.end(), Block());
      lists(p, [&](V, std::size_t s, const auto &sources) {
        ++all[s].list;
        all[s].arc += sources.size();
      });
      for (std::size_t s = 0; s < count; ++s)
        if (all[s].list > 0)
          blocks[p].push_back({all[s].list, all[s].arc, base_of(rows, firsts[p]), static_cast<V>(s << shift_)});
    });
  });
  Part at = Part();
  for (std::vector<Block> &own : blocks) {
    parts_.push_back(at);
    for (Block &block : own) {
      std::swap(block.list, at.list);
      std::swap(block.arc, at.arc);
      at.list += block.list;
      at.arc += block.arc;
    }
  }
  parts_.push_back(at);

  targets_ = Array<Id>(at.list);
  sources_ = Array<Id>(at.arc + 1); // one more, as in build
  std::vector<std::vector<Run>> runs(parts_.size());
  each(parts, [&](auto mine) {
    std::vector<std::size_t> next(count); // list of each block
    std::vector<std::uint32_t> order, lengths;
    std::vector<V> targets;
    std::vector<decltype(graph.in_neighbors(rows.first).begin())> sources;
    mine([&](std::size_t p) {
      const std::size_t first = parts_[p].list, size = parts_[p + 1].list - first;
      lengths.resize(size);
      targets.resize(size);
      sources.resize(size);
      for (const Block &block : blocks[p])
        next[block.source >> shift_] = block.list - first;
      lists(p, [&](V v, std::size_t s, const auto &list) {
        const std::size_t i = next[s]++;
        lengths[i] = static_cast<std::uint32_t>(list.size());
        targets[i] = v;
        sources[i] = list.begin();
      });
      for (const Block &block : blocks[p]) {
        const std::size_t begin = block.list - first;
        order.resize(next[block.source >> shift_] - begin);
        store(
            block, lengths.data() + begin, order,
            [&](std::uint32_t i) { return static_cast<Id>(targets[begin + i] - block.target); },
            [&](std::uint32_t i) { return sources[begin + i]; }, near ? block.source : 0, runs[p]);
      }
    });
  });
  append_runs(runs);
}

} // namespace detail

template <class V, class A>
void Segments<V, A>::cut(const Graph<V, A> &graph, Rows<V> rows, std::size_t width, bool by_targets) {
  const auto start = std::chrono::steady_clock::now();
  is_near_ = is_near(width);
  if (is_near_)
    near_.cut(graph, rows, width, by_targets);
  else if constexpr (!packed)
    wide_.cut(graph, rows, width, by_targets);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class V, class A> auto ChosenSegments<V, A>::find_wish(bool long_lists) const -> Wish {
  constexpr std::size_t most = 4096; // segments
  if (rows_.size() == 0)             // others may cut, and then one segment without parts is the least
    return {false, this->most_near, true};
  const std::size_t half = detail::second_level_cache() / 2, n = graph_.num_vertices(), bytes = n * bytes_;
  const std::size_t fit = half / bytes_; // sources whose values do
  const auto scattered = [&](std::size_t near) {
    return detail::are_scattered(rows_.first, rows_.last, near, [this](V v) { return graph_.in_neighbors(v); });
  };
  const bool large = bytes > 3 * half && scattered(fit),
             pays = rounds_ == soon ? large : save_time_in_lists(long_lists);
  // Where there are few segments, sources in other ones than their targets are less than a segment away.
  const bool whole = pays && !large && (bytes <= half || !scattered(fit / 4));
  const std::size_t width = whole ? this->most_near : std::clamp<std::size_t>(fit, 1, this->most_near);
  return {pays && n / width < most, width, whole};
}

template <class V, class A> bool ChosenSegments<V, A>::save_time_in_lists(bool long_lists) const {
  constexpr std::size_t most_arcs = 32; // of a vertex: longer lists take longer than what a wrong guess costs
  constexpr std::size_t many_arcs = 8;  // whose additions wait for each other
  constexpr double least = 0.2;
  constexpr std::size_t least_work = 1 << 15; // arcs and vertices of a thread: the threads meet three times as often
  if (num_arcs() + rows_.size() < least_work * static_cast<std::size_t>(omp_get_max_threads()))
    return false;
  if (this->packed || (long_lists && num_arcs() >= many_arcs * rows_.size()))
    return true;
  return num_arcs() <= most_arcs * rows_.size() && detail::unforeseen_ends(rows_.first, rows_.last, [this](V v) {
                                                     return graph_.in_end(v) - graph_.in_begin(v);
                                                   }) >= least;
}

template <class V, class A> bool ChosenSegments<V, A>::has_memory(std::size_t processes) const {
  constexpr std::size_t id_bytes = 2;
  return rows_.size() == 0 || num_arcs() * 2 * (2 * id_bytes + 4) <= available_memory() / processes;
}

} // namespace gc

#endif
