#include "ir/analysis/Legality.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {

Legality canPull(const EffectTable &table) {
  const Statement &st = table.statement();
  auto domain = st.domain();
  if (!graph::rangesOverEdges(domain))
    return {false, "it does not range over the edges of many vertices"};
  for (Region *region : {&st.where(), &st.body()})
    if (!region->empty() && !region->getArgument(2).use_empty())
      return {false, "it uses the edge itself"};
  if (st.isPropagate()) {
    for (const Write &write : table.writes())
      if (!write.indices.empty() && write.owner != 1u)
        return {false, std::string("it changes more than the ") + st.otherEnd() + " of the edge"};
    return {true, std::string("it changes nothing but the ") + st.otherEnd() + " of the edge"};
  }
  if (!st.over().getDefiningOp<graph::AllVerticesOp>())
    return {false, "it does not start from every vertex"};
  return {true, "it starts from every vertex"};
}

bool writesOnlyTargets(const EffectTable &table) {
  bool targets = false;
  for (const Write &write : table.writes()) {
    if (!write.indices.empty() && write.owner != 1u)
      return false;
    targets |= !write.indices.empty();
  }
  return targets;
}

Legality canExitEarly(const EffectTable &table) {
  if (Legality pull = canPull(table); !pull || !table.statement().isPropagate())
    return {false, pull ? "only a 'propagate' stops early" : "it cannot pull"};
  const Write *claim = table.claim();
  if (!claim && !table.writes().empty() && llvm::all_of(table.writes(), [&](const Write &write) {
        return write.rule == WriteRule::SameValue && write.owner == 1u &&
               write.op->getParentOp() == table.statement().operation();
      }))
    return {true, "every further edge would write the same"};
  if (!claim || claim->owner != 1u)
    return {false, std::string("it has no claim at the ") + table.statement().otherEnd() + ", so every edge counts"};
  if (claim->op->getParentOp() != table.statement().operation())
    return {false, "the claim stands under a further condition"};
  return {true, "once the claim is won, the guard is false for every further edge"};
}

