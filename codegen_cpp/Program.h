// What the printers of one generated class share.
#pragma once

#include "codegen_cpp/Names.h"
#include "codegen_cpp/Types.h"
#include "ir/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace gcompile::cpp {

/// One algorithm, which becomes a class template.
struct Program {
  graph::AlgorithmOp op;
  std::string name;                  // of the class
  NameScope scope;                   // names of members and functions
  const Program *parallel = nullptr; // of a serial program: the parallel one
  bool usesWitness = false;
  bool usesFrontier = false;

  /// States, snapshots, scalar parameters and kept levels: the member that holds each.
  llvm::DenseMap<mlir::Value, std::string> members;
  /// Edge columns: their position among the graph's columns.
  llvm::DenseMap<mlir::Value, unsigned> columns;
  /// Declarations in order: type, name, initialiser (may be empty).
  struct Member {
    std::string type, name, initialiser;
  };
  std::vector<Member> declarations;
  std::vector<std::string> functions; // the kernels, in the order of their calls

  /// How the members are stored.
  struct Storage {
    std::string space;  // of the runtime's arrays and sets: "gc::"
    std::string graph;  // what their constructors take to know the number of vertices
    std::string object; // the graph itself
  };
  /// Gives every state, snapshot, level list and parameter its member.
  void declareMembers(const Storage &storage);

  /// The member of the state of that name; of a serial program's parallel form.
  std::string memberOf(llvm::StringRef state) const;
};

/// One algorithm's argument: its description in the attribute `arguments`.
struct Argument {
  mlir::BlockArgument value;
  mlir::DictionaryAttr attributes;
  llvm::StringRef name() const { return llvm::cast<mlir::StringAttr>(attributes.get("name")).getValue(); }
  bool isColumn() const { return llvm::isa<graph::StateType>(value.getType()); }
};
std::vector<Argument> argumentsOf(graph::AlgorithmOp op);

/// The function that describes the program: its parameters, its results, what it needs of the graph.
std::string printInfo(graph::AlgorithmOp op, const std::string &name);

/// The local functions of a module in their namespace; `qualifier` stands before `inline`.
std::string printFunctions(mlir::ModuleOp module, const NameScope &outer, const std::string &qualifier = "");

} // namespace gcompile::cpp
