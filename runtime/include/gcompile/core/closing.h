// What a step of a closure of pairs may be known to be, where a faster way leads to the same answer.
#ifndef GCOMPILE_CORE_CLOSING_H
#define GCOMPILE_CORE_CLOSING_H

namespace gc {

/// Says that a step is `min= D[i, k] + D[k, j]` of numbers, whose infinity absorbs.
struct ShortestPaths {};

/// Says that a step is `min= (D[i, k].0 + D[k, j].0, D[i, k].1)` of pairs of such an integer and a vertex; or, of the
/// last one, `D[k, j].1`.
struct PathsByFirst {};
struct PathsByLast {};

/// Says that a step is `max= min(D[i, k], D[k, j])` of integers.
struct WidestPaths {};

/// Says that a step is `|= D[i, k] && D[k, j]` of flags.
struct TransitiveClosure {};

} // namespace gc

#endif
