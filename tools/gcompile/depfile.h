// What a build tool must know of a compilation.
#pragma once

#include "tools/gcompile/cxx.h"

#include <string>
#include <vector>

namespace gcompile {

/// Writes the file that --MF names, for make or ninja: the output depends on the program, on the headers that it
/// imports, and where the C++ compiler has made it on the runtime. Throws Failure.
void writeDepFile(const Options &options, const std::string &output, const Runtime *runtime,
                  const std::vector<std::string> &imported);

} // namespace gcompile
