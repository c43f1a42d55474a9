// What the printers of one generated class share.
#pragma once

#include "codegen_cpp/Names.h"
#include "codegen_cpp/Types.h"
#include "ir/ExecDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace gcompile::omp {

/// One algorithm, which becomes a class template.
struct Program {
  graph::AlgorithmOp op;
  std::string name;                  // of the class
  cpp::NameScope scope;              // names of members and functions
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

  /// The member of the state of that name; of a serial program's parallel form.
  std::string memberOf(llvm::StringRef state) const;
};

} // namespace gcompile::omp
