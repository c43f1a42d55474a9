"""The C++ that gcompile writes is clean: no warning from any supported compiler. That of one thread needs no OpenMP.
g++'s warnings about programs with OpenMP are those of e2e.build, which compiles them."""

import re
import shutil

import harness

suite = harness.Suite("generated_code")
SERIAL = suite.target == "serial"
COMPILERS = [*(["g++"] if SERIAL else []), "clang++-14", "clang++-19"]
# A warning in a header of the runtime counts where OpenMP's lines would be unknown.
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-c", *([] if SERIAL else ["-fopenmp"]),
         "-I" if SERIAL else "-isystem", str(suite.build / "include"),
         "-I", str(harness.ROOT / "test" / "e2e")]  # which has the header that a program imports

sources = sorted(suite.programs.glob("*.cpp"))
suite.expect(len(sources) >= 15, f"all examples are there: {len(sources)}")
# All programs in one unit, each in a namespace of its own: the headers of the runtime are read once.
included = sorted({line for source in sources for line in source.read_text().splitlines() if line.startswith("#include ")})
unit = suite.folder / "programs.cpp"
unit.write_text("\n".join([*included, "#define main run_main",
                           *(f'namespace {source.stem}_program {{\n#include "{source}"\n}}' for source in sources)]) + "\n")
for compiler in COMPILERS:
    if not shutil.which(compiler):
        print(f"{compiler} is not installed: not tried")
        continue
    suite.succeeds(f"{compiler}: all programs", compiler, *FLAGS, unit, "-o", unit.with_suffix(".o"), timeout=600)
for source in sources if SERIAL else []:
    found = re.search(r"omp|#pragma|atomic|PerThread", re.sub(r'"[^"]*"|//.*|[cC]omp\w*', "", source.read_text()))
    suite.expect(not found, f"{source.name} knows nothing of threads", found)
    linked = suite.succeeds("ldd", "ldd", source.with_suffix(""))
    suite.expect("libgomp" not in linked.out and "libomp" not in linked.out, f"{source.stem} is linked without OpenMP", linked)

# Names that are different in the language stay so in C++, where one library holds them all.
names = ["p21", "p2_1", "p21_serial", "p_21", "a_b", "a__b", "aB", "_a_b", "graph_2", "run", "run_2"]
library = suite.folder / "names.gdsl"
library.write_text("".join(
    f"function {name}_f(x: int) -> int {{ return x; }}\n"
    f"algorithm {name}(g: graph) {{ output x: int[g] = {name}_f(v.degree); }}\n" for name in names))
header = suite.folder / "names.hpp"
suite.succeeds("a library of odd names", suite.gcompile, f"--target={suite.target}", "--emit=library", library, "-o", header)
user = suite.folder / "names.cpp"
user.write_text('#include "names.hpp"\ntemplate class P21<std::uint32_t>;\ntemplate class P2_1<std::uint32_t>;\n')
suite.succeeds("odd names in C++", "g++", *FLAGS, user, "-o", user.with_suffix(".o"), timeout=300)
suite.finish()
