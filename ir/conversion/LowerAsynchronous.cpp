#include "ir/Errors.h"
#include "ir/analysis/Legality.h"
#include "ir/conversion/GraphToExec.h"

using namespace mlir;

namespace gcompile {

/// A propagate whose schedule says `asynchronous` or `ordered obim`.
LogicalResult GraphToExec::asynchronous(graph::PropagateOp op, const EffectTable &table) {
  Value priority = op.getOrdered();
  auto illegal = [&](const char *what, StringRef why) {
    auto error = report(cast<LocationAttr>(op->getAttr("schedule_place")), diag::illegal_schedule, what, why.str());
    error.attachNote(op.getLoc()) << "the statement is here";
    return error;
  };
  if (Legality legal = canRunAsynchronously(table); !legal)
    return illegal("run asynchronously", legal.reason);
  if (auto wanted = op->getAttrOfType<StringAttr>("direction"); wanted && wanted != "push")
    return illegal(wanted == "pull" ? "pull" : "change direction", "it runs asynchronously, which pushes");
  SmallVector<unsigned> terms;
  if (priority) {
    PriorityOrder order = canRunByPriority(table);
    if (!order)
      return report(op.getLoc(), diag::cannot_order, stateName(priority), order.reason);
    requireNonnegative(order.terms);
    terms = order.terms;
  }

  b.setInsertionPoint(op);
  KernelPlan plan; // no vertex is one thread's alone: it may become active while a thread works on it
  plan.table = &table;
  plan.activates = true;
  plan.together = table.readTogether();
  // What a thread keeps for itself is out of the others' order: the larger the chunks, the more is done in vain.
  const std::int64_t fitting = priority ? 16 : 64;
  auto chunk = op->getAttrOfType<IntegerAttr>("chunk"), shift = op->getAttrOfType<IntegerAttr>("shift");
  auto loop = b.create<exec::AsynchronousOp>(
      op.getLoc(), nameFor(op, priority ? "relax" : "propagate", table.writtenStates()), op.getFrom(), priority,
      chunk ? chunk.getInt() : fitting, shift ? std::int64_t(1) << shift.getInt() : 0);
  edgeKernel(op, loop.getPush(), plan, false);
  markTerms(loop, terms);
  loop.setNamesAttr(names({op.getNames()[0]}));
  markDirection(loop, op.getDomain());
  op.erase();
  return success();
}

} // namespace gcompile
