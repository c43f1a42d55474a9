// The stages of a program for the CPU and the GPU.
#pragma once

#include "ir/exec/ExecDialect.h"

namespace gcompile {

/// Whether a loop of a GPU in it goes along one list in each turn, which keeps few of its threads busy.
bool goesByOneList(mlir::Operation *op);

/// Says of each stage what it touches and writes in either form. Stages become one where a form hands over to the later
/// one what is no state of both forms. Where one is left that is more than both sides can run for themselves, there are
/// none, and `sides` has its side. Reports where the schedule wants stages that become one on different sides.
mlir::LogicalResult matchStages(graph::AlgorithmOp cpu, graph::AlgorithmOp gpu, exec::SidesOp sides,
                                llvm::SmallVector<exec::StageOp> stages);

} // namespace gcompile
