"""Programs as shared libraries with a C interface: --emit=shared."""

import json
import shutil

import harness

suite = harness.Suite("shared")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wshadow", "-Wundef"]

CUDA = suite.target == "cuda"
# The emulation stands for nvcc and the GPU. Its programs take long to compile and to run.
COMPILER = [f"--cxx={harness.ROOT / 'test' / 'cuda' / 'emulated_nvcc'}"] if CUDA else []
QUICK = ["-O0"] if CUDA else ["-O1"]

PROGRAM = harness.ROOT / "test" / "e2e" / "shared.gdsl"
CALLER = harness.ROOT / "test" / "e2e" / "shared.c"


def compile_library(program, name, *options):
    """Compiles a program to libNAME.so, NAME.h and NAME.json."""
    for file in (f"lib{name}.so", f"{name}.h", f"{name}.json"):
        (suite.folder / file).unlink(missing_ok=True)
    return suite.succeeds(f"compile {name}", suite.gcompile, f"--target={suite.target}", *COMPILER, "--emit=shared", *options,
                          program, "-o", f"lib{name}.so", timeout=300)


def declared(name):
    """The functions that a header declares."""
    text = (suite.folder / f"{name}.h").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.endswith(");") and not line.startswith((" ", "/", "typedef"))]
    return sorted(line.split("(")[0].split()[-1].lstrip("*") for line in lines)


result = compile_library(PROGRAM, "shared", *QUICK, "--cxx-flag=-DGCOMPILE_MOST_ALONE=0")
suite.expect(result.err == "", "warnings", result)

# What is exported is what the header declares.
symbols = suite.succeeds("nm", "nm", "-D", "--defined-only", "libshared.so").out.split("\n")
shown = sorted(line.split()[-1] for line in symbols if line)
suite.expect(shown == declared("shared") and len(shown) > 50, "the symbols are those of the header", shown)

# The header, and a caller of all its functions, in C and C++.
(suite.folder / "names.el").write_text("berlin rome 5 0.5\nrome oslo 6 1.5\n", encoding="utf-8")
for compiler, language in (("gcc", "c11"), ("gcc", "c99"), ("clang", "c11"), ("g++", "c++17"), ("g++", "c++98"),
                           ("clang++", "c++20")):
    kind = ["-x", "c++"] if "++" in compiler else ["-x", "c"]
    long_long = ["-Wno-long-long"] if language == "c++98" else []
    caller = f"caller-{compiler}-{language}"
    suite.succeeds(f"{compiler} {language}", compiler, f"-std={language}", *WARNINGS, *long_long, *kind, CALLER,
                   "-x", "none", "-I.", "libshared.so", "-Wl,-rpath,$ORIGIN", "-o", caller)
    result = suite.succeeds(f"run {caller}", suite.folder / caller)
    suite.expect(result.out.endswith(" 0 failed\n") and result.err == "", caller, result)

# The manifest says the same, and is in the library.
manifest = json.loads((suite.folder / "shared.json").read_text(encoding="utf-8"))
suite.expect(manifest["name"] == "shared" and manifest["target"] == suite.target and manifest["vertex_bits"] == 32
             and manifest["source"] == "shared.gdsl" and manifest["abi_version"] == 1, "the manifest", manifest)
parameters = {each["name"]: each for each in manifest["parameters"]}
suite.expect(parameters["root"] == {"name": "root", "type": "vertex", "doc": "where it begins", "per_vertex": False,
                                    "nonnegative": False, "required": True}, "a parameter", parameters["root"])
suite.expect(parameters["amount"]["doc"] == "What each vertex has." and parameters["amount"]["per_vertex"]
             and parameters["amount"]["default"] == "1", "a parameter with a value for each vertex",
             parameters["amount"])
results = {each["name"]: each for each in manifest["results"]}
suite.expect(results["nearest"]["elements"] == ["int", "vertex"] and results["loads"]["shape"] == "edge"
             and results["hops"]["doc"] == "from the root", "the results", results)
suite.expect([each["name"] for each in manifest["edge_properties"]] == ["weight", "cost"], "the edge properties", manifest)
suite.expect("reads" not in manifest and manifest["needs"]["in_edges"] in (True, False), "the needs", manifest)
header = (suite.folder / "shared.h").read_text(encoding="utf-8")
suite.expect("Every type that a parameter" in header and "where it begins" in header, "the comments", header)

