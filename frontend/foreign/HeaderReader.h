// Reads the C++ headers that a program imports, with Clang (libTooling).
#pragma once

#include "frontend/Frontend.h"

#include <string>
#include <vector>

namespace gcompile::foreign {

/// How a reader finds and reads headers.
struct ReaderOptions {
  std::string folder;                // of the program: looked into first
  std::vector<std::string> cxxFlags; // of these, -I, -isystem, -D, -U and -std are heeded
};

/// Reads the headers as one translation unit and finds the functions of the wanted names: the overloads whose types the
/// language has, each with what keeps a program from calling it. See docs/language.md, "Functions of C++".
ImportedHeaders readHeaders(const ReaderOptions &options, const std::vector<std::string> &headers,
                            const std::set<std::string> &names);

} // namespace gcompile::foreign