/// Whether the elements and conditions of a write depend on who wins the claim `key`, in whose block it stands, and
/// with `values` the values as well.
static bool dependsOnWinnerOf(const Write &key, const EffectTable &table, const Write &write, bool values,
                              const llvm::DenseSet<Operation *> &replayed) {
  const Statement &st = table.statement();
  SmallVector<Value> parts;
  if (values)
    parts.append(write.values.begin(), write.values.end());
  if (write.claim != key.op)
    parts.append(write.indices);
  bool inLoop = false; // as often as what it ranges over says
  for (Operation *outer = write.op->getParentOp(); key.op->getParentOp()->isProperAncestor(outer);
       outer = outer->getParentOp()) {
    auto branch = dyn_cast<graph::IfOp>(outer);
    inLoop |= !branch;
    if (branch)
      parts.push_back(branch.getCondition());
  }
  SmallVector<Value> written = table.writtenStates();
  if (!inLoop && llvm::all_of(parts, [&](Value part) { return st.isUniform(part, written, key.indices); }))
    return false;
  if (!replayed.contains(key.op))
    return true;
  if (&key == &write)
    return false;
  // Where the claim assigns a vertex of the pattern, the winner is known up to the edge: there may be several.
  if (!st.argument(key.values[0]))
    return true;
  auto isEdge = [&](Value value) { return isa<graph::EdgeType>(value.getType()) && st.argument(value); };
  // A variable of the iteration may hold what belongs to the edge.
  bool usesEdge =
      st.operation()
          ->walk([&](Operation *op) {
            return llvm::any_of(op->getOperands(), isEdge) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  return llvm::any_of(parts, [&](Value part) {
    return isEdge(part) || llvm::any_of(st.slice(part), [&](Operation *op) {
             auto read = dyn_cast<graph::ReadOp>(op);
             return (usesEdge && read && st.isLocal(read.getState())) || llvm::any_of(op->getOperands(), isEdge);
           });
  });
}

static bool isAround(const Write &claim, const Write &write) {
  return claim.rule == WriteRule::Claim && claim.op->getParentRegion()->isAncestor(write.op->getParentRegion());
}

bool dependsOnWinner(const EffectTable &table, const Write &write, const llvm::DenseSet<Operation *> &replayed) {
  return llvm::any_of(table.writes(), [&](const Write &claim) {
    return isAround(claim, write) && dependsOnWinnerOf(claim, table, write, /*values=*/true, replayed);
  });
}

bool placeDependsOnWinner(const EffectTable &table, const Write &write, const llvm::DenseSet<Operation *> &replayed) {
  return llvm::any_of(table.writes(), [&](const Write &claim) {
    return &claim != &write && isAround(claim, write) &&
           dependsOnWinnerOf(claim, table, write, /*values=*/false, replayed);
  });
}

Legality activatesOnce(const EffectTable &table) {
  unsigned claims = 0;
  for (const Write &write : table.writes()) {
    if (write.indices.empty())
      continue;
    bool won = write.rule == WriteRule::UnderClaim || (write.rule == WriteRule::Claim && write.owner == 1u);
    if (!won)
      return {false, "several edges may change one vertex in a round"};
    claims += write.rule == WriteRule::Claim;
  }
  return claims == 1 ? Legality{true, "only the winner of the claim activates its vertex"}
                     : Legality{false, "there is more than one claim"};
}

Legality toleratesDuplicates(const EffectTable &table) {
  for (const Write &write : table.writes()) {
    bool once = write.rule == WriteRule::Claim || write.rule == WriteRule::UnderClaim;
    if (!once && !write.isMonotone() && write.kind != graph::UpdateKind::Assign)
      return {false, "processing a vertex twice would count it twice"};
  }
  return {true, "processing a vertex twice changes nothing"};
}

Legality toleratesSeveralWinners(const EffectTable &table) {
  const Statement &st = table.statement();
  const Write *claim = table.claim();
  if (!claim || claim->owner != 1u)
    return {false, claim ? std::string("what it claims are not the ") + table.statement().otherEnd() + "s of edges"
                         : "it claims nothing"};
  if (Legality once = activatesOnce(table); !once)
    return once;
  SmallVector<Value> written = table.writtenStates();
  std::size_t choices = 0; // values that tell who has won
  for (const Write &write : table.writes()) {
    if (write.op->getBlock() != claim->op->getBlock())
      return {false, "what follows the claim has a condition or a loop of its own"};
    if (!write.isMonotone() && write.kind != graph::UpdateKind::Assign)
      return {false, "each winner of a claim would count"};
    if (llvm::all_of(write.values, [&](Value value) { return st.isUniform(value, written); }))
      continue;
    bool readsOwn = llvm::any_of(write.values, [&](Value value) {
      return llvm::any_of(st.slice(value), [&](Operation *op) {
        auto read = dyn_cast<graph::ReadOp>(op);
        return read && llvm::is_contained(written, read.getState()) &&
               (read.getIndices().empty() || st.argument(read.getIndices()[0]) != 0u);
      });
    });
    if (write.kind != graph::UpdateKind::Assign || readsOwn)
      return {false, "what one winner of a claim leaves would enter into what another writes"};
    choices += write.states.size();
  }
  if (choices > 1)
    return {false, "it writes several values that must come from one winner of the claim"};
  return {true, "whatever several winners of a claim write is equally right"};
}

Legality canRunAsynchronously(const EffectTable &table) {
  std::string why;
  if (!table.isMonotoneFixpoint(&why, /*together=*/true))
    return {false, why};
  return {true, "the updates only ever move one way, and early values cannot change where they end"};
}

namespace {
/// How many bits a term has that is not negative: an edge property, an input, a constant, what is counted, or a sum of
/// these. Nothing: a sum may not fit its type. Sums with `inf` in them, and real ones, do not wrap.
class TermBits {
public:
  std::optional<unsigned> of(Value value) {
    value = withoutLet(value);
    auto [known, isNew] = bits.try_emplace(value);
    return isNew ? bits[value] = compute(value) : known->second;
  }

private:
  std::optional<unsigned> compute(Value value) {
    auto type = dyn_cast<IntegerType>(value.getType());
    if (!type)
      return 0;
    const unsigned all = type.getWidth() - 1;
    if (auto constant = value.getDefiningOp<graph::ConstantOp>())
      return cast<IntegerAttr>(constant.getValue()).getValue().getActiveBits();
    auto wider = value.getDefiningOp<graph::CastOp>();
    if (wider && isa<IntegerType>(wider.getOperand().getType()) && !wider.getAbsorbing()) {
      std::optional<unsigned> narrow = of(wider.getOperand());
      return narrow ? std::min(*narrow, all) : narrow;
    }
    auto sum = value.getDefiningOp<graph::BinaryOp>();
    if (!sum || sum.getKind() != graph::BinaryKind::Add || sum.getAbsorbing())
      return all;
    std::optional<unsigned> left = of(sum.getLhs()), right = of(sum.getRhs());
    return left && right && std::max(*left, *right) < all ? std::optional(std::max(*left, *right) + 1) : std::nullopt;
  }

  llvm::DenseMap<Value, std::optional<unsigned>> bits;
};
} // namespace

static bool isNegative(graph::ConstantOp constant) {
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    return integer.getInt() < 0;
  return cast<FloatAttr>(constant.getValue()).getValueAsDouble() < 0;
}

PriorityOrder canRunByPriority(const EffectTable &table) {
  Value priority = table.statement().ordered();
  if (!priority)
    return {{false, "it is not 'ordered by' a property"}};
  const Write *key = nullptr;
  for (const Write &write : table.writes())
    if (write.states[0] == priority)
      key = &write;
  if (!key || key->kind != graph::UpdateKind::Min || key->owner != 1u)
    return {
        {false, std::string("the body does not update it with 'min=' at the edge's ") + table.statement().otherEnd()}};
  if (table.writes().size() != 1)
    return {{false, "the body updates more than that: a vertex would have to be visited again out of its turn"}};
  std::string why;
  if (!table.isMonotoneFixpoint(&why, /*together=*/true))
    return {{false, why}};

  // The new value is p[u] plus terms, each of which is at least zero.
  SmallVector<unsigned> inputs;
  std::string refused;
  bool reads = false;
  TermBits bits;
  llvm::DenseSet<Value> terms; // that are known not to be negative, and not to read the priority
  // Edge properties and parameters are checked when they are loaded.
  auto input = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto algorithm = argument ? dyn_cast<graph::AlgorithmOp>(argument.getOwner()->getParentOp()) : nullptr;
    if (!algorithm)
      return false;
    auto entry = cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]);
    auto given = entry.getAs<StringAttr>("default");
    if (given && given.getValue().starts_with("-")) {
      refused = "the default value of '" + entry.getAs<StringAttr>("name").str() + "' is negative";
      return false;
    }
    if (!llvm::is_contained(inputs, argument.getArgNumber()))
      inputs.push_back(argument.getArgNumber());
    return true;
  };
  std::function<bool(Value)> grows = [&](Value value) -> bool {
    value = withoutLet(value);
    if (terms.contains(value))
      return true;
    if (auto read = value.getDefiningOp<graph::ReadOp>()) {
      if (read.getState() == priority) {
        bool first = !reads && table.statement().argument(read.getIndices()[0]) == 0u;
        reads = true;
        return first;
      }
      return input(read.getState());
    }
    if (auto sum = value.getDefiningOp<graph::BinaryOp>(); sum && sum.getKind() == graph::BinaryKind::Add) {
      bool before = reads;
      if (!grows(sum.getLhs()) || !grows(sum.getRhs()))
        return false;
      if (reads == before) {
        if (!bits.of(value)) {
          refused = "a sum of terms may wrap around; add them one after the other";
          return false;
        }
        terms.insert(value);
      }
      return true;
    }
    // What is bounded from below: by a constant, by the bits of one, or as a number of bits.
    auto binary = value.getDefiningOp<graph::BinaryOp>();
    auto unary = value.getDefiningOp<graph::UnaryOp>();
    if ((binary && (binary.getKind() == graph::BinaryKind::Max || binary.getKind() == graph::BinaryKind::BitAnd)) ||
        (unary && unary.getKind() == graph::UnaryKind::PopCount)) {
      auto isLimit = [](Value operand) {
        auto constant = operand.getDefiningOp<graph::ConstantOp>();
        return constant && !isNegative(constant);
      };
      return (unary || isLimit(binary.getLhs()) || isLimit(binary.getRhs())) &&
             llvm::none_of(table.statement().slice(value), [&](Operation *op) {
               auto read = dyn_cast<graph::ReadOp>(op);
               return read && read.getState() == priority;
             });
    }
    if (auto cast = value.getDefiningOp<graph::CastOp>())
      return grows(cast.getOperand());
    if (auto constant = value.getDefiningOp<graph::ConstantOp>())
      return !isNegative(constant);
    return isa<BlockArgument>(value) ? input(value)
                                     : isa_and_nonnull<graph::DegreeOp, graph::NumVerticesOp>(value.getDefiningOp());
  };
  if (!grows(key->values[0]) || !reads)
    return {{false, !refused.empty() ? refused
                                     : std::string("the new value must be the old one at the edge's ") +
                                           table.statement().activeEnd() + " plus terms that are never negative"}};
  return {{true, "values only grow along an edge"}, inputs};
}

