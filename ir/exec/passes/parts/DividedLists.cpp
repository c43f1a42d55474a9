// Which kernels can run where the edges at a vertex are divided among several parts.
#include "ir/exec/passes/parts/DividedLists.h"

#include "ir/exec/Kernels.h"
#include "ir/graph/Domains.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::parts {

bool isListLoop(Operation *op) {
  auto loop = dyn_cast<exec::ForOp>(op);
  return loop && graph::isList(loop.getDomain());
}

static bool looksAtSingleEdges(Operation *op) {
  return isa<graph::NeighborsOp, graph::NeighborAtOp, graph::EdgeBetweenOp, graph::EndpointOp>(op);
}

bool looksAtEdges(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isListLoop(inner) || looksAtSingleEdges(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

std::string named(Value state) { return "'" + exec::nameOf(state) + "'"; }
graph::StateType typeOf(Value state) { return cast<graph::StateType>(state.getType()); }

class Pushing : Refuses {
public:
  Pushing(Operation *kernel, Region &region, Operation *changes, ValueRange collected)
      : kernel(kernel), region(region), changes(changes), collected(collected) {
    ends.addOwn(region.getArgument(0));
  }

  std::optional<Refusal> check() {
    visit(region);
    return refusal;
  }

private:
  void visit(Region &each) {
    for (Block &block : each)
      for (Operation &op : block)
        if (!refusal)
          visit(&op);
  }
  void visitRegions(Operation *op) {
    for (Region &each : op->getRegions())
      visit(each);
  }

  void visit(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](exec::ForOp loop) { this->loop(loop); })
        .Case([&](exec::ReduceOp reduce) {
          if (looksAtEdges(reduce) && collected.empty())
            return refuse(reduce, "a vertex needs what is collected over all of its edges");
          visitRegions(reduce);
        })
        .Case([&](graph::ReadOp read) {
          if (read.getIndices().size() == 2)
            refuse(read, "it reads " + named(read.getState()) + " at pairs");
          else if (read.getIndices().size() == 1)
            this->read(read, read.getIndices()[0], read.getState());
        })
        .Case([&](exec::ReadTogetherOp together) {
          for (Value state : together.getStates())
            read(together, together.getIndex(), state);
        })
        .Case([&](graph::ContainsOp contains) { this->contains(contains); })
        .Case([&](exec::UpdateOp update) { this->update(update); })
        .Case<exec::UpdateTupleOp, exec::ClaimOp>([&](auto write) { writeAt(write, write.getIndices()); })
        .Case([&](exec::ActivateOp activate) {
          if (!around || ends.isOwn(activate.getVertex()))
            refuse(activate, "a vertex becomes active that is at no other end of an edge");
        })
        .Case([&](exec::ContributeOp contribute) {
          if (contribute->getParentOfType<exec::ReduceOp>().getOperation() == kernel && !around)
            refuse(contribute, "it reduces over vertices, which look at their edges");
        })
        .Case<exec::BreakOp, graph::BreakOp>([&](auto each) {
          if (around)
            refuse(each, "a vertex ends early, before all of its edges are looked at");
        })
        .Case<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::LogicOp, graph::ConditionalOp, graph::SetFilterOp>(
            [&](auto each) { visitRegions(each); })
        .Case<graph::StateOp, exec::RequireOp, exec::CountEdgeOp>([](auto) {})
        .Default([&](Operation *other) {
          if (!isPlainValue(other) || looksAtSingleEdges(other))
            refuse(other, "it needs all edges of a vertex at one place");
        });
  }

  void loop(exec::ForOp loop) {
    if (!isListLoop(loop))
      return visitRegions(loop);
    if (around)
      return refuse(loop, "it loops over edges for each of a vertex's edges");
    if (!ends.isOwn(loop.getOver()))
      return refuse(loop, "it goes over the edges of another vertex");
    around = loop;
    visitRegions(loop);
    around = exec::ForOp();
  }

  /// What is read at the own vertex, owners give to those that have some of its edges.
  void read(Operation *at, Value vertex, Value state) {
    const bool isGiven = isa<BlockArgument>(state) || isLocal(state, region) || ends.ofPlace(vertex) != End::Own ||
                         typeOf(state).getShape() == graph::Shape::Array;
    if (isGiven)
      return;
    if (isa<graph::ForeignType>(typeOf(state).getElement()))
      return refuse(at, "it reads the values of a C++ type " + named(state));
    if (!isa<exec::PropagateOp, exec::OrderedOp>(kernel) && writes(changes, state))
      refuse(at, "it reads " + named(state) + " of a vertex along its edges while that changes");
  }
  void contains(graph::ContainsOp contains) {
    Value set = withoutLet(contains.getSet());
    Operation *op = set.getDefiningOp();
    const bool isKnown = op ? isa<graph::AllVerticesOp>(op)
                            : isa<graph::AlgorithmOp>(cast<BlockArgument>(set).getOwner()->getParentOp());
    if (!ends.isOwn(contains.getVertex()) || isKnown)
      return;
    auto read = dyn_cast_or_null<graph::ReadOp>(op);
    if (!read || !read.getIndices().empty() || !region.isAncestor(read->getParentRegion()))
      refuse(contains, "it asks whether a vertex is in a set that has no name");
  }

  void update(exec::UpdateOp update) {
    Value state = update.getState();
    if (isLocal(state, region)) {
      if (around && !around->isAncestor(state.getParentRegion()->getParentOp()) && collected.empty())
        refuse(update, "a vertex collects over its edges");
    } else if (llvm::is_contained(collected, state)) {
      return;
    } else if (update.getIndices().empty() || typeOf(state).getShape() == graph::Shape::Array) {
      if (!around)
        refuse(update, "it changes " + named(state) + " beside a loop over edges");
    } else {
      writeAt(update, update.getIndices());
    }
  }
  void writeAt(Operation *write, ValueRange indices) {
    if (indices.size() == 2)
      refuse(write, "it writes at pairs");
    else if (ends.isOwn(indices[0]))
      refuse(write, "it changes the vertex whose edges it looks at");
    else if (!around)
      refuse(write, "it changes another vertex beside a loop over edges");
  }

  Operation *kernel;
  Region &region;
  Operation *changes;
  ValueRange collected;
  Ends ends;
  exec::ForOp around; // the loop over edges
};

