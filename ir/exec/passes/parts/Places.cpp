#include "ir/exec/passes/parts/Places.h"
#include "ir/analysis/None.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Domains.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile::parts {

namespace {

class Finder : Refuses {
public:
  Finder(Operation *kernel, Needs &needs, bool pulls = false) : kernel(kernel), needs(needs), pulls(pulls) {}

  std::optional<Refusal> find(ArrayRef<Region *> regions) {
    for (Region *each : regions) {
      if (exec::isAbsent(*each))
        continue;
      region = each;
      ends.addOwn(each->getArgument(0));
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
  static std::string elsewhere(Value state) {
    return graph::hasValuePerEdge(state) ? " at edges of other vertices" : " at the other ends of edges";
  }
  static std::string named(Value state) { return "'" + exec::nameOf(state) + "'"; }

  End endOf(Value place) const { return ends.ofPlace(place); }

  void visit(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](exec::ForOp loop) { list(loop); })
        .Case([&](graph::ReadOp read) { this->read(read); })
        .Case([&](exec::UpdateOp update) { this->update(update); })
        .Case([&](exec::ClaimOp claim) {
          if (claim.getIndices().size() == 2)
            writePair(claim, claim.getState(), claim.getIndices()[0]);
          else if (endOf(claim.getIndices()[0]) != End::Own)
            send(claim, claim.getIndices()[0], graph::UpdateKind::Assign, claim.getState(), claim.getExpected());
        })
        .Case([&](exec::UpdateTupleOp update) { updateTuple(update); })
        .Case([&](exec::ReadTogetherOp together) {
          for (Value state : together.getStates())
            readAt(together, together.getIndex(), state);
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
        .Case<graph::NeighborAtOp, graph::NeighborsOp>([&](auto list) {
          edges(list.getVertex(), list.getSide() != graph::Side::In, list.getSide() != graph::Side::Out);
        })
        .Case([&](graph::EndpointOp end) {
          needs.ofAll |= end.getSide() == graph::Side::In && !ends.knowsTarget(end.getEdge());
        })
        .Case([&](graph::EdgeBetweenOp edge) { edges(edge.getSource(), /*out=*/true, /*into=*/false); })
        .Case([&](graph::SetSizeOp size) {
          if (!ends.ofMembers(size.getSet()))
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

  /// Edges at a vertex of another machine come to this one with the graph.
  void edges(Value vertex, bool out, bool into) {
    needs.ofAll |= endOf(vertex) == End::Computed;
    needs.outOfCopies |= out && endOf(vertex) == End::Other;
    needs.intoCopies |= into && endOf(vertex) == End::Other;
  }

  void list(exec::ForOp loop) {
    if (loop.getDomain() == graph::Domain::Vertices) {
      if (!ends.ofMembers(loop.getOver()))
        refuse(loop, "it loops over a set inside of a statement, whose members are with their owners");
      return;
    }
    if (!graph::isList(loop.getDomain()))
      return refuse(loop, "it loops over all edges, all pairs or levels inside of a statement");
    edges(loop.getOver(), loop.getDomain() != graph::Domain::Into, loop.getDomain() != graph::Domain::OutOf);
    if (pulls && !loop.getBody().getArgument(1).use_empty())
      refuse(loop, "a pull reads properties of edges, which a machine has along the arcs out of its vertices");
  }

  void read(graph::ReadOp read) {
    Value state = read.getState();
    if (read.getIndices().empty() || isLocal(state, *region))
      return;
    if (isa<BlockArgument>(state)) { // of vertices, arguments are known everywhere
      needs.ofAll |= isa<graph::EdgeType>(read.getIndices()[0].getType()) && !ends.hasValues(read.getIndices()[0]);
      return;
    }
    if (isArray(state)) { // whole everywhere
      if (writes(kernel, state))
        refuse(read, "it reads the array " + named(state) + " while it changes");
      return;
    }
    if (read.getIndices().size() == 2)
      return readPair(read);
    readAt(read, read.getIndices()[0], state);
  }

  /// Each machine has the rows of its own vertices.
  void readPair(graph::ReadOp read) {
    Value state = read.getState(), vertex = read.getIndices()[0];
    const Row row = ends.rowOf(state, vertex);
    if (row == Row::Elsewhere)
      refuse(read, "it reads " + named(state) + " at pairs of another vertex, whose row is with its owner");
    else if (row == Row::Given && (mayBeNone(vertex) || (isRound() && writes(kernel, state))))
      refuse(read, "it reads " + named(state) + " in the row of one vertex, which " +
                       (mayBeNone(vertex) ? "may be none" : "changes meanwhile"));
    else if (row == Row::Given)
      needs.rows.push_back(read);
  }
  void writePair(Operation *op, Value state, Value vertex) {
    if (ends.rowOf(state, vertex) != Row::Here)
      refuse(op, "it writes " + named(state) + " at pairs of another vertex, whose row is with its owner");
  }

  void readAt(Operation *at, Value place, Value state) {
    const End end = endOf(place);
    if (end == End::Own)
      return readOwn(state);
    const bool ofEdges = graph::hasValuePerEdge(state);
    readElsewhere(at, state);
    if (end != End::Computed && !(ofEdges && (pulls || isRound())))
      return;
    const std::string what =
        named(state) + (ofEdges ? " at an edge of another vertex" : " at a vertex that it computes");
    if (pulls)
      return refuse(at, "a pull reads " + what);
    if (isRound() && writes(kernel, state))
      return refuse(at, "it reads " + what + ", while it changes");
    if (end == End::Computed)
      needs.readComputed.insert(state);
  }

  /// Where edges are divided, a machine with some of those at a vertex has a copy of it.
  void readOwn(Value state) {
    if (pulls || region != &kernel->getRegion(0) || !cast<exec::Kernel>(kernel).getDivided())
      return;
    const bool isSet = isa<graph::SetType>(cast<graph::StateType>(state.getType()).getElement());
    (isRound() && !isSet && writes(kernel, state) ? needs.readOfOwnActive : needs.readOfOwn).insert(state);
  }

  /// Whether the kernel runs round after round.
  bool isRound() const { return isa<exec::PropagateOp, exec::OrderedOp>(kernel); }
  static bool isArray(Value state) { return cast<graph::StateType>(state.getType()).getShape() == graph::Shape::Array; }

  void readElsewhere(Operation *at, Value state) {
    if (isa<graph::ForeignType>(cast<graph::StateType>(state.getType()).getElement()))
      return refuse(at, "it reads the values of a C++ type " + named(state) + elsewhere(state));
    reads.push_back({state, at});
  }

  void contains(graph::ContainsOp contains) {
    auto read = withoutLet(contains.getSet()).getDefiningOp<graph::ReadOp>();
    if (ends.ofMembers(contains.getSet()))
      return;
    if (endOf(contains.getVertex()) == End::Own)
      return read && read.getIndices().empty() ? readOwn(read.getState()) : void();
    if (endOf(contains.getVertex()) == End::Computed || !read || !read.getIndices().empty())
      return refuse(contains, "it asks for the membership of a vertex that it computes, or in a set that has no name");
    if (!region->isAncestor(read->getParentRegion()))
      for (Operation *op = kernel->getPrevNode(); op != read; op = op->getPrevNode())
        if (!op || writes(op, read.getState()))
          return refuse(contains, "it asks for membership in what the set was before");
    readElsewhere(contains, read.getState());
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
    if (isArray(state))
      return array(update);
    if (update.getIndices().size() == 2)
      return writePair(update, state, update.getIndices()[0]);
    if (endOf(update.getIndices()[0]) == End::Own)
      return;
    if (update.getCombiner())
      refuse(update, declared(update));
    else if (graph::hasValuePerEdge(state) && !refusal)
      refusal = sendToEdge(update, endOf(update.getIndices()[0]), needs);
    else if (update.getKind() == graph::UpdateKind::Assign && !pulls)
      assignments.push_back(update);
    else
      send(update, update.getIndices()[0], update.getKind(), state, Value());
  }

  /// Each machine reduces into an array of its own, and all combine these behind the kernel.
  void array(exec::UpdateOp update) {
    const std::string name = "the array " + named(update.getState());
    Type element = cast<graph::StateType>(update.getState().getType()).getElement();
    if (isRound())
      return refuse(update, "rounds change " + name);
    if (update.getKind() == graph::UpdateKind::Assign)
      return refuse(update, "iterations write elements of " + name + " without combining them");
    if (update.getCombiner())
      return refuse(update, declared(update));
    if (!update.getChanged().use_empty() || update.getPart() >= 0 || !isa<IntegerType, FloatType>(element))
      return refuse(update, "its updates of " + name + " are none that machines can combine");
    bool mixed = kernel
                     ->walk([&](exec::UpdateOp other) {
                       return other.getState() == update.getState() && other.getKind() != update.getKind()
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
    if (mixed)
      return refuse(update, "it updates " + name + " in two ways");
    needs.arrays.push_back(update);
  }

  void updateTuple(exec::UpdateTupleOp update) {
    if (update.getIndices().size() == 2)
      return writePair(update, update.getStates()[0], update.getIndices()[0]);
    if (endOf(update.getIndices()[0]) == End::Own)
      return;
    send(update, update.getIndices()[0], update.getKind(), update.getStates()[0], Value(),
         update.getStates().drop_front());
  }

  static std::string declared(exec::UpdateOp update) {
    return "it combines " + named(update.getState()) + " by the declared reduction '" + update.getCombiner()->str() +
           "', which machines cannot send";
  }

  void send(Operation *op, Value vertex, graph::UpdateKind kind, Value state, Value expected, ValueRange with = {}) {
    if (pulls)
      return refuse(op, "a pull changes another vertex than its own");
    if (graph::hasValuePerEdge(state))
      return refuse(op, "it claims " + named(state) + " of an edge of another vertex");
    for (Value each : llvm::concat<Value>(SmallVector<Value>{state}, SmallVector<Value>(with)))
      if (!isSendable(cast<graph::StateType>(each.getType()).getElement(), kind) ||
          (isa<exec::UpdateOp>(op) && cast<exec::UpdateOp>(op).getPart() >= 0))
        return refuse(op, "its contributions to " + named(each) + " are none that machines can send");
    Sent *sent = llvm::find_if(needs.sent, [&](const Sent &known) {
      return known.state == state && known.kind == kind && known.expected == expected && llvm::equal(known.with, with);
    });
    if (sent == needs.sent.end()) {
      for (Value each : llvm::concat<Value>(SmallVector<Value>{state}, SmallVector<Value>(with)))
        if (needs.sentOf(each))
          return inTwoWays(op, each);
      needs.sent.push_back(Sent{kind, state, expected, SmallVector<Value>(with), {}});
      sent = &needs.sent.back();
    }
    sent->computed |= endOf(vertex) == End::Computed;
    sent->updates.push_back(op);
    if (sent->collects() && !op->getResult(0).use_empty() && kind != graph::UpdateKind::Add &&
        kind != graph::UpdateKind::AddInf)
      refuse(op, "it asks whether a product has changed");
  }

  void inTwoWays(Operation *op, Value state) {
    refuse(op, "it updates " + named(state) + " at the other ends of edges in two ways");
  }

  /// The statement that follows from the outcome of an update that is sent, and holds `op` at its top; null if none.
  graph::IfOp outcomeAround(Operation *op) const {
    auto branch = dyn_cast<graph::IfOp>(op->getParentOp());
    return branch && needs.sentWith(branch.getCondition().getDefiningOp()) ? branch : graph::IfOp();
  }

  /// What follows from the outcome of an update must be possible for the owner, which alone knows it.
  void checkConsequences() {
    for (exec::UpdateOp assignment : assignments) {
      graph::IfOp outcome = outcomeAround(assignment);
      Sent *sent = outcome ? needs.sentWith(outcome.getCondition().getDefiningOp()) : nullptr;
      if (!sent || !sent->claims()) { // the same value from all, as the front end has proved
        send(assignment, assignment.getIndices()[0], graph::UpdateKind::Assign, assignment.getState(), Value());
        continue;
      }
      if (isa<TupleType, graph::ForeignType>(assignment.getValue().getType()))
        return refuse(assignment, "the winner of a claim writes a tuple, or a value of a C++ type");
      if (llvm::is_contained(sent->with, assignment.getState()))
        continue;
      if (needs.sentOf(assignment.getState()))
        return inTwoWays(assignment, assignment.getState());
      sent->with.push_back(assignment.getState());
    }
    if (refusal)
      return;
    for (exec::ActivateOp activation : activations)
      activates(activation);
    if (refusal)
      return;
    for (const Sent &sent : needs.sent)
      for (Operation *update : sent.updates) {
        if (sent.always && !llvm::any_of(activations, [&](exec::ActivateOp each) { return goWith(each, update); }))
          return refuse(update, "some of its updates at the other ends of edges activate a vertex, and others do not");
        for (Operation *user : update->getResult(0).getUsers())
          follows(sent, update, user);
      }
  }

  /// What an activation in a push needs: nothing for the kernel's own vertex, of which the machine knows everything.
  void activates(exec::ActivateOp activation) {
    const bool own = endOf(activation.getVertex()) == End::Own;
    if (graph::IfOp outcome = outcomeAround(activation)) {
      Operation *update = outcome.getCondition().getDefiningOp();
      if (own || withoutLet(activation.getVertex()) != withoutLet(vertexOf(update)))
        return refuse(activation,
                      "it activates another vertex than the one at the other end of an edge that it updates");
      needs.sentWith(update)->activating = true;
      return;
    }
    if (own)
      return;
    if (!isa<exec::PropagateOp>(kernel))
      return refuse(activation, "a vertex becomes active without a change at the other end of an edge");
    bool along = false;
    for (Sent &sent : needs.sent)
      if (llvm::any_of(sent.updates, [&](Operation *update) { return goWith(activation, update); }))
        along = sent.always = true;
    if (along)
      return;
    needs.activations.push_back(activation);
    if (needs.sent.empty())
      return;
    // A copy that was not updated must be one that the owner can be sent: it is in the first list of these.
    if (needs.sent[0].claims() || needs.sent[0].assigns())
      return refuse(activation, "a vertex becomes active without a change at the other end of an edge");
    needs.sent[0].always = true;
  }

  /// What follows from an update that is sent, where its result is used.
  void follows(const Sent &sent, Operation *update, Operation *user) {
    auto branch = dyn_cast<graph::IfOp>(user);
    if (!branch || !exec::isAbsent(branch.getElseRegion()))
      return refuse(update, "more follows from an update at the other end of an edge than that it becomes active");
    for (Operation &op : branch.getThenRegion().front())
      if (!isPlainValue(&op) && !isa<exec::ActivateOp, graph::LogicOp, graph::ConditionalOp>(op) &&
          !(sent.claims() && llvm::is_contained(assignments, dyn_cast<exec::UpdateOp>(op))))
        return refuse(&op, "it counts or writes something else where an update at the other end of an edge succeeds");
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

  /// Whether iterations change the state at their own vertices alone.
  bool isChangedByOwners(Value state) const {
    return !needs.sentOf(state) && (!needs.sentOfEdges || needs.sentOfEdges->state != state);
  }

  void checkReads() {
    for (auto &[state, at] : reads) {
      if (!writes(kernel, state)) {
        needs.read.insert(state);
        continue;
      }
      auto read = dyn_cast<graph::ReadOp>(at);
      const bool oneVertex = read && !read.getIndices().empty();
      if (pulls && oneVertex && isActive(read.getIndices()[0], read)) {
        needs.readOfActive.insert(state);
        continue;
      }
      // Copies have the value from before the kernel: no other may be seen there, as the front end has proved.
      if (!isRound() && oneVertex && isChangedByOwners(state)) {
        needs.read.insert(state);
        continue;
      }
      if (!pulls && oneVertex && isCommitted(kernel, state)) {
        needs.readEachRound.insert(state);
        continue;
      }
      return refuse(at, "it reads " + named(state) + elsewhere(state) + " while it changes");
    }
  }

  Operation *kernel;
  Needs &needs;
  const bool pulls;
  Region *region = nullptr;
  Ends ends;
  SmallVector<exec::UpdateOp> assignments;
  SmallVector<exec::ActivateOp> activations;
  SmallVector<std::pair<Value, Operation *>> reads;
};

} // namespace

std::optional<Refusal> findNeeds(Operation *kernel, ArrayRef<Region *> regions, Needs &needs) {
  return Finder(kernel, needs).find(regions);
}

std::optional<Refusal> findPullNeeds(exec::PropagateOp kernel, Needs &needs) {
  return Finder(kernel, needs, /*pulls=*/true).find(&kernel.getPull());
}

} // namespace gcompile::parts
