"""An installed gcompile, and the projects that use it: examples/embedding with CMake, Meson and make, and what
gcompile_programs() refuses. The C example with make is in test_shared.py, the Python one in test/python."""

import collections
import os
import shutil
import sys

import harness

suite = harness.Suite("embedding")
EXAMPLES = harness.ROOT / "examples" / "embedding"

# What is installed finds the rest from its own place, so it may be moved.
first, prefix = suite.folder / "first", suite.folder / "installed"
for folder in (first, prefix):
    shutil.rmtree(folder, ignore_errors=True)
suite.succeeds("install", "cmake", "--install", suite.build, "--prefix", first)
first.rename(prefix)
pkgconfig = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
left = suite.run("grep", "-rlF", str(first), prefix)
suite.expect(left.code == 1, "files that name the place of the installation", left)
result = suite.succeeds("the installed compiler", prefix / "bin" / "gcompile", "run", harness.ROOT / "examples" / "bfs.gdsl",
                        "grid:10x10", "--root=0", timeout=120)
suite.expect("depth: from 0 to 18" in result.out, "the installed compiler's program", result)
for name in ("man/man1/gcompile.1.gz", "bash-completion/completions/gcompile", "zsh/vendor-completions/_gcompile",
             "fish/vendor_completions.d/gcompile.fish", "doc/gcompile/examples/bfs.gdsl"):
    file = prefix / "share" / name
    suite.expect(file.is_file() and file.stat().st_size > 200, f"{file} is missing or short")


def copied(name):
    """A copy of an example, in which it is built."""
    folder = suite.folder / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(EXAMPLES / name, folder)
    return folder


def builds(what, *command, cwd, env=None, timeout=300):
    """Runs a build, which must give no warning."""
    result = suite.succeeds(what, *command, cwd=cwd, env=env, timeout=timeout)
    suite.expect("warning" not in result.out + result.err, f"{what}: warnings", result)
    return result


def configure(source, build, *options):
    return suite.succeeds(f"configure {source.name}", "cmake", "-S", source, "-B", build, "-G", "Ninja",
                          f"-DCMAKE_PREFIX_PATH={prefix}", *options)


# The ways out of a building, computed a second time.
def steps(rows, closed):
    found = {(r, c): 0 for r, row in enumerate(rows) for c, square in enumerate(row) if square == "E"}
    queue = collections.deque(found)
    while queue:
        r, c = queue.popleft()
        for at in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
            if at not in found and 0 <= at[0] < len(rows) and 0 <= at[1] < len(rows[0]) and rows[at[0]][at[1]] not in closed:
                found[at] = found[(r, c)] + 1
                queue.append(at)
    return found


def expected_ways(plan):
    rows = plan.read_text(encoding="utf-8").splitlines()
    before, after, lines = steps(rows, "#"), steps(rows, "#F"), []
    for r, row in enumerate(rows):
        for c, square in enumerate(row):
            if square == "o":
                way = "no way out" if (r, c) not in before else f"{before[r, c]} steps"
                if (r, c) in before and (r, c) not in after:
                    way += ", cut off by the fire"
                elif (r, c) in before and after[r, c] > before[r, c]:
                    way += f", {after[r, c]} around the fire"
                lines.append(f"row {r + 1}, column {c + 1}: {way}")
    return lines


cpp = copied("cpp")
(cpp / "shut.txt").write_text("#########\n#o  F  oE\n####F####\n#o#   o #\n#########\n", encoding="utf-8")


def tells_ways(what, program):
    for plan in (cpp / "floor.txt", cpp / "shut.txt"):
        result = suite.succeeds(f"{what}: {plan.name}", program, plan)
        suite.expect(result.out.splitlines() == expected_ways(plan), f"{what}: {plan.name}", result)
    result = suite.run(program, cpp / "absent.txt")
    suite.expect(result.code == 2 and result.err == f"evacuate: {cpp}/absent.txt: there is no plan of a floor\n",
                 f"{what}: no plan", result)


