"""Where CUDA's compiler is installed: what gcompile prints for a GPU compiles without a warning, and the kernels that
traverse graphs, gather by segments, or close pairs, keep their values in registers. Exits with 77 where there is no nvcc.

The kernels of a program are compiled for two widths of vertex ids and take a while: by default a few programs that cover
all kinds of kernels are tried, with GCOMPILE_TEST_NVCC=all every example."""

import concurrent.futures
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import harness

NVCC = harness.compilers.NVCC
if not NVCC:
    print("skipped: nvcc is not installed (CUDACXX, PATH, /usr/local/cuda/bin)")
    sys.exit(77)

suite = harness.Suite("nvcc")
SUBSET = ["apsp", "apsp_paths", "bfs", "kcore", "pagerank", "sssp", "triangles", "modes", "ordered", "levels",
          "transitive_closure", "imports", "aligned"]
FOLDERS = [harness.ROOT / "examples", harness.ROOT / "test" / "e2e" / "general"]
# Bytes that a thread of a traversal, of a gather by segments, of a count by fingerprints or of a closure may spill.
SPILLS = {"propagate_kernel": 0, "small_frontier_kernel": 0, "near_far_kernel": 0, "sweep_kernel": 0, "groups_kernel": 0,
          "spread_kernel": 0, "collect_kernel": 0, "carry_kernel": 0,
          "fingerprint_kernel": 0, "fingerprints_kernel": 0, "closure_": 0, "flags_": 0}
FLAGS = ["-std=c++20", "-O3", "--expt-relaxed-constexpr", "-arch=sm_90", "-Xcompiler=-fopenmp,-march=native,-Wall,-Wextra",
         "-Werror=all-warnings", "-Xptxas=-v", "-c", "-I", harness.ROOT / "runtime" / "include",
         "-I", harness.ROOT / "test" / "e2e"]


def resources(log):
    """What ptxas says of each kernel: name -> (registers, bytes of spill stores and loads, bytes of stack)."""
    found = {}
    for name, rest in re.findall(r"Compiling entry function '(\w+)'(.*?)(?=Compiling entry|\Z)", log, re.S):
        spills = sum(int(n) for n in re.findall(r"(\d+) bytes spill", rest))
        stack = re.search(r"(\d+) bytes stack frame", rest)
        registers = re.search(r"Used (\d+) registers", rest)
        found[name] = (int(registers[1]) if registers else 0, spills, int(stack[1]) if stack else 0)
    return found


def short(mangled):
    """The kernel's own name and its template arguments, as far as c++filt can tell."""
    name = suite.run("c++filt", mangled).out.strip()
    return re.sub(r"\(.*", "", name).removeprefix("void ").replace("gc::cuda::detail::", "")[:110]


def compile_program(job):
    name, *options = job
    stem = "_".join([name, *options]).replace("--", "").replace("=", "_")
    source = suite.folder / f"{stem}.cu"
    path = next(folder / f"{name}.gdsl" for folder in [*FOLDERS, harness.ROOT / "test" / "e2e"] if (folder / f"{name}.gdsl").exists())
    printed = suite.run(suite.gcompile, "--target=cuda", "--emit=source", *options, path, "-o", source)
    if printed.code != 0:
        return printed
    return suite.run("nvcc", *FLAGS, source, "-o", suite.folder / f"{stem}.o", timeout=300)


every = sorted(path.stem for folder in FOLDERS for path in folder.glob("*.gdsl"))
names = suite.cases or (every if os.environ.get("GCOMPILE_TEST_NVCC") == "all" else SUBSET)
# Another split of a tally takes no more registers than there are.
jobs = [*((name,) for name in names), *((name, "--gpu-vertex-bits=31") for name in ("bfs", "sssp") if name in names)]
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    for job, result in zip(jobs, pool.map(compile_program, jobs)):
        name = " ".join(job)
        if not suite.expect(result.code == 0, f"nvcc {name}.cu", result):
            continue
        kernels = resources(result.out + result.err)
        suite.expect(kernels, f"{name}: ptxas names no kernel", result)
        for kernel, (registers, spills, stack) in kernels.items():
            print(f"{name:18} {registers:4} registers {spills:4} bytes spilled {stack:4} of stack  {short(kernel)}")
            for traversal, limit in SPILLS.items():
                if traversal in kernel:
                    suite.expect(spills <= limit, f"{name}: {short(kernel)} spills {spills} bytes")

# The functions of <cmath> that the compiler takes for a device are there, for both types of reals.
if not suite.cases:
    source = (harness.ROOT / "frontend" / "foreign" / "DeviceForms.cpp").read_text()
    math = re.findall(r'"(\w+)"', source.split("names = {", 1)[1].split("};", 1)[0])
    arguments = {"fma": "x, x, x", "ldexp": "x, 2", "scalbn": "x, 2", "scalbln": "x, 2L", "labs": "2L", "llabs": "2L"}
    two = {"atan2", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow", "remainder"}
    calls = "".join(f"y += std::{name}({arguments.get(name, 'x, x' if name in two else 'x')});\n" for name in math)
    (suite.folder / "math.cu").write_text("#include <cmath>\n#include <cstdlib>\ntemplate <class T> __global__ void all(T x, T y, T *to) {\n"
                                          f"y += std::abs(2) + std::abs(2L);\n{calls}*to = y;\n}}\n"
                                          "template __global__ void all(float, float, float *);\n"
                                          "template __global__ void all(double, double, double *);\n")
    suite.succeeds("mathematical functions", "nvcc", *FLAGS, suite.folder / "math.cu", "-o", suite.folder / "math.o", timeout=300)
    suite.expect(len(math) > 50, "the list of mathematical functions", math)

# A shared library, whose symbols are those of its header.
if not suite.cases:
    library = suite.folder / "libbfs.so"
    suite.succeeds("a shared library", suite.gcompile, "--target=cuda", "--arch=sm_90", "--emit=shared",
                   "--cxx-flag=-Werror=all-warnings", harness.ROOT / "examples" / "bfs.gdsl", "-o", library,
                   timeout=300)
    shown = suite.succeeds("nm", "nm", "-D", "--defined-only", library).out.splitlines()
    suite.expect(len(shown) > 20 and all(" T bfs_" in line for line in shown), "the symbols of a library", shown)
suite.finish()
