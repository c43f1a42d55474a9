// Diagnostics of the passes, which come through MLIR, shown like those of the front end.
#pragma once

#include "frontend/Diagnostics.h"
#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace gcompile {

/// While it lives, errors and warnings about the program that passes emit go to `diagnostics`; everything else that
/// MLIR reports (a verifier's error, say) is a defect of the compiler and collected in `bugs`.
class ProgramDiagnosticHandler {
public:
  ProgramDiagnosticHandler(mlir::MLIRContext &context, Diagnostics &diagnostics, const std::string &source);

  /// What no user should see, a line each.
  const std::string &bugs() const { return bugText; }

private:
  void handle(mlir::Diagnostic &diagnostic);
  Range rangeOf(mlir::Location location) const;
  /// Where the `=` of an assignment stands; line 0 if it is not on the statement's first line.
  Range assignmentOperator(Range statement) const;

  Diagnostics &diagnostics;
  std::vector<std::string_view> lines; // of the source
  std::string bugText;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace gcompile
