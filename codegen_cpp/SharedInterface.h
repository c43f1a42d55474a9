// What the three texts of a shared library are made of: its functions, and what they take and give.
#pragma once

#include "codegen_cpp/Program.h"
#include "codegen_cpp/Shared.h"

#include <string>
#include <vector>

namespace gcompile::cpp {

/// One function of the interface.
struct SharedFunction {
  std::string comment; // for the header
  std::string result;  // the type, with a blank or star behind it
  std::string name;
  std::string parameters; // of the declaration
  std::string body;       // in C++: what it returns

  std::string declaration() const { return result + name + "(" + parameters + ")"; }
};

/// A parameter, a result or an edge column.
struct SharedItem {
  std::string name, comment;
  mlir::Type type; // of a value
};
struct SharedParameter : SharedItem {
  bool perVertex = false, nonnegative = false, required = false;
  std::string given; // the default value
  std::string joint; // the name that gives it together with the parameters beside it; empty: none
};
/// Parameters that a function of C++ makes one value of, which a struct gives together.
struct SharedStruct {
  std::string joint;     // "pos"
  std::string name;      // of the type in C: "bfs_value_pos"
  std::size_t first = 0; // of the parameters
  std::vector<SharedItem> members;
  bool perVertex = false;
};
struct SharedResult : SharedItem {
  graph::Shape shape = graph::Shape::Scalar;
  bool unordered = false;
};
struct SharedColumn : SharedItem {
  bool nonnegative = false;
};

struct SharedInterface {
  SharedInterface(graph::AlgorithmOp op, const SharedOptions &options);

  /// The C type of a value in arrays and results.
  std::string cType(mlir::Type type) const;
  /// The name of a type in the language.
  static std::string typeName(mlir::Type type);

  graph::AlgorithmOp op;
  const SharedOptions &options;
  std::string prefix, constants; // of functions: "bfs"; of constants: "BFS"
  std::string source, comment;
  std::vector<SharedParameter> parameters;
  std::vector<SharedStruct> structs;
  std::vector<SharedResult> results;
  std::vector<SharedColumn> columns;
  std::vector<SharedFunction> graphFunctions, programFunctions;
  std::uint64_t fingerprint = 0; // of the ABI version and all declarations

private:
  void addGraphFunctions();
  void addProgramFunctions();
  void addStructs();
  void addSetter(std::size_t index);
  void addSetter(const SharedStruct &of);
  void addGetters(std::size_t index);
  void add(std::vector<SharedFunction> &functions, std::string comment, const std::string &result,
           const std::string &name, const std::string &parameters, const std::string &body);
};

/// The text of the C header.
std::string sharedHeader(const SharedInterface &interface);
/// The text of the manifest.
std::string sharedManifest(const SharedInterface &interface);

} // namespace gcompile::cpp
