// `gcompile run` and `gcompile convert`.
#pragma once

#include "tools/gcompile/options.h"

namespace gcompile {

/// Compiles the program unless the cache has it, and becomes it. Throws Failure; returns never.
[[noreturn]] void runProgram(const Options &options);

/// Reads a graph and writes it in another format. Throws Failure.
void convertGraph(const Options &options);

} // namespace gcompile
