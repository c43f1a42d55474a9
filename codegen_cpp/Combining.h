// How values combine, as C++: what the table of reductions (ir/graph/Reductions.td) says, in words of the language.
#pragma once

#include "ir/graph/GraphDialect.h"

#include <string>

namespace gcompile::cpp {

/// The value of the type that changes nothing when an update of the kind combines it with another.
std::string neutralValue(graph::UpdateKind kind, mlir::Type type);

/// The statement that combines a value with a target that only one thread touches: "sum += value;".
std::string combined(graph::UpdateKind kind, const std::string &target, const std::string &value);

/// The same, of partial results of a reduction; where an accumulator collects them: "best.merge(value);".
std::string combined(graph::ReduceKind kind, const std::string &target, const std::string &value);

/// The class of the runtime that accumulates a reduction: "gc::ArgMin<double, V>", or the type of its value.
/// `key` is the type of what argmin and argmax compare.
std::string accumulatorType(graph::ReduceKind kind, mlir::Type key, mlir::Type result);

/// What a reduction gives, of its accumulator.
std::string accumulated(graph::ReduceKind kind, const std::string &accumulator);

} // namespace gcompile::cpp
