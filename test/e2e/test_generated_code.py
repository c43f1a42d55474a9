"""The C++ that gcompile writes is clean: no warning from any supported compiler."""

import shutil

import harness

suite = harness.Suite("generated_code")
COMPILERS = ["g++", "clang++-14", "clang++-19"]
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-fopenmp", "-isystem",
         str(suite.build / "include")]

sources = sorted(suite.programs.glob("*.cpp"))
suite.expect(len(sources) >= 15, f"all examples are there: {len(sources)}")
for compiler in COMPILERS:
    if not shutil.which(compiler):
        print(f"{compiler} is not installed: not tried")
        continue
    for source in sources:
        suite.succeeds(f"{compiler} {source.name}", compiler, *FLAGS, source)
suite.finish()
