// What the kept levels of a propagate say about the values of its vertices.
#pragma once

#include "ir/analysis/Effects.h"

namespace gcompile {

/// The one constant that all vertices of the initial set, `{a, b, ...}`, have been assigned in front of the statement.
std::optional<std::int64_t> initialConstant(graph::PropagateOp propagate, mlir::Value state);

/// The value of the initial set, at most 0, if the write gives every vertex that a round claims that value and the
/// number of the round: `d[v] = d[u] + 1`, where v is claimed.
std::optional<std::int64_t> growsByRound(graph::PropagateOp propagate, const EffectTable &table, const Write &write);

/// What is known of a state on the levels that the statement starts from.
LevelFact factOnLevels(const Statement &statement, mlir::Value state, const InfinityAnalysis &infinity);

/// C, if a condition asks of an edge from u to v, the first two arguments of the statement, for `x[v] == x[u] + C`. The
/// state x goes to `state`.
std::optional<std::int64_t> stepAlong(const Statement &statement, mlir::Value condition, mlir::Value &state);

/// The condition of a statement, `for u -> v from level where depth[v] == depth[u] + 1` in a loop that goes through all
/// levels from the last to the first, that says that v is in the level visited before; null if none does.
mlir::Operation *nextLevelCondition(const EffectTable &table);

} // namespace gcompile
