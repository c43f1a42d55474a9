// What a generated class offers to C++ that includes it: constructors, other arguments, and results.
#pragma once

#include "codegen_cpp/Program.h"

namespace gcompile::cpp {

/// The constructors of a parallel program's class: from values, and from a command line's texts, which the first one
/// gets. `initialisers` of the members may use `graph`. With them, set_arguments for each, where there are parameters.
std::string constructors(const Program &program, const std::string &initialisers);

/// The results by their names, and `outputs`, which visits them all. `host` is what makes a value on the host of a
/// property: ".host()" or "".
std::string results(const Program &program, llvm::StringRef host);

} // namespace gcompile::cpp
