// The arcs into a rank's vertices, cut into segments.
#ifndef GCOMPILE_MPI_SEGMENTS_H
#define GCOMPILE_MPI_SEGMENTS_H

#include <gcompile/core/graph.h>
#include <gcompile/mpi/ranks.h>
#include <gcompile/omp/segments.h>

#include <cstddef>

namespace gc::mpi {

/// Segments of the arcs into a rank's own vertices. Ranks cut if that saves time for one of them and each has the
/// memory, so that all go the same way; each looks at its own lists.
template <class V> class ChosenSegments : public gc::ChosenSegments<V> {
  using Base = gc::ChosenSegments<V>;

public:
  /// `bytes` are read of each source.
  ChosenSegments(const Ranks<V> &ranks, const Graph<V> &graph, std::size_t bytes)
      : Base(graph, Rows<V>{ranks.first(), ranks.last()}, bytes), ranks_(ranks) {}

  /// Whether to go by segments in this round. All ranks.
  bool pay() {
    if (!this->is_due())
      return this->pays();
    struct Answer {
      bool saves_time, has_memory;
    };
    const auto wish = this->find_wish();
    const Answer all = ranks_.combined(Answer{wish.pays, this->has_memory(static_cast<std::size_t>(ranks_.size()))},
                                       [](Answer &total, const Answer &own) {
                                         total.saves_time |= own.saves_time;
                                         total.has_memory &= own.has_memory;
                                       });
    this->decide(all.saves_time && all.has_memory, wish);
    return this->pays();
  }

private:
  const Ranks<V> &ranks_;
};

} // namespace gc::mpi

#endif
