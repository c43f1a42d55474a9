#include "ir/analysis/Levels.h"

using namespace mlir;

namespace gcompile {

static std::optional<std::int64_t> integerConstant(Value value) {
  auto constant = withoutLet(value).getDefiningOp<graph::ConstantOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return integer ? std::optional(integer.getInt()) : std::nullopt;
}

static bool writes(Operation *op, Value state) {
  auto update = dyn_cast<graph::UpdateOp>(op);
  auto tuple = dyn_cast<graph::UpdateTupleOp>(op);
  return (update && update.getState() == state) || (tuple && llvm::is_contained(tuple.getStates(), state));
}

/// Whether an operation other than a plain assignment of the sequential code writes `state`.
static bool writesInside(Operation *op, Value state) {
  return op
      ->walk([&](Operation *inner) { return writes(inner, state) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

std::optional<std::int64_t> initialConstant(graph::PropagateOp propagate, Value state) {
  auto literal = propagate.getFrom().getDefiningOp<graph::SetOfOp>();
  if (!literal || literal.getElements().empty())
    return std::nullopt;
  SmallVector<Value> pending(literal.getElements());
  std::optional<std::int64_t> common;
  for (Operation *op = propagate->getPrevNode(); op && !pending.empty(); op = op->getPrevNode()) {
    auto update = dyn_cast<graph::UpdateOp>(op);
    if (!update || update.getState() != state) {
      if (writesInside(op, state))
        return std::nullopt;
      continue;
    }
    // An assignment to another vertex may be one to this vertex by another name.
    auto constant = integerConstant(update.getValue());
    if (update.getKind() != graph::UpdateKind::Assign || !constant || (common && *common != *constant) ||
        !llvm::is_contained(pending, update.getIndices()[0]))
      return std::nullopt;
    common = constant;
    llvm::erase(pending, update.getIndices()[0]);
  }
  return pending.empty() ? common : std::nullopt;
}

// A vertex becomes active only by the claim, which gives it its source's value + 1 at once, and no active vertex is
// written: by induction all vertices that round r claims get the value of the initial set + r.
std::optional<std::int64_t> growsByRound(graph::PropagateOp propagate, const EffectTable &table, const Write &write) {
  const Write *claim = table.claim();
  if (!claim || propagate.getOrdered() || !table.frontierExcludesWritten())
    return std::nullopt;
  if ((&write != claim && write.rule != WriteRule::UnderClaim) || write.kind != graph::UpdateKind::Assign ||
      write.owner != 1u || write.op->getBlock() != claim->op->getBlock() || write.states.size() != 1)
    return std::nullopt;
  Value state = write.states[0];
  auto sum = withoutLet(write.values[0]).getDefiningOp<graph::BinaryOp>();
  bool alone =
      llvm::count_if(table.writes(), [&](const Write &other) { return llvm::is_contained(other.states, state); }) == 1;
  if (!sum || !alone || sum.getKind() != graph::BinaryKind::Add || !isa<IntegerType>(sum.getType()))
    return std::nullopt;
  auto atSource = [&](Value value) {
    auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
    return read && read.getState() == state && table.statement().argument(read.getIndices()[0]) == 0u;
  };
  bool byOne = (atSource(sum.getLhs()) && integerConstant(sum.getRhs()) == 1) ||
               (atSource(sum.getRhs()) && integerConstant(sum.getLhs()) == 1);
  auto initial = initialConstant(propagate, state);
  // Up to an initial 0 the sum is no greater than the number of the round: it cannot overflow.
  return byOne && initial && *initial <= 0 ? initial : std::nullopt;
}

/// The write that gives each vertex that a propagate activates the same value in a round, once and for all; the only
/// write of the state in it.
static const Write *roundValue(const EffectTable &table, Value state) {
  if (!table.frontierExcludesWritten())
    return nullptr;
  const Write *only = nullptr;
  for (const Write &write : table.writes())
    if (llvm::is_contained(write.states, state)) {
      if (only)
        return nullptr;
      only = &write;
    }
  if (!only || only->kind != graph::UpdateKind::Assign || only->owner != 1u || only->states.size() != 1 ||
      !table.statement().isUniform(only->values[0], table.writtenStates()))
    return nullptr;
  // Whatever activates a vertex stands beside it or in its block.
  for (const Write &write : table.writes())
    if (write.isAtVertex() && !only->op->getParentRegion()->isAncestor(write.op->getParentRegion()))
      return nullptr;
  return only;
}

/// The loop over kept levels whose level the statement starts from.
static graph::ForOp loopOverLevels(const Statement &statement) {
  auto level = dyn_cast_or_null<BlockArgument>(statement.over());
  auto loop = level ? dyn_cast<graph::ForOp>(level.getOwner()->getParentOp()) : graph::ForOp();
  return loop && loop.getDomain() == graph::Domain::Levels ? loop : graph::ForOp();
}

LevelFact factOnLevels(const Statement &statement, Value state, const InfinityAnalysis &infinity) {
  auto loop = loopOverLevels(statement);
  auto propagate = loop ? loop.getOver().getDefiningOp<graph::PropagateOp>() : graph::PropagateOp();
  auto declaration = state.getDefiningOp<graph::StateOp>();
  auto type = cast<graph::StateType>(state.getType());
  if (!propagate || !declaration || type.getShape() != graph::Shape::PerVertex ||
      !isa<IntegerType>(type.getElement()) || loop->getBlock() != propagate->getBlock() ||
      !propagate->isBeforeInBlock(loop))
    return LevelFact::None;
  auto initial = initialConstant(propagate, state);
  EffectTable table(propagate, infinity);
  const Write *value = roundValue(table, state);
  if (!initial || !value)
    return LevelFact::None;
  // Nobody else writes it between the propagate and the end of the loop.
  SmallVector<Value> from(propagate.getFrom().getDefiningOp<graph::SetOfOp>().getElements());
  bool settled = true, initialOnly = declaration->getBlock() == propagate->getBlock();
  for (Operation *user : state.getUsers()) {
    if (!writes(user, state) || propagate->isAncestor(user))
      continue;
    Operation *around = propagate->getBlock()->findAncestorOpInBlock(*user);
    settled &= around && around->isBeforeInBlock(propagate);
    auto update = dyn_cast<graph::UpdateOp>(user);
    initialOnly &= around == user && update && llvm::is_contained(from, update.getIndices()[0]);
  }
  if (!settled)
    return LevelFact::None;
  // A vertex that is in no level has the value that it was declared with, or was found in a last round.
  bool all = !propagate.getAtMost() && propagate.getUntil().empty();
  Value number = withoutLet(value->values[0]);
  if (auto cast = number.getDefiningOp<graph::CastOp>())
    number = withoutLet(cast.getOperand());
  bool counts = *initial == 0 && table.statement().isRound(number);
  bool outside = false;
  if (!declaration.getInit().empty()) {
    Value otherwise = withoutLet(yielded(declaration.getInit()));
    auto constant = integerConstant(otherwise);
    outside = otherwise.getDefiningOp<graph::InfOp>() || (constant && *constant < 0);
  }
  return all && counts && outside && initialOnly ? LevelFact::Number : LevelFact::Same;
}

std::optional<std::int64_t> stepAlong(const Statement &statement, Value condition, Value &state) {
  auto equal = condition.getDefiningOp<graph::BinaryOp>();
  if (!equal || equal.getKind() != graph::BinaryKind::Eq || !isa<IntegerType>(equal.getLhs().getType()))
    return std::nullopt;
  struct Side {
    Value state;
    unsigned argument;
    std::int64_t offset;
  };
  auto side = [&](Value value) -> std::optional<Side> {
    value = withoutLet(value);
    std::int64_t offset = 0;
    if (auto sum = value.getDefiningOp<graph::BinaryOp>()) {
      auto constant = integerConstant(sum.getRhs());
      bool minus = sum.getKind() == graph::BinaryKind::Sub;
      if (!constant || (!minus && sum.getKind() != graph::BinaryKind::Add))
        return std::nullopt;
      offset = minus ? -*constant : *constant;
      value = withoutLet(sum.getLhs());
    }
    auto read = value.getDefiningOp<graph::ReadOp>();
    auto argument = read && read.getIndices().size() == 1 ? statement.argument(read.getIndices()[0]) : std::nullopt;
    if (!argument || *argument > 1)
      return std::nullopt;
    return Side{read.getState(), *argument, offset};
  };
  auto a = side(equal.getLhs()), b = side(equal.getRhs());
  if (!a || !b || a->state != b->state || a->argument == b->argument)
    return std::nullopt;
  state = a->state;
  return a->argument == 1 ? b->offset - a->offset : a->offset - b->offset;
}

Operation *nextLevelCondition(const EffectTable &table) {
  const Statement &statement = table.statement();
  auto loop = loopOverLevels(statement);
  if (!loop || !loop.getReversed() || !loop.getWhere().empty() || statement.isPropagate() ||
      (statement.domain() != graph::Domain::Edges && statement.domain() != graph::Domain::EdgesInto) ||
      statement.where().empty())
    return nullptr;
  SmallVector<Value> conditions;
  conjuncts(yielded(statement.where()), conditions);
  auto found = llvm::find_if(conditions, [&](Value condition) {
    Value state;
    return stepAlong(statement, condition, state) == 1 && !llvm::is_contained(table.writtenStates(), state) &&
           table.onLevels(state) == LevelFact::Number;
  });
  return found == conditions.end() ? nullptr : found->getDefiningOp();
}

} // namespace gcompile
