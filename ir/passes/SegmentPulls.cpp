#include "ir/Errors.h"
#include "ir/analysis/Memory.h"
#include "ir/passes/KernelParts.h"
#include "ir/passes/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SEGMENTPULLS
#include "ir/passes/Passes.h.inc"

namespace {

/// A reduction over the arcs into a kernel's vertex, and what it reads of their sources.
struct Gather {
  exec::ReduceOp reduce;
  llvm::SmallSetVector<Value, 4> states;
  double bytes = 0; // read of each source
};

/// How partial results become one.
std::optional<graph::UpdateKind> combination(graph::ReduceKind kind) {
  switch (kind) {
  case graph::ReduceKind::Sum:
  case graph::ReduceKind::Count:
    return graph::UpdateKind::Add;
  case graph::ReduceKind::SumInf:
    return graph::UpdateKind::AddInf;
  case graph::ReduceKind::Min:
    return graph::UpdateKind::Min;
  case graph::ReduceKind::Max:
    return graph::UpdateKind::Max;
  default:
    return std::nullopt;
  }
}

/// Why the reduction cannot be put together from its segments; "" if it can. Fills in what it reads.
std::string obstacle(exec::ParallelOp kernel, Gather &gather) {
  exec::ReduceOp reduce = gather.reduce;
  Value own = kernel.getBody().getArgument(0);
  if (!combination(reduce.getKind()) || !reduce.getResult().getType().isIntOrFloat())
    return "only sums, counts, minima and maxima of numbers can be put together from parts";
  bool branches = false;
  for (Operation *parent = reduce->getParentOp(); parent != kernel; parent = parent->getParentOp()) {
    if (!isa<graph::IfOp>(parent))
      return "what it computes over the edges is part of another loop or expression";
    branches = true;
  }
  std::string reason;
  reduce.getBody().walk([&](Operation *op) {
    auto loop = dyn_cast<exec::ForOp>(op);
    if (loop && (loop->getParentOp() != reduce || loop.getOver() != own || loop.getAbove() || loop.getBelow() ||
                 !loop.getBody().getArgument(1).use_empty())) {
      reason = "it needs more of an edge than the source";
      return;
    }
    if (branches && op->hasAttr("checked"))
      reason = "it may end the program with an error where its condition fails";
    for (Value operand : op->getOperands()) {
      bool inside = reduce.getBody().isAncestor(operand.getParentRegion());
      if (inside || (loop && operand == own))
        continue;
      if (kernel.getBody().isAncestor(operand.getParentRegion()))
        reason = "what it computes over the edges depends on the vertex";
    }
    if (auto read = dyn_cast<graph::ReadOp>(op); read && !read.getIndices().empty()) {
      if (gather.states.insert(read.getState()))
        gather.bytes += elementBytes(cast<graph::StateType>(read.getState().getType()).getElement());
    } else if (isa<graph::DegreeOp>(op)) {
      gather.bytes += 8;
    }
  });
  return reason;
}

struct SegmentPulls : impl::SegmentPullsBase<SegmentPulls> {
  void runOnOperation() override {
    SmallVector<exec::ParallelOp> kernels;
    getOperation().walk([&](exec::ParallelOp kernel) {
      if (kernel->hasAttr("segment_bytes"))
        kernels.push_back(kernel);
    });
    for (exec::ParallelOp kernel : kernels)
      if (failed(segment(kernel)))
        signalPassFailure();
  }

  static LogicalResult refuse(exec::ParallelOp kernel, StringRef reason) {
    auto error = report(cast<LocationAttr>(kernel->getAttr("schedule_place")), diag::illegal_schedule,
                        "take its edges in segments", reason.str());
    error.attachNote(kernel.getLoc()) << "the statement is here";
    return failure();
  }

