// Loops of a kernel over vertices and adjacency, and the conditions that are placed among them.
#include "ir/conversion/KernelEmitter.h"

#include "ir/analysis/Failures.h"
#include "ir/analysis/Legality.h"
#include "ir/schedule/Schedule.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {

/// What `v` is computed from inside of the statement, each value once: its expressions and what they contain, down to
/// the arguments of regions.
SmallVector<Value> KernelEmitter::parts(Value v) const {
  llvm::SetVector<Value> found;
  found.insert(v);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Operation *op = found[i].getDefiningOp();
    if (!op || !inside(op))
      continue;
    op->walk([&](Operation *inner) {
      found.insert(inner->operand_begin(), inner->operand_end());
      found.insert(inner->result_begin(), inner->result_end());
    });
  }
  return found.takeVector();
}

bool KernelEmitter::uses(Value v, ArrayRef<Region *> regions, ArrayRef<unsigned> arguments) const {
  return llvm::any_of(parts(v), [&](Value part) {
    auto argument = dyn_cast<BlockArgument>(part);
    return argument && llvm::is_contained(arguments, argument.getArgNumber()) &&
           llvm::is_contained(regions, argument.getParentRegion());
  });
}

/// Whether evaluating a condition earlier than written could fail where the program would not have.
bool KernelEmitter::mayFail(Value v) const {
  return llvm::any_of(parts(v), [&](Value part) {
    Operation *op = part.getDefiningOp();
    if (!op || !inside(op))
      return false;
    return gcompile::mayFail(op) || op->getNumRegions() != 0;
  });
}

/// Whether an expression reads what the iteration itself changes: its variables, or state that it owns.
bool KernelEmitter::readsOwnWrites(Value v) const {
  return llvm::any_of(parts(v), [&](Value part) {
    auto read = part.getDefiningOp<graph::ReadOp>();
    if (!read || !inside(read))
      return false;
    Operation *state = read.getState().getDefiningOp();
    return (state && inside(state)) ||
           (plan.table && llvm::any_of(plan.table->writes(), [&](const Write &write) {
              return write.rule == WriteRule::Owned && llvm::is_contained(write.states, read.getState());
            }));
  });
}

void KernelEmitter::openConditions(SmallVectorImpl<Value> &conditions, ArrayRef<Region *> regions,
                                   ArrayRef<unsigned> pending, Location loc) {
  SmallVector<Value> now, later;
  for (Value condition : conditions) {
    bool hoistable = !uses(condition, regions, pending) && (later.empty() || !mayFail(condition)) &&
                     (pending.empty() || !readsOwnWrites(condition));
    (hoistable ? now : later).push_back(condition);
  }
  conditions.assign(later.begin(), later.end());
  if (now.empty())
    return;
  Value all = value(now.front());
  for (Value condition : ArrayRef<Value>(now).drop_front())
    all = logic(
        graph::LogicKind::And, all, [&] { return value(condition); }, condition.getLoc());
  auto branch = b.create<graph::IfOp>(loc, all);
  b.createBlock(&branch.getThenRegion());
}

void KernelEmitter::takeBounds(SmallVectorImpl<Value> &conditions, ArrayRef<Region *> regions, unsigned inner,
                               Value &above, Value &below) {
  auto isInner = [&](Value v) {
    auto argument = dyn_cast<BlockArgument>(v);
    return argument && argument.getArgNumber() == inner && llvm::is_contained(regions, argument.getParentRegion());
  };
  for (Value &condition : conditions) {
    auto compare = condition.getDefiningOp<graph::BinaryOp>();
    if (!compare || !isa<graph::VertexType>(compare.getLhs().getType()))
      continue;
    Value low = compare.getLhs(), high = compare.getRhs();
    if (compare.getKind() == graph::BinaryKind::Gt)
      std::swap(low, high);
    else if (compare.getKind() != graph::BinaryKind::Lt)
      continue;
    if (isInner(high) && !above && isa<BlockArgument>(low) && !isInner(low)) {
      above = value(low);
      condition = Value();
    } else if (isInner(low) && !below && isa<BlockArgument>(high) && !isInner(high)) {
      below = value(high);
      condition = Value();
    }
  }
  llvm::erase_if(conditions, [](Value v) { return !v; });
}

