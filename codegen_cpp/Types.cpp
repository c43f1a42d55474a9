#include "codegen_cpp/Types.h"

#include "codegen_cpp/Writer.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace mlir;

namespace gcompile::cpp {

std::string typeName(Type type) {
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case([](IntegerType t) -> std::string {
        return t.getWidth() == 1 ? "bool" : t.getWidth() == 32 ? "std::int32_t" : "std::int64_t";
      })
      .Case([](Float32Type) { return "float"; })
      .Case([](Float64Type) { return "double"; })
      .Case([](graph::VertexType) { return "V"; })
      .Case([](graph::EdgeType) { return "gc::ArcId"; })
      .Case([](graph::SetType) { return "gc::VertexSet<V>"; })
      .Case([](graph::LevelsType) { return "gc::Levels<V>"; })
      .Case([](graph::ForeignType t) { return "::" + t.getClassName().str(); })
      .Case([](TupleType t) { return "std::tuple<" + listed(t.getTypes(), typeName) + ">"; })
      .Default([](Type) -> std::string { llvm_unreachable("a type that has no values in C++"); });
}

std::string orderName(graph::StateType priority, bool greatestFirst) {
  std::string type = typeName(priority.getElement());
  return greatestFirst ? "gc::Greatest<" + type + ">" : type;
}

std::string elementName(Type type) { return type.isInteger(1) ? "std::uint8_t" : typeName(type); }

bool usesVertex(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::any_of(tuple.getTypes(), usesVertex);
  return isa<graph::VertexType, graph::SetType, graph::LevelsType>(type);
}

std::string storageName(graph::StateType type, StringRef space) {
  switch (type.getShape()) {
  case graph::Shape::Scalar:
    return isa<graph::SetType>(type.getElement()) ? space.str() + "VertexSet<V>" : typeName(type.getElement());
  case graph::Shape::PerVertex:
  case graph::Shape::PerEdge:
  case graph::Shape::Array:
    return space.str() + "Property<" + elementName(type.getElement()) + ">";
  case graph::Shape::Dense:
    return space.str() + "Dense<" + elementName(type.getElement()) + ">";
  }
  llvm_unreachable("every shape is listed");
}

static std::string floating(double value, bool single) {
  std::string type = single ? "float" : "double";
  if (std::isnan(value))
    return "std::numeric_limits<" + type + ">::quiet_NaN()";
  if (std::isinf(value))
    return (value < 0 ? "-gc::inf<" : "gc::inf<") + type + ">()";
  std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return single ? text + "f" : text;
}

std::string literal(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return floating(number.getValueAsDouble(), value.getType().isF32());
  auto integer = cast<IntegerAttr>(value);
  if (value.getType().isInteger(1))
    return integer.getValue().isZero() ? "false" : "true";
  std::int64_t number = integer.getValue().getSExtValue();
  bool narrow = value.getType().isInteger(32);
  if (narrow ? number == std::numeric_limits<std::int32_t>::min() : number == std::numeric_limits<std::int64_t>::min())
    return "std::numeric_limits<" + typeName(value.getType()) + ">::min()";
  return std::to_string(number);
}

bool isNegative(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return !number.getValue().isNaN() && number.getValue().isNegative();
  const llvm::APInt &number = cast<IntegerAttr>(value).getValue();
  return number.getBitWidth() > 1 && number.isNegative() && !number.isMinSignedValue();
}

TypedAttr opposite(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(number.getType(), -number.getValue());
  return IntegerAttr::get(value.getType(), -cast<IntegerAttr>(value).getValue());
}

std::string infinity(Type type, bool lowest) {
  return std::string(lowest ? "gc::lowest<" : "gc::inf<") + typeName(type) + ">()";
}

std::string extremeStart(Type type, bool max) {
  if (isa<IntegerType, FloatType>(type) && !type.isInteger(1))
    return infinity(type, max);
  if (!max && isa<graph::VertexType, graph::EdgeType>(type))
    return "gc::none<" + typeName(type) + ">()";
  return std::string(max ? "gc::lowest<" : "gc::greatest<") + typeName(type) + ">()";
}

std::string zero(Type type) {
  if (isa<graph::VertexType, graph::EdgeType>(type))
    return "gc::none<" + typeName(type) + ">()";
  if (auto tuple = dyn_cast<TupleType>(type))
    return typeName(type) + "(" + listed(tuple.getTypes(), zero) + ")";
  if (isa<graph::ForeignType>(type))
    return typeName(type) + "()";
  return type.isInteger(1) ? "false" : "0";
}

std::string quoted(StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 32)
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

/// Whether a header has another type for the values than the program.
static bool holdsId(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return llvm::any_of(tuple.getTypes(), holdsId);
  return isa<graph::VertexType, graph::EdgeType>(type);
}

/// The callee that gives a class of C++ as the tuple of its members, or the class from the tuple.
static bool isRestatement(graph::ForeignCallOp call) { return call.getCallee() == "operator as"; }

std::string foreignTypeName(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return "std::tuple<" + listed(tuple.getTypes(), foreignTypeName) + ">";
  return isa<graph::VertexType>(type) ? "gdsl::vertex" : isa<graph::EdgeType>(type) ? "gdsl::edge" : typeName(type);
}

static std::string converted(const std::string &type, const std::string &value) {
  return "gc::as<" + type + ">(" + value + ")";
}

std::string toForeign(Type type, const std::string &value) {
  return holdsId(type) ? converted(foreignTypeName(type), value) : value;
}

std::string fromForeign(Type type, const std::string &value) {
  return holdsId(type) ? converted(typeName(type), value) : value;
}

std::string foreignCall(graph::ForeignCallOp call, ArrayRef<std::string> arguments) {
  if (call.getCallee() == "operator==")
    return "(" + llvm::join(arguments, " == ") + ")";
  if (isRestatement(call))
    return converted(foreignTypeName(call.getResult().getType()), arguments[0]);
  return "::" + call.getCallee().str() + "(" + llvm::join(arguments, ", ") + ")";
}

bool needsValues(graph::ForeignCallOp call) {
  return isRestatement(call) || holdsId(call.getResult().getType()) || llvm::any_of(call.getOperandTypes(), holdsId);
}

} // namespace gcompile::cpp