bool isComponentMinimum(const EffectTable &table) {
  auto op = dyn_cast<graph::PropagateOp>(table.statement().operation());
  if (!op)
    return false;
  auto algorithm = op->getParentOfType<graph::AlgorithmOp>();
  bool bothWays =
      op.getDomain() == graph::Domain::EdgesBoth || (algorithm && algorithm.getDirectedness() == "undirected");
  if (!bothWays || !op.getFrom().getDefiningOp<graph::AllVerticesOp>() || !op.getWhere().empty() || op.getOrdered() ||
      !table.isMonotoneFixpoint() || table.writes().size() != 1)
    return false;
  const Write &write = table.writes()[0];
  if (write.kind != graph::UpdateKind::Min || write.states.size() != 1 || write.owner != 1u ||
      write.op->getParentOp() != op || isa<TupleType>(write.values[0].getType()))
    return false;
  auto read = withoutLet(write.values[0]).getDefiningOp<graph::ReadOp>();
  return read && read.getState() == write.states[0] && table.statement().argument(read.getIndices()[0]) == 0u;
}

Form formOf(const EffectTable &table) {
  const Statement &st = table.statement();
  Operation *op = st.operation();
  auto wanted = schedule::said<schedule::Direction>(op);
  if (schedule::runsAsynchronously(op))
    return Form::Asynchronous;
  bool traversed = wanted || schedule::said<schedule::Frontier>(op) || schedule::said<schedule::Gather>(op) ||
                   schedule::said<schedule::Loop>(op);
  if (st.isPropagate() && !traversed && isComponentMinimum(table))
    return Form::Components;
  if (st.ordered())
    return Form::Ordered;
  if (!st.isPropagate() && !graph::rangesOverEdges(st.domain()))
    return Form::Once;
  if (wanted)
    return wanted.is(schedule::Direction::Push)   ? Form::Push
           : wanted.is(schedule::Direction::Pull) ? Form::Pull
                                                  : Form::Hybrid;
  if (!canPull(table))
    return Form::Push;
  if (st.isPropagate())
    return Form::Hybrid;
  return writesOnlyTargets(table) ? Form::Pull : Form::Push;
}

