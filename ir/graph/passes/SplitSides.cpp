#include "ir/analysis/Statement.h"
#include "ir/exec/ExecDialect.h"
#include "ir/exec/Kernels.h"
#include "ir/graph/Passes.h"
#include "ir/graph/Walk.h"
#include "ir/graph/passes/Placement.h"
#include "ir/schedule/Schedule.h"

#include <array>

using namespace mlir;

namespace gcompile {
#define GEN_PASS_DEF_SPLITSIDES
#include "ir/graph/Passes.h.inc"

namespace {

/// How often a loop turns of which that is not known.
constexpr double turnsOfLoop = 10;

/// How often a run goes through all edges, all edges for each vertex, all pairs, all pairs for each vertex.
class Work {
public:
  /// Of an algorithm, or of one of its statements.
  void addAll(Operation *whole) {
    whole->walk([&](Operation *op) {
      auto loop = dyn_cast<graph::ForOp>(op);
      if ((isa<graph::PropagateOp, graph::ReduceOp>(op) || (loop && !loop.getSequential())) && !insideParallel(op))
        add(op);
    });
  }

  ArrayRef<double> amounts() const { return work; }

private:
  void add(Operation *statement) {
    unsigned loopsOverVertices = 0;
    bool ofEdges = false, ofPairs = false;
    statement->walk([&](Operation *op) {
      std::optional<graph::Domain> domain;
      if (auto loop = dyn_cast<graph::ForOp>(op))
        domain = loop.getDomain();
      else if (auto reduce = dyn_cast<graph::ReduceOp>(op))
        domain = reduce.getDomain();
      loopsOverVertices += domain == graph::Domain::Vertices;
      ofPairs |= domain == graph::Domain::Pairs;
      ofEdges |= isa<graph::PropagateOp>(op) || (domain && *domain != graph::Domain::Vertices);
    });
    ofPairs |= loopsOverVertices > 1;
    if (!ofEdges && !ofPairs)
      return; // the graph has more edges than vertices
    double turns = 1;
    unsigned forVertices = 0;
    for (Operation *outer = statement->getParentOp(); outer; outer = outer->getParentOp()) {
      auto loop = dyn_cast<graph::ForOp>(outer);
      bool ofVertices = loop && loop.getDomain() == graph::Domain::Vertices;
      forVertices += ofVertices;
      if (isa<graph::WhileOp, graph::RepeatOp>(outer) || (loop && !ofVertices))
        turns *= turnsOfLoop;
    }
    work[(ofPairs ? 2 : 0) + (forVertices > 0 ? 1 : 0)] += turns;
  }

  std::array<double, 4> work = {};
};

struct SplitSides : impl::SplitSidesBase<SplitSides> {
  void runOnOperation() override {
    ModuleOp program = getOperation();
    auto algorithms = llvm::to_vector(program.getOps<graph::AlgorithmOp>());
    SmallVector<Operation *> all;
    for (Operation &op : *program.getBody())
      all.push_back(&op);
    OpBuilder b = OpBuilder::atBlockEnd(program.getBody());
    for (graph::AlgorithmOp algorithm : algorithms)
      describe(b, algorithm);
    for (StringRef side : {"cpu", "gpu"}) {
      auto form = b.create<ModuleOp>(program.getLoc(), side);
      OpBuilder inside = OpBuilder::atBlockEnd(form.getBody());
      for (Operation *op : all)
        inside.clone(*op);
    }
    for (Operation *op : all)
      op->erase();
  }

  static void describe(OpBuilder &b, graph::AlgorithmOp algorithm) {
    auto said = schedule::said<schedule::On>(algorithm);
    Location place = said ? said.place() : algorithm.getLoc();
    bool goesOver = false, bySchedule = false;
    graph::walkHolders(algorithm, [&](graph::PropagateOp op) {
      auto on = schedule::said<schedule::On>(op);
      goesOver |= op.getHandOver().has_value();
      bySchedule |= on.is(schedule::On::Migrate);
      if (on)
        place = on.place();
    });
    Work work;
    work.addAll(algorithm);
    b.create<exec::SidesOp>(place, algorithm.getSymName(), wantedSide(algorithm), b.getF64ArrayAttr(work.amounts()),
                            goesOver, bySchedule);
    describeStages(b, algorithm);
  }

  /// What exec.stage says of a stage.
  struct Stage {
    Location place;
    exec::Side side;
    bool both = false; ///< it costs little
    Work work = {};

    void add(Operation *op) {
      both &= isCheap(op) && wantedSide(op) == exec::Side::Chosen;
      if (wantedSide(op) != exec::Side::Chosen)
        side = wantedSide(op);
    }
  };

  static void describeStages(OpBuilder &b, graph::AlgorithmOp algorithm) {
    Block &block = algorithm.getBody().front();
    if (block.getOps<exec::NextStageOp>().empty())
      return;
    SmallVector<Stage> stages = {{algorithm.getLoc(), wantedSide(algorithm), /*both=*/true}};
    describeIn(block, 0, wantedSide(algorithm), stages);
    for (const Stage &stage : stages)
      b.create<exec::StageOp>(stage.place, algorithm.getSymName(), stage.side, b.getF64ArrayAttr(stage.work.amounts()),
                              b.getStrArrayAttr({}), b.getStrArrayAttr({}), stage.both);
  }

  /// The stages in a sequence that begins in the stage of that number; `side` is wanted for all of the algorithm.
  static void describeIn(Block &block, std::size_t number, exec::Side side, SmallVector<Stage> &stages) {
    for (Operation &op : block) {
      if (isa<exec::NextStageOp>(op)) {
        number = stages.size();
        stages.push_back({op.getLoc(), side});
        continue;
      }
      stages[number].add(&op);
      auto staged = stagedBlocks(&op);
      if (staged.empty()) {
        stages[number].work.addAll(&op);
        continue;
      }
      stages[number].side = exec::Side::Cpu;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (llvm::is_contained(staged, &inner))
            describeIn(inner, number, side, stages);
          else
            for (Operation &each : inner)
              stages[number].work.addAll(&each);
    }
  }
};

} // namespace
} // namespace gcompile
