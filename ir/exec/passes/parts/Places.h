// What a kernel needs of the parts of a graph that other machines hold: which states it reads at the other ends of its
// edges, and which one it updates there.
#pragma once

#include "ir/exec/ExecDialect.h"

#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace gcompile::parts {

/// Updates of one state at the other ends of edges.
struct Sent {
  graph::UpdateKind kind;
  mlir::Value state;
  mlir::Value expected;                         // of a claim
  mlir::SmallVector<mlir::Value> with;          // states that the winner of a claim writes as well
  mlir::SmallVector<mlir::Operation *> updates; // exec.update or exec.claim
  bool activating = false;
};

struct Needs {
  llvm::SmallSetVector<mlir::Value, 4> read; // states and sets whose copies it reads
  /// States that the kernel changes and whose copies its pull reads, where their vertices are in the frontier.
  llvm::SmallSetVector<mlir::Value, 2> readOfActive;
  std::optional<Sent> sent;
};

/// What is not possible yet: where, and why.
struct Refusal {
  mlir::Operation *at = nullptr;
  std::string reason;
};

/// Whether the update leaves values that only move one way: a copy then filters what need not be sent.
bool isFilter(graph::UpdateKind kind);

/// The needs of a kernel of such regions, or why it cannot run in parts.
std::optional<Refusal> findNeeds(mlir::Operation *kernel, mlir::ArrayRef<mlir::Region *> regions, Needs &needs);

/// The same of a propagate's pull, which changes its own vertex only, and learns which copies are in the frontier.
std::optional<Refusal> findPullNeeds(exec::PropagateOp kernel, Needs &needs);

/// Whether the operation, or what it holds, changes the state.
bool writes(mlir::Operation *op, mlir::Value state);

} // namespace gcompile::parts
