// C++ names for the values of a program: its own names where they can be used, never a keyword, never shadowing.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace gcompile::cpp {

/// The names declared in one C++ scope. A new name avoids those of the scope and of all scopes around it.
class NameScope {
public:
  explicit NameScope(const NameScope *outer = nullptr) : outer(outer) {}

  /// `wanted`, or `wanted_2`, `wanted_3`, ... if that name is taken or a word of C++; `WANTED_v` where a header may
  /// have a macro of that name.
  std::string fresh(llvm::StringRef wanted);
  /// Makes a name unavailable.
  void reserve(llvm::StringRef name) { names.insert(name); }

private:
  bool taken(llvm::StringRef name) const;

  const NameScope *outer;
  llvm::StringSet<> names;
};

/// The name of the argument `argument` of a region of its operation: from the attribute `names`, else by its type.
/// Regions of exec.propagate take `names = [u, v, e, round]`: u names the vertex of push, v that of pull and commit.
std::string argumentName(mlir::BlockArgument argument);

/// A name that tells a reader what the value is: its `let`, its state, its operation.
std::string suggestName(mlir::Value value);

/// `page_rank` to `PageRank`, `top_10` to `Top10`, `p2_1` to `P2_1`.
std::string className(llvm::StringRef algorithm);

/// `bfs.gdsl` to `bfs_functions`: the namespace of the local functions of a program.
std::string functionSpace(llvm::StringRef source);
/// The C++ name of a local function.
std::string functionName(llvm::StringRef function);
/// The name by which `user`, in an algorithm or in another function, finds it: functions live in a namespace of their
/// own, where names of the standard library do not disturb.
std::string besideAlgorithm(mlir::Operation *user, llvm::StringRef function);

/// "bfs.gdsl:9" for a place in a file, "" for an unknown one. Only the file's base name is given.
std::string place(mlir::Location location);

} // namespace gcompile::cpp
