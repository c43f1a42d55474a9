// The effect table: for one data-parallel statement, every access to shared state with its owner, its update and what
// makes it legal. Everything that depends on how iterations meet (atomics, claims, early exit, double buffers, legality
// of schedules) reads this table and nothing else.
#pragma once

#include "ir/analysis/Infinity.h"
#include "ir/analysis/Statement.h"

namespace gcompile {

using graph::WriteRule;

/// What is known of a state of the vertices while a loop visits the kept levels of the propagate that has written it.
enum class LevelFact {
  None,
  Same,  // all vertices of a level have the same value
  Number // and it is i exactly for the vertices of the i-th level, counted from 0
};

struct Write {
  mlir::Operation *op; // graph.update or graph.update_tuple
  llvm::SmallVector<mlir::Value, 2> states;
  llvm::SmallVector<mlir::Value, 2> indices;
  llvm::SmallVector<mlir::Value, 2> values;
  graph::UpdateKind kind;
  WriteRule rule = WriteRule::Illegal;
  std::optional<unsigned> owner = std::nullopt; // the statement's argument that is the (only) index
  mlir::Value guard = {};           // Claim, SameValue: the constant that the guard compares the element with, or null
  mlir::Operation *claim = nullptr; // Claim, UnderClaim: the write that wins
  std::int64_t part = -1;           // the element of the tuple that is written; -1: all of it
  mlir::FlatSymbolRefAttr combiner = {}; // the declared reduction, if the kind is Combine
  std::string noClaim = {}; // why a guard on the element does not make this write a claim, where there is one

  bool isMonotone() const { return graph::traits(kind).monotone; }
  /// Whether the write changes a vertex, which a propagate then visits in its next round.
  bool isAtVertex() const { return !indices.empty() && llvm::isa<graph::VertexType>(indices[0].getType()); }
};

struct Read {
  mutable graph::ReadOp op;
  std::optional<unsigned> owner;
};

/// Whether values of the type have a class of C++ in them, and so need not have a comparison.
bool holdsClass(mlir::Type type);

class EffectTable {
public:
  /// `statement` may also stand inside another one: then it is one iteration's own sequence, and the table says what
  /// its result would owe to the order.
  EffectTable(mlir::Operation *statement, const InfinityAnalysis &infinity);

  const Statement &statement() const { return st; }
  llvm::ArrayRef<Write> writes() const { return writeList; }
  llvm::ArrayRef<Read> reads() const { return readList; }
  const Write *find(mlir::Operation *op) const;

  /// The first claim of the statement, if it has one.
  const Write *claim() const { return firstClaim ? &writeList[*firstClaim] : nullptr; }

  /// An earlier write of one of the states that does not commute with `write`, or null.
  const Write *contradicts(const Write &write) const;

  /// Whether every write of the states of `write` is at the statement's argument `argument`: one thread that handles
  /// that argument's vertex alone needs no synchronisation for them.
  bool isOwnedBy(const Write &write, std::optional<unsigned> argument) const;
  /// The same for every write that changes a vertex: only that thread activates it.
  bool activatesOnly(std::optional<unsigned> argument) const;

  /// Whether a read that may follow a write of its own iteration needs a value that no copy holds: both the state
  /// before the statement and the iteration's own reduction. The offending write, or null.
  const Write *ownReductionBefore(const Read &read) const;

  /// States that the statement reads at an element which another iteration may write, so that the snapshot rule asks
  /// for two copies. Without `proofs`, monotone updates, the frontier invariant and kept levels excuse nothing.
  llvm::SmallVector<mlir::Value> conflicts(bool proofs) const;

  /// Whether every vertex in the active set of a propagate fails the guard of its claim or same-value write, in every
  /// round: active vertices and written vertices are disjoint.
  bool frontierExcludesWritten() const { return frontierInvariant; }

  /// Whether the statement starts from a kept level and reads a state that it writes at vertices of another level, and
  /// nowhere else but at the element that it writes.
  bool keepsLevelsApart(mlir::Value state) const;
  /// The same for every state that it both reads and writes at different arguments, and for one at least.
  bool keepsLevelsApart() const;
  /// What is known of a state on the levels that the statement starts from.
  LevelFact onLevels(mlir::Value state) const { return levelFacts.lookup(state); }

  /// Whether `value` can be shown to differ from the constant `constant`.
  bool differs(mlir::Value value, mlir::Value constant) const;

