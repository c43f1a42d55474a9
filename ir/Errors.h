// How passes report errors about the program.
#pragma once

#include "diagnostics/Registry.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

namespace gcompile {

/// Reports a diagnostic of the registry through MLIR, with its code in front: `[E0401] several iterations ...`. The
/// driver shows it like those of the front end.
template <unsigned N, typename... Args>
mlir::InFlightDiagnostic report(mlir::Location where, diag::Kind<N> kind, const Args &...args) {
  return mlir::emitError(where) << "[" << diag::info(kind.index).code << "] " << diag::format(kind, args...);
}

/// The same of a warning.
template <unsigned N, typename... Args>
mlir::InFlightDiagnostic warn(mlir::Location where, diag::Kind<N> kind, const Args &...args) {
  return mlir::emitWarning(where) << "[" << diag::info(kind.index).code << "] " << diag::format(kind, args...);
}

/// Reports that a statement, or what `who` names, cannot do what the directive at `place` says: "WHO cannot WHAT:
/// REASON".
inline mlir::InFlightDiagnostic refuse(mlir::Location place, llvm::StringRef what, llvm::StringRef reason,
                                       mlir::Location statement, llvm::StringRef note = "the statement is here",
                                       llvm::StringRef who = "this statement") {
  mlir::InFlightDiagnostic error = report(place, diag::illegal_schedule, who.str(), what.str(), reason.str());
  error.attachNote(statement) << note;
  return error;
}

/// The place of a note that proposes another operator for the assignment at `assignment`.
inline mlir::Location replaceOperator(mlir::Location assignment, llvm::StringRef by) {
  return mlir::NameLoc::get(mlir::StringAttr::get(assignment.getContext(), "operator " + by), assignment);
}

} // namespace gcompile
