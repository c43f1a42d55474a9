// The cache of compiled programs for `gcompile run`.
#pragma once

#include "tools/gcompile/cxx.h"

#include <string>

namespace gcompile {

/// Where the executable of a program belongs: a path that depends on the content of everything that goes into it, the
/// program, gcompile itself, the C++ compiler with its flags, the machine and the runtime. Throws Failure if there is
/// no folder for it.
std::string cachePath(const Options &options, const std::string &program, const CxxCompiler &compiler,
                      const Runtime &runtime);

/// Removes the entries that were used longest ago when there are many.
void trimCache(const std::string &keep);

} // namespace gcompile
