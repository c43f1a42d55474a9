// The edges that results name, of which a process of a group has those out of its own vertices.
#include "elements.h"
#include "group_steps.h"
#include "results.h"
#include "storage.h"

#include <algorithm>

namespace gc::detail {

OwnValues own_values(const OutputView &view, OutputShape shape, const LoadedGraph &graph, const ProcessGroup *group) {
  if (!group)
    return {0, view.count};
  const VertexBlock block = own_block(graph, group);
  switch (shape) {
  case OutputShape::vertex:
    return {block.begin, block.end};
  case OutputShape::dense:
    return {block.begin * graph.num_vertices(), block.end * graph.num_vertices()};
  case OutputShape::edge:
    if (graph.vertex_bits() == 32)
      return {graph.view<std::uint32_t>().out_offsets[block.begin], graph.view<std::uint32_t>().out_offsets[block.end]};
    return {graph.view<std::uint64_t>().out_offsets[block.begin], graph.view<std::uint64_t>().out_offsets[block.end]};
  case OutputShape::scalar:
  case OutputShape::array:
    break;
  }
  return {0, group->speaks() ? view.count : 0};
}

namespace {

/// Different arcs.
class NamedArcs {
public:
  void add(ArcId e) {
    arcs_.push_back(e);
    if (arcs_.size() > 2 * different_ + (std::size_t(1) << 16))
      reduce();
  }
  /// Ascending.
  const std::vector<ArcId> &reduce() {
    std::sort(arcs_.begin(), arcs_.end());
    arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
    different_ = arcs_.size();
    return arcs_;
  }

private:
  std::vector<ArcId> arcs_;
  std::size_t different_ = 0; // when they were last reduced
};

bool has_edges_as_values(const OutputInfo &output) {
  return output.type == ElementType::edge ||
         std::find(output.elements.begin(), output.elements.end(), ElementType::edge) != output.elements.end();
}

/// Calls f for the edges that are values of a result in this process.
template <class F>
void for_edges(const OutputView &view, const OutputInfo &output, const LoadedGraph &graph, ProcessGroup &group,
               const F &f) {
  const auto take = [&](ElementRef ref, ElementType type) {
    if (type == ElementType::edge && !is_none(ref))
      f(unsigned_of(ref));
  };
  const OwnValues own = own_values(view, output.shape, graph, &group);
  for (std::size_t i = own.begin; i < own.end; ++i) {
    const void *const data = element_at(view, i);
    if (output.type == ElementType::tuple)
      for (std::size_t k = 0; k < output.elements.size(); ++k)
        take(view.element(data, k), output.elements[k]);
    else
      take({data, view.storage}, output.type);
  }
}

/// Asks the owners of arcs for their targets.
template <class V>
std::vector<std::pair<ArcId, std::uint64_t>> targets_of(const std::vector<ArcId> &arcs, const Graph<V> &g,
                                                        const std::vector<ArcId> &begins, ProcessGroup &group) {
  const auto owner_of = [&](ArcId e) {
    return static_cast<int>(std::upper_bound(begins.begin(), begins.end(), e) - begins.begin()) - 1;
  };
  Deal asked(group);
  for (const ArcId e : arcs)
    asked.put(owner_of(e), e);
  Deal answers(group);
  const std::vector<Bytes> questions = asked.exchange();
  for (std::size_t r = 0; r < questions.size(); ++r)
    for (const char *at = questions[r].data(), *end = at + questions[r].size(); at < end;)
      answers.put(static_cast<int>(r), g.target(take_value<ArcId>(at)));
  const std::vector<Bytes> found = answers.exchange();
  std::vector<const char *> next;
  for (const Bytes &bytes : found)
    next.push_back(bytes.data());
  std::vector<std::pair<ArcId, std::uint64_t>> targets;
  for (const ArcId e : arcs)
    targets.emplace_back(e, take_value<V>(next[static_cast<std::size_t>(owner_of(e))]));
  return targets;
}

template <class V>
void find_named_edges_of(const std::vector<const OutputInfo *> &outputs, const std::vector<OutputView> &views,
                         const LoadedGraph &graph, ProcessGroup &group) {
  const Graph<V> &g = graph.view<V>();
  const VertexBlock own = group.block(g);
  const ArcId begin = g.out_offsets[own.begin], end = g.out_offsets[own.end];
  NamedArcs named;
  for (const OutputInfo *const output : outputs)
    for_edges(view_of(views, output->name), *output, graph, group, [&](ArcId e) {
      if (e < begin || e >= end)
        named.add(e);
    });
  graph.storage().far_targets = targets_of(named.reduce(), g, group.all({begin}), group);
}

} // namespace

void find_named_edges(const CommandLine &line, const std::vector<OutputView> &views, const ProgramInfo &info,
                      const LoadedGraph &graph, ProcessGroup &group) {
  std::vector<const OutputInfo *> outputs;
  for (const OutputInfo &output : info.outputs)
    if (has_edges_as_values(output) && (output.shape == OutputShape::scalar || is_written(output, line)))
      outputs.push_back(&output);
  if (outputs.empty() || group.size() == 1)
    return;
  if (graph.vertex_bits() == 32)
    find_named_edges_of<std::uint32_t>(outputs, views, graph, group);
  else
    find_named_edges_of<std::uint64_t>(outputs, views, graph, group);
}

} // namespace gc::detail
