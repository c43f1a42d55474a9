#include "ir/Pipelines.h"
#include "ir/Sides.h"
#include "ir/conversion/Passes.h"
#include "ir/exec/Passes.h"
#include "ir/graph/Passes.h"
#include "ir/schedule/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace gcompile {

void loadDialects(MLIRContext &context) { context.loadDialect<graph::GraphDialect, exec::ExecDialect>(); }

void buildGraphPipeline(OpPassManager &manager) {
  manager.addPass(createMarkInfinity());
  manager.addPass(createCheckWrites());
}

void buildSchedulePipeline(OpPassManager &manager, StringRef section) {
  manager.addPass(createApplySchedule({section.str()}));
}

void buildRewritePipeline(OpPassManager &manager) {
  manager.addPass(createHoistSetReads());
  manager.addPass(createHoistVertexReads());
  manager.addPass(createRemoveDead());
  manager.addPass(createHoistTerms());
}

void buildFactsPipeline(OpPassManager &manager, bool onDevice) { manager.addPass(createRecordFacts({onDevice})); }

void buildCpuPipeline(OpPassManager &manager, const PipelineOptions &options) {
  if (options.verify)
    manager.addPass(createAddSerialForms());
  buildRewritePipeline(manager);
  manager.addPass(createLevelValues());
  // An arc that a pull looks at costs some forty times less than one that a push follows to a random vertex, and a pull
  // that ends with its first success looks at no more arcs than are left.
  manager.addPass(createGraphToExec({/*alpha=*/15, /*alphaEndingEarly=*/40, /*runtimeAlgorithms=*/true,
                                     /*pullsLabels=*/false, /*recordsNumbers=*/false, /*sharesLists=*/false,
                                     /*byWork=*/true}));
  manager.addPass(createClosePairs());
  if (options.refusals)
    return;
  manager.addPass(createPromoteAccumulators());
  manager.addPass(createKeepCopies());
  manager.addPass(createSegmentPulls());
  if (!options.besideGpu) { // the other form has the arrays, too
    manager.addPass(createRotateLoops());
    manager.addPass(createSwapCopies());
  }
  manager.addPass(createTestKeys());
  manager.addPass(createClaimRounds());
  manager.addPass(createFuseKernels());
  manager.addPass(createBucketSets());
  manager.addPass(createKeepIndex());
  manager.addPass(createSelectChanges());
  manager.addPass(createOrderLevels());
  manager.addPass(createOrderColumns());
  manager.addPass(createTestLevels());
  manager.addPass(createShareLists());
  manager.addPass(createPrefetch());
  manager.addPass(createSelectArcs());
  manager.addPass(createMarkRelaxed());
  manager.addPass(createHoistReads());
  manager.addPass(createMarkRaising());
  manager.addPass(createPartArrays());
  manager.addPass(createComputeNeeds({/*onDevice=*/false, /*plainLists=*/false, /*mayAlign=*/options.besideGpu}));
  manager.addPass(createUnpackLists());
  manager.addPass(createMarkFirst());
  manager.addPass(createVectoriseSums());
  if (options.profile)
    manager.addPass(createProfile());
  manager.addPass(createChooseGrains());
  manager.addPass(createPrepareForEmission());
}

void buildSerialPipeline(OpPassManager &manager, const PipelineOptions &options) {
  if (options.verify)
    manager.addPass(createAddSerialForms());
  buildRewritePipeline(manager);
  manager.addPass(createLevelValues());
  manager.addPass(createGraphToExec({/*alpha=*/15, /*alphaEndingEarly=*/40, /*runtimeAlgorithms=*/false,
                                     /*pullsLabels=*/false, /*recordsNumbers=*/false, /*sharesLists=*/false,
                                     /*byWork=*/true}));
  if (options.refusals)
    return;
  manager.addPass(createDropThreads());
  manager.addPass(createPromoteAccumulators());
  manager.addPass(createKeepCopies());
  manager.addPass(createRotateLoops());
  manager.addPass(createSwapCopies());
  manager.addPass(createFuseKernels());
  manager.addPass(createBucketSets());
  manager.addPass(createKeepIndex());
  manager.addPass(createSelectChanges());
  manager.addPass(createOrderLevels());
  manager.addPass(createHoistReads());
  manager.addPass(createMarkRaising());
  manager.addPass(createComputeNeeds());
  manager.addPass(createUnpackLists());
  if (options.profile)
    manager.addPass(createProfile());
  manager.addPass(createPrepareForEmission());
}

