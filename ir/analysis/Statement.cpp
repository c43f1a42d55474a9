#include "ir/analysis/Statement.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {

graph::Domain Statement::domain() const {
  if (auto propagate = dyn_cast<graph::PropagateOp>(op))
    return propagate.getDomain();
  return cast<graph::ForOp>(op).getDomain();
}

Value Statement::over() const {
  if (auto propagate = dyn_cast<graph::PropagateOp>(op))
    return propagate.getFrom();
  return cast<graph::ForOp>(op).getOver();
}

Region &Statement::where() const {
  if (auto propagate = dyn_cast<graph::PropagateOp>(op))
    return propagate.getWhere();
  return cast<graph::ForOp>(op).getWhere();
}

Region &Statement::body() const {
  if (auto propagate = dyn_cast<graph::PropagateOp>(op))
    return propagate.getBody();
  return cast<graph::ForOp>(op).getBody();
}

Value Statement::ordered() const {
  if (auto propagate = dyn_cast<graph::PropagateOp>(op))
    return propagate.getOrdered();
  return {};
}

std::optional<unsigned> Statement::argument(Value value) const {
  auto argument = dyn_cast<BlockArgument>(withoutLet(value));
  if (!argument || argument.getOwner()->getParentOp() != op || isRound(argument))
    return std::nullopt;
  return argument.getArgNumber();
}

bool Statement::isRound(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->getParentOp() == op && argument.getType().isInteger(32);
}

bool Statement::isOutside(Value value) const {
  Region *region = value.getParentRegion();
  return !op->isAncestor(region->getParentOp());
}

bool Statement::isUniform(Value value, ArrayRef<Value> written, ArrayRef<Value> known) const {
  llvm::SetVector<Value> parts; // of the expression, each once: a `let` may be used many times
  parts.insert(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Value part = parts[i];
    if (isa<graph::StateType>(part.getType()) || isOutside(part) || isRound(part) || llvm::is_contained(known, part))
      continue;
    Operation *def = part.getDefiningOp();
    if (!def || def->getNumRegions() != 0)
      return false;
    if (auto read = dyn_cast<graph::ReadOp>(def))
      if (llvm::is_contained(written, read.getState()) || isLocal(read.getState()))
        return false;
    parts.insert(def->operand_begin(), def->operand_end());
  }
  return true;
}

SmallVector<Value> Statement::conditions(Operation *inner, Region *within) const {
  SmallVector<Value> result;
  if (!within && !where().empty() && body().isAncestor(inner->getParentRegion()))
    conjuncts(yielded(where()), result);
  for (Operation *parent = inner->getParentOp(); parent && parent != op; parent = parent->getParentOp()) {
    if (within && !within->isAncestor(parent->getParentRegion()))
      break;
    if (auto branch = dyn_cast<graph::IfOp>(parent))
      if (branch.getThenRegion().isAncestor(inner->getParentRegion()))
        conjuncts(branch.getCondition(), result);
    if (auto loop = dyn_cast<graph::ForOp>(parent); loop && !loop.getWhere().empty())
      conjuncts(yielded(loop.getWhere()), result);
  }
  return result;
}

SmallVector<Operation *> Statement::slice(Value value) const {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Operation *def = pending.pop_back_val().getDefiningOp();
    if (!def || !op->isProperAncestor(def) || isa<graph::StateOp>(def) || found.contains(def))
      continue;
    def->walk([&](Operation *inner) {
      if (found.insert(inner))
        pending.append(inner->operand_begin(), inner->operand_end());
    });
  }
  return found.takeVector();
}

SmallVector<Value> Statement::controls(Operation *inner) const {
  SmallVector<Value> result;
  if (!where().empty())
    result.push_back(yielded(where()));
  for (Operation *parent = inner->getParentOp(); parent && parent != op; parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<graph::IfOp>(parent)) {
      result.push_back(branch.getCondition());
    } else if (auto loop = dyn_cast<graph::ForOp>(parent)) {
      if (loop.getOver())
        result.push_back(loop.getOver());
      if (!loop.getWhere().empty())
        result.push_back(yielded(loop.getWhere()));
    } else if (auto repeat = dyn_cast<graph::WhileOp>(parent)) {
      result.push_back(yielded(repeat.getCondition()));
    } else if (auto repeat = dyn_cast<graph::RepeatOp>(parent)) {
      if (repeat.getTimes())
        result.push_back(repeat.getTimes());
      if (!repeat.getUntil().empty())
        result.push_back(yielded(repeat.getUntil()));
    }
  }
  return result;
}

bool insideParallel(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<graph::ForOp>(parent); loop && !loop.getSequential())
      return true;
    if (isa<graph::PropagateOp, graph::ReduceOp, graph::SetFilterOp>(parent))
      return true;
  }
  return false;
}

void conjuncts(Value condition, SmallVectorImpl<Value> &out) {
  if (auto logic = condition.getDefiningOp<graph::LogicOp>(); logic && logic.getKind() == graph::LogicKind::And) {
    conjuncts(logic.getLhs(), out);
    conjuncts(yielded(logic.getRhs()), out);
    return;
  }
  out.push_back(condition);
}

Value yielded(Region &region) { return cast<graph::YieldOp>(region.front().back()).getValues()[0]; }

Value withoutLet(Value value) {
  while (auto let = value.getDefiningOp<graph::LetOp>())
    value = let.getValue();
  return value;
}

namespace {
using Pairs = llvm::DenseSet<std::pair<Value, Value>>;
}

/// `known`: pairs that have been found to be the same.
static bool sameExpression(const Statement &statement, Value a, Value b, ArrayRef<Value> written, Pairs &known) {
  a = withoutLet(a), b = withoutLet(b);
  if (a == b || known.contains({a, b}))
    return true;
  auto argumentA = statement.argument(a), argumentB = statement.argument(b);
  if (argumentA || argumentB)
    return argumentA == argumentB;
  if (statement.isRound(a) && statement.isRound(b))
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || x->getName() != y->getName() || x->getNumRegions() != 0 ||
      x->getNumOperands() != y->getNumOperands() || x->getAttrDictionary() != y->getAttrDictionary() ||
      x->getPropertiesAsAttribute() != y->getPropertiesAsAttribute())
    return false;
  if (auto read = dyn_cast<graph::ReadOp>(x);
      read && (statement.isLocal(read.getState()) || llvm::is_contained(written, read.getState())))
    return false;
  bool same = llvm::all_of(llvm::zip(x->getOperands(), y->getOperands()), [&](auto pair) {
    return sameExpression(statement, std::get<0>(pair), std::get<1>(pair), written, known);
  });
  if (same)
    known.insert({a, b});
  return same;
}

bool sameExpression(const Statement &statement, Value a, Value b, ArrayRef<Value> written) {
  Pairs known;
  return sameExpression(statement, a, b, written, known);
}

} // namespace gcompile