  /// Whether computing `value` reads one of `states`, or a variable of the iteration, which may hold anything.
  bool mentions(mlir::Value value, llvm::ArrayRef<mlir::Value> states) const;

  /// Why the result of a propagate depends on how many rounds it takes, or nothing.
  std::string roundsShow() const;

  /// Whether the body's updates are all of one idempotent, commutative, associative kind whose value grows with what it
  /// reads: then the fixpoint of a propagate does not depend on order, rounds or early visibility. `why`, where given,
  /// receives the reason if not.
  /// `together`: the values of a joint update are read as they stand together, so that new ones may be computed from
  /// all of them.
  bool isMonotoneFixpoint(std::string *why = nullptr, bool together = false) const;

  /// The states of a joint update whose values at the edge's active end only mean something together: all of them if a
  /// new value is computed from any but the first.
  llvm::SmallVector<mlir::Value> readTogether() const;

  llvm::SmallVector<mlir::Value> writtenStates() const;

  /// Whether an element of `state` is the iteration's own: no other iteration writes it.
  bool isOwn(mlir::Value state, mlir::ValueRange indices) const;

  /// Whether all writes of a state are to elements that are the iteration's own. It is so for all of them or none.
  bool isOwned(mlir::Value state) const { return owned.lookup(state) != 0; }

  /// Whether a read is of the element that a write writes.
  bool sameElement(mlir::ValueRange a, mlir::ValueRange b) const;

private:
  // Effects.cpp
  void collect();
  void classify();
  unsigned ownIndices(mlir::ValueRange indices) const;
  void findOwned();
  void findClaims();
  void findUnderClaims();
  bool claims(Write &candidate, mlir::Region *within);
  bool dependsOnEarlierWrite(mlir::Value value, mlir::Region *block) const;
  mlir::Value guardConstant(const Write &write, mlir::Region *within) const;

  // Guards.cpp
  bool frontierInvariantHolds();
  bool frontierExcluded(const Write &key, mlir::Value constant) const;
  bool initialSetExcluded(mlir::Value state, mlir::Value constant) const;
  bool excludes(mlir::Value condition, llvm::function_ref<bool(mlir::Value)> isElement, mlir::Value constant) const;
  bool excludesMembers(graph::SetFilterOp filter, mlir::Value state, mlir::Value constant) const;
  bool isTestedApart(const Write &write, mlir::Value constant) const;
  std::string howToTest(mlir::Value value, mlir::Value constant) const;
  bool isFinite(mlir::Value value) const;

  // Snapshot.cpp
  bool harmless(const Read &read, bool proofs) const;
  void collectLevelFacts();
  bool onOtherLevels(const Read &read, const Write &write) const;
  bool decidesOnly(mlir::Value value, mlir::Region *winner) const;
  bool writesOnlyIn(mlir::Operation *op, mlir::Region *winner) const;

  // Monotone.cpp
  bool monotoneIn(mlir::Value value, llvm::ArrayRef<mlir::Value> states, bool bits) const;
  bool isFallingBound(mlir::Value condition, graph::UpdateKind kind) const;
  unsigned lastMentioned(const Write &write) const;
  bool growsTogether(const Write &write, std::string &why) const;
  bool growsStrictly(const Write &write, unsigned number, std::string &why) const;

  Statement st;
  const InfinityAnalysis &infinity;
  llvm::SmallVector<Write> writeList;
  llvm::SmallVector<Read> readList;
  llvm::SmallVector<mlir::Value> written;
  llvm::DenseMap<mlir::Operation *, unsigned> places; // of writes in the list
  std::optional<unsigned> firstClaim;
  llvm::SmallDenseMap<mlir::Value, unsigned> owned; // of written states: the indices by which all writes are owned
  llvm::SmallDenseMap<mlir::Value, LevelFact> levelFacts;
  bool frontierInvariant = false;
  // By the invariant at hand, the value of this state at the statement's first argument differs from the constant.
  mlir::Value assumedState, assumedApart;
};

/// Whose element an iteration reads or writes.
graph::Element elementOf(const EffectTable &table, mlir::Value state, mlir::ValueRange indices);

/// Whether a term cannot make a sum infinite that starts finite and takes it once in a round: there are fewer than 2^31
/// rounds, and what falls short of the limit by that much is taken to fall short of it.
bool isSmall(mlir::Value value);

/// Whether `first` may run before `second` in one iteration, which both belong to.
bool mayPrecede(mlir::Operation *first, mlir::Operation *second);

} // namespace gcompile
