#include "ir/exec/passes/parts/Places.h"
#include "ir/exec/Kernels.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::parts {

namespace {

/// Whose element an index names.
enum class End { Own, Other, Computed };

Value withoutLet(Value value) {
  while (auto let = value.getDefiningOp<graph::LetOp>())
    value = let.getValue();
  return value;
}

bool isList(graph::Domain domain) {
  return domain == graph::Domain::OutOf || domain == graph::Domain::Into || domain == graph::Domain::Either;
}

/// Whether the value comes from a set that a program stores, whose members are with their owners.
bool isStored(Value set) {
  set = withoutLet(set);
  Operation *op = set.getDefiningOp();
  if (!op || isa<graph::ReadOp, exec::FilterOp>(op))
    return true;
  auto algebra = dyn_cast<graph::SetAlgebraOp>(op);
  return algebra && (isStored(algebra.getLhs()) || isStored(algebra.getRhs()));
}

class Finder {
public:
  Finder(Operation *kernel, Needs &needs, bool pulls = false) : kernel(kernel), needs(needs), pulls(pulls) {}

  std::optional<Refusal> find(ArrayRef<Region *> regions) {
    for (Region *each : regions) {
      if (exec::isAbsent(*each))
        continue;
      region = each;
      own = each->getArgument(0);
      each->walk<WalkOrder::PreOrder>([&](Operation *op) {
        visit(op);
        return refusal ? WalkResult::interrupt() : WalkResult::advance();
      });
    }
    if (!refusal)
      checkConsequences();
    if (!refusal)
      checkReads();
    return refusal;
  }

private:
  void refuse(Operation *at, const std::string &reason) {
    if (!refusal)
      refusal = Refusal{at, reason};
  }
  static std::string named(Value state) { return "'" + exec::nameOf(state) + "'"; }

  End endOf(Value vertex) const {
    vertex = withoutLet(vertex);
    if (vertex == own)
      return End::Own;
    auto argument = dyn_cast<BlockArgument>(vertex);
    auto loop = argument ? dyn_cast<exec::ForOp>(argument.getOwner()->getParentOp()) : exec::ForOp();
    return loop && argument.getArgNumber() == 0 && isList(loop.getDomain()) && withoutLet(loop.getOver()) == own
               ? End::Other
               : End::Computed;
  }

