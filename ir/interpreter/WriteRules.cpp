#include "ir/interpreter/WriteRules.h"

#include "llvm/ADT/SetVector.h"

#include <functional>
#include <optional>

using namespace mlir;

namespace gcompile::interpreter {

static Value named(Value value) {
  while (auto let = value.getDefiningOp<graph::LetOp>())
    value = let.getValue();
  return value;
}

namespace {
using Pairs = llvm::DenseSet<std::pair<Value, Value>>;
}

/// `known`: pairs that have been found to be spelt alike.
static bool sameExpression(Value a, Value b, Pairs &known) {
  a = named(a), b = named(b);
  if (a == b || known.contains({a, b}))
    return true;
  auto x = dyn_cast<BlockArgument>(a), y = dyn_cast<BlockArgument>(b);
  if (x && y)
    return x.getOwner()->getParentOp() == y.getOwner()->getParentOp() && x.getArgNumber() == y.getArgNumber();
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  bool same = first && second && first->getName() == second->getName() && first->getNumRegions() == 0 &&
              first->getAttrDictionary() == second->getAttrDictionary() &&
              first->getNumOperands() == second->getNumOperands() &&
              llvm::all_of(llvm::zip(first->getOperands(), second->getOperands()),
                           [&](auto pair) { return sameExpression(std::get<0>(pair), std::get<1>(pair), known); });
  if (same)
    known.insert({a, b});
  return same;
}

bool sameExpression(Value a, Value b) {
  Pairs known;
  return sameExpression(a, b, known);
}

bool sameExpressions(ValueRange a, ValueRange b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip(a, b))
    if (!sameExpression(x, y))
      return false;
  return true;
}

WriteRules::WriteRules(Operation *statement) : statement(statement) {
  auto add = [&](Value state) {
    bool local = statement->isAncestor(state.getParentRegion()->getParentOp());
    if (!local && !llvm::is_contained(written, state))
      written.push_back(state);
    return !local;
  };
  SmallVector<graph::UpdateOp> assignments;
  statement->walk([&](Operation *op) {
    if (auto update = dyn_cast<graph::UpdateOp>(op)) {
      if (add(update.getState()) && owns(update.getIndices()))
        owned.insert(op);
      else if (add(update.getState()) && update.getKind() == graph::UpdateKind::Assign)
        assignments.push_back(update);
    } else if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op)) {
      for (Value state : tuple.getStates())
        add(state);
      if (owns(tuple.getIndices()))
        owned.insert(op);
    }
  });
  // An element that others reach by another name is nobody's own.
  auto statesOf = [](Operation *op) -> SmallVector<Value> {
    if (auto tuple = dyn_cast<graph::UpdateTupleOp>(op))
      return tuple.getStates();
    return {cast<graph::UpdateOp>(op).getState()};
  };
  llvm::DenseSet<Value> shared;
  statement->walk([&](Operation *op) {
    if (isa<graph::UpdateOp, graph::UpdateTupleOp>(op) && !owned.contains(op))
      for (Value state : statesOf(op))
        shared.insert(state);
  });
  for (Operation *op : SmallVector<Operation *>(owned.begin(), owned.end()))
    if (llvm::any_of(statesOf(op), [&](Value state) { return shared.contains(state); }))
      owned.erase(op);
  // An assignment of a value that varies from iteration to iteration has a claim: its own guard's, or that of another
  // assignment to the same element in the same block or one around it.
  for (graph::UpdateOp assignment : assignments) {
    if (!varies(assignment.getValue()))
      continue;
    for (graph::UpdateOp key : assignments)
      if (key->getParentRegion()->isAncestor(assignment->getParentRegion()) && !claims.count(key->getBlock()) &&
          sameExpressions(key.getIndices(), assignment.getIndices()))
        if (auto found = claim(key))
          claims[key->getBlock()] = *found;
  }
}

const WriteRules::Claim *WriteRules::claimOf(Block *block) const {
  auto found = claims.find(block);
  return found == claims.end() ? nullptr : &found->second;
}

