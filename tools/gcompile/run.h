// `gcompile run`, `gcompile interpret` and `gcompile convert`.
#pragma once

#include "ir/interpreter/ForeignCode.h"
#include "tools/gcompile/options.h"

namespace gcompile {

/// Compiles the program unless the cache has it, and becomes it. Throws Failure; returns never.
[[noreturn]] void runProgram(const Options &options);

/// Interprets an algorithm with the command line of its compiled form, and ends with its exit status.
[[noreturn]] void runInterpreted(graph::AlgorithmOp algorithm, const interpreter::ForeignCode &foreign,
                                 const std::vector<std::string> &arguments);

/// Reads a graph and writes it in another format. Throws Failure.
void convertGraph(const Options &options);

} // namespace gcompile
