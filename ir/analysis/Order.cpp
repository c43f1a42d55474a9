// Which statements may leave the rounds: in any order, or by priority.
#include "ir/analysis/Inputs.h"
#include "ir/analysis/Legality.h"

using namespace mlir;

namespace gcompile {

Legality canRunAsynchronously(const EffectTable &table) {
  std::string why;
  auto propagate = dyn_cast<graph::PropagateOp>(table.statement().operation());
  if (propagate && propagate.getOrdered() && !propagate.getUntil().empty())
    return {false, "'until' waits for final values, and without strict order none is known to be final before the end"};
  if (!table.isMonotoneFixpoint(&why, /*together=*/true)) {
    HandingOn sums = handsOn(table);
    return sums || sums.meant ? Legality(sums) : Legality{false, why};
  }
  return {true, "the updates only ever move one way, and early values cannot change where they end"};
}

/// `p[x] < inf` or `p[x] != inf`, either way round, which ask whether x has been reached: the read of p[x], or null.
static graph::ReadOp askedToBeReached(Value condition, Value priority) {
  auto test = withoutLet(condition).getDefiningOp<graph::BinaryOp>();
  if (!test)
    return {};
  Value low = withoutLet(test.getLhs()), high = withoutLet(test.getRhs());
  const bool either = test.getKind() == graph::BinaryKind::Ne;
  if (test.getKind() == graph::BinaryKind::Gt || (either && low.getDefiningOp<graph::InfOp>()))
    std::swap(low, high);
  else if (test.getKind() != graph::BinaryKind::Lt && !either)
    return {};
  auto infinity = high.getDefiningOp<graph::InfOp>();
  auto read = low.getDefiningOp<graph::ReadOp>();
  return infinity && read && read.getState() == priority ? read : graph::ReadOp();
}

OrderedEnd endOf(graph::PropagateOp propagate) {
  if (!propagate.getOrdered() || propagate.getUntil().empty())
    return {{true, ""}};
  const std::string name = "'" + graph::nameOf(propagate.getOrdered()) + "[x] < inf'";
  OrderedEnd end{{true, "it ends once what 'until' asks for is final"}};
  SmallVector<Value> pending{yielded(propagate.getUntil())};
  std::optional<graph::LogicKind> joined;
  while (!pending.empty()) {
    Value condition = withoutLet(pending.pop_back_val());
    if (auto logic = condition.getDefiningOp<graph::LogicOp>()) {
      if (joined && *joined != logic.getKind())
        return {{false, "'until' joins its conditions by both '&&' and '||'; only one of them can be kept track of"}};
      joined = logic.getKind();
      pending.append({yielded(logic.getRhs()), logic.getLhs()});
      continue;
    }
    graph::ReadOp asked = askedToBeReached(condition, propagate.getOrdered());
    if (!asked)
      return {{false, "'until' may only ask whether vertices have been reached, as in " + name}};
    // The same all along: from outside, or a variable, which this body does not write.
    Value vertex = withoutLet(asked.getIndices()[0]);
    auto read = vertex.getDefiningOp<graph::ReadOp>();
    if (propagate.getUntil().isAncestor(vertex.getParentRegion()) && !(read && read.getIndices().empty()))
      return {{false, "the vertex that 'until' asks for must be a name"}};
    end.asked.push_back(asked);
  }
  end.first = joined == graph::LogicKind::Or;
  return end;
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

namespace {
/// Whether values that travel along an edge never overtake the one that they come from.
class PriorityRule {
public:
  PriorityRule(const EffectTable &table, Value priority, bool greatestFirst)
      : table(table), priority(priority), greatestFirst(greatestFirst) {}

  /// Whether a new value is p[u] or comes after it.
  bool holds(Value value) { return comesAfter(value) && reads; }

  std::string refused; // why it does not, if there is more to say
  SmallVector<unsigned> terms, bounds;

private:
  /// Edge properties and parameters are checked when they are loaded.
  bool input(Value value) {
    std::optional<unsigned> argument = inputNumber(value);
    if (!argument)
      return false;
    auto algorithm = cast<graph::AlgorithmOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
    auto entry = cast<DictionaryAttr>(algorithm.getArguments()[*argument]);
    auto given = entry.getAs<StringAttr>("default");
    if (given && given.getValue().starts_with("-")) {
      refused = "the default value of '" + entry.getAs<StringAttr>("name").str() + "' is negative";
      return false;
    }
    note(terms, *argument);
    return true;
  }
  static void note(SmallVector<unsigned> &list, unsigned argument) {
    if (!llvm::is_contained(list, argument))
      list.push_back(argument);
  }

  bool mentionsPriority(Value value) const {
    return llvm::any_of(table.statement().slice(value), [&](Operation *op) {
      auto read = dyn_cast<graph::ReadOp>(op);
      return read && read.getState() == priority;
    });
  }

  bool comesAfter(Value value) {
    value = withoutLet(value);
    auto binary = value.getDefiningOp<graph::BinaryOp>();
    // The greater of the priority and anything comes after it where the least is first, and the lesser where the
    // greatest is.
    const auto bounding = greatestFirst ? graph::BinaryKind::Min : graph::BinaryKind::Max;
    if (binary && binary.getKind() == bounding && !reads)
      for (auto [side, bound] : {std::pair(binary.getLhs(), binary.getRhs()), {binary.getRhs(), binary.getLhs()}})
        if (mentionsPriority(side) && comesAfter(side) && reads) {
          noteBound(bound);
          return true;
        }
    if (auto read = value.getDefiningOp<graph::ReadOp>(); read && read.getState() == priority) {
      const bool first = !reads && table.statement().argument(read.getIndices()[0]) == 0u;
      reads = true;
      return first;
    }
    return !greatestFirst && growsBy(value);
  }
  void noteBound(Value bound) {
    for (Operation *op : table.statement().slice(bound))
      if (auto read = dyn_cast<graph::ReadOp>(op))
        if (std::optional<unsigned> argument = inputNumber(read.getState()))
          note(bounds, *argument);
  }

  /// Whether a value is a term that is at least zero, or a sum with such terms.
  bool growsBy(Value value) {
    if (knownTerms.contains(value))
      return true;
    if (auto read = value.getDefiningOp<graph::ReadOp>())
      return input(read.getState());
    auto binary = value.getDefiningOp<graph::BinaryOp>();
    if (binary && binary.getKind() == graph::BinaryKind::Add) {
      bool before = reads;
      if (!comesAfter(binary.getLhs()) || !comesAfter(binary.getRhs()))
        return false;
      if (reads == before) {
        if (!bits.of(value)) {
          refused = "a sum of terms may wrap around; add them one after the other";
          return false;
        }
        knownTerms.insert(value);
      }
      return true;
    }
    // What is bounded from below: by a constant, by the bits of one, or as a number of bits.
    auto unary = value.getDefiningOp<graph::UnaryOp>();
    if ((binary && (binary.getKind() == graph::BinaryKind::Max || binary.getKind() == graph::BinaryKind::BitAnd)) ||
        (unary && unary.getKind() == graph::UnaryKind::PopCount)) {
      auto isLimit = [](Value operand) {
        auto constant = operand.getDefiningOp<graph::ConstantOp>();
        return constant && !isNegative(constant);
      };
      return (unary || isLimit(binary.getLhs()) || isLimit(binary.getRhs())) && !mentionsPriority(value);
    }
    if (auto cast = value.getDefiningOp<graph::CastOp>())
      return comesAfter(cast.getOperand());
    if (auto constant = value.getDefiningOp<graph::ConstantOp>())
      return !isNegative(constant);
    return isa<BlockArgument>(value) ? input(value)
                                     : isa_and_nonnull<graph::DegreeOp, graph::NumVerticesOp>(value.getDefiningOp());
  }

  const EffectTable &table;
  Value priority;
  const bool greatestFirst;
  bool reads = false; // p[u] has been found, which counts once
  TermBits bits;
  llvm::DenseSet<Value> knownTerms; // that are not negative, and do not read the priority
};
} // namespace

PriorityOrder canRunByPriority(const EffectTable &table) {
  const Statement &statement = table.statement();
  Value priority = statement.ordered();
  if (!priority)
    return {{false, "it is not 'ordered by' a property"}};
  const Write *key = nullptr;
  for (const Write &write : table.writes())
    if (write.states[0] == priority)
      key = &write;
  const bool greatestFirst = key && key->kind == graph::UpdateKind::Max;
  if (!key || (key->kind != graph::UpdateKind::Min && !greatestFirst) || key->owner != 1u)
    return {{false,
             std::string("the body does not update it with 'min=' or 'max=' at the edge's ") + statement.otherEnd()}};
  if (table.writes().size() != 1)
    return {{false, "the body updates more than that: a vertex would have to be visited again out of its turn"}};
  if (auto propagate = cast<graph::PropagateOp>(statement.operation()); greatestFirst && !propagate.getUntil().empty())
    return {{false, "'until' asks for values less than 'inf', and where the greatest come first all may be"}};
  std::string why;
  if (!table.isMonotoneFixpoint(&why, /*together=*/true))
    return {{false, why}};
  PriorityRule rule(table, priority, greatestFirst);
  if (rule.holds(key->values[0]))
    return {{true, greatestFirst ? "values never rise along an edge" : "values only grow along an edge"},
            greatestFirst,
            rule.terms,
            rule.bounds};
  if (!rule.refused.empty())
    return {{false, rule.refused}};
  return {{false,
           std::string("the new value must be the old one at the edge's ") + statement.activeEnd() +
               (greatestFirst ? ", or the lesser of that and something else" : " plus terms that are never negative")}};
}

} // namespace gcompile