void buildPartsPipeline(OpPassManager &manager, const PipelineOptions &options) {
  if (options.verify)
    manager.addPass(createAddSerialForms());
  buildRewritePipeline(manager);
  manager.addPass(createLevelValues());
  manager.addPass(
      createGraphToExec({/*alpha=*/15, /*alphaEndingEarly=*/40, /*runtimeAlgorithms=*/false, /*pullsLabels=*/true,
                         /*recordsNumbers=*/true, /*sharesLists=*/false, /*byWork=*/true}));
  manager.addPass(createPromoteAccumulators());
  manager.addPass(createKeepCopies());
  manager.addPass(createOrderLevels());
  manager.addPass(createDistribute());
  if (options.refusals)
    return;
  manager.addPass(createChooseThreads());
  manager.addPass(createMarkRelaxed());
  manager.addPass(createMarkRaising());
  manager.addPass(createKeepRounds());
  manager.addPass(createSegmentPulls());
  manager.addPass(createComputeNeeds({/*onDevice=*/false, /*plainLists=*/true}));
  if (options.profile)
    manager.addPass(createProfile());
  manager.addPass(createChooseGrains());
  manager.addPass(createPrepareForEmission());
}

void buildGpuPipeline(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createCheckDeviceFunctions());
  if (options.verify)
    manager.addPass(createAddSerialForms());
  buildRewritePipeline(manager);
  manager.addPass(createLevelValues());
  // A pull that does not end with its first success looks at all arcs of those who wait, at a sixth of what a push
  // pays.
  manager.addPass(createGraphToExec({/*alpha=*/6, /*alphaEndingEarly=*/15, /*runtimeAlgorithms=*/true,
                                     /*pullsLabels=*/false, /*recordsNumbers=*/false, /*sharesLists=*/true,
                                     /*byWork=*/true}));
  manager.addPass(createClosePairs());
  manager.addPass(createPromoteAccumulators());
  manager.addPass(createKeepCopies());
  manager.addPass(createSegmentPulls({/*runtimeCombines=*/true, /*mayAlign=*/true}));
  manager.addPass(createMarkRelaxed());
  manager.addPass(createKeepIndex({/*onDevice=*/true}));
  manager.addPass(createOrderLevels());
  manager.addPass(createOrderColumns());
  manager.addPass(createComputeNeeds({/*onDevice=*/true, /*plainLists=*/true, /*mayAlign=*/true,
                                      /*oneList=*/true}));
  manager.addPass(createOutlineHostWrites());
  manager.addPass(createFoldWrites());
  manager.addPass(createSplitEdges());
  manager.addPass(createTurnSweeps());
  manager.addPass(createSplitPull());
  manager.addPass(createMarkRoundIndependence());
  manager.addPass(createMarkRelaxations());
  manager.addPass(createShareLanes());
  manager.addPass(createFuseKernels({/*keepSharing=*/false}));
  manager.addPass(createSweepLevels());
  manager.addPass(createAlignLists());
  manager.addPass(createAskLists());
  manager.addPass(createBatchLoops());
  manager.addPass(createRunLoops({options.profile}));
  if (options.profile)
    manager.addPass(createProfile({/*countEdges=*/false}));
  manager.addPass(createExpectReads());
  manager.addPass(createPrepareForEmission());
}