suite.expect(any("cut off" in line for line in expected_ways(cpp / "shut.txt")), "a plan with a fire in the way")
configure(cpp, cpp / "cmake", "-DCMAKE_BUILD_TYPE=Debug")
builds("CMake", "cmake", "--build", cpp / "cmake", cwd=cpp)
tells_ways("CMake", cpp / "cmake" / "evacuate")
again = suite.succeeds("nothing has changed", "cmake", "--build", cpp / "cmake")
suite.expect("no work to do" in again.out, "nothing is built again", again)
text = (cpp / "reach.gdsl").read_text(encoding="utf-8")
(cpp / "reach.gdsl").write_text(text.replace("hops[v] = r;", "hops[v] = r + 1;"), encoding="utf-8")
suite.succeeds("build a changed program", "cmake", "--build", cpp / "cmake", timeout=300)
result = suite.succeeds("a changed program", cpp / "cmake" / "evacuate", cpp / "floor.txt")
suite.expect("row 8, column 3: 5 steps" in result.out, "a changed program", result)
(cpp / "reach.gdsl").write_text(text, encoding="utf-8")
builds("make", "make", "CXXFLAGS=-O0 -Wall -Wextra -Werror", cwd=cpp, env=pkgconfig)
tells_ways("make", cpp / "evacuate")
if shutil.which("meson"):
    suite.succeeds("configure with Meson", "meson", "setup", "meson", "--buildtype=debug", cwd=cpp, env=pkgconfig)
    builds("Meson", "meson", "compile", "-C", "meson", cwd=cpp, env=pkgconfig)
    tells_ways("Meson", cpp / "meson" / "evacuate")
else:
    print("Meson is not installed: its build was not tried")

# A shared library in a project of C alone, and the serial runtime by pkg-config.
c = copied("c")
configure(c, c / "cmake")
builds("C with CMake", "cmake", "--build", c / "cmake", cwd=c)
result = suite.succeeds("C with CMake", c / "cmake" / "route", c / "places.el", "Altona", "Fuhlsbuettel")
suite.expect(result.out == "Altona - Bahnhof - Eppendorf - Fuhlsbuettel: 34 minutes\n", "C with CMake", result)
suite.succeeds("a serial header", prefix / "bin" / "gcompile", "--target=serial", "--emit=library", cpp / "reach.gdsl", "-o",
               suite.folder / "reach.h")
flags = suite.succeeds("pkg-config", "pkg-config", "--cflags", "--libs", "gcompile-serial", env=pkgconfig).out.split()
suite.expect("-fopenmp" not in flags and "-fwrapv" in flags, "no OpenMP for one thread", flags)
suite.succeeds("compile for one thread", "g++", "-std=c++17", "-I", suite.folder, cpp / "main.cpp", *flags, "-o",
               suite.folder / "serial", timeout=200)
tells_ways("one thread", suite.folder / "serial")

# The CUDA example: make, with the emulation in the place of nvcc, and CMake with nvcc.
cuda = copied("cuda")
(cuda / "nvcc").write_text(f"""#!{sys.executable}
import os, sys
sys.path[:0] = [{str(harness.ROOT / "test" / "cuda")!r}]
import emulated, pathlib
build = pathlib.Path({str(suite.build)!r})
given = [word.removeprefix("-Xcompiler=") for word in sys.argv[1:]]
given = [word for word in given if not word.startswith(("-arch", "--expt", "-std", "-O", "-f"))]
at = given.index("main.cu")
command = [*map(str, emulated.program_compiler(build)), *given[:at + 1], "-x", "none", *given[at + 1:],
           str(build / "lib" / "libcuda_emulation.a"), "-lboost_context", "-lz", "-lzstd", "-llzma"]
os.execvp(command[0], command)
""", encoding="utf-8")
(cuda / "nvcc").chmod(0o755)
builds("CUDA with make", "make", "NVCC=./nvcc", cwd=cuda, env=pkgconfig)


