// The cache of compiled programs for `gcompile run`.
#pragma once

#include "tools/gcompile/cxx.h"

#include <functional>
#include <string>

namespace gcompile {

/// The executable of a program. It lies in a folder whose name depends on the content of everything that goes into it:
/// the program, gcompile itself, the C++ compiler with its flags, the machine and the runtime. `build` is called with
/// the file to write if the cache has no such executable, or a damaged one. Throws Failure or gc::Error.
std::string cachedExecutable(const Options &options, const std::string &program, const CxxCompiler &compiler,
                             const Runtime &runtime, const std::function<void(const std::string &)> &build);

/// `gcompile cache`: prints what is in the cache, or removes it.
void manageCache(const Options &options);

} // namespace gcompile
