#include "ir/Errors.h"
#include "ir/analysis/Legality.h"
#include "ir/conversion/GraphToExec.h"

using namespace mlir;

namespace gcompile {

/// A propagate whose schedule says `asynchronous` or `ordered obim`.
LogicalResult GraphToExec::asynchronous(graph::PropagateOp op, const EffectTable &table) {
  Value priority = op.getOrdered();
  auto asynchronous = schedule::said<schedule::Asynchronous>(op);
  auto soft = schedule::said<schedule::Ordered>(op);
  if (Legality legal = canRunAsynchronously(table); !legal)
    return refuse(asynchronous ? asynchronous.place() : soft.place(), "run asynchronously", legal.reason, op.getLoc());
  if (auto wanted = schedule::said<schedule::Direction>(op); wanted && !wanted.is(schedule::Direction::Push))
    return refuse(wanted.place(), wanted.is(schedule::Direction::Pull) ? "pull" : "change direction",
                  "it runs asynchronously, which pushes", op.getLoc());
  PriorityOrder order;
  if (priority) {
    order = canRunByPriority(table);
    if (!order)
      return report(op.getLoc(), diag::cannot_order, stateName(priority), order.reason);
    requireNonnegative(order.terms);
  }

  std::int64_t levels = 0;
  HandingOn sums = priority || table.isMonotoneFixpoint(nullptr, /*together=*/true) ? HandingOn{} : handsOn(table);
  if (sums && !asynchronous.tolerance())
    return refuse(asynchronous.place(), "run asynchronously",
                  "what sums leave behind depends on the order; say by how much results may differ from those after "
                  "rounds, as in 'asynchronous(tolerance = 1e-4)'",
                  op.getLoc());
  if (sums) {
    requireNonnegative(sums.terms);
    levels = asynchronous.levels().value_or(0);
  } else if (asynchronous.levels()) {
    return refuse(asynchronous.place(), "have 'levels'",
                  "it hands on no sums, and takes its vertices in no other order", op.getLoc());
  }

  b.setInsertionPoint(op);
  KernelPlan plan; // no vertex is one thread's alone: it may become active while a thread works on it
  plan.table = &table;
  plan.activates = true;
  plan.together = table.readTogether();
  if (sums) {
    plan.sums = &sums;
    plan.deferred = {sums.take};
  }
  // What a thread keeps for itself is out of the others' order: the larger the chunks, the more is done in vain.
  const std::int64_t fitting = priority || levels > 0 ? 16 : 64;
  auto shift = soft.shift();
  auto loop = b.create<exec::AsynchronousOp>(
      op.getLoc(), nameFor(op, priority ? "relax" : "propagate", table.writtenStates()), op.getFrom(), priority,
      asynchronous.chunk().value_or(soft.chunk().value_or(fitting)), shift ? std::int64_t(1) << *shift : 0,
      order.greatestFirst, levels);
  edgeKernel(op, loop.getPush(), plan, false);
  markWidth(loop, order);
  loop.setNamesAttr(names({op.getNames()[0]}));
  markDirection(loop, op.getDomain());
  op.erase();
  return success();
}

} // namespace gcompile
