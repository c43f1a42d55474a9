// From generated C++ to what a C++ compiler makes of it.
#pragma once

#include "tools/gcompile/compile.h"
#include "tools/gcompile/cxx.h"

#include <string>
#include <vector>

namespace gcompile {

/// Compiles generated C++ to `output`; `fileName` is the name of the source in messages. A failure is the user's or the
/// machine's, a Failure (usage), if the compiler fails on other C++ as well, or on the imported headers; otherwise it
/// is a bug of gcompile, and the source is kept for the report.
/// `symbols`: those that a shared library shows.
void buildCxx(const Options &options, const Runtime &runtime, const CxxCompiler &compiler, const std::string &fileName,
              const GeneratedSource &source, const std::string &output, CxxOutput kind,
              const std::vector<std::string> &symbols = {});

} // namespace gcompile
