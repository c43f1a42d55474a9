// Why a statement cannot be scheduled as a directive says, as far as its kind and the rest of its schedule tell. What
// takes an analysis, as whether a statement may pull, the lowering finds out (ir/conversion).
#pragma once

#include "ir/schedule/Schedule.h"

namespace gcompile::schedule {

/// "this statement cannot WHAT: REASON", or "algorithm 'a' cannot ...", with a note.
struct Refusal {
  std::string what, reason;
  mlir::Operation *at; // of the note
  std::string note = "the statement is here";
};

/// Why a statement, or an algorithm, cannot have one more directive; nothing if it can. Its schedule so far counts.
std::optional<Refusal> refusal(mlir::Operation *op, graph::DirectiveAttr directive);

} // namespace gcompile::schedule
