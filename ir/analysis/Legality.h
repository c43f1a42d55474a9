// Which ways of running a data-parallel statement leave its result as it is, decided from the effect table alone.
// Passes ask before they choose, and explanations quote the reasons.
#pragma once

#include "ir/analysis/Effects.h"
#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// Whether something is legal, and why or why not, in words that fit after "because".
struct Legality {
  bool legal;
  std::string reason;
  explicit operator bool() const { return legal; }
};

/// Every vertex looks at the edges into it: nothing but the edge's target may be changed.
Legality canPull(const EffectTable &table);
/// Whether a statement over the edges of many vertices asks for the edge itself.
bool asksForEdge(const EffectTable &table);
/// Whether it asks for nothing of the edge but properties that the graph was loaded with, which can be copied into the
/// order of another direction.
bool asksOnlyForColumns(const EffectTable &table);

/// Whether vertices are changed, and only at the targets of edges: pulling, each target is one thread's.
bool writesOnlyTargets(const EffectTable &table);

/// A pull may leave a vertex after the first edge that succeeded: the guard reads the vertex's own state and stays
/// false, and the edges that are skipped would have had no other effect.
Legality canExitEarly(const EffectTable &table);

/// Whether what a write leaves, or whether it is made at all, depends on which iteration wins a claim. `replayed`: the
/// claims of which the serial form lets the iteration win that assigns what the parallel form ended with.
bool dependsOnWinner(const EffectTable &table, const Write &write, const llvm::DenseSet<mlir::Operation *> &replayed);

/// Whether where a write is made, whatever its value, depends on which iteration wins another claim around it.
bool placeDependsOnWinner(const EffectTable &table, const Write &write,
                          const llvm::DenseSet<mlir::Operation *> &replayed);

/// In one round of a propagate each vertex is activated at most once, by the winner of its claim: the next active set
/// needs no deduplication.
Legality activatesOnce(const EffectTable &table);

/// A vertex may be processed twice in a round without harm: every update is idempotent. Duplicates may then be dropped
/// by a test that sometimes fails.
Legality toleratesDuplicates(const EffectTable &table);

/// Several iterations of a round may win the claim of one vertex, which they then activate several times: all that the
/// winners write is the same, but for at most one value, which any of them may write last; and visiting a vertex again
/// changes nothing.
Legality toleratesSeveralWinners(const EffectTable &table);

/// A propagate that hands on what has not been handed on yet, times what is not negative:
/// `total[v] += (total[u] - given[u]) * T; given[u] max= total[u];`. In any order, each part is handed on once.
struct HandingOn : Legality {
  HandingOn(bool legal = false, std::string reason = "") : Legality{legal, std::move(reason)} {}

  bool meant = false;                              // it looks like one
  mlir::Value total = {}, given = {};              // states
  mlir::Operation *take = nullptr;                 // the update of `given`
  llvm::SmallVector<mlir::Value> differences = {}; // total[u] - given[u], in the sums
  llvm::SmallVector<unsigned> terms = {}; // arguments of the algorithm, none of which may have a negative value
};
HandingOn handsOn(const EffectTable &table);

/// Of an algorithm as its schedule runs it: the states whose sums are handed on in any order, each with the tolerance
/// that the schedule states, and those that something computed from such sums may change.
struct Tolerances {
  llvm::DenseMap<mlir::Value, double> sums{};
  llvm::DenseSet<mlir::Value> derived{};
};
Tolerances tolerancesOf(mlir::Operation *algorithm, const InfinityAnalysis &infinity);

/// Without rounds, in any order: the fixpoint is the same, or as near where sums are handed on.
Legality canRunAsynchronously(const EffectTable &table);

/// Where a propagate that is `ordered by` a priority may end, which `until` says: once all of some vertices have their
/// final priority, or the first of them has. Without `until` there are none.
struct OrderedEnd : Legality {
  llvm::SmallVector<graph::ReadOp> asked = {}; // the reads of their priorities, in `until`
  bool first = false;
};
OrderedEnd endOf(graph::PropagateOp propagate);

/// In the order of the priority after `ordered by`: the least first if it is lowered, the greatest if it is raised.
struct PriorityOrder : Legality {
  bool greatestFirst = false;
  llvm::SmallVector<unsigned> terms = {};  // arguments of the algorithm, none of which may have a negative value
  llvm::SmallVector<unsigned> bounds = {}; // those that bound the new value
};
PriorityOrder canRunByPriority(const EffectTable &table);

/// A loop over all vertices may take the edges into each in segments of their sources (GraphIt's cache segments): what
/// it reduces over them is combined from parts, and asks nothing of the edge but its source.
Legality canSegment(const EffectTable &table);
/// Whether the program is to find out in each round if segments pay: the loop runs again and again, and no schedule
/// says otherwise.
bool maySegment(const EffectTable &table);

/// Whether something in the statement is computed over the edges into a vertex.
bool gathersInto(mlir::Operation *statement);

/// `propagate u -- v from g { p[v] min= p[u]; }`: the fixpoint is the minimum of p over each connected component,
/// because every vertex is active, every edge runs both ways and nothing but a copy travels along it.
bool isComponentMinimum(const EffectTable &table);

/// The way a statement runs: as its schedule says, which must be legal, or by default.
enum class Form {
  Once,         // no edges of many vertices: every iteration once
  Push,         // along the edges out of vertices
  Pull,         // along the edges into vertices
  Hybrid,       // push or pull in each round, by the number of edges
  Ordered,      // by priority, pushing
  Asynchronous, // without rounds, pushing
  Components    // a minimum over connected components, without rounds
};
Form formOf(const EffectTable &table);

/// How a write is made safe where one thread handles argument `outer` of the statement alone.
exec::Sync syncOf(const EffectTable &table, const Write &write, std::optional<unsigned> outer);
/// The same, and why that is enough.
graph::Safety safetyOf(const EffectTable &table, const Write &write, std::optional<unsigned> outer);

/// `sum(u -> v where u < v : count(w in u.neighbors & v.neighbors where v < w))` on an undirected graph: every pair of
/// the three vertices is adjacent and the comparisons order all three, so each triangle counts once under any total
/// order.
bool isTriangleCount(graph::ReduceOp op);

/// Of a property of pairs that a statement over pairs reads elsewhere: the one row and the one column that it reads, of
/// which copies are enough. Nothing if it reads more.
struct Slices {
  mlir::Value row, column; // vertices, or null
};
std::optional<Slices> slicesOf(const EffectTable &table, mlir::Value state);

/// How the snapshot rule is kept for a state that the statement writes.
using graph::Snapshot;
Snapshot snapshotOf(const EffectTable &table, mlir::Value state, bool proofs = true);

} // namespace gcompile
