// Places of a program as locations of MLIR.
//
// An operation stands for a range of the text, and long programs have a hundred thousand of them. MLIR's own words for
// a range are a fusion of two places, three attributes. Here it is one attribute, which is spelled out where it is
// read.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace gcompile::graph {

/// A half-open range of a file: 1-based lines and columns. Line 0: no place in the file.
struct Place {
  mlir::StringAttr file; // null with line 0
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;
};

/// The location of a place. Equal places of a file have equal locations.
mlir::Location locationOf(const Place &place);

/// The place that a location tells of: from its first character to the last that it names. One that has no end in the
/// location ends where it begins.
Place placeOf(mlir::Location location);

/// The same location in MLIR's own words, as attributes hold it: they are printed.
mlir::Location spelled(mlir::Location location);

} // namespace gcompile::graph
