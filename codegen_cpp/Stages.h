// The stages of one form of a program for the CPU and the GPU.
#pragma once

#include "codegen_cpp/Program.h"

namespace gcompile::cpp {

/// The stages of an algorithm, in order; none, if it is not cut.
llvm::SmallVector<exec::StageOp> stagesOf(graph::AlgorithmOp algorithm);

/// The names of the states that stages hand on, by which they are numbered.
std::vector<llvm::StringRef> handedStates(llvm::ArrayRef<exec::StageOp> stages);

/// `run` by its stages, each for itself, and what the program needs that runs some of them on the other side. `body` is
/// the last stage; `last` are the lines behind each.
void printStages(Writer &out, const Program &program, const Writer &body, const std::vector<std::string> &last);

} // namespace gcompile::cpp
