// The choice of a round's direction on the device: by the work that is left (Beamer et al. 2012), or by the growth of
// the frontier (S5).
#ifndef GCOMPILE_CUDA_FRONTIER_DIRECTIONS_H
#define GCOMPILE_CUDA_FRONTIER_DIRECTIONS_H

#include <gcompile/cuda/frontier/state.h>

#include <cstdint>

namespace gc {
namespace cuda {
namespace detail {

/// Between rounds one thread of a block chooses; `s` is shared by a block.
template <class V> class Directions {
public:
  __device__ Directions(const FrontierView<V> &view, FrontierState &state) : f(view), s(state) {}

  /// Whether pushes may leave a bitmap where the next round pulls. A caller that runs single rounds wants to know the
  /// arcs.
  __device__ bool pushes_to_bits() const {
    return (f.rounds.direction == Direction::hybrid || f.rounds.direction == Direction::growth) && !f.levels &&
           f.rounds.first < f.rounds.last;
  }
  /// The arcs out of what an arc of the frontier finds, by those of the last round and the graph's mean.
  __device__ double growth() const {
    const double mean = static_cast<double>(f.arcs) / static_cast<double>(f.graph.num_vertices());
    const double last = s.previous_arcs > 0 ? static_cast<double>(s.arcs) / static_cast<double>(s.previous_arcs) : 0;
    return last > mean ? last : mean;
  }
  /// Whether the round after this push is going to be a pull if the frontier goes on growing.
  __device__ bool will_pull() const {
    if (!pushes_to_bits() || (s.clear >> (1 - s.current) & 1) == 0)
      return false;
    if (f.rounds.direction == Direction::growth)
      return static_cast<double>(s.arcs) >= work_left() / f.rounds.alpha;
    if (!s.counting)
      return false;
    const double next = static_cast<double>(s.arcs) * growth();
    return next > static_cast<double>(f.arcs / 256) && next * f.rounds.alpha > static_cast<double>(s.unseen);
  }

  /// Whether the round is a pull; keeps the books of the switch.
  __device__ bool decide() {
    if (f.rounds.direction == Direction::growth)
      return decide_by_growth();
    if (f.rounds.direction != Direction::hybrid)
      return f.rounds.direction == Direction::pull;
    const double n = static_cast<double>(f.graph.num_vertices());
    // A pull looks at the vertices that are left, a push at those of the frontier.
    if (s.pulling)
      return s.size >= s.previous_size || static_cast<double>(s.size) > n / f.rounds.beta ||
             (s.unvisited && s.unvisited_left / 4 < s.size);
    if (!s.counting) {
      s.counting = 1;
      s.unseen = f.arcs;
    }
    if (s.arcs > f.arcs / 256 && static_cast<double>(s.arcs) * f.rounds.alpha > static_cast<double>(s.unseen))
      return true;
    s.unseen -= s.arcs < s.unseen ? s.arcs : s.unseen;
    return false;
  }

  /// Half the average degree, at least 1, for each vertex that no frontier has had, and 1 for every vertex.
  __device__ double work_left() const {
    const double n = static_cast<double>(f.graph.num_vertices());
    const double visited = static_cast<double>(s.visited + s.size);
    return (visited < n ? n - visited : 0) * half_degree() + n;
  }
  __device__ double half_degree() const {
    const double half = static_cast<double>(f.arcs) / static_cast<double>(f.graph.num_vertices()) / 2;
    return half > 1 ? half : 1;
  }
  __device__ bool decide_by_growth() const {
    if (s.size > s.previous_size)
      return s.pulling || static_cast<double>(s.previous_arcs) >= work_left() / f.rounds.alpha;
    return static_cast<double>(s.size) >= work_left() / (half_degree() * f.rounds.beta);
  }

  const FrontierView<V> &f;
  FrontierState &s;
};

} // namespace detail
} // namespace cuda
} // namespace gc

#endif
