// Divides a program among machines: each owns a block of the vertices, with the arcs at them.
#include "ir/Errors.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/exec/passes/parts/Places.h"

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
    for (auto [value, attributes] : llvm::zip(algorithm.getBody().getArguments(), algorithm.getArguments()))
      if (isa<graph::SetType>(value.getType()) && !value.use_empty()) {
        StringRef name = cast<StringAttr>(cast<DictionaryAttr>(attributes).get("name")).getValue();
        return refuse(algorithm, "the parameter '" + name.str() + "' is a set");
      }
    if (failed(host(algorithm.getBody())))
      return failure();
    for (auto &[kernel, needs] : kernels) {
      if (auto propagate = dyn_cast<exec::PropagateOp>(kernel))
        chooseDirection(propagate, needs);
      given.insert(needs.read.begin(), needs.read.end());
    }
    for (auto &[kernel, needs] : kernels)
      if (failed(exchange(kernel, needs)))
        return failure();
    return success();
  }

private:
  static LogicalResult refuse(Operation *at, const std::string &reason) {
    return report(at->getLoc(), diag::not_in_parts, reason);
  }

  // ---- what the host does, which is the same everywhere -------------------------------------------------------------

  LogicalResult host(Region &region) {
    bool good = true;
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isKernel = exec::isKernel(op);
      good = succeeded(isKernel ? kernel(op) : hostOperation(op));
      return !good ? WalkResult::interrupt() : isKernel ? WalkResult::skip() : WalkResult::advance();
    });
    return success(good);
  }

  LogicalResult hostOperation(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](graph::StateOp state) {
          graph::Shape shape = state.getState().getType().getShape();
          return shape == graph::Shape::PerVertex || shape == graph::Shape::Scalar
                     ? success()
                     : refuse(op, "'" + state.getName().str() + "' " +
                                      (shape == graph::Shape::PerEdge ? "has a value for each edge"
                                       : shape == graph::Shape::Dense ? "has a value for each pair of vertices"
                                                                      : "is an array, which has no parts"));
        })
        .Case([&](graph::ReadOp read) {
          return read.getIndices().empty() || isa<BlockArgument>(read.getState())
                     ? success()
                     : refuse(op, "it reads '" + exec::nameOf(read.getState()) +
                                      "' of one vertex outside of a data-parallel statement");
        })
        .Case([&](exec::UpdateOp update) {
          if (!update.getIndices().empty())
            hostWrites.insert(update.getState());
          return update.getChanged().use_empty() ? success() : refuse(op, "it asks whether one vertex has changed");
        })
        .Case([&](graph::ContainsOp) {
          return refuse(op, "it asks for the membership of one vertex outside of a data-parallel statement");
        })
        .Case([&](graph::EdgeBetweenOp) {
          return refuse(op, "it asks for an edge outside of a data-parallel statement");
        })
        .Case([&](graph::ForOp) { return refuse(op, "a loop that visits one vertex or edge after the other"); })
        .Case([&](exec::AsynchronousOp) { return refuse(op, "a propagate without rounds"); })
        .Case([&](exec::CountTrianglesOp) { return refuse(op, "it goes to the neighbours of neighbours"); })
        .Case<graph::IfOp, graph::WhileOp, graph::RepeatOp, graph::BreakOp, graph::LogicOp, graph::ConditionalOp,
              graph::SetSizeOp, exec::SnapshotOp>([](auto) { return success(); })
        .Default([&](Operation *other) {
          return isPlainValue(other) ? success() : refuse(op, "a step that is made for one machine");
        });
  }

  // ---- kernels ------------------------------------------------------------------------------------------------------

  LogicalResult kernel(Operation *op) {
    if (auto parallel = dyn_cast<exec::ParallelOp>(op); parallel && parallel.getDomain() != graph::Domain::Vertices)
      return refuse(op, "a statement over all edges or pairs of vertices");
    if (auto reduce = dyn_cast<exec::ReduceOp>(op)) {
      if (*reduce.getDomain() != graph::Domain::Vertices)
        return refuse(op, "a reduction over all edges or pairs of vertices");
      if (reduce.getKind() == graph::ReduceKind::Mode)
        return refuse(op, "the mode over all vertices");
    }
    SmallVector<Region *> regions{&op->getRegion(0)};
    parts::Needs needs;
    if (auto propagate = dyn_cast<exec::PropagateOp>(op)) {
      if (propagate.getLevels())
        return refuse(op, "it keeps the levels of a propagate");
      if (propagate.getDirection() == exec::Direction::Pull)
        return refuse(op, "all rounds of this propagate pull");
      regions.push_back(&propagate.getCommit());
    }
    if (std::optional<parts::Refusal> refusal = parts::findNeeds(op, regions, needs))
      return refuse(refusal->at, refusal->reason);
    if (auto ordered = dyn_cast<exec::OrderedOp>(op)) {
      if (!ordered.getEnds().empty())
        return refuse(op, "an 'ordered by' that ends before all vertices have their final values");
      if (!needs.sent || needs.sent->state != ordered.getPriority() ||
          needs.sent->kind != (ordered.getGreatestFirst() ? graph::UpdateKind::Max : graph::UpdateKind::Min))
        return refuse(op, "it changes more than the priority at the other ends of edges");
    }
    if (needs.sent && !parts::isFilter(needs.sent->kind) && !needs.sent->expected)
      collected.insert(needs.sent->state);
    kernels.push_back({op, std::move(needs)});
    auto propagate = dyn_cast<exec::PropagateOp>(op);
    return propagate && !exec::isAbsent(propagate.getUntil()) ? host(propagate.getUntil()) : success();
  }

  /// Keeps the pull of a propagate that pushes and pulls if it can run in parts; what it reads is then among the needs.
  void chooseDirection(exec::PropagateOp propagate, parts::Needs &needs) {
    parts::Needs pull;
    if (needs.sent && mayPull(propagate, pull)) {
      needs.read.insert(pull.read.begin(), pull.read.end());
      needs.readOfActive = pull.readOfActive;
      return;
    }
    propagate.getPull().dropAllReferences();
    propagate.getPull().getBlocks().clear();
    propagate.setDirection(exec::Direction::Push);
  }
  bool mayPull(exec::PropagateOp propagate, parts::Needs &pull) const {
    // The growth of frontiers is not known here.
    if (propagate.getDirection() != exec::Direction::Hybrid || propagate.getByGrowth())
      return false;
    if (onDevice && (!goesAlong(propagate) || !endsEarly(propagate)))
      return false;
    if (parts::findPullNeeds(propagate, pull))
      return false;
    auto isCollected = [&](Value state) { return collected.contains(state); }; // its copies hold sums
    return llvm::none_of(pull.read, isCollected) && llvm::none_of(pull.readOfActive, isCollected);
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
    for (Value state : needs.read)
      give(kernel, state);
    if (!needs.sent)
      return success();
    parts::Sent &sent = *needs.sent;
    if (collected.contains(sent.state) && (given.contains(sent.state) || hostWrites.contains(sent.state)))
      return refuse(kernel, "'" + exec::nameOf(sent.state) +
                                "' is added to at the other ends of edges, and elsewhere read there or written by the "
                                "host");
    if (failed(reset(kernel, sent)))
      return failure();
    for (Operation *update : sent.updates)
      touch(update);
    reduce(kernel, needs);
    return success();
  }

  /// Brings the copies of what a kernel reads at other ends up to date, if they may be behind: as late as it changes.
  void give(Operation *kernel, Value state) {
    Operation *at = kernel;
    for (Operation *loop = at->getParentOp(); isa<graph::WhileOp, graph::RepeatOp>(loop) && !parts::writes(loop, state);
         loop = at->getParentOp())
      at = loop;
    for (Operation *before = at->getPrevNode(); before && !parts::writes(before, state); before = before->getPrevNode())
      if (auto give = dyn_cast<exec::GiveToCopiesOp>(before); give && give.getState() == state)
        return;
    b.setInsertionPoint(at);
    b.create<exec::GiveToCopiesOp>(kernel->getLoc(), state);
  }

  /// Gives the copies of what a kernel updates at other ends their first value.
  LogicalResult reset(Operation *kernel, const parts::Sent &sent) {
    Location loc = kernel->getLoc();
    Type element = cast<graph::StateType>(sent.state.getType()).getElement();
    if (collected.contains(sent.state)) { // once: what is sent leaves zero
      if (!resets.insert(sent.state).second)
        return success();
      b.setInsertionPointAfterValue(sent.state);
      Value zero = neutralOf(b, loc, sent.kind, element);
      b.create<exec::ResetCopiesOp>(loc, sent.state, zero);
      return success();
    }
    b.setInsertionPoint(kernel);
    Value first = sent.expected;
    if (!first) {
      first = isa<graph::VertexType>(element) ? Value(b.create<graph::NoneOp>(loc, element))
                                              : neutralOf(b, loc, sent.kind, element);
    } else if (kernel->isAncestor(first.getParentRegion()->getParentOp())) {
      Operation *constant = first.getDefiningOp();
      if (!constant || !isa<graph::NoneOp, graph::ConstantOp, graph::InfOp>(constant))
        return refuse(sent.updates[0], "it claims from a value that it computes");
      first = b.clone(*constant)->getResult(0);
    }
    b.create<exec::ResetCopiesOp>(loc, sent.state, first);
    return success();
  }

  /// Notes behind an update which vertex it changed.
  void touch(Operation *update) {
    Value vertex = isa<exec::ClaimOp>(update) ? cast<exec::ClaimOp>(update).getIndices()[0]
                                              : cast<exec::UpdateOp>(update).getIndices()[0];
    Location loc = update->getLoc();
    b.setInsertionPointAfter(update);
    if (!isa<exec::ClaimOp>(update) && !parts::isFilter(cast<exec::UpdateOp>(update).getKind())) {
      b.create<exec::TouchCopyOp>(loc, vertex);
      return;
    }
    for (Operation *user : update->getResult(0).getUsers()) {
      auto branch = cast<graph::IfOp>(user);
      if (branch->getBlock() == update->getBlock()) {
        b.setInsertionPointToStart(&branch.getThenRegion().front());
        b.create<exec::TouchCopyOp>(loc, vertex);
        return;
      }
    }
    auto branch = b.create<graph::IfOp>(loc, update->getResult(0));
    b.createBlock(&branch.getThenRegion());
    b.create<exec::TouchCopyOp>(loc, vertex);
  }

  /// Sends the touched copies behind the kernel, or after each of its rounds that push.
  void reduce(Operation *kernel, const parts::Needs &needs) {
    const parts::Sent &sent = *needs.sent;
    auto propagate = dyn_cast<exec::PropagateOp>(kernel);
    auto ordered = dyn_cast<exec::OrderedOp>(kernel);
    Location loc = kernel->getLoc();
    if (propagate)
      b.createBlock(&propagate.getExchange());
    else if (ordered)
      b.createBlock(&ordered.getExchange());
    else
      b.setInsertionPointAfter(kernel);
    for (Value state : needs.readOfActive)
      b.create<exec::GiveActiveOp>(loc, state);
    Type element = cast<graph::StateType>(sent.state.getType()).getElement();
    Value neutral, expected = sent.expected;
    if (collected.contains(sent.state))
      neutral = neutralOf(b, loc, sent.kind, element);
    if (Operation *constant = expected ? expected.getDefiningOp() : nullptr; constant && kernel->isAncestor(constant))
      expected = b.clone(*constant)->getResult(0);
    b.create<exec::ReduceToOwnerOp>(loc, sent.kind, sent.state, expected, neutral, sent.with, sent.activating);
  }

  graph::AlgorithmOp algorithm;
  OpBuilder b;
  const bool onDevice;
  std::vector<std::pair<Operation *, parts::Needs>> kernels;
  llvm::DenseSet<Value> collected;  // states whose copies collect sums
  llvm::DenseSet<Value> given;      // states whose copies owners bring up to date
  llvm::DenseSet<Value> hostWrites; // states of which the host writes single elements
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