# Wide vertices.
compile_library(harness.ROOT / "examples" / "bfs.gdsl", "bfs", "--vertex-bits=64", *QUICK)
text = (suite.folder / "bfs.h").read_text(encoding="utf-8")
suite.expect("typedef uint64_t bfs_vertex;" in text and "#define BFS_NONE UINT64_MAX" in text, "64 bits", text)
wide = text
for name in ("bfs", "sssp"):
    compile_library(harness.ROOT / "examples" / f"{name}.gdsl", name, *QUICK, "--cxx-flag=-DGCOMPILE_MOST_ALONE=0")
interface = [line for line in wide.splitlines() if "_INTERFACE UINT64_C" in line]
suite.expect(interface[0] not in (suite.folder / "bfs.h").read_text(encoding="utf-8"), "another interface", interface)

# Two libraries in one process, several threads with handles of their own, and libraries that come and go.
suite.succeeds("threads: compile", "g++", "-std=c++17", *WARNINGS, "-pthread", "-O1",
               harness.ROOT / "test" / "e2e" / "shared_threads.cpp", "-I.", "libbfs.so", "libsssp.so", "-Wl,-rpath,$ORIGIN",
               "-o", "threads")
compile_library(harness.ROOT / "examples" / "bfs.gdsl", "bfs", *QUICK)
(suite.folder / "libbfs.so").rename(suite.folder / "other.so")
compile_library(harness.ROOT / "examples" / "bfs.gdsl", "bfs", *QUICK, "--cxx-flag=-DGCOMPILE_MOST_ALONE=0")
result = suite.succeeds("threads", suite.folder / "threads", suite.folder / "other.so", 100 if CUDA else 1000,
                        1 if suite.target == "serial" else 2, timeout=300)
suite.expect(result.out == "0 failures\n" and result.err == "", "threads", result)

# The same with a sanitizer in the libraries and in their caller: of addresses and leaks with OpenMP, whose own threads a
# sanitizer of threads does not see through, and of threads where each handle has one.
if not CUDA:
    sanitizer = "address" if suite.target == "omp" else "thread"
    for name in ("bfs", "sssp"):
        compile_library(harness.ROOT / "examples" / f"{name}.gdsl", name, "-O0", "--cxx-flag=-DGCOMPILE_MOST_ALONE=0",
                        f"--cxx-flag=-fsanitize={sanitizer}", "--cxx-flag=-g1")
    suite.succeeds(f"{sanitizer}: compile", "g++", "-std=c++17", *WARNINGS, "-pthread", "-O1", "-g1", f"-fsanitize={sanitizer}",
                   harness.ROOT / "test" / "e2e" / "shared_threads.cpp", "-I.", "libbfs.so", "libsssp.so", "-Wl,-rpath,$ORIGIN",
                   "-o", f"threads-{sanitizer}")
    result = suite.succeeds(f"{sanitizer}: threads", suite.folder / f"threads-{sanitizer}", suite.folder / "libbfs.so", 20,
                            1 if suite.target == "serial" else 2, timeout=300)
    suite.expect(result.out == "0 failures\n" and result.err == "", f"{sanitizer}: threads", result)

