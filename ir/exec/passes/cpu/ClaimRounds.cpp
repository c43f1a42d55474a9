#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CLAIMROUNDS
#include "ir/exec/Passes.h.inc"

namespace {

/// `%state[at] == inf`.
struct Test {
  graph::ReadOp read;
  graph::BinaryOp equal;
};

/// A propagate whose commit gives each new vertex the number of the round, and whose push and pull look for vertices
/// that have none yet.
class RoundsAsClaims {
public:
  explicit RoundsAsClaims(exec::PropagateOp propagate) : propagate(propagate) {}

  bool fits() {
    // A push by one thread needs no claim.
    if (!propagate.getDedup() || propagate.getSharing() == exec::Sharing::Serial || propagate.getHandOver() ||
        propagate.getClaimBitmap() || !findCommit() || !startsBelow() || !findPush())
      return false;
    return exec::isAbsent(propagate.getPull()) || findPull();
  }

  void rewrite() {
    rewritePush();
    for (exec::ActivateOp activate : pulled) {
      OpBuilder b(activate->getContext());
      b.setInsertionPointAfter(activate);
      Value round = propagate.getPull().getArgument(1);
      assign(b, activate.getLoc(), activate.getVertex(), round);
    }
    propagate.getCommit().getBlocks().clear();
    propagate.setDedup(false);
  }

private:
  exec::PropagateOp propagate;
  Value state;
  Test found;
  graph::IfOp choice;
  exec::ActivateOp pushed;
  SmallVector<exec::ActivateOp> pulled;