exec::Sync syncOf(const EffectTable &table, const Write &write, std::optional<unsigned> outer) {
  if (write.rule == WriteRule::Owned)
    return exec::Sync::Plain;
  if (write.indices.empty())
    return write.rule == WriteRule::Reduction ? exec::Sync::Private : exec::Sync::Relaxed;
  if (table.isOwnedBy(write, outer))
    return exec::Sync::Plain;
  // The winner of a claim is the only one to write there.
  if (write.rule == WriteRule::UnderClaim)
    return exec::Sync::Plain;
  return write.rule == WriteRule::SameValue ? exec::Sync::Relaxed : exec::Sync::Atomic;
}

bool isTriangleCount(graph::ReduceOp op) {
  auto algorithm = op->getParentOfType<graph::AlgorithmOp>();
  if (!algorithm || algorithm.getDirectedness() != "undirected" || op.getKind() != graph::ReduceKind::Sum ||
      op.getDomain() != graph::Domain::Edges || !op.getOver().getDefiningOp<graph::AllVerticesOp>() ||
      op.getWhere().empty() || !op.getResult().getType().isInteger(64))
    return false;
  auto ordered = [](Region &where, Value low, Value high) {
    auto compare = yielded(where).getDefiningOp<graph::BinaryOp>();
    if (!compare)
      return false;
    if (compare.getKind() == graph::BinaryKind::Gt)
      std::swap(low, high);
    return (compare.getKind() == graph::BinaryKind::Lt || compare.getKind() == graph::BinaryKind::Gt) &&
           compare.getLhs() == low && compare.getRhs() == high;
  };
  auto inner = yielded(op.getValue()).getDefiningOp<graph::ReduceOp>();
  if (!inner || inner.getKind() != graph::ReduceKind::Count || inner.getDomain() != graph::Domain::Vertices ||
      inner.getWhere().empty())
    return false;
  Value u = op.getValue().getArgument(0), v = op.getValue().getArgument(1);
  auto common = inner.getOver().getDefiningOp<graph::SetAlgebraOp>();
  if (!common || common.getKind() != graph::SetKind::Intersection)
    return false;
  auto left = common.getLhs().getDefiningOp<graph::NeighborsOp>(),
       right = common.getRhs().getDefiningOp<graph::NeighborsOp>();
  bool adjacent =
      left && right &&
      ((left.getVertex() == u && right.getVertex() == v) || (left.getVertex() == v && right.getVertex() == u));
  return adjacent && ordered(op.getWhere(), op.getWhere().getArgument(0), op.getWhere().getArgument(1)) &&
         ordered(inner.getWhere(), v, inner.getWhere().getArgument(0));
}