  static LogicalResult segment(exec::ParallelOp kernel) {
    if (!kernel.getOver() || !kernel.getOver().getDefiningOp<graph::AllVerticesOp>())
      return refuse(kernel, "it does not run over all vertices");
    if (kernel->getParentOfType<graph::AlgorithmOp>()->hasAttr("neighbors_by_degree"))
      return refuse(kernel, "the neighbours of a vertex are ordered by degree");
    SmallVector<Gather> gathers;
    kernel.walk([&](exec::ReduceOp reduce) {
      bool arcs = false;
      for (auto loop : reduce.getBody().getOps<exec::ForOp>())
        arcs |= loop.getDomain() == graph::Domain::Into;
      if (arcs)
        gathers.push_back({reduce, {}, 0});
    });
    if (gathers.empty())
      return refuse(kernel, "it computes nothing over the edges into a vertex");
    for (Gather &gather : gathers)
      if (std::string reason = obstacle(kernel, gather); !reason.empty())
        return refuse(kernel, reason);
    for (Gather &gather : gathers)
      takeOut(kernel, gather);
    kernel->removeAttr("segment_bytes");
    kernel->removeAttr("schedule_place");
    bool loops = false;
    kernel.walk([&](Operation *op) { loops |= isa<exec::ForOp, graph::WhileOp, graph::RepeatOp>(op); });
    kernel.setSchedule(loops ? exec::Schedule::Dynamic : exec::Schedule::Static);
    return success();
  }

  /// Puts a reduction into a kernel of its own in front of `kernel`, which reads its result.
  static void takeOut(exec::ParallelOp kernel, Gather &gather) {
    exec::ReduceOp reduce = gather.reduce;
    Location loc = reduce.getLoc();
    Type element = reduce.getResult().getType();
    auto algorithm = kernel->getParentOfType<graph::AlgorithmOp>();
    // Names of kernels and states are made unique where they are printed.
    std::string name = kernel.getName().str() + "_" + stringifyReduceKind(reduce.getKind()).str();
    auto type = graph::StateType::get(kernel.getContext(), element, graph::Shape::PerVertex);
    Value state =
        OpBuilder::atBlockBegin(&algorithm.getBody().front()).create<graph::StateOp>(loc, type, name, false).getState();

    OpBuilder b(kernel);
    auto over = [&](const std::string &title, exec::Schedule schedule, Block *&body) {
      auto loop = b.create<exec::ParallelOp>(loc, title, graph::Domain::Vertices, kernel.getOver(), schedule);
      loop->setAttr("names", kernel->getAttr("names"));
      OpBuilder::InsertionGuard guard(b);
      body = b.createBlock(&loop.getBody());
      body->addArgument(graph::VertexType::get(b.getContext()), loc);
      return loop;
    };
    auto update = [&](OpBuilder &at, graph::UpdateKind kind, Value v, Value value) {
      at.create<exec::UpdateOp>(loc, at.getI1Type(), kind, exec::Sync::Plain, state, ValueRange{v}, value, false);
    };
    Block *clear = nullptr, *parts = nullptr;
    over("clear_" + name, exec::Schedule::Static, clear);
    OpBuilder inClear = OpBuilder::atBlockEnd(clear);
    graph::UpdateKind kind = *combination(reduce.getKind());
    Value first = kind == graph::UpdateKind::Add || kind == graph::UpdateKind::AddInf
                      ? zeroOf(inClear, loc, element)
                      : inClear.create<graph::InfOp>(loc, element, kind == graph::UpdateKind::Max).getResult();
    update(inClear, graph::UpdateKind::Assign, clear->getArgument(0), first);

    auto loop = over("gather_" + name, exec::Schedule::Dynamic, parts);
    double given = static_cast<double>(cast<IntegerAttr>(kernel->getAttr("segment_bytes")).getInt());
    auto width = static_cast<std::int64_t>(std::max(given / std::max(gather.bytes, 1.0), 64.0));
    loop->setAttr("segment_width", b.getI64IntegerAttr(width));
    IRMapping map;
    map.map(kernel.getBody().getArgument(0), parts->getArgument(0));
    OpBuilder inParts = OpBuilder::atBlockEnd(parts);
    Value partial = inParts.clone(*reduce, map)->getResult(0);
    update(inParts, kind, parts->getArgument(0), partial);

    OpBuilder at(reduce);
    Value total =
        at.create<graph::ReadOp>(loc, element, state, ValueRange{kernel.getBody().getArgument(0)}, false, false);
    reduce.getResult().replaceAllUsesWith(total);
    reduce.erase();
  }
};
} // namespace
} // namespace gcompile