  void visit(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](exec::ForOp loop) { list(loop); })
        .Case([&](graph::ReadOp read) { this->read(read); })
        .Case([&](exec::UpdateOp update) { this->update(update); })
        .Case([&](exec::ClaimOp claim) {
          if (endOf(claim.getIndices()[0]) == End::Other)
            send(claim, graph::UpdateKind::Assign, claim.getState(), claim.getExpected());
          else if (endOf(claim.getIndices()[0]) == End::Computed)
            refuse(op, "it claims " + named(claim.getState()) + " at a vertex that it computes");
        })
        .Case([&](exec::UpdateTupleOp update) {
          if (update.getIndices().size() != 1 || endOf(update.getIndices()[0]) != End::Own)
            refuse(op, "it updates several properties together at the other end of an edge");
        })
        .Case([&](exec::ActivateOp activate) {
          if (!pulls)
            activations.push_back(activate);
          else if (endOf(activate.getVertex()) != End::Own)
            refuse(op, "a pull activates another vertex than its own");
        })
        .Case([&](exec::InFrontierOp test) {
          if (!pulls || endOf(test.getVertex()) == End::Computed)
            refuse(op, "it asks whether a vertex that it computes is active");
        })
        .Case([&](graph::ContainsOp contains) { this->contains(contains); })
        .Case([&](graph::EdgeBetweenOp edge) {
          if (endOf(edge->getOperand(0)) != End::Own)
            refuse(op, "it asks for an edge out of another vertex, whose edges are with its owner");
        })
        .Case([&](graph::SetSizeOp size) {
          if (isStored(size.getSet()))
            refuse(op, "each iteration asks for the size of a stored set");
        })
        .Case([&](exec::ReduceOp reduce) {
          if (reduce.getDomain())
            refuse(op, "it reduces over the graph inside of a statement");
        })
        .Case([&](graph::StateOp state) {
          if (state.getState().getType().getShape() != graph::Shape::Scalar)
            refuse(op, "it declares more than a number inside of a statement");
        })
        .Case<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::BreakOp, graph::LogicOp, graph::ConditionalOp,
              graph::SetFilterOp, exec::BreakOp, exec::RequireOp, exec::ContributeOp, exec::ImprovesOp,
              exec::CountEdgeOp>([](auto) {})
        .Default([&](Operation *other) {
          if (!isPlainValue(other))
            refuse(other, "a part of this statement is known to one machine only");
        });
  }

  void list(exec::ForOp loop) {
    if (!isList(loop.getDomain()))
      return refuse(loop, "it loops over a set, a graph or pairs inside of a statement");
    if (endOf(loop.getOver()) != End::Own)
      refuse(loop, "it goes to the neighbours of neighbours, whose values a machine does not have");
    if (pulls && !loop.getBody().getArgument(1).use_empty())
      refuse(loop, "a pull reads properties of edges, which a machine has along the arcs out of its vertices");
  }

  void read(graph::ReadOp read) {
    Value state = read.getState();
    if (read.getIndices().empty() || isa<BlockArgument>(state)) // arguments are known everywhere
      return;
    if (endOf(read.getIndices()[0]) == End::Computed)
      return refuse(read, "it reads " + named(state) + " at a vertex that it computes");
    if (endOf(read.getIndices()[0]) == End::Other)
      readAtOther(read, state);
  }

  void readAtOther(Operation *at, Value state) {
    Type element = cast<graph::StateType>(state.getType()).getElement();
    if (isa<TupleType, graph::ForeignType>(element))
      return refuse(at, std::string("it reads the ") + (isa<TupleType>(element) ? "tuples " : "values of a C++ type ") +
                            named(state) + " at the other ends of edges");
    reads.push_back({state, at});
  }

  void contains(graph::ContainsOp contains) {
    if (!isStored(contains.getSet()) || contains.getSet().getDefiningOp<graph::AllVerticesOp>() ||
        endOf(contains.getVertex()) == End::Own)
      return;
    auto read = withoutLet(contains.getSet()).getDefiningOp<graph::ReadOp>();
    if (endOf(contains.getVertex()) == End::Computed || !read || !read.getIndices().empty())
      return refuse(contains, "it asks for the membership of a vertex that it computes, or in a set that has no name");
    if (!region->isAncestor(read->getParentRegion()))
      for (Operation *op = kernel->getPrevNode(); op != read; op = op->getPrevNode())
        if (!op || writes(op, read.getState()))
          return refuse(contains, "it asks for membership in what the set was before");
    readAtOther(contains, read.getState());
  }

  void update(exec::UpdateOp update) {
    Value state = update.getState();
    if (isLocal(state, *region))
      return;
    if (update.getIndices().empty()) {
      if (pulls)
        refuse(update, "a pull adds to a number of the program");
      else if (update.getSync() != exec::Sync::Private)
        refuse(update, "iterations write " + named(state) + " without adding to it");
      else if (update.getCombiner())
        refuse(update, declared(update));
      return;
    }
    switch (endOf(update.getIndices()[0])) {
    case End::Own:
      return;
    case End::Computed:
      return refuse(update, "it writes " + named(state) + " at a vertex that it computes");
    case End::Other:
      if (update.getKind() == graph::UpdateKind::Assign && !pulls)
        assignments.push_back(update);
      else if (update.getCombiner())
        refuse(update, declared(update));
      else
        send(update, update.getKind(), state, Value());
    }
  }

  static std::string declared(exec::UpdateOp update) {
    return "it combines " + named(update.getState()) + " by the declared reduction '" + update.getCombiner()->str() +
           "', which machines cannot send";
  }

  void send(Operation *op, graph::UpdateKind kind, Value state, Value expected) {
    if (pulls)
      return refuse(op, "a pull changes another vertex than its own");
    Type element = cast<graph::StateType>(state.getType()).getElement();
    if (isa<TupleType, graph::ForeignType, graph::EdgeType>(element) ||
        (isa<graph::VertexType>(element) && !expected && kind != graph::UpdateKind::Min))
      return refuse(op, "its contributions to " + named(state) + " are none that machines can send");
    if (kind != graph::UpdateKind::Assign && !isFilter(kind) && !op->getResult(0).use_empty())
      return refuse(op, "it asks whether a sum has changed");
    if (needs.sent && (needs.sent->state != state || needs.sent->kind != kind || needs.sent->expected != expected))
      return refuse(op, "it updates both " + named(needs.sent->state) + " and " + named(state) +
                            " at the other ends of edges, or one of them in two ways");
    if (!needs.sent)
      needs.sent = Sent{kind, state, expected, {}, {}};
    needs.sent->updates.push_back(op);
  }

  /// The statement that follows from the outcome of an update that is sent, and holds `op` at its top; null if none.
  graph::IfOp outcomeAround(Operation *op) const {
    auto branch = dyn_cast<graph::IfOp>(op->getParentOp());
    if (!branch || !needs.sent)
      return {};
    Operation *update = branch.getCondition().getDefiningOp();
    return llvm::is_contained(needs.sent->updates, update) ? branch : graph::IfOp();
  }

  /// What follows from the outcome of an update must be possible for the owner, which alone knows it.
  void checkConsequences() {
    for (exec::UpdateOp assignment : assignments) {
      if (!outcomeAround(assignment) || !needs.sent->expected)
        return refuse(assignment, "it assigns " + named(assignment.getState()) + " at the other end of an edge");
      if (isa<TupleType, graph::ForeignType>(assignment.getValue().getType()))
        return refuse(assignment, "the winner of a claim writes a tuple, or a value of a C++ type");
      if (!llvm::is_contained(needs.sent->with, assignment.getState()))
        needs.sent->with.push_back(assignment.getState());
    }
    for (exec::ActivateOp activation : activations) {
      if (!outcomeAround(activation) || endOf(activation.getVertex()) == End::Own)
        return refuse(activation, "a vertex becomes active without a change at the other end of an edge");
      needs.sent->activating = true;
    }
    if (!needs.sent)
      return;
    for (Operation *update : needs.sent->updates)
      for (Operation *user : update->getResult(0).getUsers()) {
        auto branch = dyn_cast<graph::IfOp>(user);
        if (!branch || !exec::isAbsent(branch.getElseRegion()))
          return refuse(update, "more follows from an update at the other end of an edge than that it becomes active");
        for (Operation &op : branch.getThenRegion().front())
          if (!isPlainValue(&op) && !isa<exec::ActivateOp, graph::LogicOp, graph::ConditionalOp>(op) &&
              !llvm::is_contained(assignments, dyn_cast<exec::UpdateOp>(op)))
            return refuse(&op,
                          "it counts or writes something else where an update at the other end of an edge succeeds");
      }
  }

  /// Whether the operation runs only where the vertex, at the other end of an edge, is in the frontier.
  bool isActive(Value vertex, Operation *op) const {
    for (Operation *inner = op; inner->getParentRegion() != region; inner = inner->getParentOp()) {
      auto branch = dyn_cast<graph::IfOp>(inner->getParentOp());
      auto test = branch && inner->getParentRegion() == &branch.getThenRegion()
                      ? branch.getCondition().getDefiningOp<exec::InFrontierOp>()
                      : exec::InFrontierOp();
      if (test && withoutLet(test.getVertex()) == withoutLet(vertex))
        return true;
    }
    return false;
  }

  void checkReads() {
    for (auto &[state, at] : reads) {
      if (!writes(kernel, state)) {
        needs.read.insert(state);
        continue;
      }
      auto read = dyn_cast<graph::ReadOp>(at);
      if (!pulls || !read || read.getIndices().empty() || !isActive(read.getIndices()[0], read))
        return refuse(at, "it reads " + named(state) + " at the other ends of edges while it changes");
      needs.readOfActive.insert(state);
    }
  }

  Operation *kernel;
  Needs &needs;
  const bool pulls;
  Region *region = nullptr;
  Value own;
  std::optional<Refusal> refusal;
  SmallVector<exec::UpdateOp> assignments;
  SmallVector<exec::ActivateOp> activations;
  SmallVector<std::pair<Value, Operation *>> reads;
};

} // namespace

bool isFilter(graph::UpdateKind kind) { return graph::traits(kind).monotone; }

std::optional<Refusal> findNeeds(Operation *kernel, ArrayRef<Region *> regions, Needs &needs) {
  return Finder(kernel, needs).find(regions);
}

std::optional<Refusal> findPullNeeds(exec::PropagateOp kernel, Needs &needs) {
  return Finder(kernel, needs, /*pulls=*/true).find(&kernel.getPull());
}

bool writes(Operation *op, Value state) {
  return op
      ->walk([&](Operation *inner) {
        bool written = llvm::TypeSwitch<Operation *, bool>(inner)
                           .Case<exec::UpdateOp, exec::ClaimOp, graph::StateOp>(
                               [&](auto each) { return each.getState() == state; })
                           .Case([&](exec::UpdateTupleOp each) { return llvm::is_contained(each.getStates(), state); })
                           .Case([&](exec::SnapshotOp each) { return each.getCopy() == state; })
                           .Default(false);
        return written ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace gcompile::parts
