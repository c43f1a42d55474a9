// Divides a program among machines: each owns a block of the vertices, with the arcs at them.
#include "ir/Errors.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/parts/DividedLists.h"
#include "ir/exec/passes/parts/HostCode.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include <vector>

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_DISTRIBUTE
#include "ir/exec/Passes.h.inc"

namespace {

class Distributor {
public:
  Distributor(graph::AlgorithmOp algorithm, bool onDevice)
      : algorithm(algorithm), b(algorithm.getContext()), onDevice(onDevice) {}

  LogicalResult run() {
    if (std::optional<parts::Refusal> refusal = parts::prepareHost(algorithm, onDevice))
      return refuse(refusal->at, refusal->reason);
    algorithm.walk([](exec::ParallelOp parallel) {
      if (parallel.getDomain() == graph::Domain::Edges)
        parts::goOverVertices(parallel);
    });
    if (!onDevice)
      divideLists();
    if (failed(findKernels(algorithm.getBody())))
      return failure();
    for (auto &[kernel, needs] : kernels) {
      if (auto propagate = dyn_cast<exec::PropagateOp>(kernel))
        chooseDirection(propagate, needs);
      noteLists(needs);
      given.insert(needs.read.begin(), needs.read.end());
      given.insert(needs.readOfActive.begin(), needs.readOfActive.end());
      given.insert(needs.readEachRound.begin(), needs.readEachRound.end());
      readAnywhere.insert(needs.readComputed.begin(), needs.readComputed.end());
    }
    for (auto &[kernel, needs] : kernels)
      if (failed(exchange(kernel, needs)))
        return failure();
    return success();
  }

private:
  static bool isOfEdges(Value state) { return graph::hasValuePerEdge(state); }
  static LogicalResult refuse(Operation *at, const std::string &reason) {
    return report(at->getLoc(), diag::not_in_parts, reason);
  }

  /// Has kernels run where edges are divided, too, or notes why the program cannot.
  void divideLists() {
    graph::AlgorithmOp divided = algorithm.clone();
    if (std::optional<parts::Refusal> refusal = parts::divideLists(divided))
      noteNeed("whole_lists", b.getDictionaryAttr({b.getNamedAttr("at", graph::spelled(refusal->at->getLoc())),
                                                   b.getNamedAttr("reason", b.getStringAttr(refusal->reason))}));
    else
      algorithm.getBody().takeBody(divided.getBody());
    divided.erase();
  }

  // ---- kernels ------------------------------------------------------------------------------------------------------

