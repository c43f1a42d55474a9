#include "ir/analysis/Memory.h"
#include "ir/exec/Kernels.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Walk.h"
#include "ir/schedule/Schedule.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SEGMENTPULLS
#include "ir/exec/Passes.h.inc"

namespace {

/// A reduction over the arcs into a kernel's vertex, and what it reads of their sources.
struct Gather {
  exec::ReduceOp reduce;
  llvm::SmallSetVector<Value, 4> states;
  double bytes = 0; // read of each source
};

/// Fills in what a gather reads of the sources.
void collectReads(Gather &gather) {
  gather.reduce.getBody().walk([&](Operation *op) {
    if (auto read = dyn_cast<graph::ReadOp>(op); read && !read.getIndices().empty()) {
      if (gather.states.insert(read.getState()))
        gather.bytes += elementBytes(cast<graph::StateType>(read.getState().getType()).getElement());
    } else if (isa<graph::DegreeOp>(op)) {
      gather.bytes += 8;
    }
  });
}

/// How a kernel that goes by segments is to be marked: by the width of a segment, or by what is read of each source.
struct Cut {
  double budget = 0; // bytes of a segment's sources; 0: the program chooses
  double bytes = 0;  // read of each source, then

  void mark(exec::ParallelOp kernel, double read) const {
    if (budget > 0)
      kernel.setSegmentWidth(static_cast<std::uint64_t>(std::max(budget / std::max(read, 1.0), 64.0)));
    else
      kernel.setSourceBytes(static_cast<std::uint64_t>(bytes));
  }
};

SmallVector<Gather> gathersOf(exec::ParallelOp kernel) {
  SmallVector<Gather> gathers;
  kernel.walk([&](exec::ReduceOp reduce) {
    bool arcs = false;
    for (auto loop : reduce.getBody().getOps<exec::ForOp>())
      arcs |= loop.getDomain() == graph::Domain::Into;
    if (arcs)
      gathers.push_back({reduce, {}, 0});
  });
  for (Gather &gather : gathers)
    collectReads(gather);
  return gathers;
}

/// Whether the schedule has a GPU keep the lists in rows, which the kernel reads where it is not to go by segments.
bool hasAlignedLists(exec::ParallelOp kernel) {
  auto adjacency = schedule::said<schedule::Adjacency>(kernel->getParentOfType<graph::AlgorithmOp>());
  return adjacency.is(schedule::Adjacency::Aligned);
}

struct SegmentPulls : impl::SegmentPullsBase<SegmentPulls> {
  using SegmentPullsBase::SegmentPullsBase;

  void runOnOperation() override {
    SmallVector<exec::ParallelOp> kernels, choices;
    graph::walkHolders(getOperation(), [&](exec::ParallelOp kernel) {
      if (kernel.getSegmentBytes())
        kernels.push_back(kernel);
      else if (kernel.getMaySegment() && kernel.getDivided())
        kernel.setMaySegment(false); // segments are of own vertices
      else if (kernel.getMaySegment())
        choices.push_back(kernel);
    });
    for (exec::ParallelOp kernel : kernels) {
      double budget = static_cast<double>(*kernel.getSegmentBytes());
      kernel.removeSegmentBytesAttr();
      segment(kernel, {budget});
    }
    for (exec::ParallelOp kernel : choices)
      if (mayAlign && hasAlignedLists(kernel))
        kernel.setMaySegment(false);
      else
        choose(kernel);
  }

  void segment(exec::ParallelOp kernel, const Cut &cut) const {
    for (Gather &gather : gathersOf(kernel))
      takeOut(kernel, gather, cut);
    bool loops = false;
    kernel.walk([&](Operation *op) { loops |= isa<exec::ForOp, graph::WhileOp, graph::RepeatOp>(op); });
    kernel.setSharing(loops ? exec::Sharing::Dynamic : exec::Sharing::Static);
  }

