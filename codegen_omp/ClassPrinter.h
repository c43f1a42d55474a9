// The class that an algorithm becomes.
#pragma once

#include "codegen_cpp/Program.h"

namespace gcompile::omp {

/// The class template of a program; `serialName` is the class of its serial form, "" if it has none. A program whose
/// algorithm is a serial form has no OpenMP in it: other targets print their serial forms with this too.
std::string printClass(cpp::Program &program, llvm::StringRef serialName);

} // namespace gcompile::omp