  LogicalResult findKernels(Region &region) {
    bool good = true;
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (exec::isKernel(op)) {
        good = succeeded(kernel(op));
        return good ? WalkResult::skip() : WalkResult::interrupt();
      }
      // What it writes at single vertices is in its arrays everywhere.
      if (auto update = dyn_cast<exec::UpdateOp>(op); update && !update.getIndices().empty())
        written.insert(update.getState());
      if (auto snapshot = dyn_cast<exec::SnapshotOp>(op))
        written.insert(snapshot.getCopy());
      return WalkResult::advance();
    });
    return success(good);
  }

  LogicalResult kernel(Operation *op) {
    auto isDivided = [&](graph::Domain domain) {
      return domain == graph::Domain::Vertices || domain == graph::Domain::Pairs;
    };
    if (auto parallel = dyn_cast<exec::ParallelOp>(op); parallel && !isDivided(parallel.getDomain()))
      return refuse(op, "a statement over all edges or pairs of vertices");
    if (auto reduce = dyn_cast<exec::ReduceOp>(op)) {
      if (!isDivided(*reduce.getDomain()))
        return refuse(op, "a reduction over all edges or pairs of vertices");
      if (reduce.getKind() == graph::ReduceKind::Mode)
        return refuse(op, "the mode over all vertices");
    }
    SmallVector<Region *> regions{&op->getRegion(0)};
    parts::Needs needs;
    if (auto propagate = dyn_cast<exec::PropagateOp>(op)) {
      if (propagate.getDirection() == exec::Direction::Pull)
        return refuse(op, "all rounds of this propagate pull");
      regions.push_back(&propagate.getCommit());
    }
    if (std::optional<parts::Refusal> refusal = parts::findNeeds(op, regions, needs))
      return refuse(refusal->at, refusal->reason);
    // A GPU has one list of touched copies.
    if (onDevice && needs.sent.size() > 1)
      return refuse(op, "it updates both '" + exec::nameOf(needs.sent[0].state) + "' and '" +
                            exec::nameOf(needs.sent[1].state) + "' at the other ends of edges");
    if (auto ordered = dyn_cast<exec::OrderedOp>(op)) {
      if (needs.sent.size() != 1 || needs.sent[0].state != ordered.getPriority() ||
          needs.sent[0].kind != (ordered.getGreatestFirst() ? graph::UpdateKind::Max : graph::UpdateKind::Min))
        return refuse(op, "it changes more than the priority at the other ends of edges");
      if (onDevice) { // they go on to the last vertex; what lies beyond the end is restored as it is anywhere
        ordered.getEndsMutable().clear();
        ordered.setFirstEnd(false);
      }
    }
    for (const parts::Sent *sent : sentBy(needs))
      noteCopies(*sent);
    kernels.push_back({op, std::move(needs)});
    auto propagate = dyn_cast<exec::PropagateOp>(op);
    return propagate && !exec::isAbsent(propagate.getUntil()) ? findKernels(propagate.getUntil()) : success();
  }
  static SmallVector<const parts::Sent *, 2> sentBy(const parts::Needs &needs) {
    SmallVector<const parts::Sent *, 2> all;
    for (const parts::Sent &sent : needs.sent)
      all.push_back(&sent);
    if (needs.sentOfEdges)
      all.push_back(&*needs.sentOfEdges);
    return all;
  }
  /// Notes what copies of a state hold behind a kernel: zero, where all kernels that update it elsewhere add to it.
  void noteCopies(const parts::Sent &sent) {
    if (sent.computed) {
      computed.insert(sent.state);
      computed.insert(sent.with.begin(), sent.with.end());
    }
    auto [known, isNew] = collected.try_emplace(sent.state, sent.kind);
    if (!sent.collects() || (!isNew && known->second != sent.kind)) {
      written.insert(sent.state);
      written.insert(sent.with.begin(), sent.with.end());
    }
  }
  NamedAttrList knownNeeds() {
    NamedAttrList all;
    if (std::optional<DictionaryAttr> known = algorithm.getNeeds())
      all.append(known->begin(), known->end());
    return all;
  }
  void noteNeed(StringRef name, Attribute need) {
    NamedAttrList all = knownNeeds();
    all.set(name, need);
    algorithm.setNeedsAttr(all.getDictionary(b.getContext()));
  }
  /// Notes which edges of others the program needs, which come with the graph.
  void noteLists(const parts::Needs &needs) {
    NamedAttrList all = knownNeeds();
    // A GPU has most vertices at the ends of its edges: where it needs edges of others, it gets all.
    if (needs.ofAll || (onDevice && (needs.outOfCopies || needs.intoCopies)))
      all.set("edges_of_all", b.getUnitAttr());
    if (needs.outOfCopies && !onDevice)
      all.set("out_of_copies", b.getUnitAttr());
    if (needs.intoCopies && !onDevice)
      all.set("into_copies", b.getUnitAttr());
    auto lists = dyn_cast_or_null<IntegerAttr>(all.get("touched_lists"));
    if (const auto count = static_cast<std::int64_t>(needs.sent.size()); count > (lists ? lists.getInt() : 1))
      all.set("touched_lists", b.getI64IntegerAttr(count));
    if (!all.empty())
      algorithm.setNeedsAttr(all.getDictionary(b.getContext()));
  }
  /// Keeps the pull of a propagate that pushes and pulls if it can run in parts; what it reads is then among the needs.
  void chooseDirection(exec::PropagateOp propagate, parts::Needs &needs) {
    parts::Needs pull;
    if ((!needs.sent.empty() || !needs.activations.empty()) && mayPull(propagate, needs, pull)) {
      needs.read.insert(pull.read.begin(), pull.read.end());
      needs.readOfActive = pull.readOfActive;
      needs.rows.append(pull.rows);
      needs.outOfCopies |= pull.outOfCopies;
      needs.intoCopies |= pull.intoCopies;
      needs.ofAll |= pull.ofAll;
      return;
    }
    propagate.getPull().dropAllReferences();
    propagate.getPull().getBlocks().clear();
    propagate.setDirection(exec::Direction::Push);
  }
  bool mayPull(exec::PropagateOp propagate, const parts::Needs &push, parts::Needs &pull) const {
    // The growth of frontiers is not known here.
    if (propagate.getDirection() != exec::Direction::Hybrid || propagate.getByGrowth())
      return false;
    if (onDevice && (!goesAlong(propagate) || !endsEarly(propagate)))
      return false;
    if (parts::findPullNeeds(propagate, pull))
      return false;
    return llvm::none_of(push.sent, [&](const parts::Sent &sent) { // copies that hold sums
      return sent.collects() && pull.readOfActive.contains(sent.state);
    });
  }
  /// Whether the pull goes over the arcs into a vertex, and those alone.
  static bool goesAlong(exec::PropagateOp propagate) {
    auto other = [](exec::ForOp loop) {
      return loop.getDomain() == graph::Domain::Into ? WalkResult::advance() : WalkResult::interrupt();
    };
    return !propagate.getPull().walk(other).wasInterrupted();
  }
  /// Whether a vertex that pulls is done with its first success.
  static bool endsEarly(exec::PropagateOp propagate) {
    return propagate.getPull().walk([](exec::BreakOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  LogicalResult exchange(Operation *kernel, parts::Needs &needs) {
    // Owners know what they gave of edges, so they give it in one way.
    for (Value state : needs.read)
      give(kernel, state, needs.readComputed.contains(state) || (isOfEdges(state) && readAnywhere.contains(state)),
           exec::CopiesOf::Ends);
    for (Value state : needs.readOfOwn)
      give(kernel, state, /*everywhere=*/false, exec::CopiesOf::Lists);
    for (graph::ReadOp read : needs.rows)
      giveRow(kernel, read);
    if (onDevice)
      combineArrays(kernel, needs);
    else
      for (exec::UpdateOp update : needs.arrays)
        update.setSync(exec::Sync::Private);
    for (const parts::Sent *sent : sentBy(needs)) {
      if (failed(reset(kernel, *sent)))
        return failure();
      for (Operation *update : sent->updates)
        touch(update, *sent, listOf(*sent, needs));
    }
    for (Operation *activation : needs.activations) {
      b.setInsertionPointAfter(activation);
      b.create<exec::TouchCopyOp>(activation->getLoc(), cast<exec::ActivateOp>(activation).getVertex());
    }
    if (!sentBy(needs).empty() || !needs.activations.empty() || !needs.readEachRound.empty() ||
        !needs.readOfOwnActive.empty())
      reduce(kernel, needs);
    return success();
  }

  /// Brings the copies of what a kernel reads at other ends up to date, if they may be behind: as late as it changes.
  void give(Operation *kernel, Value state, bool everywhere, exec::CopiesOf copies) {
    // A checkpoint between rounds has values of own vertices and of copies, but not of all, and of own edges.
    auto outdates = [&](Operation *op) {
      return parts::outdates(op, state) ||
             ((everywhere || isOfEdges(state)) && isa<graph::WhileOp, graph::RepeatOp>(op) && parts::writes(op, state));
    };
    Operation *at = kernel;
    for (Operation *around = at->getParentOp();
         (isa<graph::WhileOp, graph::RepeatOp, graph::ForOp>(around) || exec::isDivisionOfLists(around)) &&
         !outdates(around);
         around = at->getParentOp())
      at = around;
    for (Operation *before = at->getPrevNode(); before && !outdates(before); before = before->getPrevNode())
      if (auto give = dyn_cast<exec::GiveToCopiesOp>(before); give && give.getState() == state) {
        if (everywhere)
          give.setEverywhere(true);
        if (give.getCopies() != copies)
          give.setCopies(exec::CopiesOf::Both);
        return;
      }
    b.setInsertionPoint(at);
    const bool isSet = isa<graph::SetType>(cast<graph::StateType>(state.getType()).getElement());
    b.create<exec::GiveToCopiesOp>(kernel->getLoc(), state, everywhere || (onDevice && !isSet), copies);
  }

  /// Each device updates its own elements of an array atomically, and all combine these behind the kernel.
  void combineArrays(Operation *kernel, const parts::Needs &needs) {
    llvm::SmallSetVector<Value, 2> arrays;
    for (exec::UpdateOp update : needs.arrays) {
      Value array = update.getState();
      if (!arrays.insert(array))
        continue;
      Location loc = kernel->getLoc();
      b.setInsertionPoint(kernel);
      Type element = cast<graph::StateType>(array.getType()).getElement();
      b.create<exec::StartPartsOp>(loc, array, neutralOf(b, loc, update.getKind(), element));
      b.setInsertionPointAfter(kernel);
      b.create<exec::CombinePartsOp>(loc, update.getKind(), array);
    }
  }

  /// Gives the row of a vertex, whose pairs a kernel reads, to all.
  void giveRow(Operation *kernel, graph::ReadOp read) {
    Value state = read.getState(), vertex = read.getIndices()[0];
    exec::SnapshotOp row;
    for (Operation *before = kernel->getPrevNode(); before && !row; before = before->getPrevNode()) {
      auto made = dyn_cast<exec::SnapshotOp>(before);
      if (!made || !made.getRow())
        break;
      if (made.getState() == state && made.getRow() == vertex)
        row = made;
    }
    if (!row) {
      b.setInsertionPoint(kernel);
      row = b.create<exec::SnapshotOp>(kernel->getLoc(), exec::nameOf(state) + "_row", state, vertex, Value(),
                                       exec::Sharing::Serial);
    }
    read.getStateMutable().assign(row.getCopy());
  }

  /// Gives the copies of what a kernel updates at other ends their first value.
  LogicalResult reset(Operation *kernel, const parts::Sent &sent) {
    if (sent.assigns())
      return success();
    Location loc = kernel->getLoc();
    auto neutral = [&](Value state) {
      return neutralOfAny(loc, sent.kind, cast<graph::StateType>(state.getType()).getElement());
    };
    // What is sent leaves zero: once is enough, unless something else stands in the copies.
    const bool once = sent.collects() && !given.contains(sent.state) && !written.contains(sent.state);
    const bool toAll = computed.contains(sent.state);
    if (once && !resets.insert(sent.state).second)
      return success();
    if (once)
      b.setInsertionPointAfterValue(sent.state);
    else
      b.setInsertionPoint(kernel);
    if (!sent.claims()) {
      const bool joint = isa<exec::UpdateTupleOp>(sent.updates[0]);
      b.create<exec::ResetCopiesOp>(loc, sent.state, neutral(sent.state), toAll);
      for (Value state : sent.with)
        if (joint)
          b.create<exec::ResetCopiesOp>(loc, state, neutral(state), toAll);
      return success();
    }
    Value first = sent.expected;
    if (kernel->isAncestor(first.getParentRegion()->getParentOp())) {
      Operation *constant = first.getDefiningOp();
      if (!constant || !isa<graph::NoneOp, graph::ConstantOp, graph::InfOp>(constant))
        return refuse(sent.updates[0], "it claims from a value that it computes");
      first = b.clone(*constant)->getResult(0);
    }
    b.create<exec::ResetCopiesOp>(loc, sent.state, first, toAll);
    return success();
  }

  /// The value that changes nothing, of a vertex or a tuple too.
  Value neutralOfAny(Location loc, graph::UpdateKind kind, Type element) {
    if (isa<graph::VertexType>(element))
      return b.create<graph::NoneOp>(loc, element);
    auto tuple = dyn_cast<TupleType>(element);
    if (!tuple)
      return neutralOf(b, loc, kind, element);
    SmallVector<Value> elements;
    for (Type each : tuple.getTypes())
      elements.push_back(neutralOfAny(loc, kind, each));
    return b.create<graph::TupleOp>(loc, tuple, elements);
  }

  /// Where a kernel notes which copies of these it has updated: each state that it sends by itself has a list.
  static int listOf(const parts::Sent &sent, const parts::Needs &needs) {
    return &sent >= needs.sent.begin() && &sent < needs.sent.end() ? static_cast<int>(&sent - needs.sent.begin()) : 0;
  }
  /// Notes behind an update which vertex, or edge, it changed.
  void touch(Operation *update, const parts::Sent &sent, int list) {
    Value place = parts::vertexOf(update);
    Location loc = update->getLoc();
    b.setInsertionPointAfter(update);
    // A copy says nothing of whether the owner's value is another one. Where nobody asks, zeros are sent, too.
    if (sent.assigns() || (sent.collects() && update->getResult(0).use_empty())) {
      b.create<exec::TouchCopyOp>(loc, place, list);
      return;
    }
    for (Operation *user : update->getResult(0).getUsers()) {
      auto branch = cast<graph::IfOp>(user);
      if (branch->getBlock() == update->getBlock()) {
        b.setInsertionPointToStart(&branch.getThenRegion().front());
        b.create<exec::TouchCopyOp>(loc, place, list);
        return;
      }
    }
    auto branch = b.create<graph::IfOp>(loc, update->getResult(0));
    b.createBlock(&branch.getThenRegion());
    b.create<exec::TouchCopyOp>(loc, place, list);
  }

  /// Sends the touched copies behind the kernel, or after each of its rounds that push.
  void reduce(Operation *kernel, const parts::Needs &needs) {
    auto propagate = dyn_cast<exec::PropagateOp>(kernel);
    auto ordered = dyn_cast<exec::OrderedOp>(kernel);
    Location loc = kernel->getLoc();
    if (propagate)
      b.createBlock(&propagate.getExchange());
    else if (ordered)
      b.createBlock(&ordered.getExchange());
    else
      b.setInsertionPointAfter(kernel);
    for (Value state : needs.readEachRound)
      b.create<exec::GiveActiveOp>(loc, state, /*each_round=*/true, /*of_lists=*/false);
    for (Value state : needs.readOfActive)
      if (!needs.readEachRound.contains(state))
        b.create<exec::GiveActiveOp>(loc, state, /*each_round=*/false, /*of_lists=*/false);
    for (Value state : needs.readOfOwnActive)
      b.create<exec::GiveActiveOp>(loc, state, /*each_round=*/false, /*of_lists=*/true);
    for (const parts::Sent *sent : sentBy(needs))
      reduce(kernel, *sent, listOf(*sent, needs));
    if (needs.sent.empty() && !needs.activations.empty())
      b.create<exec::ActivateOwnersOp>(loc);
  }
  void reduce(Operation *kernel, const parts::Sent &sent, int list) {
    Location loc = kernel->getLoc();
    Type element = cast<graph::StateType>(sent.state.getType()).getElement();
    Value neutral, expected = sent.expected;
    if (sent.collects())
      neutral = neutralOf(b, loc, sent.kind, element);
    if (Operation *constant = expected ? expected.getDefiningOp() : nullptr; constant && kernel->isAncestor(constant))
      expected = b.clone(*constant)->getResult(0);
    b.create<exec::ReduceToOwnerOp>(loc, sent.kind, sent.state, expected, neutral, sent.with,
                                    sent.activating && !sent.always, sent.always, list, /*of_lists=*/false);
  }

  graph::AlgorithmOp algorithm;
  OpBuilder b;
  const bool onDevice;
  std::vector<std::pair<Operation *, parts::Needs>> kernels;
  llvm::DenseMap<Value, graph::UpdateKind> collected; // how a kernel updates a state elsewhere, the first that does
  llvm::DenseSet<Value> readAnywhere;                 // states that kernels read at vertices, or edges, of any owner
  llvm::DenseSet<Value> given;                        // states whose copies owners bring up to date
  llvm::DenseSet<Value> written;  // states whose copies get values otherwise: by the host, or as filters
  llvm::DenseSet<Value> computed; // states updated at vertices, or edges, of any owner
  llvm::DenseSet<Value> resets;
};

struct Distribute : impl::DistributeBase<Distribute> {
  using DistributeBase::DistributeBase;

  void runOnOperation() override {
    for (auto each : getOperation().getOps<graph::AlgorithmOp>())
      if (!each.getSerialOf() && failed(Distributor(each, onDevice).run()))
        signalPassFailure(); // the others are looked at all the same
  }
};

} // namespace
} // namespace gcompile
