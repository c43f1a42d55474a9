#include "targets/Target.h"

namespace gcompile {

Toolchain hostToolchain(const char *library, std::vector<std::string> (*flags)(const std::string &)) {
  Toolchain toolchain;
  toolchain.language = "C++";
  toolchain.compilers = []() -> std::vector<std::string> { return {"g++", "c++", "clang++"}; };
  toolchain.missing = "no C++ compiler is installed: install g++, or name one with --cxx";
  toolchain.flags = flags;
  toolchain.library = library;
  toolchain.sourceEnding = ".cpp";
  toolchain.libraryEnding = ".hpp";
  return toolchain;
}

} // namespace gcompile
