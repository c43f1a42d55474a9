// The headers that printed programs include, precompiled for a C++ compiler and its options.
#pragma once

#include "tools/gcompile/cxx.h"

#include <string>

namespace gcompile {

/// A header to include before `source`, which the compiler has precompiled; empty: there is none, and `source` is
/// compiled as it is. It lies in the cache for each compiler and its options, and is made when these are used for the
/// second time, so that who compiles one program pays nothing. Only g++ reads it.
std::string precompiledHeader(const CxxCompiler &compiler, const std::string &source, CxxOutput kind, bool verbose);

} // namespace gcompile