void buildGpusPipeline(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createCheckDeviceFunctions());
  if (options.verify)
    manager.addPass(createAddSerialForms());
  buildRewritePipeline(manager);
  manager.addPass(createLevelValues());
  manager.addPass(createGraphToExec({/*alpha=*/6, /*alphaEndingEarly=*/15, /*runtimeAlgorithms=*/false}));
  manager.addPass(createPromoteAccumulators());
  manager.addPass(createKeepCopies());
  manager.addPass(createOrderLevels());
  manager.addPass(createDistribute({/*onDevice=*/true}));
  manager.addPass(createSegmentPulls({/*runtimeCombines=*/true}));
  manager.addPass(createComputeNeeds({/*onDevice=*/true, /*plainLists=*/true}));
  manager.addPass(createOutlineHostWrites());
  manager.addPass(createSplitEdges({/*singleRounds=*/true}));
  manager.addPass(createSplitPull());
  manager.addPass(createShareLanes());
  manager.addPass(createAskLists());
  manager.addPass(createBatchLoops());
  manager.addPass(createPrepareForEmission());
}

void buildSidesPipeline(OpPassManager &manager, const PipelineOptions &options) {
  manager.addPass(createMarkHandOver());
  manager.addPass(createCutStages());
  manager.addPass(createSplitSides());
  // The layout, which both sides have, was applied with the section `hybrid`.
  manager.addPass(createOnSide("cpu", [options](OpPassManager &side) {
    side.addPass(createApplySchedule({"cpu", /*layout=*/false}));
    PipelineOptions forCpu = options;
    forCpu.besideGpu = true;
    forCpu.refusals = false; // exec-match-sides compares what is printed
    buildCpuPipeline(side, forCpu);
  }));
  manager.addPass(createOnSide("gpu", [options](OpPassManager &side) {
    side.addPass(createApplySchedule({"cuda", /*layout=*/false}));
    buildGpuPipeline(side, options);
  }));
  manager.addPass(createMatchSides());
}

void registerPassesAndPipelines() {
  registerGraphPasses();
  registerSchedulePasses();
  registerConversionPasses();
  registerExecPasses();
  PassPipelineRegistration<>("graph-pipeline", "checks and annotates the graph dialect", buildGraphPipeline);
  PassPipelineRegistration<>("cpu-pipeline", "from the checked graph dialect to exec for CPUs",
                             [](OpPassManager &manager) {
                               buildSchedulePipeline(manager, "cpu");
                               buildCpuPipeline(manager, {});
                             });
  PassPipelineRegistration<>("serial-pipeline", "from the checked graph dialect to exec for one thread",
                             [](OpPassManager &manager) {
                               buildSchedulePipeline(manager, "");
                               buildSerialPipeline(manager, {});
                             });
  PassPipelineRegistration<>("parts-pipeline", "from the checked graph dialect to exec for several machines",
                             [](OpPassManager &manager) {
                               buildSchedulePipeline(manager, "");
                               buildPartsPipeline(manager, {});
                             });
  PassPipelineRegistration<>("gpus-pipeline", "from the checked graph dialect to exec for several GPUs of one machine",
                             [](OpPassManager &manager) {
                               buildSchedulePipeline(manager, "");
                               buildGpusPipeline(manager, {});
                             });
  PassPipelineRegistration<>("sides-pipeline", "from the checked graph dialect to exec for a CPU and a GPU",
                             [](OpPassManager &manager) {
                               buildSchedulePipeline(manager, "hybrid");
                               buildSidesPipeline(manager, {});
                             });
  PassPipelineRegistration<>("gpu-pipeline", "from the checked graph dialect to exec for GPUs",
                             [](OpPassManager &manager) {
                               buildSchedulePipeline(manager, "cuda");
                               buildGpuPipeline(manager, {});
                             });
}

} // namespace gcompile
