#include "ir/explain/Device.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gcompile {

DeviceKernels::DeviceKernels(graph::AlgorithmOp lowered, bool inParts) : inParts(inParts) {
  lowered.walk([&](Operation *op) {
    if (auto once = dyn_cast<exec::OnceOp>(op))
      onceOps.push_back(once);
    else if (exec::isKernel(op) || isa<exec::ComponentMinOp, exec::CountTrianglesOp>(op))
      kernels[op->getLoc()].push_back(op);
  });
}

static bool isTurned(Operation *op) {
  auto kernel = dyn_cast<exec::ParallelOp>(op);
  return kernel && kernel.getTurned();
}
static bool isOverPrevious(Operation *op) {
  auto kernel = dyn_cast<exec::ParallelOp>(op);
  return kernel && kernel.getOverPrevious();
}

/// Who shares the edges of a vertex, or the elements.
static std::string sharing(Operation *kernel, graph::Domain domain) {
  if (exec::isSplit(kernel))
    return "the edges are dealt out evenly to all threads, those of one vertex to several";
  if (exec::goesByLanes(kernel)) {
    const std::string shared =
        "the threads of a warp share each vertex: each takes some of its neighbours, and one writes";
    return exec::askedListsOf(kernel)
               ? "a thread for each vertex asks whether it has neighbours to look at; there " + shared
               : shared;
  }
  return domain == graph::Domain::Pairs ? "one thread for each pair of vertices" : "one thread for each vertex";
}

std::vector<std::string> DeviceKernels::propagate(exec::PropagateOp op) const {
  std::vector<std::string> text;
  bool stops = !op.getUntil().empty() && !op.getUntil().front().empty();
  if (inParts)
    text.emplace_back("a kernel for each round, and kernels for what is sent: the host starts them");
  else if (stops || op.getLoop() == exec::LoopPlace::Host)
    text.push_back(std::string("one launch of a cooperative kernel for each round: ") +
                   (stops ? "the host evaluates 'until' after it" : "the schedule says so"));
  else
    text.push_back("all rounds in one cooperative kernel: the host waits for the last");
  if (op.getDirection() != exec::Direction::Pull) {
    std::string who =
        op.getGather() == exec::Gather::Warp  ? "a warp for the edges of each vertex"
        : op.getGather() == exec::Gather::Cta ? "a block for the edges of each vertex"
        : op.getGather() == exec::Gather::ScanWarpCta
            ? "a block or a warp for the edges of a vertex that has as many as it has threads; those of others are "
              "dealt out evenly to the threads of a warp"
        : op.getGather() == exec::Gather::BlockScan
            ? "the edges of as many vertices as a block has threads are dealt out evenly to these"
        : op.getGather() == exec::Gather::BlockScanWarpCta
            ? "a block or a warp for the edges of a vertex that has as many as it has threads; those of others are "
              "dealt out evenly to the threads of a block"
            : sharing(op, graph::Domain::Vertices);
    text.push_back("push: " + who);
    if (std::optional<exec::Phases> phases = op.getPhases())
      text.push_back(
          *phases == exec::Phases::TwoPhase ? "the edges of the frontier are listed in memory, and then contracted"
          : *phases == exec::Phases::ContractExpand
              ? "the frontier is a list of edges in memory: its edges are contracted, and what they activate is "
                "expanded"
              : "the edges of the frontier are listed in memory; one of up to " + std::to_string(*op.getFewEdges()) +
                    " is followed by a list of edges, one of more by a list of vertices");
    if (op.getClaimBitmap())
      text.push_back("a bitmap of claimed vertices is asked before the value that a push would claim");
    if (op.getCullWarp()) {
      text.push_back("it claims without atomic operations: several threads may win, and what they write is the same or "
                     "equally right");
      std::string tables;
      if (auto places = *op.getCullWarp())
        tables = "a table of " + std::to_string(places) + " places for each warp";
      if (auto places = *op.getCullHistory())
        tables += std::string(tables.empty() ? "" : " and ") + "a history of " + std::to_string(places) +
                  " places for each block";
      text.push_back("copies are kept out of the next frontier by " + tables);
    }
  }
  if (op.getDirection() != exec::Direction::Push)
    text.push_back(
        exec::pullByArcsOf(op)
            ? "pull: a thread for each vertex that looks, and then for the next; a warp or a block for many edges"
            : "pull: one thread for each vertex");
  if (!op.getCommit().empty() && !op.getCommit().front().empty())
    text.push_back("what waits for the end of a round is then written for the active vertices");
  return text;
}