# Results and graphs in the memory of the GPU, and no GPU.
if CUDA:
    compile_library(harness.ROOT / "test" / "e2e" / "rows.gdsl", "rows", *QUICK)
    suite.succeeds("device: compile", "gcc", "-std=c11", *WARNINGS, harness.ROOT / "test" / "e2e" / "shared_device.c", "-I.",
                   "librows.so", "-Wl,-rpath,$ORIGIN", "-o", "device")
    for seed in ("1", "2"):
        result = suite.succeeds("device", suite.folder / "device", "grid:7x9", "kronecker:scale=5", "uniform:scale=3,degree=1",
                                env={"GCOMPILE_EMULATION_SEED": seed}, timeout=120)
        suite.expect(result.out == "0 failures\n" and result.err == "", "device", result)
    result = suite.succeeds("no device", suite.folder / "device", env={"GCOMPILE_EMULATION_DEVICES": "0"})
    suite.expect(result.out == "0 failures\n" and result.err == "", "no device", result)

    # gcompile_programs() makes such a library for a project in C alone.
    project = suite.folder / "project"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir()
    (project / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(device LANGUAGES C)
add_executable(gcompile::gcompile IMPORTED)
set_property(TARGET gcompile::gcompile PROPERTY IMPORTED_LOCATION {suite.gcompile})
include({harness.ROOT}/cmake/GcompilePrograms.cmake)
add_executable(device {harness.ROOT}/test/e2e/shared_device.c)
gcompile_programs(device {harness.ROOT}/test/e2e/rows.gdsl SHARED TARGET cuda OPTIONS {COMPILER[0]} -O0)
""", encoding="utf-8")
    suite.succeeds("configure", "cmake", "-S", project, "-B", project, "-G", "Ninja")
    suite.succeeds("build", "cmake", "--build", project, timeout=300)
    result = suite.succeeds("the project's program", project / "device", "grid:5x5")
    suite.expect(result.out == "0 failures\n", "the project's program", result)

# An error could not leave the threads of an asynchronous statement.
if suite.target == "omp":
    (suite.folder / "waits.gdsl").write_text("""algorithm waits(g: graph, root: vertex) {
    output dist: int[g] = inf;
    dist[root] = 0;
    propagate u -> v from {root} { dist[v] min= dist[u] + v.degree; }
}
schedule waits { cpu { asynchronous; } }
""", encoding="utf-8")
    result = suite.run(suite.gcompile, "--emit=shared", "waits.gdsl")
    suite.expect(result.code == 2 and "a statement runs asynchronously, which a shared library cannot do yet" in result.err,
                 "an asynchronous statement", result)

# What the command line refuses.
if suite.target == "omp":
    for target, why in (("mpi", "the interface of a library is that of one process, and mpirun starts several"),
                        ("hybrid", "the results of a library stay on one side; each side can have a library of its own"),
                        ("gpus", "a library gives a result as one array, and each GPU holds a part of it")):
        suite.fails(target, 2, f"--emit=shared is for --target=omp, --target=cuda or --target=serial: {why}", suite.gcompile,
                    f"--target={target}", "--emit=shared", harness.ROOT / "examples" / "bfs.gdsl")
bfs = harness.ROOT / "examples" / "bfs.gdsl"
for options, message in (
        (["--emit=shared", "--threads=2"], "--threads and --emit=shared exclude each other: NAME_threads() sets the threads of "
         "a library"),
        (["--emit=shared", "--profile"], "--profile and --emit=shared exclude each other"),
        (["--emit=shared", "--vertex-bits=16"], "--vertex-bits is 32 or 64, not '16'"),
        (["--vertex-bits=32"], "--vertex-bits is for --emit=shared: other programs take both"),
        (["--emit=shared", "-o", "-"], "an executable, an object or a library cannot be written to standard output")):
    if suite.target != "omp" and "--threads=2" in options:
        continue
    suite.fails(" ".join(options), 2, message, suite.gcompile, f"--target={suite.target}", *options, bfs)
(suite.folder / "bad.gdsl").write_text("algorithm bad(g: graph) { output a: int[g] = b; }\n", encoding="utf-8")
result = suite.run(suite.gcompile, f"--target={suite.target}", "--emit=shared", "bad.gdsl", "-o", "libbad.so")
suite.expect(result.code == 1 and not (suite.folder / "libbad.so").exists() and not (suite.folder / "bad.h").exists(),
             "a program with an error", result)

# Several algorithms in one file: one is chosen, and gives the files their names.
(suite.folder / "two.gdsl").write_text("algorithm one(g: graph) { output n: long = count(v in g); }\n"
                                       "algorithm other(g: graph) { output n: long = 2 * count(v in g); }\n",
                                       encoding="utf-8")
suite.succeeds("two", suite.gcompile, f"--target={suite.target}", *COMPILER, "--emit=shared", "-O0", "--algorithm=other", "two.gdsl",
               "-o", "libtwo.so", timeout=300)
suite.expect((suite.folder / "other.h").exists() and not (suite.folder / "one.h").exists(), "the chosen algorithm")

# examples/embedding/c with its own Makefile.
if suite.target == "omp":
    example = suite.folder / "route"
    shutil.rmtree(example, ignore_errors=True)
    shutil.copytree(harness.ROOT / "examples" / "embedding" / "c", example)
    result = suite.succeeds("make", "make", "-C", example, f"GCOMPILE={suite.gcompile}", timeout=300)
    suite.expect("warning" not in result.out + result.err, "warnings of the example", result)
    for arguments, code, out, err in (
            (["places.el", "Altona", "Fuhlsbuettel"], 0, "Altona - Bahnhof - Eppendorf - Fuhlsbuettel: 34 minutes\n", ""),
            (["places.el", "Insel", "Dom"], 0, "Insel - Hafen - Dom: 20 minutes\n", ""),
            (["places.el", "Dom", "Dom"], 0, "Dom: 0 minutes\n", ""),
            (["places.el", "Dom", "Quelle"], 0, "no way leads from Dom to Quelle\n", ""),
            (["places.el", "Dom", "Rom"], 1, "", "route: the graph has no vertex 'Rom'\n"),
            (["places.el", "Rom", "Dom"], 1, "", "route: start: the graph has no vertex 'Rom'\n")):
        result = suite.run(example / "route", *arguments, cwd=example)
        suite.expect((result.code, result.out, result.err) == (code, out, err), "the example", result)
suite.finish()
