// Which edges a run goes through, for the rate that a report has.
#ifndef GCOMPILE_SRC_TRAVERSED_H
#define GCOMPILE_SRC_TRAVERSED_H

#include <gcompile/program/arguments.h>
#include <gcompile/program/info.h>
#include <gcompile/program/load.h>
#include <gcompile/program/process_group.h>

#include <cstdint>
#include <memory>

namespace gc::detail {

/// Counts as Graph500 does: the edges of the input that lie in what the roots of a run reach. Edges that were dropped
/// when the graph was built, as copies or self-loops, count where the loader has counted them
/// (LoadOptions::count_input); an edge of an undirected graph counts once for each time that the input lists it.
class TraversedEdges {
public:
  /// Refers to all of them. Of a group, each process has its part of the graph; all count together.
  TraversedEdges(const ProgramInfo &info, const LoadedGraph &graph, ProcessGroup *group = nullptr);
  ~TraversedEdges();

  /// The edges of a run with these arguments; all of them where a program has no roots. Whatever stops a run before it
  /// has reached all that it could, such as a bound on its rounds, is not taken into account.
  std::int64_t of(const Arguments &arguments);

private:
  struct Counter;
  template <class V, class A> struct CounterOn;
  template <class V, class A>
  std::unique_ptr<Counter> on(const ProgramInfo &info, const LoadedGraph &graph, const Graph<V, A> &kernels,
                              ProcessGroup *group);
  std::unique_ptr<Counter> counter_;
};

} // namespace gc::detail

#endif