  void assign(OpBuilder &b, Location loc, Value vertex, Value round) {
    b.create<exec::UpdateOp>(loc, b.getI1Type(), graph::UpdateKind::Assign, exec::Sync::Plain, state,
                             ValueRange(vertex), round, false, /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
  }

  /// The commit does nothing but give each vertex the number of the round.
  bool findCommit() {
    Region &commit = propagate.getCommit();
    if (exec::isAbsent(commit) || !llvm::hasSingleElement(commit.front()))
      return false;
    auto update = dyn_cast<exec::UpdateOp>(commit.front().front());
    if (!update || update.getKind() != graph::UpdateKind::Assign || update.getChecked() ||
        update.getIndices().size() != 1 || update.getIndices()[0] != commit.getArgument(0) ||
        update.getValue() != commit.getArgument(1))
      return false;
    state = update.getState();
    return state.getDefiningOp<graph::StateOp>() != nullptr;
  }

  static bool isInf(Value value) { return value.getDefiningOp<graph::InfOp>() != nullptr; }
  /// No round has such a number.
  static bool isBelow(Value value) {
    auto constant = value.getDefiningOp<graph::ConstantOp>();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    return number && number.getValue().isNonPositive();
  }

  /// Whether no vertex can have the number of a round before that: in front of the propagate all get the value inf, and
  /// whatever else is written to the state is that, or less than any round.
  bool startsBelow() {
    bool cleared = false;
    for (Operation *user : state.getUsers()) {
      if (propagate->isAncestor(user) || isa<graph::ReadOp>(user))
        continue;
      auto update = dyn_cast<exec::UpdateOp>(user);
      if (!update || update.getState() != state || update.getKind() != graph::UpdateKind::Assign ||
          !(isInf(update.getValue()) || isBelow(update.getValue())))
        return false;
      auto kernel = dyn_cast<exec::ParallelOp>(update->getParentOp());
      cleared |= kernel && isInf(update.getValue()) && kernel->getBlock() == propagate->getBlock() &&
                 kernel->isBeforeInBlock(propagate) && kernel.getDomain() == graph::Domain::Vertices &&
                 kernel.getOver().getDefiningOp<graph::AllVerticesOp>() &&
                 update.getIndices()[0] == kernel.getBody().getArgument(0);
    }
    return cleared;
  }

  /// The only use of the state in a region: whether the vertex has no number yet.
  std::optional<Test> onlyTest(Region &region) {
    SmallVector<Operation *> users;
    region.walk([&](Operation *op) {
      if (llvm::is_contained(op->getOperands(), state))
        users.push_back(op);
    });
    auto read = users.size() == 1 ? dyn_cast<graph::ReadOp>(users[0]) : graph::ReadOp();
    if (!read || read.getChecked() || !read->hasOneUse())
      return std::nullopt;
    auto equal = dyn_cast<graph::BinaryOp>(*read->user_begin());
    if (!equal || equal.getKind() != graph::BinaryKind::Eq)
      return std::nullopt;
    Value other = equal.getLhs() == read.getResult() ? equal.getRhs() : equal.getLhs();
    return isInf(other) ? std::optional(Test{read, equal}) : std::nullopt;
  }

  /// In a push: `if %state[v] == inf { activate v; ... }` for the other end v of an arc.
  bool findPush() {
    std::optional<Test> test = onlyTest(propagate.getPush());
    if (!test || !test->equal->hasOneUse())
      return false;
    found = *test;
    choice = dyn_cast<graph::IfOp>(*found.equal->user_begin());
    auto loop = choice ? dyn_cast<exec::ForOp>(choice->getParentOp()) : exec::ForOp();
    if (!loop || !choice.getElseRegion().empty() || found.read.getIndices()[0] != loop.getBody().getArgument(0))
      return false;
    unsigned activated = 0;
    propagate.getPush().walk([&](exec::ActivateOp activate) {
      ++activated;
      pushed = activate;
    });
    return activated == 1 && pushed->getParentOp() == choice.getOperation() &&
           pushed.getVertex() == found.read.getIndices()[0];
  }

  /// In a pull the vertex itself is tested, and activated.
  bool findPull() {
    Region &pull = propagate.getPull();
    std::optional<Test> test = onlyTest(pull);
    if (!test || test->read.getIndices()[0] != pull.getArgument(0))
      return false;
    bool own = true;
    pull.walk([&](exec::ActivateOp activate) {
      pulled.push_back(activate);
      own &= activate.getVertex() == pull.getArgument(0);
    });
    return own;
  }

  Value claim(OpBuilder &b, Location loc) {
    Value none = b.create<graph::InfOp>(loc, found.read.getType());
    return b
        .create<exec::ClaimOp>(loc, b.getI1Type(), exec::Sync::Atomic, state, ValueRange(pushed.getVertex()), none,
                               propagate.getPush().getArgument(1), false)
        .getWon();
  }

  /// `if none or this round's { if none { if claim { activate } }; more }`; without more, `if claim { activate }`.
  void rewritePush() {
    Location loc = found.read.getLoc();
    OpBuilder b(choice);
    if (llvm::hasSingleElement(choice.getThenRegion().front())) {
      choice.getConditionMutable().assign(claim(b, loc));
      found.equal.erase();
      found.read.erase();
      return;
    }
    Value now = b.create<graph::BinaryOp>(loc, b.getI1Type(), graph::BinaryKind::Eq, found.read.getResult(),
                                          propagate.getPush().getArgument(1), false, false);
    auto either = b.create<graph::LogicOp>(loc, b.getI1Type(), graph::LogicKind::Or, found.equal.getResult());
    b.createBlock(&either.getRhs());
    b.create<graph::YieldOp>(loc, now);
    choice.getConditionMutable().assign(either.getResult());
    b.setInsertionPoint(pushed);
    auto fresh = b.create<graph::IfOp>(loc, found.equal.getResult());
    b.createBlock(&fresh.getThenRegion());
    auto first = b.create<graph::IfOp>(loc, claim(b, loc));
    Block *block = b.createBlock(&first.getThenRegion());
    pushed->moveBefore(block, block->end());
  }
};

struct ClaimRounds : impl::ClaimRoundsBase<ClaimRounds> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      if (algorithm.getSerialOf())
        continue;
      SmallVector<exec::PropagateOp> propagates;
      algorithm.walk([&](exec::PropagateOp propagate) { propagates.push_back(propagate); });
      for (exec::PropagateOp propagate : propagates)
        if (RoundsAsClaims rounds(propagate); rounds.fits())
          rounds.rewrite();
    }
  }
};

} // namespace
} // namespace gcompile
