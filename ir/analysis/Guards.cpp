#include "ir/analysis/Effects.h"
#include "ir/analysis/None.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"

// What is known about the values of guards: that an assignment makes one false, and that a propagate's active vertices
// fail it.

using namespace mlir;

namespace gcompile {

bool isSmall(Value value) {
  value = withoutLet(value);
  if (auto constant = value.getDefiningOp<graph::ConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
      return integer.getValue().abs().ule(value.getType().isInteger(32) ? 1 : 1 << 16);
  auto cast = value.getDefiningOp<graph::CastOp>(); // a sum of int, kept as a long
  return cast && value.getType().isInteger(64) && cast.getOperand().getType().isInteger(32);
}

static bool isInfinity(Value value) {
  auto infinite = value.getDefiningOp<graph::InfOp>();
  return infinite && !infinite.getLowest();
}

/// Whether an integer constant is the number that stands for infinity.
static bool isGreatest(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  auto integer = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return integer && integer.getValue().isMaxSignedValue() && integer.getValue().getBitWidth() > 1;
}

/// Whether an operation can make the greatest integer of one that is far from it.
static bool turnsOver(Operation *op) {
  auto unary = dyn_cast<graph::UnaryOp>(op);
  if (unary && isa<IntegerType>(unary.getType()) && unary.getOperand().getDefiningOp<graph::ConstantOp>())
    return false;
  if (unary)
    return unary.getKind() == graph::UnaryKind::Neg || unary.getKind() == graph::UnaryKind::Invert;
  auto binary = dyn_cast<graph::BinaryOp>(op);
  return binary &&
         llvm::is_contained({graph::BinaryKind::BitOr, graph::BinaryKind::BitXor, graph::BinaryKind::ShiftLeft},
                            binary.getKind());
}

bool EffectTable::isFinite(Value value) const {
  if (isa<IntegerType>(value.getType()) && (isGreatest(value) || llvm::any_of(st.slice(value), [](Operation *op) {
                                              return turnsOver(op) || llvm::any_of(op->getOperands(), isGreatest);
                                            })))
    return false;
  llvm::SetVector<Value> parts; // of the expression, each once: a `let` may be used many times
  parts.insert(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!infinity.mayBeInf(parts[i]))
      continue;
    Operation *op = parts[i].getDefiningOp();
    if (auto read = dyn_cast_or_null<graph::ReadOp>(op)) {
      if (!assumedState || read.getState() != assumedState || !isInfinity(assumedApart) ||
          read.getIndices().size() != 1 || st.argument(read.getIndices()[0]) != 0u)
        return false;
      continue;
    }
    if (auto binary = dyn_cast_or_null<graph::BinaryOp>(op)) {
      auto kind = binary.getKind();
      bool sum = kind == graph::BinaryKind::Add || kind == graph::BinaryKind::Sub;
      bool bounded = kind == graph::BinaryKind::Min || kind == graph::BinaryKind::Max ||
                     kind == graph::BinaryKind::Div || kind == graph::BinaryKind::Rem;
      if (!isa<IntegerType>(binary.getType()) ||
          !(sum ? isSmall(binary.getRhs()) || isSmall(binary.getLhs()) : bounded))
        return false;
    } else if (auto cast = dyn_cast_or_null<graph::CastOp>(op)) { // what is too great for an integer type is infinite
      Type from = cast.getOperand().getType(), to = cast.getType();
      if (isa<IntegerType>(to) &&
          (!isa<IntegerType>(from) || from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth()))
        return false;
    } else if (!isa_and_nonnull<graph::LetOp>(op)) {
      return false;
    }
    parts.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// Whether two constants of guards are the same.
static bool isSameConstant(Value a, Value b) {
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (x->getName() != y->getName())
    return false;
  if (auto infinite = dyn_cast<graph::InfOp>(x))
    return infinite.getLowest() == cast<graph::InfOp>(y).getLowest();
  auto number = dyn_cast<graph::ConstantOp>(x);
  if (!number)
    return true;                                          // none, or false
  if (auto real = dyn_cast<FloatAttr>(number.getValue())) // 0 and -0 are equal
    return real.getValueAsDouble() == cast<FloatAttr>(cast<graph::ConstantOp>(y).getValue()).getValueAsDouble();
  return number.getValue() == cast<graph::ConstantOp>(y).getValue();
}

bool EffectTable::differs(Value value, Value constant) const {
  value = withoutLet(value);
  Operation *c = constant.getDefiningOp();
  if (auto read = value.getDefiningOp<graph::ReadOp>();
      read && assumedState && read.getState() == assumedState && read.getIndices().size() == 1 &&
      st.argument(read.getIndices()[0]) == 0u && isSameConstant(assumedApart, constant))
    return true;
  if (isa<graph::UnaryOp>(c)) { // the guard `!s[v]`: false
    auto x = value.getDefiningOp<graph::ConstantOp>();
    return x && cast<BoolAttr>(x.getValue()).getValue();
  }
  if (isa<graph::NoneOp>(c))
    return !mayBeNone(value);
  if (auto infinite = dyn_cast<graph::InfOp>(c))
    return !infinite.getLowest() && isFinite(value);
  Attribute wanted = cast<graph::ConstantOp>(c).getValue();
  if (auto x = value.getDefiningOp<graph::ConstantOp>()) {
    if (auto number = dyn_cast<FloatAttr>(x.getValue())) // 0 and -0 are equal
      return number.getValueAsDouble() != cast<FloatAttr>(wanted).getValueAsDouble();
    return x.getValue() != wanted;
  }
  if (value.getDefiningOp<graph::InfOp>())
    return !isGreatest(constant);
  if (st.isRound(value))
    if (auto integer = dyn_cast<IntegerAttr>(wanted))
      return integer.getInt() < 1;
  if (auto degree = value.getDefiningOp<graph::DegreeOp>())
    if (auto integer = dyn_cast<IntegerAttr>(wanted))
      return integer.getInt() < 0;
  return false;
}

/// Whether two values are known to be one: the same, or read from a variable that nothing updates in between.
static bool isSameValue(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<graph::ReadOp>(), last = b.getDefiningOp<graph::ReadOp>();
  if (!first || !last || first.getState() != last.getState() || !first.getIndices().empty() ||
      first->getBlock() != last->getBlock())
    return false;
  if (last->isBeforeInBlock(first))
    std::swap(first, last);
  for (Operation *op = first; op != last; op = op->getNextNode()) {
    bool updates = false;
    op->walk([&](graph::UpdateOp update) { updates |= update.getState() == first.getState(); });
    op->walk([&](graph::UpdateTupleOp update) { updates |= llvm::is_contained(update.getStates(), first.getState()); });
    if (updates)
      return false;
  }
  return true;
}

/// Whether a condition, where it holds, shows that what `isElement` recognises differs from the constant of a guard.
bool EffectTable::excludes(Value condition, llvm::function_ref<bool(Value)> isElement, Value constant) const {
  if (isa<graph::UnaryOp>(constant.getDefiningOp())) // false
    return isElement(condition);
  auto test = condition.getDefiningOp<graph::BinaryOp>();
  if (!test)
    return false;
  using Kind = graph::BinaryKind;
  Kind kind = test.getKind();
  Value limit = test.getRhs();
  if (!isElement(test.getLhs())) {
    if (!isElement(test.getRhs()))
      return false;
    limit = test.getLhs();
    kind = kind == Kind::Lt   ? Kind::Gt
           : kind == Kind::Le ? Kind::Ge
           : kind == Kind::Gt ? Kind::Lt
           : kind == Kind::Ge ? Kind::Le
                              : kind;
  }
  limit = withoutLet(limit);
  if (!isa_and_nonnull<graph::ConstantOp, graph::NoneOp, graph::InfOp>(limit.getDefiningOp()))
    return false;
  if (kind == Kind::Ne)
    return isSameConstant(limit, constant);
  if (kind == Kind::Eq)
    return differs(limit, constant);
  if (kind == Kind::Lt && !constant.getDefiningOp<graph::ConstantOp>()) { // less than something is less than inf, none
    auto infinite = constant.getDefiningOp<graph::InfOp>();
    return !infinite || !infinite.getLowest();
  }
  auto x = constant.getDefiningOp<graph::ConstantOp>(), y = limit.getDefiningOp<graph::ConstantOp>();
  auto excluded = [&](auto apart, auto end) {
    return kind == Kind::Lt   ? apart >= end
           : kind == Kind::Le ? apart > end
           : kind == Kind::Gt ? apart <= end
                              : kind == Kind::Ge && apart < end;
  };
  if (!x || !y)
    return false;
  if (auto real = dyn_cast<FloatAttr>(x.getValue()))
    return excluded(real.getValueAsDouble(), cast<FloatAttr>(y.getValue()).getValueAsDouble());
  return !x.getType().isInteger(1) &&
         excluded(cast<IntegerAttr>(x.getValue()).getInt(), cast<IntegerAttr>(y.getValue()).getInt());
}

/// Whether the members of `{v in S where state[v] != constant}` are such.
bool EffectTable::excludesMembers(graph::SetFilterOp filter, Value state, Value constant) const {
  SmallVector<Value> conditions;
  conjuncts(yielded(filter.getWhere()), conditions);
  auto isElement = [&](Value value) {
    auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
    return read && read.getState() == state && read.getIndices().size() == 1 &&
           withoutLet(read.getIndices()[0]) == filter.getWhere().getArgument(0);
  };
  return llvm::any_of(conditions, [&](Value condition) { return excludes(condition, isElement, constant); });
}

/// Whether the conditions around a claim show that its value differs from the constant of its guard: what it assigns is
/// the very value that is tested, or the same expression again, over what the statement does not write, or over other
/// elements of what it claims. These differ from the constant already, so that nothing writes them.
bool EffectTable::isTestedApart(const Write &write, Value constant) const {
  Value value = withoutLet(write.values[0]);
  auto read = value.getDefiningOp<graph::ReadOp>();
  bool claimed = read && llvm::all_of(writeList, [&](const Write &other) {
                   return !llvm::is_contained(other.states, read.getState()) ||
                          (other.states == write.states && sameElement(other.indices, write.indices));
                 });
  auto isElement = [&](Value tested) {
    tested = withoutLet(tested);
    auto again = tested.getDefiningOp<graph::ReadOp>();
    return tested == value || sameExpression(st, tested, value, written) ||
           (claimed && again && again.getState() == read.getState() && !st.isLocal(read.getState()) &&
            sameElement(again.getIndices(), read.getIndices()));
  };
  return llvm::any_of(st.conditions(write.op),
                      [&](Value condition) { return excludes(condition, isElement, constant); });
}

/// What to add to the program so that isTestedApart holds, for a note.
std::string EffectTable::howToTest(Value value, Value constant) const {
  std::string apart;
  llvm::raw_string_ostream out(apart);
  if (constant.getDefiningOp<graph::NoneOp>())
    out << " != none";
  else if (constant.getDefiningOp<graph::InfOp>())
    out << " != inf";
  else if (auto number = constant.getDefiningOp<graph::ConstantOp>(); number && isa<FloatAttr>(number.getValue()))
    out << " != " << llvm::format("%g", cast<FloatAttr>(number.getValue()).getValueAsDouble());
  else if (number && !number.getType().isInteger(1))
    out << " != " << cast<IntegerAttr>(number.getValue()).getInt();
  else if (number)
    out << " != " << (cast<BoolAttr>(number.getValue()).getValue() ? "true" : "false");
  auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
  auto index = read && read.getIndices().size() == 1 ? st.argument(read.getIndices()[0]) : std::nullopt;
  if (!index || st.isLocal(read.getState()))
    return "name the new value with 'let' in front of an 'if NAME" + apart + "' around the assignment";
  auto propagate = dyn_cast<graph::PropagateOp>(st.operation());
  ArrayAttr names = propagate ? propagate.getNames() : cast<graph::ForOp>(st.operation()).getNames();
  return "add '" + graph::nameOf(read.getState()) + "[" + cast<StringAttr>(names[*index]).str() + "]" + apart +
         "' to the condition";
}

namespace {
/// Where the set that a statement starts from comes from: sets that contain it, itself the first, as far as the
/// operations before the statement tell, and the choices among their members that led to it.
struct Origin {
  SmallVector<Value> sets;
  SmallVector<graph::SetFilterOp> filters;

  explicit Origin(const Statement &st) {
    add(st.over());
    Value variable; // that holds the last of the sets
    for (Operation *op = st.operation()->getPrevNode(); op; op = op->getPrevNode()) {
      auto update = dyn_cast<graph::UpdateOp>(op);
      auto declaration = dyn_cast<graph::StateOp>(op);
      if (auto filter = dyn_cast<graph::SetFilterOp>(op); filter && filter.getResult() == sets.back()) {
        filters.push_back(filter);
        add(filter.getSet());
      } else if (auto read = dyn_cast<graph::ReadOp>(op); read && read.getValue() == sets.back()) {
        variable = read.getState();
      } else if (update && update.getState() == variable && update.getKind() == graph::UpdateKind::Assign) {
        variable = {};
        add(update.getValue());
      } else if (declaration && declaration.getState() == variable) {
        if (declaration.getInit().empty())
          return;
        variable = {};
        add(yielded(declaration.getInit()));
        if (auto filter = sets.back().getDefiningOp<graph::SetFilterOp>()) {
          filters.push_back(filter);
          add(filter.getSet());
        }
      } else if (variable) {
        bool changes = false;
        op->walk([&](graph::UpdateOp each) { changes |= each.getState() == variable; });
        if (changes)
          return;
      }
    }
  }

  void add(Value set) { sets.push_back(withoutLet(set)); }
  /// Whether all members of the set that the statement starts from are in `other`.
  bool isWithin(Value other) const {
    other = withoutLet(other);
    return other.getDefiningOp<graph::AllVerticesOp>() ||
           llvm::any_of(sets, [&](Value set) { return isSameValue(set, other); });
  }
};
} // namespace

/// Whether every element of the set that the statement starts from has been given a value of `state` that differs from
/// `constant`: the set is a choice of such elements, or plain assignments just before have seen to it.
bool EffectTable::initialSetExcluded(Value state, Value constant) const {
  const Origin origin(st);
  SmallVector<Value> pending;
  auto literal = origin.sets[0].getDefiningOp<graph::SetOfOp>();
  if (literal)
    pending.append(literal.getElements().begin(), literal.getElements().end());
  // Whether a new value, computed for `vertex`, differs from the constant; what an input gives the members of the set
  // may have been tested when they were chosen.
  auto isApart = [&](Value value, Value vertex) {
    auto read = withoutLet(value).getDefiningOp<graph::ReadOp>();
    bool input = read && isa<BlockArgument>(read.getState()) && read.getIndices().size() == 1 &&
                 withoutLet(read.getIndices()[0]) == vertex;
    return differs(value, constant) || (input && llvm::any_of(origin.filters, [&](graph::SetFilterOp filter) {
                                          return excludesMembers(filter, read.getState(), constant);
                                        }));
  };
  for (Operation *op = st.operation()->getPrevNode(); op; op = op->getPrevNode()) {
    if (llvm::any_of(origin.filters, [&](graph::SetFilterOp filter) {
          return op->isAncestor(filter) && excludesMembers(filter, state, constant);
        }))
      return true;
    auto declaration = dyn_cast<graph::StateOp>(op);
    if (declaration && declaration.getState() == state)
      return !declaration.getInit().empty() &&
             isApart(yielded(declaration.getInit()), declaration.getInit().getArgument(0));
    if (auto update = dyn_cast<graph::UpdateOp>(op); update && update.getState() == state) {
      Value index = update.getIndices()[0];
      // An index that is none ends the program.
      bool given = constant.getDefiningOp<graph::NoneOp>() && isSameValue(update.getValue(), index);
      if (update.getKind() != graph::UpdateKind::Assign || !(given || differs(update.getValue(), constant)))
        return false;
      llvm::erase_if(pending, [&](Value element) { return isSameValue(element, index); });
      if (pending.empty() && literal)
        return true;
    } else if (auto loop = dyn_cast<graph::ForOp>(op); loop && loop.getDomain() == graph::Domain::Vertices &&
                                                       loop.getWhere().empty() && origin.isWithin(loop.getOver())) {
      // Exactly one update, which every vertex of the set makes.
      SmallVector<graph::UpdateOp> updates;
      loop.walk([&](graph::UpdateOp update) {
        if (update.getState() == state)
          updates.push_back(update);
      });
      bool joint = false;
      loop.walk([&](graph::UpdateTupleOp update) { joint |= llvm::is_contained(update.getStates(), state); });
      if (updates.empty() && !joint)
        continue;
      Value v = loop.getBody().getArgument(0);
      return updates.size() == 1 && !joint && updates[0]->getParentOp() == loop &&
             updates[0].getIndices().size() == 1 && updates[0].getIndices()[0] == v &&
             updates[0].getKind() == graph::UpdateKind::Assign && isApart(updates[0].getValue(), v);
    } else if (!declaration) {
      bool touches = false;
      op->walk([&](graph::UpdateOp update) { touches |= update.getState() == state; });
      op->walk([&](graph::UpdateTupleOp update) { touches |= llvm::is_contained(update.getStates(), state); });
      if (touches)
        return false;
    }
  }
  return false;
}

/// Whether the values of the claimed state at the statement's first argument, wherever it is read, differ from
/// `constant`: those of the set that it starts from do, and in a propagate whatever activates a vertex runs together
/// with `key`, the assignment of a value that differs.
bool EffectTable::frontierExcluded(const Write &key, Value constant) const {
  for (const Write &write : writeList)
    if (st.isPropagate() && write.isAtVertex() &&
        (key.owner != 1u || write.owner != 1u || !key.op->getParentRegion()->isAncestor(write.op->getParentRegion())))
      return false;
  bool takesMembers = st.domain() == graph::Domain::Vertices || graph::rangesOverEdges(st.domain());
  bool ofVertices = cast<graph::StateType>(key.states[0].getType()).getShape() == graph::Shape::PerVertex;
  return takesMembers && ofVertices && !insideParallel(st.operation()) && initialSetExcluded(key.states[0], constant);
}

bool EffectTable::frontierInvariantHolds() {
  if (!st.isPropagate())
    return false;
  const Write *key = claim();
  if (!key)
    for (const Write &write : writeList)
      if (write.rule == WriteRule::SameValue && write.guard && write.owner == 1u)
        key = &write;
  if (!key || !key->guard || key->owner != 1u)
    return false;
  // The guard must hold for all that activates a vertex: it stands in `where`, or around the key's block.
  if (!frontierExcluded(*key, key->guard))
    return false;
  assumedState = key->states[0], assumedApart = key->guard;
  return differs(key->values[0], key->guard) || isTestedApart(*key, key->guard);
}

} // namespace gcompile
