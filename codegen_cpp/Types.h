// C++ types and literals for the types and constants of the dialects.
#pragma once

#include "ir/graph/GraphDialect.h"

#include <string>

namespace gcompile::cpp {

/// A value's type: bool, std::int32_t, ..., V, gc::ArcId, std::tuple<...>, gc::VertexSet<V>, gc::Levels<V>.
std::string typeName(mlir::Type type);
/// The type as a header has it: gdsl::vertex for V, gdsl::edge for gc::ArcId, and tuples of these.
std::string foreignTypeName(mlir::Type type);
/// A value of one of these types as one of the other; `value` itself where they are the same.
std::string toForeign(mlir::Type type, const std::string &value);
std::string fromForeign(mlir::Type type, const std::string &value);
/// A call of a function of C++ with values that have the header's types: "::geo::distance(x, y)", "(x == y)" of what a
/// class defines, or a class from the tuple of its members or back.
std::string foreignCall(graph::ForeignCallOp call, llvm::ArrayRef<std::string> arguments);
/// Whether a program that makes the call includes gcompile/values.h.
bool needsValues(graph::ForeignCallOp call);
/// The type of one element in an array: as typeName, but bool is a byte.
std::string elementName(mlir::Type type);
/// The type by which the runtime's lists of work order priorities: the element's, or gc::Greatest<...> of it.
std::string orderName(graph::StateType priority, bool greatestFirst);
/// Whether the C++ type depends on the vertex type V.
bool usesVertex(mlir::Type type);
/// "gc::Property<V>", "gc::Dense<double>", or the plain type of a scalar state. `space` is that of the runtime's arrays
/// and sets.
std::string storageName(graph::StateType type, llvm::StringRef space = "gc::");

/// A literal of exactly this value, for the integer, bool and floating attributes of graph.constant.
std::string literal(mlir::TypedAttr value);
/// Whether that literal begins with a minus sign.
bool isNegative(mlir::TypedAttr value);
/// The constant of the opposite sign.
mlir::TypedAttr opposite(mlir::TypedAttr value);
/// "gc::inf<std::int32_t>()", or with `lowest` its opposite.
std::string infinity(mlir::Type type, bool lowest);
/// Starting value of a min (or with `max` of a max) over values of the type.
std::string extremeStart(mlir::Type type, bool max);
/// Zero, false, none: what a state without an initial value holds.
std::string zero(mlir::Type type);
/// A C++ string literal.
std::string quoted(llvm::StringRef text);

} // namespace gcompile::cpp