class Lists : Refuses {
public:
  explicit Lists(graph::AlgorithmOp algorithm) : algorithm(algorithm) {}

  std::optional<Refusal> divide() {
    findValuesOfEdges();
    findKernels(algorithm.getBody());
    for (Operation *each : kernels)
      if (!refusal)
        kernel(each);
    return refusal;
  }

private:
  static bool isOfEdges(Type type) {
    if (auto tuple = dyn_cast<TupleType>(type))
      return llvm::any_of(tuple.getTypes(), isOfEdges);
    return isa<graph::EdgeType>(type);
  }
  /// An edge has a number where it is, and no other than there. So values of edges are those that came with the graph.
  void findValuesOfEdges() {
    algorithm.walk([&](Operation *op) {
      if (auto state = dyn_cast<graph::StateOp>(op);
          state && (graph::hasValuePerEdge(state.getState()) || isOfEdges(typeOf(state.getState()).getElement())))
        refuse(op, named(state.getState()) + " has values of edges, or edges");
      if (isListLoop(op))
        for (Operation *user : cast<exec::ForOp>(op).getBody().getArgument(1).getUsers()) {
          auto read = dyn_cast<graph::ReadOp>(user);
          if (!read || !isa<BlockArgument>(read.getState()))
            refuse(user, "it asks an edge for more than its properties");
        }
    });
  }

  void findKernels(Region &region) {
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!exec::isKernel(op)) {
        if (looksAtSingleEdges(op))
          refuse(op, "the program looks at single edges outside of a data-parallel statement");
        return WalkResult::advance();
      }
      kernels.push_back(op);
      if (auto propagate = dyn_cast<exec::PropagateOp>(op); propagate && !exec::isAbsent(propagate.getUntil()))
        findKernels(propagate.getUntil());
      return WalkResult::skip();
    });
  }

  static bool isOverAll(exec::ParallelOp op) {
    return op.getDomain() == graph::Domain::Vertices &&
           (!op.getOver() || op.getOver().getDefiningOp<graph::AllVerticesOp>());
  }

  void kernel(Operation *op) {
    if (!looksAtEdges(op))
      return;
    op->walk([&](Operation *inner) {
      if (looksAtSingleEdges(inner))
        refuse(inner, "it looks at the neighbours of a vertex as a list or a set, which no rank has as a whole");
    });
    if (refusal)
      return;
    if (isa<exec::FilterOp>(op))
      return refuse(op, "it chooses vertices by their edges");
    if (op->getRegion(0).getNumArguments() != (isa<exec::PropagateOp>(op) ? 2u : 1u))
      return refuse(op, "a statement over pairs looks at edges");
    if (auto propagate = dyn_cast<exec::PropagateOp>(op); propagate && !exec::isAbsent(propagate.getCommit()))
      for (Operation &each : propagate.getCommit().front())
        if (looksAtEdges(&each))
          return refuse(&each, "it looks at the edges of vertices behind each round");
    std::optional<Refusal> reason = notPushing(op, op->getRegion(0), op);
    auto parallel = dyn_cast<exec::ParallelOp>(op);
    if (reason && parallel && isOverAll(parallel))
      reason = splitCollection(parallel);
    else if (!reason)
      cast<exec::Kernel>(op).setDivided(true);
    if (reason)
      refuse(reason->at, reason->reason);
  }

  graph::AlgorithmOp algorithm;
  SmallVector<Operation *> kernels;
};

} // namespace

std::optional<Refusal> notPushing(Operation *kernel, Region &region, Operation *changes, ValueRange collected) {
  return Pushing(kernel, region, changes, collected).check();
}

std::optional<Refusal> divideLists(graph::AlgorithmOp algorithm) { return Lists(algorithm).divide(); }

} // namespace gcompile::parts
