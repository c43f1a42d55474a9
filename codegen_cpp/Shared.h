// A program as a shared library with a C interface: the C header, the manifest, and the functions in C++.
#pragma once

#include "ir/exec/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gcompile::cpp {

/// The version of what all these interfaces have in common. Raise it where handles, codes or common functions change.
constexpr unsigned sharedAbiVersion = 1;

struct SharedOptions {
  std::string target;       // as in --target
  std::string text;         // of the program, for its comments
  std::string className;    // of the C++ class template
  unsigned vertexBits = 32; // of the vertices' numbers
  bool onDevice = false;    // whether results are on a GPU
};

struct SharedLibrary {
  std::string header;               // in C
  std::string manifest;             // in JSON
  std::string entry;                // in C++, behind the class; begins with what the header declares
  std::vector<std::string> symbols; // the functions that the header declares
};

/// The interface of a program's algorithm in the `exec` dialect.
SharedLibrary describeShared(graph::AlgorithmOp op, const SharedOptions &options);

/// The comment of what stands at a line of a program, counted from 1: in the lines above it, each a line of the result.
/// `behind`: that on the line itself comes first; else blank lines may stand between. "" for none.
std::string commentAt(llvm::StringRef text, unsigned line, bool behind);

} // namespace gcompile::cpp
