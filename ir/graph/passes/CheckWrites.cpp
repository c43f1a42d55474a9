#include "ir/Errors.h"
#include "ir/analysis/Effects.h"
#include "ir/graph/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CHECKWRITES
#include "ir/graph/Passes.h.inc"

namespace {

struct CheckWrites : impl::CheckWritesBase<CheckWrites> {
  void runOnOperation() override {
    bool failed = false;
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      InfinityAnalysis infinity(algorithm);
      algorithm.walk<WalkOrder::PreOrder>([&](Operation *op) {
        auto loop = dyn_cast<graph::ForOp>(op);
        if (!(loop && !loop.getSequential()) && !isa<graph::PropagateOp>(op))
          return WalkResult::advance();
        if (check(EffectTable(op, infinity), insideParallel(op)))
          return WalkResult::advance();
        failed = true;
        return WalkResult::skip(); // one cause, one error: nothing is said about statements inside
      });
    }
    if (failed)
      signalPassFailure();
  }

  /// `nested`: the statement is part of one iteration of another, which runs it as a sequence. Its result must not
  /// depend on the order all the same, but there is no copy of what stood before it.
  static bool check(const EffectTable &table, bool nested) {
    bool ok = true;
    auto fail = [&](Operation *op, auto kind, const auto &...arguments) {
      ok = false;
      return report(op->getLoc(), kind, arguments...);
    };
    for (const Write &write : table.writes()) {
      std::string name = graph::nameOf(write.states[0]);
      if (isa<graph::SetType>(cast<graph::StateType>(write.states[0].getType()).getElement())) {
        fail(write.op, diag::set_changes, name);
        continue;
      }
      if (write.rule == WriteRule::Illegal) {
        ok = false;
        if (!followsFailedClaim(table, write)) // one cause, one error
          illegal(table, write, name);
        continue;
      }
      // Two kinds of update of one state do not commute.
      if (const Write *other = table.contradicts(write))
        fail(write.op, diag::two_updates, name).attachNote(other->op->getLoc()) << "the other update is here";
      // What stands beside a claim would run for losers too.
      if (const Write *winner = table.claim();
          winner && write.rule != WriteRule::Owned && !write.claim &&
          llvm::none_of(table.writes(), [&](const Write &other) {
            return other.rule == WriteRule::Claim &&
                   other.op->getParentRegion()->isAncestor(write.op->getParentRegion());
          }))
        fail(write.op, diag::escapes_claim, name).attachNote(winner->op->getLoc())
            << "the claim, which only one iteration wins, is here";
    }
    for (const Read &read : table.reads())
      if (const Write *write = table.ownReductionBefore(read)) {
        auto error = fail(read.op, diag::read_and_updated, graph::nameOf(read.op.getState()));
        error.attachNote(write->op->getLoc()) << "it is updated here, by other iterations as well";
        error.attachNote(UnknownLoc::get(read.op->getContext()))
            << (write->indices.empty() ? "name the value that is meant with 'let' before the statement"
                                       : "read it in a statement of its own, before or after this one");
      } else if (const Write *write = nested ? sharedBefore(table, read) : nullptr) {
        auto error = fail(read.op, diag::read_and_updated, graph::nameOf(read.op.getState()));
        error.attachNote(write->op->getLoc()) << "it is updated here, by other iterations of the inner statement";
      }
    if (table.statement().isPropagate())
      for (Value state : table.conflicts(/*proofs=*/true))
        if (cast<graph::StateType>(state.getType()).getShape() != graph::Shape::PerVertex)
          for (const Read &read : table.reads())
            if (read.op.getState() == state) {
              fail(read.op, diag::no_second_copy, graph::nameOf(state));
              break;
            }
    return ok;
  }

  /// The reduction of the very element that `read` reads, in whatever order.
  static const Write *sharedBefore(const EffectTable &table, const Read &read) {
    if (table.isOwned(read.op.getState()))
      return nullptr;
    for (const Write &write : table.writes())
      if (write.rule == WriteRule::Reduction && llvm::is_contained(write.states, read.op.getState()) &&
          table.sameElement(read.op.getIndices(), write.indices))
        return &write;
    return nullptr;
  }

  /// Whether a write would be the winner's if the guard before it made a claim, which another error says it does not.
  static bool followsFailedClaim(const EffectTable &table, const Write &write) {
    return write.noClaim.empty() && llvm::any_of(table.writes(), [&](const Write &other) {
             return other.rule == WriteRule::Illegal && !other.noClaim.empty() &&
                    other.op->getParentRegion()->isAncestor(write.op->getParentRegion()) &&
                    table.sameElement(write.indices, other.indices);
           });
  }

  static void illegal(const EffectTable &table, const Write &write, const std::string &name) {
    Operation *statement = table.statement().operation();
    bool inside = statement->getParentOfType<graph::ForOp>() || statement->getParentOfType<graph::PropagateOp>();
    const char *inOrder = isa<graph::ForOp>(statement) && inside ? ", or visit in order: 'for ... sequentially'" : "";
    if (write.indices.empty()) {
      report(write.op->getLoc(), diag::race, "'" + name + "'").attachNote(UnknownLoc::get(write.op->getContext()))
          << "combine the values with a reduction such as '+=', 'min=' or 'max=', or use 'let' for a value of one "
             "iteration"
          << inOrder;
      return;
    }
    auto error = report(write.op->getLoc(), diag::race, "the same element of '" + name + "'");
    Diagnostic &note = error.attachNote(table.statement().operation()->getLoc());
    auto domain = table.statement().domain();
    if (cast<graph::StateType>(write.states[0].getType()).getShape() == graph::Shape::Array)
      note << "several iterations of this statement may compute the same index";
    else if (domain == graph::Domain::Vertices || domain == graph::Domain::Pairs)
      note << "the iterations of this statement own only the element that its own names index";
    else
      note << "each edge is an iteration of this statement, and one vertex has many edges";
    if (!write.noClaim.empty()) {
      error.attachNote(UnknownLoc::get(write.op->getContext()))
          << "its guard does not make it a claim: " << write.noClaim;
      return;
    }
    Type element = cast<graph::StateType>(write.states[0].getType()).getElement();
    if (holdsClass(element)) { // which has neither an order nor a constant
      error.attachNote(UnknownLoc::get(write.op->getContext()))
          << "let the winner of a claim of another property write it" << inOrder;
      return;
    }
    bool least = !element.isInteger(1), named = isa<graph::VertexType, graph::EdgeType>(element);
    std::string guard; // that the type allows, on the element
    if (!least)
      guard = ", such as 'where !" + name + "[...]'";
    else if (named || isa<IntegerType, FloatType>(element))
      guard = ", such as 'where " + name + "[...] == " + (named ? "none'" : "0'");
    error.attachNote(least ? replaceOperator(write.op->getLoc(), "min=") : UnknownLoc::get(write.op->getContext()))
        << "let the first writer win by a guard on the element" << guard
        << ", or combine the values with a reduction, such as " << (least ? "'min='" : "'|='") << inOrder;
  }
};

} // namespace
} // namespace gcompile
