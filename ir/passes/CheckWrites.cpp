#include "ir/analysis/Effects.h"
#include "ir/passes/Passes.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_CHECKWRITES
#include "ir/passes/Passes.h.inc"

namespace {

/// The name of a state as the program spells it.
std::string nameOf(Value state) {
  if (auto op = state.getDefiningOp<graph::StateOp>())
    return op.getName().str();
  auto argument = cast<BlockArgument>(state);
  auto algorithm = cast<graph::AlgorithmOp>(argument.getOwner()->getParentOp());
  return cast<DictionaryAttr>(algorithm.getArguments()[argument.getArgNumber()]).getAs<StringAttr>("name").str();
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

struct CheckWrites : impl::CheckWritesBase<CheckWrites> {
  void runOnOperation() override {
    bool failed = false;
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>()) {
      InfinityAnalysis infinity(algorithm);
      algorithm.walk([&](Operation *op) {
        auto loop = dyn_cast<graph::ForOp>(op);
        if (!(loop && !loop.getSequential()) && !isa<graph::PropagateOp>(op))
          return;
        if (insideParallel(op)) {
          if (isa<graph::PropagateOp>(op)) {
            op->emitError("[E0405] a propagate cannot stand inside a data-parallel statement");
            failed = true;
          }
          return;
        }
        failed |= !check(EffectTable(op, infinity));
      });
    }
    if (failed)
      signalPassFailure();
  }

  static bool check(const EffectTable &table) {
    bool ok = true;
    const Write *winner = table.claim();
    for (const Write &write : table.writes()) {
      std::string name = nameOf(write.states[0]);
      if (isa<graph::SetType>(cast<graph::StateType>(write.states[0].getType()).getElement())) {
        write.op->emitError("[E0406] the set '") << name << "' cannot change inside a data-parallel statement";
        ok = false;
        continue;
      }
      if (write.rule == WriteRule::Illegal) {
        illegal(table, write, name);
        ok = false;
        continue;
      }
      for (const Write &other : table.writes())
        if (&other < &write && disagree(table, write, other)) {
          auto error = write.op->emitError("[E0402] '")
                       << name << "' is updated in two ways in one statement: the result would depend on their order";
          error.attachNote(other.op->getLoc()) << "the other update is here";
          ok = false;
        }
      // What stands beside a claim would run for losers too.
      if (winner && write.rule != WriteRule::Claim && write.rule != WriteRule::Owned &&
          !winner->op->getParentRegion()->isAncestor(write.op->getParentRegion())) {
        auto error = write.op->emitError("[E0404] this write to '")
                     << name << "' does not stand in the block of the claim, so it would escape the winner";
        error.attachNote(winner->op->getLoc()) << "the claim, which only one iteration wins, is here";
        ok = false;
      }
      if (write.rule == WriteRule::SameValue && write.indices.empty())
        for (const Read &read : table.reads())
          if (read.op.getState() == write.states[0]) {
            auto error = read.op->emitError("[E0403] '")
                         << name << "' is read and assigned in one data-parallel statement";
            error.attachNote(write.op->getLoc()) << "it is assigned here; other iterations may have done so already";
            ok = false;
          }
    }
    // An iteration sees what it has written; whether it has must not depend on a condition, as others may have too.
    for (const Read &read : table.reads()) {
      bool always = false;
      const Write *write = table.ownAssignment(read, always);
      if (!write || write->rule != WriteRule::SameValue || always || write->indices.empty())
        continue;
      auto error = graph::ReadOp(read.op).emitError("[E0403] '")
                   << nameOf(write->states[0]) << "' is read after an assignment that may not have been made";
      error.attachNote(write->op->getLoc()) << "it is assigned here; other iterations may have done so already";
      ok = false;
    }
    return ok;
  }

  /// Whether two writes may meet at an element of a state, coming from two iterations, and do not commute.
  static bool disagree(const EffectTable &table, const Write &a, const Write &b) {
    bool share = llvm::any_of(a.states, [&](Value state) { return llvm::is_contained(b.states, state); });
    auto winner = [](const Write &write) {
      return write.rule == WriteRule::Claim || write.rule == WriteRule::UnderClaim;
    };
    if (!share || a.rule == WriteRule::Illegal || b.rule == WriteRule::Illegal ||
        (a.rule == WriteRule::Owned && b.rule == WriteRule::Owned) || (winner(a) && winner(b)))
      return false;
    // Two kinds of update do not commute, nor does a joint one with one of a part of its states.
    if (a.kind != b.kind || a.states != b.states)
      return true;
    if (a.kind != graph::UpdateKind::Assign)
      return false;
    return a.rule != WriteRule::SameValue || b.rule != WriteRule::SameValue ||
           !sameExpression(table.statement(), a.values[0], b.values[0]);
  }

  static void illegal(const EffectTable &table, const Write &write, const std::string &name) {
    auto error = write.op->emitError("[E0401] ");
    if (write.indices.empty()) {
      error << "every iteration assigns '" << name << "': the last one would win";
      error.attachNote() << "combine the values with a reduction such as '+=', 'min=' or 'max=', or use 'let' for a "
                            "value of one iteration";
      return;
    }
    error << "several iterations may assign the same element of '" << name << "': the last one would win";
    Diagnostic &note = error.attachNote(table.statement().operation()->getLoc());
    auto domain = table.statement().domain();
    if (domain == graph::Domain::Vertices || domain == graph::Domain::Pairs)
      note << "the iterations of this statement own only the element that its own names index";
    else
      note << "each edge is an iteration of this statement, and one vertex has many edges";
    error.attachNote() << "let the first writer win by a guard on the element, such as 'where " << name
                       << "[...] == none', or combine the values with 'min=', 'max=' or '+='";
  }
};

} // namespace
} // namespace gcompile