def ranks(file, damping=0.85, rounds=50):
    links = [tuple(line.split()) for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    links = sorted(set(links))
    pages = sorted({page for link in links for page in link})
    out = collections.Counter(source for source, _ in links)
    share = {page: 1 / len(pages) for page in pages}
    for _ in range(rounds):
        lost = sum(share[page] for page in pages if not out[page]) / len(pages)
        handed = collections.Counter()
        for source, target in links:
            handed[target] += share[source] / out[source]
        share = {page: (1 - damping) / len(pages) + damping * (lost + handed[page]) for page in pages}
    return sorted(share.items(), key=lambda item: -item[1])


result = suite.succeeds("the ranks", cuda / "rank", cuda / "pages.el", 4)
expected = [f"{place}. {page} {share:.4f}" for place, (page, share) in enumerate(ranks(cuda / "pages.el")[:4], 1)]
suite.expect(result.out.splitlines() == expected, "the ranks", f"{result}\n{expected}")
nvcc = next((path for path in (os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc")
             if path and shutil.which(path)), None)
if nvcc:
    configure(cuda, cuda / "cmake", f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=90", "-DCMAKE_BUILD_TYPE=Debug")
    builds("CUDA with CMake", "cmake", "--build", cuda / "cmake", cwd=cuda)
    suite.expect((cuda / "cmake" / "rank").is_file(), "CUDA with CMake")
else:
    print("nvcc is not installed: the CUDA example was not compiled by it")

# In another project, by add_subdirectory: with all of the compiler, and with one that exists.
outer = suite.folder / "outer"
shutil.rmtree(outer, ignore_errors=True)
outer.mkdir()
(outer / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(outer LANGUAGES C CXX)
set(CMAKE_CXX_STANDARD 17)
add_subdirectory({harness.ROOT} gcompile EXCLUDE_FROM_ALL)
add_executable(evacuate {EXAMPLES}/cpp/main.cpp)
gcompile_programs(evacuate {EXAMPLES}/cpp/reach.gdsl)
add_executable(route {EXAMPLES}/c/main.c)
gcompile_programs(route {EXAMPLES}/c/route.gdsl SHARED TARGET serial)
""", encoding="utf-8")
for name, options in (("whole", []), ("runtime", [f"-DGCOMPILE_COMPILER={prefix}/bin/gcompile"])):
    build = outer / name
    suite.succeeds(f"add_subdirectory: {name}", "cmake", "-S", outer, "-B", build, "-G", "Ninja", *options)
    result = suite.succeeds(f"{name}: inputs", "ninja", "-C", build, "-t", "inputs", "evacuate", timeout=100)
    built = [line for line in result.out.splitlines() if line.endswith(("bin/gcompile", ".a")) and line.startswith("gcompile/")]
    suite.expect(built == ["gcompile/lib/libgcompile_runtime.a"] if name == "runtime" else
                 {"gcompile/bin/gcompile", "gcompile/lib/libgcompile_runtime.a"} <= set(built), f"{name}: what is built", built)
    result = suite.succeeds(f"{name}: tests", "ctest", "--test-dir", build, "-N")
    suite.expect("Total Tests: 0" in result.out, f"{name}: no tests of gcompile", result)
builds("add_subdirectory", "cmake", "--build", outer / "runtime", "--target", "route", cwd=outer)
result = suite.succeeds("add_subdirectory: run", outer / "runtime" / "route", EXAMPLES / "c" / "places.el", "Insel", "Dom")
suite.expect(result.out == "Insel - Hafen - Dom: 20 minutes\n", "add_subdirectory: run", result)

# What gcompile_programs() refuses.
wrong = suite.folder / "wrong"
shutil.rmtree(wrong, ignore_errors=True)
wrong.mkdir()
(wrong / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES NONE)
add_custom_target(app)
include(${MODULE})
string(REPLACE "," ";" words "${WORDS}")
gcompile_programs(${words})
""", encoding="utf-8")
module = prefix / "lib" / "cmake" / "gcompile" / "GcompilePrograms.cmake"
for words, message in (("absent,a.gdsl", "there is no target 'absent'"),
                       ("app", "no program is given"),
                       ("app,a.gdsl,HEADER,SHARED", "HEADER and SHARED exclude each other"),
                       ("app,a.gdsl,TARGET,gpu", "TARGET is omp, serial or cuda, not 'gpu'"),
                       ("app,a.gdsl,TARGET,cuda", "for cuda the project needs the language CUDA"),
                       ("app,a.gdsl", "the compiler is not installed, only its runtime")):
    result = suite.run("cmake", "-S", wrong, "-B", wrong / "build", f"-DMODULE={module}", f"-DWORDS={words}")
    suite.expect(result.code != 0 and message in " ".join(result.err.split()), f"gcompile_programs({words})", result)
suite.finish()
