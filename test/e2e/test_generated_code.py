"""The C++ that gcompile writes is clean: no warning from any supported compiler."""

import pathlib
import shutil

import harness

suite = harness.Suite("generated_code")
COMPILERS = ["g++", "clang++-14", "clang++-19"]
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-fopenmp", "-isystem",
         str(suite.build / "include")]



def openmp_header(compiler):
    """Debian installs the header of one version of LLVM only: the others take it from there."""
    headers = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/clang/*/include/omp.h"))
    if not compiler.startswith("clang") or not headers:
        return []
    folder = suite.folder / "openmp"
    folder.mkdir(exist_ok=True)
    link = folder / "omp.h"
    link.unlink(missing_ok=True)
    link.symlink_to(headers[-1])
    return ["-isystem", str(folder)]


sources = sorted(suite.programs.glob("*.cpp"))
suite.expect(len(sources) >= 15, f"all examples are there: {len(sources)}")
for compiler in COMPILERS:
    if not shutil.which(compiler):
        print(f"{compiler} is not installed: not tried")
        continue
    for source in sources:
        suite.succeeds(f"{compiler} {source.name}", compiler, *FLAGS, *openmp_header(compiler), source)
suite.finish()
