// What the syntax tree says of places in the source, of types, and of what imported C++ headers have.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace gcompile::ast {

/// A half-open range of the source: 1-based lines and columns (columns count bytes).
struct Range {
  unsigned line = 0, column = 0;
  unsigned endLine = 0, endColumn = 0;

  bool operator==(const Range &other) const {
    return line == other.line && column == other.column && endLine == other.endLine && endColumn == other.endColumn;
  }
};

enum class TypeKind {
  Error,
  Void,
  Bool,
  Int,
  Long,
  Float,
  Double,
  Vertex,
  Edge,
  Tuple,
  Foreign,
  VertexSet,
  Levels,
  Graph
};

/// The type of one value. Int has 32 bits, Long 64.
struct Type {
  TypeKind kind = TypeKind::Error;
  std::vector<Type> elements; // of a tuple
  std::string name;           // Foreign: as the program writes it until Sema has found it, then as C++ does
  unsigned bytes = 0;         // Foreign: its size; 0: it has not been found yet
  bool isNumeric() const { return kind >= TypeKind::Int && kind <= TypeKind::Double; }
  bool isInteger() const { return kind == TypeKind::Int || kind == TypeKind::Long; }
  bool isFloating() const { return kind == TypeKind::Float || kind == TypeKind::Double; }
  /// Whether a class of C++ is a part of the value, which has no order.
  bool holdsClass() const {
    return kind == TypeKind::Foreign ||
           std::any_of(elements.begin(), elements.end(), [](const Type &element) { return element.holdsClass(); });
  }
  bool operator==(const Type &o) const { return kind == o.kind && elements == o.elements && name == o.name; }
  bool operator!=(const Type &o) const { return !(*this == o); }
};

/// A function of a C++ header that the program imports, as far as the language can say its types.
struct ForeignFunction {
  std::string name;                        // with its namespaces: "geo::distance"
  std::string signature;                   // as C++ declares it, for messages
  std::string place;                       // "geometry.hpp:12", where that is
  bool sayable = true;                     // the language has types for what it takes and gives
  std::vector<Type> parameters;            // empty if not sayable
  std::vector<std::string> parameterNames; // as many; empty where the header gives none
  Type result;
  std::string refusal, refusalPlace;    // why a program cannot call it, and where that is seen; empty: it can
  std::string hostOnly;                 // why a GPU cannot; empty: it can
  std::vector<std::string> deviceForms; // lines before the header with which CUDA's compiler has it for the device too
  bool keepsFinite = false;             // it gives inf only where it is given one
  std::vector<std::string> believed;    // functions whose body is not visible, and that are declared free of effects
};

/// A number in a value of a class, or in an array of it.
struct ForeignField {
  std::string name;    // "corner[1].x"
  unsigned offset = 0; // of its first byte
  char kind = 'i';     // b: bool; i, u: integers with a sign and without; f: real
  unsigned bytes = 0;
};

/// A class of a C++ header that the program imports, whose values the language may hold and copy.
struct ForeignType {
  std::string name;                  // as the program writes it: "geo::point"
  Type type;                         // what it is; Error if it cannot be one of the program
  std::string place;                 // "geometry.hpp:12", where it is
  std::string refusal, refusalPlace; // why the program cannot use it, and where that is seen; empty: it can
  std::vector<ForeignField> fields;  // what its values are made of; enumerations and bit-fields are left out
};

} // namespace gcompile::ast
