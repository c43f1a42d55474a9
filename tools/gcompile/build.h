// From generated C++ to what a C++ compiler makes of it.
#pragma once

#include "tools/gcompile/cxx.h"

#include <string>

namespace gcompile {

/// Compiles generated C++ to `output`; `fileName` is the name of the source in messages. A failure is the user's or the
/// machine's, a Failure (usage), if the compiler fails on other C++ as well; otherwise it is a bug of gcompile, and the
/// source is kept for the report.
void buildCxx(const Options &options, const Runtime &runtime, const CxxCompiler &compiler, const std::string &fileName,
              const std::string &source, const std::string &output, CxxOutput kind);

} // namespace gcompile