  /// Has the program choose between the kernel and one that goes by segments.
  void choose(exec::ParallelOp kernel) const {
    kernel.setMaySegment(false);
    Cut cut;
    for (const Gather &gather : gathersOf(kernel))
      cut.bytes = std::max(cut.bytes, gather.bytes);
    if (cut.bytes == 0) // it only counts edges
      return;
    OpBuilder b(kernel);
    Location loc = kernel.getLoc();
    auto pays = b.create<exec::SegmentsPayOp>(loc, static_cast<std::int64_t>(cut.bytes));
    for (Gather &gather : gathersOf(kernel)) // a layout is for values of one size
      pays.setValueBytes(gather.reduce.getType().getIntOrFloatBitWidth() / 8);
    auto choice = b.create<graph::IfOp>(loc, pays);
    Block *then = b.createBlock(&choice.getThenRegion()), *otherwise = b.createBlock(&choice.getElseRegion());
    b.setInsertionPointToStart(then);
    auto copy = cast<exec::ParallelOp>(b.clone(*kernel));
    kernel->moveBefore(otherwise, otherwise->end());
    segment(copy, cut);
  }

  /// Puts a reduction into a kernel of its own in front of `kernel`, which reads its result.
  void takeOut(exec::ParallelOp kernel, Gather &gather, const Cut &cut) const {
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
    auto over = [&](const std::string &title, exec::Sharing schedule, Block *&body) {
      auto loop = b.create<exec::ParallelOp>(loc, title, graph::Domain::Vertices, kernel.getOver(), schedule);
      loop.setNamesAttr(kernel.getNamesAttr());
      OpBuilder::InsertionGuard guard(b);
      body = b.createBlock(&loop.getBody());
      body->addArgument(graph::VertexType::get(b.getContext()), loc);
      return loop;
    };
    auto update = [&](OpBuilder &at, graph::UpdateKind kind, Value v, Value value) {
      at.create<exec::UpdateOp>(loc, at.getI1Type(), kind, exec::Sync::Plain, state, ValueRange{v}, value, false,
                                /*leader=*/false, /*part=*/-1, FlatSymbolRefAttr());
    };
    Block *parts = nullptr;
    graph::UpdateKind kind = graph::UpdateKind::Assign;
    if (!runtimeCombines) {
      Block *clear = nullptr;
      over("clear_" + name, exec::Sharing::Static, clear);
      OpBuilder inClear = OpBuilder::atBlockEnd(clear);
      kind = graph::combination(reduce.getKind());
      Value first = neutralOf(inClear, loc, kind, element);
      update(inClear, graph::UpdateKind::Assign, clear->getArgument(0), first);
    }

    auto loop = over("gather_" + name, exec::Sharing::Dynamic, parts);
    cut.mark(loop, gather.bytes);
    IRMapping map;
    map.map(kernel.getBody().getArgument(0), parts->getArgument(0));
    OpBuilder inParts = OpBuilder::atBlockEnd(parts);
    auto partial = cast<exec::ReduceOp>(inParts.clone(*reduce, map));
    if (!runtimeCombines && reduce.getKind() == graph::ReduceKind::Sum && isa<FloatType>(element)) {
      // It goes on from the sum of the segments before: the terms are added in the order of the list, as without
      // segments.
      OpBuilder atBegin = OpBuilder::atBlockBegin(&partial.getBody().front());
      Value before =
          atBegin.create<graph::ReadOp>(loc, element, state, ValueRange{parts->getArgument(0)}, false, false);
      atBegin.create<exec::ContributeOp>(loc, before, Value());
      kind = graph::UpdateKind::Assign;
    }
    update(inParts, kind, parts->getArgument(0), partial.getResult());

    OpBuilder at(reduce);
    Value total =
        at.create<graph::ReadOp>(loc, element, state, ValueRange{kernel.getBody().getArgument(0)}, false, false);
    reduce.getResult().replaceAllUsesWith(total);
    reduce.erase();
  }
};
} // namespace
} // namespace gcompile
