#include "targets/Target.h"

#include <fmt/format.h>

namespace gcompile {

std::vector<std::string> hostFlags() {
  return {"-march=native", "-std=c++17",
          "-fwrapv",               // integers of the language wrap around
          "-falign-functions=64"}; // how fast a kernel is does not depend on where it happens to lie
}

Toolchain hostToolchain(const char *library, std::vector<std::string> (*flags)(const std::string &)) {
  Toolchain toolchain;
  toolchain.language = "C++";
  toolchain.compilers = []() -> std::vector<std::string> { return {"g++", "c++", "clang++"}; };
  toolchain.missing = "no C++ compiler is installed: install g++, or name one with --cxx";
  toolchain.flags = flags;
  toolchain.library = library;
  toolchain.sourceEnding = ".cpp";
  toolchain.libraryEnding = ".hpp";
  toolchain.sharedFlags = {"-shared", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
                           // A kernel that fails throws.
                           "-DGCOMPILE_SHARED_LIBRARY",
                           // Threads of the library may sleep in its code when a program closes it.
                           "-Wl,-z,nodelete"};
  return toolchain;
}

Toolchain openMpToolchain() {
  return hostToolchain("libgcompile_runtime.a", [](const std::string &) -> std::vector<std::string> {
    std::vector<std::string> flags = hostFlags();
    flags.push_back("-fopenmp");
    return flags;
  });
}

std::string openMpThreads(int count) {
  return fmt::format("[[maybe_unused]] static const int default_threads = (omp_set_num_threads({0}), {0});\n", count);
}

} // namespace gcompile