std::vector<std::string> DeviceKernels::ordered(exec::OrderedOp op) const {
  const std::string list = inParts ? "bucket" : "near list";
  return {inParts ? "a kernel for each step of a bucket, and kernels for what is sent: the host starts them"
                  : "near and far lists in one cooperative kernel: the host waits for its end",
          op.getDelta() == 0 ? "the width of the " + list + " follows from the weights and the degrees"
                             : "the " + list + " is " + std::to_string(op.getDelta()) + " wide",
          sharing(op, graph::Domain::Vertices)};
}

/// Whether the loop around a kernel may be one kernel; "" if there is none.
static std::string oneKernel(Operation *kernel) {
  if (auto loop = kernel->getParentOfType<exec::DeviceLoopOp>()) {
    if (loop.getByOneList() && !loop.getPlace())
      return "unless lists are long, one block runs the whole loop around it, along one list in each turn: a CPU takes "
             "less time, and --target=hybrid leaves such loops to it";
    if (!loop.getPlace())
      return std::string("in ") + (loop.getBySets() ? "all but large" : "small") +
             " graphs one cooperative kernel runs the whole loop around it";
    return *loop.getPlace() == exec::LoopPlace::Device
               ? "one cooperative kernel runs the whole loop around it"
               : "the host starts it in each turn of the loop: the schedule says so";
  }
  return "";
}

std::vector<std::string> DeviceKernels::describe(Location statement) const {
  auto found = kernels.find(statement);
  if (found == kernels.end())
    return {};
  // Those that the program may choose instead are told at the end.
  SmallVector<Operation *> those;
  bool mayCut = false, cuts = false;
  for (Operation *each : found->second) {
    Operation *around = each->getParentOp();
    bool chosen =
        exec::isChoiceOfSegments(around) && each->getParentRegion() == &cast<graph::IfOp>(around).getThenRegion();
    Operation *before = each->getPrevNode();
    mayCut |= chosen;
    cuts |= !chosen && before && isa<exec::ParallelOp>(before) && exec::goesBySegments(before);
    if (!chosen)
      those.push_back(each);
  }
  Operation *kernel = those.front();
  std::vector<std::string> text =
      llvm::TypeSwitch<Operation *, std::vector<std::string>>(kernel)
          .Case([&](exec::PropagateOp op) { return propagate(op); })
          .Case([&](exec::OrderedOp op) { return ordered(op); })
          .Case([](exec::ParallelOp op) -> std::vector<std::string> { return {sharing(op, op.getDomain())}; })
          .Case([](exec::ReduceOp op) {
            std::vector<std::string> text = {sharing(op, *op.getDomain())};
            if (op.getKind() == graph::ReduceKind::Mode)
              text.push_back("all threads count in one table; it is made again, larger, if it has filled by half");
            return text;
          })
          .Case([](exec::FilterOp op) -> std::vector<std::string> { return {sharing(op, graph::Domain::Vertices)}; })
          .Case([](exec::ComponentMinOp) -> std::vector<std::string> {
            return {"the runtime's kernels for connected components"};
          })
          .Case([](exec::CountTrianglesOp) -> std::vector<std::string> {
            return {"the runtime's kernels for triangles"};
          })
          .Default([](Operation *) { return std::vector<std::string>(); });
  bool turns = llvm::any_of(those, [](Operation *each) { return isOverPrevious(each); });
  if (turns)
    text.push_back("or the same from the level visited before, against the edges and atomic, where that has fewer");
  else if (isa<exec::ParallelOp>(kernel) && llvm::count_if(those, [](Operation *each) { return !isTurned(each); }) > 1)
    text.push_back("then a kernel that writes second copies back");
  if (cuts)
    text.push_back("before it the edges in segments, by way of shared memory");
  if (mayCut)
    text.push_back("or, from the third time on, where it pays, the edges in segments, by way of shared memory");
  if (std::string loop = oneKernel(kernel); !loop.empty())
    text.push_back(loop);
  return text;
}

} // namespace gcompile