std::optional<Slices> slicesOf(const EffectTable &table, Value state) {
  const Statement &st = table.statement();
  if (cast<graph::StateType>(state.getType()).getShape() != graph::Shape::Dense || st.domain() != graph::Domain::Pairs)
    return std::nullopt;
  Slices slices;
  for (const Read &read : table.reads()) {
    if (read.op.getState() != state)
      continue;
    Value i = read.op.getIndices()[0], j = read.op.getIndices()[1];
    if (st.argument(i) == 0u && st.argument(j) == 1u)
      continue;
    // A read at an outside row is served from the copy of that row, one at an outside column from that column's.
    bool outsideI = st.isOutside(i), outsideJ = st.isOutside(j);
    if (outsideI && (!slices.row || slices.row == i))
      slices.row = i;
    else if (!outsideI && outsideJ && (!slices.column || slices.column == j))
      slices.column = j;
    else
      return std::nullopt;
  }
  return slices;
}

/// Whether a propagate can put off its only write of a state to the end of the round: the same value for every vertex,
/// which the write itself activates, and every activated vertex gets.
static bool waitsForCommit(const EffectTable &table, Value state) {
  const Statement &st = table.statement();
  const Write *only = nullptr;
  for (const Write &write : table.writes()) {
    if (write.isAtVertex() && (write.owner != 1u || write.op->getParentOp() != st.operation()))
      return false;
    if (!llvm::is_contained(write.states, state))
      continue;
    if (only)
      return false;
    only = &write;
  }
  return st.isPropagate() && only && only->rule == WriteRule::SameValue && only->owner == 1u && only->guard &&
         table.differs(only->values[0], only->guard);
}

Snapshot snapshotOf(const EffectTable &table, Value state, bool proofs) {
  if (llvm::is_contained(table.conflicts(proofs), state))
    return waitsForCommit(table, state) ? Snapshot::Commit : slicesOf(table, state) ? Snapshot::Slices : Snapshot::Copy;
  if (!llvm::is_contained(table.conflicts(/*proofs=*/false), state))
    return Snapshot::None;
  return table.keepsLevelsApart(state)     ? Snapshot::Levels
         : table.frontierExcludesWritten() ? Snapshot::Invariant
                                           : Snapshot::Monotone;
}

} // namespace gcompile
