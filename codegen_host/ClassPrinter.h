// The class that an algorithm becomes.
#pragma once

#include "codegen_cpp/Program.h"

namespace gcompile::host {

/// The class template of a program; `serialName` is the class of its serial form, "" if it has none. A program whose
/// kernels are all serial has no OpenMP in it: every target prints its serial forms with this.
void printClass(cpp::Writer &out, cpp::Program &program, llvm::StringRef serialName);

} // namespace gcompile::host
