#include "ir/schedule/Refusals.h"
#include "ir/analysis/VertexNumbers.h"

using namespace mlir;

namespace gcompile::schedule {

namespace {

constexpr const char *byPriority = "it runs in the order of a priority";

/// The reason, if there is one, as a refusal.
std::optional<Refusal> because(Operation *op, const char *what, const char *reason) {
  return reason ? std::optional<Refusal>({what, reason, op}) : std::nullopt;
}

std::optional<Refusal> frontier(Operation *op) {
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  return because(op, "choose the form of its frontier",
                 !propagate                         ? "only a 'propagate' has one"
                 : propagate.getOrdered()           ? byPriority
                 : said<schedule::Asynchronous>(op) ? "it runs without rounds"
                                                    : nullptr);
}

std::optional<Refusal> gather(Operation *op) {
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  return because(op, "choose how lists are gathered",
                 !propagate               ? "only a 'propagate' has a frontier"
                 : propagate.getOrdered() ? byPriority
                                          : nullptr);
}

std::optional<Refusal> phases(Operation *op) {
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  return because(op, "list the edges of its frontier",
                 !propagate                                                 ? "only a 'propagate' has a frontier"
                 : propagate.getOrdered()                                   ? byPriority
                 : said<schedule::Gather>(op).has(schedule::Gather::Serial) ? "one thread has all edges of a vertex"
                                                                            : nullptr);
}

/// Of what claims in rounds. Where the statement is lowered it is known whether it claims any.
std::optional<Refusal> claims(Operation *op, const char *what) {
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  return because(op, what,
                 !propagate                         ? "only a 'propagate' claims in rounds"
                 : propagate.getOrdered()           ? byPriority
                 : said<schedule::Asynchronous>(op) ? "it runs without rounds"
                                                    : nullptr);
}

std::optional<Refusal> loop(Operation *op, schedule::Loop said) {
  if (isa<graph::WhileOp, graph::RepeatOp>(op))
    return {}; // exec-run-loops knows whether the device can
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  bool device = said.is(schedule::Loop::Device);
  return because(op, device ? "run all its rounds on the device" : "start its rounds on the host",
                 !propagate                                ? "only a 'propagate', 'repeat' or 'while' has rounds"
                 : !device && propagate.getOrdered()       ? "its lists are split on the device"
                 : device && !propagate.getUntil().empty() ? "the host evaluates 'until' after each"
                                                           : nullptr);
}

std::optional<Refusal> on(Operation *op, schedule::On on) { // graph-cut-stages knows what may have a side of its own
  bool can = !on.is(schedule::On::Migrate) || isa<graph::PropagateOp>(op);
  return because(op, "go over to the GPU", can ? nullptr : "only a 'propagate' has rounds");
}

std::optional<Refusal> closure(Operation *op) {
  auto loop = cast<graph::ForOp>(op); // exec-close-pairs knows whether it can
  return because(op, "run in blocks", !loop.getSequential() ? "it is no 'for k in g sequentially'" : nullptr);
}

std::optional<Refusal> order(Operation *op, const char *what, bool byItself) {
  auto propagate = dyn_cast<graph::PropagateOp>(op);
  if (!propagate || (!byItself && !propagate.getOrdered()))
    return because(op, what, byItself ? "it is no 'propagate'" : "it is no 'propagate ... ordered by'");
  return because(op, "run without rounds",
                 said<schedule::Frontier>(op) ? "the form of its frontier is chosen" : nullptr);
}

std::optional<Refusal> vertices(graph::AlgorithmOp algorithm, schedule::Vertices said) {
  Operation *use = findUseOfNumbers(algorithm);
  const char *what =
      said.is(schedule::Vertices::Bfs) ? "number its vertices in breadth-first order" : "number its vertices by degree";
  return use ? std::optional<Refusal>({what, "the result would depend on their numbers", use,
                                       "vertices or edges are compared, hashed, numbered or visited in order here"})
             : std::nullopt;
}

std::optional<Refusal> neighbors(graph::AlgorithmOp algorithm) {
  Operation *use = findUseOfNeighborOrder(algorithm);
  return use ? std::optional<Refusal>({"order neighbours by degree",
                                       "it needs them in ascending order, or shows the order of the edges", use,
                                       "a set of neighbours, or the order of edges, is used here"})
             : std::nullopt;
}

} // namespace

std::optional<Refusal> refusal(Operation *op, graph::DirectiveAttr directive) {
  switch (directive.getDirective()) {
  case schedule::Ordered::index:
    return order(op,
                 schedule::Ordered(directive).is(schedule::Ordered::Obim) ? "run by soft priorities" : "run in buckets",
                 false);
  case schedule::Asynchronous::index:
    return order(op, "run asynchronously", true);
  case schedule::Frontier::index:
    return frontier(op);
  case schedule::Gather::index:
    return gather(op);
  case schedule::Phases::index:
    return schedule::Phases(directive).is(schedule::Phases::ExpandContract) ? std::nullopt : phases(op);
  case schedule::Status::index:
    return schedule::Status(directive).is(schedule::Status::Bitmap) ? claims(op, "keep a bitmap of what is claimed")
                                                                    : std::nullopt;
  case schedule::Cull::index:
    return claims(op, "claim without atomic operations and cull copies");
  case schedule::Loop::index:
    return loop(op, schedule::Loop(directive));
  case schedule::On::index:
    return on(op, schedule::On(directive));
  case schedule::Closure::index:
    return schedule::Closure(directive).is(schedule::Closure::Blocked) ? closure(op) : std::nullopt;
  case schedule::Vertices::index:
    return vertices(cast<graph::AlgorithmOp>(op), schedule::Vertices(directive));
  case schedule::Neighbors::index:
    return neighbors(cast<graph::AlgorithmOp>(op));
  default:
    return {};
  }
}

} // namespace gcompile::schedule
