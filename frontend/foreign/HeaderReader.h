// Reads the C++ headers that a program imports, with Clang (libTooling).
#pragma once

#include "frontend/Frontend.h"

#include <string>
#include <vector>

namespace gcompile::foreign {

/// How a reader finds and reads headers.
struct ReaderOptions {
  std::string folder;                // of the program: looked into first
  std::vector<std::string> cxxFlags; // of these, those that decide what a header says are heeded: -I, -D and the like
  bool device = false;               // as a compiler for GPUs reads them
  std::string compileCommands;       // folder of a compile_commands.json that has more of them; empty: none
};

/// Reads the headers as one translation unit and finds what has the wanted names: the overloads whose types the
/// language has and the types, each with what keeps a program from using it. See docs/language.md, "Functions of C++".
ImportedHeaders readHeaders(const ReaderOptions &options, const std::vector<std::string> &headers,
                            const WantedNames &names);

} // namespace gcompile::foreign
