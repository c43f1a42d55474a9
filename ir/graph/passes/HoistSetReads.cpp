#include "ir/analysis/Statement.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_HOISTSETREADS
#include "ir/graph/Passes.h.inc"

namespace {

/// The outermost data-parallel statement around an operation, or null.
Operation *statementAround(Operation *op) {
  while (op && insideParallel(op))
    op = op->getParentOp();
  return op;
}

struct HoistSetReads : impl::HoistSetReadsBase<HoistSetReads> {
  void runOnOperation() override {
    graph::walkHolders(getOperation(),
                       [](graph::SetFilterOp filter) { // inner ones first: theirs may move on with the outer one's
                         if (!insideParallel(filter))
                           return;
                         Operation *statement = statementAround(filter);
                         SmallVector<graph::ReadOp> reads;
                         filter.getWhere().walk([&](graph::ReadOp read) {
                           if (hasSettledPlace(read, filter) && isWritten(read.getState(), statement))
                             reads.push_back(read);
                         });
                         for (graph::ReadOp read : reads)
                           read->moveBefore(filter);
                       });
  }

  /// Whether it reads an element of which the loops around the set say that it exists.
  static bool hasSettledPlace(graph::ReadOp read, graph::SetFilterOp filter) {
    Region &where = filter.getWhere();
    auto isAround = [&](Value value) { return !where.isAncestor(value.getParentRegion()); };
    return !read.getChecked() && isAround(read.getState()) &&
           llvm::all_of(read.getIndices(), [&](Value index) { return isa<BlockArgument>(index) && isAround(index); });
  }

  static bool isWritten(Value state, Operation *statement) {
    return llvm::any_of(state.getUsers(),
                        [&](Operation *user) { return !isa<graph::ReadOp>(user) && statement->isAncestor(user); });
  }
};
} // namespace
} // namespace gcompile
