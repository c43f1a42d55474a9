// What gcompile knows of a machine that it compiles for: one record each, in a file of its own, listed in Registry.cpp.
#pragma once

#include "ir/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gcompile {

/// A library that carries messages between the processes of a program.
struct Exchange {
  const char *name = "";  // --exchange=NAME
  const char *macro = ""; // that chooses it in a program; "": the runtime has it, and nothing else is needed
  /// Its names for pkg-config, best first.
  std::vector<std::string> packages = {};
  const char *missing = ""; // the error where pkg-config knows none of the names
};

/// How the text of a program becomes an executable.
struct Toolchain {
  const char *language = ""; // that the compiler is for, in messages
  /// The compilers to look for, best first; --cxx names another.
  std::vector<std::string> (*compilers)() = nullptr;
  const char *missing = ""; // the error where none of them is installed
  /// The options that every program is compiled with, but for -O. `arch` is what --arch names, or empty.
  std::vector<std::string> (*flags)(const std::string &arch) = nullptr;
  bool takesArch = false;         // whether --arch is for it
  const char *library = "";       // of the runtime, in its folder lib/
  const char *sourceEnding = "";  // of the file with a program
  const char *libraryEnding = ""; // of the file with a header
  /// The options, besides those above, of a shared library; none: its programs cannot be one, and why.
  std::vector<std::string> sharedFlags;
  const char *notShared = "";
};

/// The options of a C++ compiler for the machine that it runs on.
std::vector<std::string> hostFlags();

/// That of C++ for the machine that compiles.
Toolchain hostToolchain(const char *library, std::vector<std::string> (*flags)(const std::string &arch));

/// The same of C++ with OpenMP.
Toolchain openMpToolchain();
/// The statement of Target::defaultThreads for programs with OpenMP.
std::string openMpThreads(int count);

struct Target {
  const char *name = "";    // --target=NAME
  const char *machine = ""; // what it stands for, for --help
  const char *section = ""; // of a schedule, that speaks of it; "": only the layout does
  /// Lowers the `graph` dialect with its schedule applied to the `exec` dialect that `print` reads.
  void (*lower)(mlir::OpPassManager &manager, const PipelineOptions &options) = nullptr;
  /// The source of every algorithm of the module, with a `main` that runs the first one where that is wanted.
  std::string (*print)(mlir::ModuleOp module, bool main) = nullptr;
  Toolchain toolchain;
  /// The statement, at namespace scope, that gives a program another default number of threads; null: its programs have
  /// no threads to choose.
  std::string (*defaultThreads)(int count) = nullptr;
  /// A source for graphs of fewer than 2^bits vertices; null: they may have any number.
  std::string (*withVertexBits)(int bits, const std::string &source) = nullptr;
  bool measures = true;            // whether its programs can measure themselves
  bool parallel = true;            // whether statements run in parallel, which explanations are about
  bool kernelsOnDevice = false;    // whether kernels run on a device, which explanations then tell of
  const char *starter = "";        // the program that starts several processes of one, `STARTER -n N PROGRAM`; or ""
  std::vector<Exchange> exchanges; // for --exchange; the first one is the default
  bool inParts = false;            // whether machines hold parts of the graph; explanations tell what these send

  /// From the checked `graph` dialect to the `exec` dialect.
  void build(mlir::OpPassManager &manager, const PipelineOptions &options) const {
    buildSchedulePipeline(manager, section);
    lower(manager, options);
  }
  /// What `print` gives, for graphs of fewer than 2^vertexBits vertices; 0: as the runtime says.
  std::string source(mlir::ModuleOp module, bool main, int vertexBits) const {
    return vertexBits == 0 ? print(module, main) : withVertexBits(vertexBits, print(module, main));
  }
};

// Those from which others are made.
Target ompTarget();
Target cudaTarget();

/// Every target; the first one is the default.
const std::vector<Target> &targets();

/// The target of that name, or null.
const Target *findTarget(const std::string &name);

} // namespace gcompile