bool WriteRules::owns(ValueRange indices) const {
  auto argument = [&](unsigned position, unsigned number) {
    auto name = dyn_cast<BlockArgument>(named(indices[position]));
    return name && name.getOwner()->getParentOp() == statement && name.getArgNumber() == number;
  };
  auto loop = dyn_cast<graph::ForOp>(statement);
  if (!loop)
    return isa<graph::PropagateOp>(statement) && indices.size() == 1 && isa<graph::EdgeType>(indices[0].getType()) &&
           cast<graph::PropagateOp>(statement).getDomain() != graph::Domain::EdgesBoth && argument(0, 2);
  switch (loop.getDomain()) {
  case graph::Domain::Vertices:
    return indices.size() == 1 && argument(0, 0);
  case graph::Domain::Pairs:
    return indices.size() == 2 && argument(0, 0) && argument(1, 1);
  case graph::Domain::Edges:
  case graph::Domain::EdgesInto:
    return indices.size() == 1 && argument(0, 2);
  case graph::Domain::OutOf:
  case graph::Domain::Into:
    return indices.size() == 1 && argument(0, 1);
  default:
    return false;
  }
}

bool WriteRules::varies(Value value) const {
  llvm::SetVector<Value> parts;
  parts.insert(value);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Value part = parts[i];
    if (isa<graph::StateType>(part.getType()) || !statement->isAncestor(part.getParentRegion()->getParentOp()))
      continue;
    if (auto argument = dyn_cast<BlockArgument>(part)) {
      bool round = argument.getOwner()->getParentOp() == statement && argument.getType().isInteger(32);
      if (!round)
        return true;
      continue;
    }
    Operation *op = part.getDefiningOp();
    if (op->getNumRegions() != 0)
      return true;
    if (auto read = dyn_cast<graph::ReadOp>(op))
      if (llvm::is_contained(written, read.getState()) ||
          statement->isAncestor(read.getState().getParentRegion()->getParentOp()))
        return true;
    parts.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// The claim that `assignment` makes: it stands under a guard that compares its element with a constant.
std::optional<WriteRules::Claim> WriteRules::claim(graph::UpdateOp assignment) const {
  auto isElement = [&](Value value) {
    auto read = named(value).getDefiningOp<graph::ReadOp>();
    return read && read.getState() == assignment.getState() &&
           sameExpressions(read.getIndices(), assignment.getIndices());
  };
  std::optional<Claim> found;
  std::function<void(Value)> look = [&](Value condition) {
    if (auto both = condition.getDefiningOp<graph::LogicOp>(); both && both.getKind() == graph::LogicKind::And) {
      look(both.getLhs());
      look(both.getRhs().front().back().getOperand(0));
    } else if (auto equal = condition.getDefiningOp<graph::BinaryOp>();
               equal && equal.getKind() == graph::BinaryKind::Eq) {
      for (auto [element, other] : {std::pair(equal.getLhs(), equal.getRhs()), {equal.getRhs(), equal.getLhs()}})
        if (isElement(element) &&
            isa_and_nonnull<graph::ConstantOp, graph::NoneOp, graph::InfOp>(other.getDefiningOp()))
          found = Claim{assignment, other};
    } else if (auto inverse = condition.getDefiningOp<graph::UnaryOp>();
               inverse && inverse.getKind() == graph::UnaryKind::Not && isElement(inverse.getOperand())) {
      found = Claim{assignment, Value()};
    }
  };
  Region *region = assignment->getParentRegion();
  for (Operation *op = assignment->getParentOp();; region = op->getParentRegion(), op = op->getParentOp()) {
    if (auto branch = dyn_cast<graph::IfOp>(op); branch && region == &branch.getThenRegion())
      look(branch.getCondition());
    Region *where = nullptr;
    if (auto loop = dyn_cast<graph::ForOp>(op))
      where = &loop.getWhere();
    else if (auto propagate = dyn_cast<graph::PropagateOp>(op))
      where = &propagate.getWhere();
    if (where && !where->empty())
      look(where->front().back().getOperand(0));
    if (op == statement)
      return found;
  }
}

} // namespace gcompile::interpreter
