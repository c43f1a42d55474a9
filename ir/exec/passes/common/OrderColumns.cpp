#include "ir/analysis/Repeats.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Domains.h"
#include "ir/graph/Walk.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_ORDERCOLUMNS
#include "ir/exec/Passes.h.inc"

namespace {

/// Whether nothing but edge columns is asked of the loop's edges, and anything is.
bool readsOnlyColumns(exec::ForOp loop) {
  Value edge = loop.getBody().getArgument(1);
  return !edge.use_empty() && llvm::all_of(edge.getUsers(), [&](Operation *user) {
    auto read = dyn_cast<graph::ReadOp>(user);
    return read && graph::isEdgeColumn(read.getState());
  });
}

/// Whether a copy of a column is read more often than it is written: the kernel goes against the edges again and again,
/// in the rounds of its own or in those of a loop around it.
bool runsAgain(Operation *kernel) {
  auto overOne = [](auto op) { return bool(graph::onlyMember(op.getOver())); };
  if (auto loop = dyn_cast<exec::ParallelOp>(kernel); loop && overOne(loop))
    return false;
  if (auto reduce = dyn_cast<exec::ReduceOp>(kernel); reduce && overOne(reduce))
    return false;
  return exec::isTransposed(kernel) || isa<exec::PropagateOp>(kernel) || standsInLoop(kernel);
}

struct OrderColumns : impl::OrderColumnsBase<OrderColumns> {
  void runOnOperation() override {
    for (auto algorithm : getOperation().getOps<graph::AlgorithmOp>())
      if (!algorithm.getSerialOf())
        graph::walkHolders(algorithm, [&](Operation *kernel) {
          if (exec::isKernel(kernel) && runsAgain(kernel))
            kernel->walk([&](exec::ForOp loop) {
              if (loop.getDomain() == graph::Domain::Into && !loop.getByPlace() && !loop.getAbove() &&
                  !loop.getBelow() && readsOnlyColumns(loop))
                goByPlace(loop, algorithm);
            });
        });
  }

  static void goByPlace(exec::ForOp loop, graph::AlgorithmOp algorithm) {
    loop.setByPlace(true);
    for (Operation *user : loop.getBody().getArgument(1).getUsers()) {
      auto read = cast<graph::ReadOp>(user);
      read.getStateMutable().assign(ordered(cast<BlockArgument>(read.getState()), algorithm));
    }
  }

  /// The column in the order of the arcs into each vertex.
  static Value ordered(BlockArgument column, graph::AlgorithmOp algorithm) {
    for (Operation *user : column.getUsers())
      if (auto known = dyn_cast<exec::ByTargetOp>(user))
        return known.getCopy();
    OpBuilder b = OpBuilder::atBlockBegin(&algorithm.getBody().front());
    auto described = cast<DictionaryAttr>(algorithm.getArguments()[column.getArgNumber()]);
    std::string name = described.getAs<StringAttr>("name").str() + "_by_target";
    return b.create<exec::ByTargetOp>(algorithm.getLoc(), column.getType(), name, column);
  }
};

} // namespace
} // namespace gcompile
