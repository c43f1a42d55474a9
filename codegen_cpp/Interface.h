// What a generated class offers to C++ that includes it: its description, constructors, other arguments, and results.
#pragma once

#include "codegen_cpp/Program.h"

namespace gcompile::cpp {

/// The function that describes the program: its parameters, its results, what it needs of the graph.
void printInfo(Writer &out, graph::AlgorithmOp op, const std::string &name);

/// The constructors of a parallel program's class: from values, and from a command line's texts, which the first one
/// gets. `initialisers` of the members may use `graph`. With them, set_arguments for each, where there are parameters.
void constructors(Writer &out, const Program &program, const List &initialisers);

/// The results by their names, and `outputs`, which visits them all.
void results(Writer &out, const Program &program);

/// `run`, or what `head` says, around the algorithm's body; `last` are the lines behind it.
void printRun(Writer &out, const Program &program, const Writer &body, const std::vector<std::string> &last,
              const std::string &comment = "/// Runs the algorithm from its beginning.",
              const std::string &head = "void run()");

/// Of a profiled program: what its kernels recorded.
void printProfile(Writer &out, const Program &program);

/// The memory that segments take, where there are some.
void printSegmentBytes(Writer &out, const Program &program);

/// The begin of what is private; `serialName` is the class that looks into it, "" for none.
void printPrivate(Writer &out, llvm::StringRef serialName);

} // namespace gcompile::cpp
