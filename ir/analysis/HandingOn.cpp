// Sums of what has not been handed on yet: their fixpoint is as near in any order.
#include "ir/analysis/Inputs.h"
#include "ir/analysis/Legality.h"
#include "ir/schedule/Schedule.h"

using namespace mlir;

namespace gcompile {

namespace {
class HandingRule {
public:
  explicit HandingRule(const EffectTable &table) : table(table), st(table.statement()) {}

  HandingOn decide() {
    const Write *take = findTake();
    if (!take)
      return no("nothing raises what has been handed on to what is there, as 'given[u] max= rank[u]' does");
    on.meant = llvm::any_of(table.writes(), [&](const Write &write) {
      return write.kind == graph::UpdateKind::Add && write.states[0] == on.total;
    });
    if (std::string why = table.roundsShow(); !why.empty())
      return no(why);
    if (st.ordered())
      return no("it is 'ordered by' a property, and sums have no order of their own");
    auto type = [](Value state) { return cast<graph::StateType>(state.getType()).getElement(); };
    if (!isa<FloatType>(type(on.total)) || type(on.total) != type(on.given))
      return no(names() + " are not of one type of real numbers");
    if (take->op->getParentOp() != st.operation())
      return no("what is handed on is not noted for every edge");
    for (const Write &write : table.writes())
      if (&write != take && !isSum(write))
        return no(refused);
    for (const Read &read : table.reads())
      if (isWritten(read.op.getState()) && read.owner != 0u)
        return no(std::string("it reads what it updates elsewhere than at the edge's ") + st.activeEnd());
    if (!conditionsHold(take->op))
      return no(refused);
    on.legal = true;
    on.reason = "each part of " + names() +
                " is handed on once, and what is left is what the condition leaves at "
                "each vertex, as after rounds";
    return on;
  }

private:
  HandingOn no(const std::string &why) {
    on.legal = false;
    on.reason = why;
    return on;
  }
  std::string names() const { return "'" + graph::nameOf(on.total) + "' and '" + graph::nameOf(on.given) + "'"; }
  std::string difference() const { return "the difference of " + names() + " at the edge's " + st.activeEnd(); }
  bool isWritten(Value state) const { return state == on.total || state == on.given; }
  bool mentions(Value value) const { return table.mentions(value, {on.total, on.given}); }

  /// `given[u] max= total[u]`.
  const Write *findTake() {
    for (const Write &write : table.writes()) {
      auto update = dyn_cast<graph::UpdateOp>(write.op);
      if (!update || write.kind != graph::UpdateKind::Max || write.owner != 0u || write.part >= 0)
        continue;
      auto read = readAtSource(update.getValue());
      if (!read || read.getState() == write.states[0] || on.take)
        continue;
      on.total = read.getState();
      on.given = write.states[0];
      on.take = write.op;
    }
    return on.take ? table.find(on.take) : nullptr;
  }
  graph::ReadOp readAtSource(Value value) const {
    auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
    return read && read.getIndices().size() == 1 && st.argument(read.getIndices()[0]) == 0u ? read : graph::ReadOp();
  }

  /// `total[v] += difference * what is not negative`.
  bool isSum(const Write &write) {
    if (write.kind != graph::UpdateKind::Add || write.states[0] != on.total || write.owner != 1u || write.part >= 0)
      return refuse("it updates more than these sums at the edge's " + std::string(st.otherEnd()));
    SmallVector<Value> pending{write.values[0]};
    bool found = false;
    while (!pending.empty()) {
      Value value = withoutLet(pending.pop_back_val());
      auto binary = value.getDefiningOp<graph::BinaryOp>();
      if (isDifference(value)) {
        if (std::exchange(found, true))
          return refuse("what is handed on is not a part of " + difference());
        on.differences.push_back(value);
      } else if (binary && mentions(value) &&
                 (binary.getKind() == graph::BinaryKind::Mul || binary.getKind() == graph::BinaryKind::Div)) {
        if (binary.getKind() == graph::BinaryKind::Div && mentions(binary.getRhs()))
          return refuse("what is handed on is not a part of " + difference());
        pending.append({binary.getLhs(), binary.getRhs()});
      } else if (!isNotNegative(value)) {
        return false;
      }
    }
    for (Value condition : st.controls(write.op))
      if (condition.getParentRegion() != &st.where() && mentions(condition))
        return refuse("a condition in the body depends on what is updated");
    return found || refuse("what is handed on is not a part of " + difference());
  }
  bool isDifference(Value value) const {
    auto binary = value.getDefiningOp<graph::BinaryOp>();
    if (!binary || binary.getKind() != graph::BinaryKind::Sub)
      return false;
    graph::ReadOp left = readAtSource(binary.getLhs()), right = readAtSource(binary.getRhs());
    return left && right && left.getState() == on.total && right.getState() == on.given;
  }