void KernelEmitter::adjacency(graph::Domain domain, Value vertex, unsigned other, unsigned edge,
                              ArrayRef<Region *> regions, ArrayAttr names, SmallVectorImpl<Value> &conditions,
                              Location loc) {
  Value above, below;
  bool ascending = !schedule::said<schedule::Neighbors>(root->getParentOfType<graph::AlgorithmOp>());
  if (domain != graph::Domain::Either && ascending)
    takeBounds(conditions, regions, other, above, below);
  auto name = [&](unsigned i, const char *fallback) -> Attribute {
    return i < names.size() ? names[i] : b.getStringAttr(fallback);
  };
  auto loop =
      b.create<exec::ForOp>(loc, domain, vertex, above, below, b.getArrayAttr({name(other, "v"), name(edge, "e")}));
  Block *body = b.createBlock(&loop.getBody());
  bind(regions, other, body->addArgument(graph::VertexType::get(b.getContext()), loc));
  bind(regions, edge, body->addArgument(graph::EdgeType::get(b.getContext()), loc));
}

/// Whether a set is made of adjacency lists alone, which a kernel iterates in ascending order.
static bool isAdjacency(Value set) {
  if (set.getDefiningOp<graph::NeighborsOp>())
    return true;
  if (auto algebra = set.getDefiningOp<graph::SetAlgebraOp>())
    return isAdjacency(algebra.getLhs()) && isAdjacency(algebra.getRhs());
  return false;
}

void KernelEmitter::pattern(graph::Domain domain, Value over, ArrayRef<Region *> givenRegions, ArrayAttr names,
                            SmallVector<Value> conditions, Location loc, llvm::function_ref<void()> contents) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Region *> regions(givenRegions.begin(), givenRegions.end());
  Type vertex = graph::VertexType::get(b.getContext());
  auto vertices = [&](Value set, unsigned argument) -> Value {
    while (auto filter = set.getDefiningOp<graph::SetFilterOp>()) {
      if (!inside(filter))
        break;
      conjuncts(yielded(filter.getWhere()), conditions);
      regions.push_back(&filter.getWhere());
      set = filter.getSet();
    }
    Value above, below;
    if (isAdjacency(set))
      takeBounds(conditions, regions, argument, above, below);
    Attribute name = argument < names.size() ? names[argument] : b.getStringAttr("w");
    auto loop = b.create<exec::ForOp>(loc, graph::Domain::Vertices, value(set), above, below, b.getArrayAttr({name}));
    Value bound = b.createBlock(&loop.getBody())->addArgument(vertex, loc);
    bind(regions, argument, bound);
    return bound;
  };
  switch (domain) {
  case graph::Domain::Vertices:
  case graph::Domain::Levels:
    openConditions(conditions, regions, {0}, loc);
    vertices(over, 0);
    break;
  case graph::Domain::Pairs: {
    Value all = b.create<graph::AllVerticesOp>(loc);
    openConditions(conditions, regions, {0, 1}, loc);
    vertices(all, 0);
    openConditions(conditions, regions, {1}, loc);
    vertices(all, 1);
    break;
  }
  case graph::Domain::Edges:
  case graph::Domain::EdgesBoth:
  case graph::Domain::EdgesInto: {
    openConditions(conditions, regions, {0, 1, 2}, loc);
    Value u = vertices(over, 0);
    openConditions(conditions, regions, {1, 2}, loc);
    adjacency(graph::edgesAtActive(domain), u, 1, 2, regions, names, conditions, loc);
    break;
  }
  case graph::Domain::OutOf:
  case graph::Domain::Into:
  case graph::Domain::Either:
    openConditions(conditions, regions, {0, 1}, loc);
    adjacency(domain, value(over), 0, 1, regions, names, conditions, loc);
    break;
  }
  openConditions(conditions, regions, {}, loc);
  contents();
}

} // namespace gcompile
