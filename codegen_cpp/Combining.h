// How values combine, as C++: what the table of reductions (ir/graph/Reductions.td) says, in words of the language.
#pragma once

#include "ir/exec/ExecDialect.h"

#include <string>

namespace gcompile::cpp {

/// How an update combines: a row of the table and, for a reduction that the program declares, its class.
struct Combining {
  Combining(graph::UpdateKind kind) : kind(kind) {}
  explicit Combining(exec::UpdateOp op);
  explicit Combining(graph::UpdateOp op);

  /// "add(x, 1)" of the operators update_add, owner_add and atomic_add.
  std::string call(const std::string &target, const std::string &value) const;
  /// The call of a function of gc::PerThread that combines the values of all threads: "sum()".
  std::string total() const;
  /// The operator as a type of the runtime: "gc::by::sum".
  std::string type() const;

  graph::UpdateKind kind;
  std::string declared; // the class of a declared reduction: "route_functions::better<V>"; empty: it is none
};

/// The value of the type that changes nothing when an update combines it with another.
std::string neutralValue(const Combining &how, mlir::Type type);

/// The statement that combines a value with a target that only one thread touches: "sum += value;".
std::string combined(const Combining &how, const std::string &target, const std::string &value);

/// The same, of partial results of a reduction; where an accumulator collects them: "best.merge(value);".
std::string combined(graph::ReduceKind kind, const std::string &target, const std::string &value);

/// The class of the runtime that accumulates a reduction: "gc::ArgMin<double, V>", or the type of its value.
/// `key` is the type of what argmin and argmax compare.
std::string accumulatorType(graph::ReduceKind kind, mlir::Type key, mlir::Type result);

/// What a reduction gives, of its accumulator.
std::string accumulated(graph::ReduceKind kind, const std::string &accumulator);

} // namespace gcompile::cpp
