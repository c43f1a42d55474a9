// The program's own text for an operation.
#pragma once

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace gcompile {

class SourceText {
public:
  /// `source` is the text of the file that locations speak of.
  explicit SourceText(const std::string &source);

  /// The line of the place, or 0.
  unsigned line(mlir::Location location) const;
  /// What stands there, on one line, without the `;` at its end.
  std::string text(mlir::Location location) const;
  /// The same up to the statement's block.
  std::string head(mlir::Location location) const;

private:
  std::vector<std::string> lines;
};

} // namespace gcompile
