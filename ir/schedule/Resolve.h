// Which statements each directive of a schedule is said of. Knows no directive by name: the table says what each is
// for.
#pragma once

#include "ir/schedule/Schedule.h"

namespace gcompile::schedule {

/// A directive and the statements, or the algorithm, that it is said of.
struct Resolved {
  graph::DirectiveAttr directive;
  llvm::SmallVector<mlir::Operation *> statements;
};

/// Adds the directives of one section to `result`, in the order of the program. What decides a thing twice (E0507,
/// E0502) or is said of no statement (E0505) is reported and left out; then it fails.
mlir::LogicalResult resolve(graph::AlgorithmOp algorithm, llvm::StringRef section,
                            llvm::SmallVectorImpl<Resolved> &result);

} // namespace gcompile::schedule
