// Every pipeline of every target, by name: the one place that says which passes run, and in which order.
#pragma once

#include "mlir/Pass/PassManager.h"

namespace gcompile {

/// Loads the dialects that the compiler uses.
void loadDialects(mlir::MLIRContext &context);

/// Registers every pass and pipeline, for gdsl-opt.
void registerPassesAndPipelines();

/// From the `graph` dialect as lowered from the source to a checked and annotated one: proofs and choices of the middle
/// end. Passes report errors in the program through MLIR diagnostics at the `.gdsl` location, with the code in brackets
/// in front of the message: `[E0401] ...`.
void buildGraphPipeline(mlir::OpPassManager &manager);

/// A section of the program's schedule, and its layout, become attributes of the statements that they name. An empty
/// name stands for the layout alone.
void buildSchedulePipeline(mlir::OpPassManager &manager, llvm::StringRef section);

/// What all targets rewrite in the `graph` dialect after that, and explanations show.
void buildRewritePipeline(mlir::OpPassManager &manager);

/// Leaves what analyses say of the program after that as attributes, from which explanations are made.
void buildFactsPipeline(mlir::OpPassManager &manager, bool onDevice);

struct PipelineOptions {
  bool verify = false;    // each algorithm is accompanied by its serial form (`serial_of`)
  bool profile = false;   // the programs measure themselves
  bool besideGpu = false; // this form stands beside one for a GPU, which obeys what CPUs do not
  bool refusals = false;  // ends with the last pass that may refuse a program; what it leaves cannot be printed
};

/// From the `graph` dialect with its schedule applied to the `exec` dialect for CPUs.
void buildCpuPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same for one thread.
void buildSerialPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same for parts of a graph on several machines, each with one thread: it also says what these send to each other.
void buildPartsPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same for GPUs: each kernel is also told how its arcs are shared out among threads.
void buildGpuPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same for parts of a graph on several GPUs of one machine: it also says what these send to each other.
void buildGpusPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

/// The same for a CPU and a GPU of one machine: modules @cpu and @gpu, each as its own pipeline leaves it.
void buildSidesPipeline(mlir::OpPassManager &manager, const PipelineOptions &options);

} // namespace gcompile
