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

/// The first step of the CPU pipeline: the program's schedule becomes attributes of the statements that it names.
void buildCpuSchedulePipeline(mlir::OpPassManager &manager);
void buildGpuSchedulePipeline(mlir::OpPassManager &manager);

/// What both targets rewrite in the `graph` dialect after that, and explanations show.
void buildRewritePipeline(mlir::OpPassManager &manager);

/// From the checked `graph` dialect to the `exec` dialect for CPUs. With `verify`, each algorithm is accompanied by its
/// serial form (`serial_of`).
/// With `profile`, the programs measure themselves.
void buildCpuPipeline(mlir::OpPassManager &manager, bool verify, bool profile = false);

/// The same for GPUs: each kernel is also told how its arcs are shared out among threads.
void buildGpuPipeline(mlir::OpPassManager &manager, bool verify, bool profile = false);

} // namespace gcompile