  /// What is a real number of at least zero wherever the terms are.
  bool isNotNegative(Value value) {
    value = withoutLet(value);
    if (mentions(value))
      return refuse("what is handed on is not a part of " + difference());
    if (auto constant = value.getDefiningOp<graph::ConstantOp>()) {
      auto integer = dyn_cast<IntegerAttr>(constant.getValue());
      const double number =
          integer ? static_cast<double>(integer.getInt()) : cast<FloatAttr>(constant.getValue()).getValueAsDouble();
      return number >= 0 || refuse("a factor is negative");
    }
    if (isa_and_nonnull<graph::DegreeOp, graph::NumVerticesOp, graph::NumEdgesOp>(value.getDefiningOp()))
      return true;
    if (auto cast = value.getDefiningOp<graph::CastOp>())
      return isNotNegative(cast.getOperand());
    auto read = value.getDefiningOp<graph::ReadOp>();
    if (std::optional<unsigned> argument = inputNumber(read ? read.getState() : value)) {
      if (!llvm::is_contained(on.terms, *argument))
        on.terms.push_back(*argument);
      return true;
    }
    auto binary = value.getDefiningOp<graph::BinaryOp>();
    using Kind = graph::BinaryKind;
    if (binary && isa<FloatType>(value.getType()) && // sums of integers may wrap around
        llvm::is_contained({Kind::Add, Kind::Mul, Kind::Div, Kind::Min}, binary.getKind()))
      return isNotNegative(binary.getLhs()) && isNotNegative(binary.getRhs());
    return refuse("a factor or the bound may be negative; it may be made of edge properties, parameters, constants "
                  "and degrees");
  }

  /// Whether the edges of a vertex are all followed or none of them, and nothing but a bound on the difference asks for
  /// what is updated.
  bool conditionsHold(Operation *take) {
    bool bounded = false;
    for (Value condition : st.conditions(take)) {
      if (dependsOnEdge(condition))
        return refuse("a condition tells the edges of a vertex apart, and all of them share what is handed on");
      if (!mentions(condition))
        continue;
      auto test = withoutLet(condition).getDefiningOp<graph::BinaryOp>();
      if (!test)
        return refuse("a condition is no bound on " + difference());
      using Kind = graph::BinaryKind;
      const bool more = test.getKind() == Kind::Gt || test.getKind() == Kind::Ge;
      const bool less = test.getKind() == Kind::Lt || test.getKind() == Kind::Le;
      Value high = more ? test.getLhs() : test.getRhs(), low = more ? test.getRhs() : test.getLhs();
      if (!(more || less) || !isDifference(withoutLet(high)) || mentions(low))
        return refuse("a condition is no lower bound on " + difference());
      if (!isNotNegative(low))
        return false;
      bounded = true;
    }
    for (Value control : st.controls(take)) {
      SmallVector<Value> parts;
      conjuncts(control, parts);
      for (Value part : parts)
        if (!llvm::is_contained(st.conditions(take), part))
          return refuse("what is handed on is not noted for every edge");
    }
    return bounded || refuse("no condition bounds " + difference() + " from below");
  }
  bool dependsOnEdge(Value value) const {
    auto isEdge = [&](Value part) {
      std::optional<unsigned> argument = st.argument(part);
      return argument && *argument != 0;
    };
    return isEdge(value) || llvm::any_of(st.slice(value), [&](Operation *op) {
             return op
                 ->walk([&](Operation *inner) {
                   return llvm::any_of(inner->getOperands(), isEdge) ? WalkResult::interrupt() : WalkResult::advance();
                 })
                 .wasInterrupted();
           });
  }

  bool refuse(const std::string &why) {
    if (refused.empty())
      refused = why;
    return false;
  }

  const EffectTable &table;
  const Statement &st;
  HandingOn on;
  std::string refused;
};
} // namespace

HandingOn handsOn(const EffectTable &table) {
  if (!table.statement().isPropagate())
    return {false, "a 'for' runs once and has no fixpoint"};
  return HandingRule(table).decide();
}

Tolerances tolerancesOf(Operation *algorithm, const InfinityAnalysis &infinity) {
  Tolerances result;
  algorithm->walk([&](graph::PropagateOp op) {
    auto asynchronous = schedule::said<schedule::Asynchronous>(op);
    std::optional<double> tolerance = asynchronous ? asynchronous.tolerance() : std::nullopt;
    if (!tolerance)
      return;
    EffectTable table(op, infinity);
    HandingOn sums = handsOn(table);
    if (sums && !table.isMonotoneFixpoint(nullptr, /*together=*/true))
      for (Value state : {sums.total, sums.given})
        result.sums[state] = std::max(result.sums.lookup(state), *tolerance);
  });
  // As a whole: what an outermost statement changes depends on all that it reads.
  llvm::DenseSet<Value> values;
  auto dependsOn = [&](Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperands(),
                              [&](Value operand) {
                                return result.sums.contains(operand) || result.derived.contains(operand) ||
                                       values.contains(operand);
                              })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  };
  for (bool changed = !result.sums.empty(); changed;) {
    changed = false;
    auto derive = [&](Value state) {
      if (!result.sums.contains(state))
        changed |= result.derived.insert(state).second;
    };
    for (Operation &op : algorithm->getRegion(0).front()) {
      if (!dependsOn(&op))
        continue;
      if (auto state = dyn_cast<graph::StateOp>(op)) {
        derive(state.getState());
        continue;
      }
      for (Value value : op.getResults())
        changed |= values.insert(value).second;
      op.walk([&](Operation *inner) {
        if (auto update = dyn_cast<graph::UpdateOp>(inner))
          derive(update.getState());
        else if (auto tuple = dyn_cast<graph::UpdateTupleOp>(inner))
          llvm::for_each(tuple.getStates(), derive);
      });
    }
  }
  return result;
}

} // namespace gcompile
