"""gcompile itself: what it writes, what it leaves alone, its cache, its messages and its exit codes."""

import json
import re
import shutil
import zlib

import harness

suite = harness.Suite("driver")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
EXAMPLES = harness.ROOT / "examples"
KARATE = EXAMPLES / "data" / "karate.el"
BFS = EXAMPLES / "bfs.gdsl"
gcompile = suite.gcompile

TWO_ALGORITHMS = """
algorithm first(g: graph) { output degree: int[g] = v.degree; }
algorithm second(g: graph) { output degree: int[g] = v.out_degree; }
"""
UNUSED = "algorithm warned(g: graph) { let unused = 1; output degree: int[g] = v.degree; }\n"
BAD = """algorithm bad(g: graph) {
    output depth: int[g] = 0;
    for v in g { dept[v] = 1; }
    for v in g { depth[v] = 1.5; }
}
"""

HOST = """#include "bfs.hpp"

#include <cstdio>
#include <cstring>

int main(int, char **argv) {
  const gc::ProgramInfo info = bfs_info();
  gc::LoadOptions options;
  options.user = gc::Directedness::undirected;
  options.in_edges = info.needs_in_edges;
  const gc::LoadedGraph graph = gc::load_graph(argv[1], options);
  const gc::Arguments arguments(info.parameters, {{"root", "1"}}, graph);
  Bfs<std::uint32_t> bfs(graph.view<std::uint32_t>(), arguments);
  bfs.run();
  bfs.outputs([&](const char *name, const auto &values) {
    if (std::strcmp(name, "depth") == 0)
      std::printf("depth of vertex 17: %d\\n", static_cast<int>(values[*graph.ids().find(17)]));
  });
}
"""


def write(name, text):
    path = suite.folder / name
    path.write_text(text)
    return path


def files():
    return sorted(path.name for path in suite.folder.iterdir())


def test_kinds_of_output():
    for emit, name, part in [("source", "bfs.cpp", "int main("), ("ast", "bfs.ast", "bfs"),
                             ("graph-ir", "bfs.graph.mlir", "graph.algorithm"),
                             ("exec-ir", "bfs.exec.mlir", "exec."), ("library", "bfs.hpp", "class Bfs")]:
        suite.succeeds(f"--emit={emit}", gcompile, f"--emit={emit}", BFS)
        path = suite.folder / name
        suite.expect(path.exists() and part in path.read_text(), f"--emit={emit} writes {name} with '{part}'")
        out = suite.succeeds(f"--emit={emit} -o -", gcompile, f"--emit={emit}", BFS, "-o", "-").out
        suite.expect(path.exists() and out == path.read_text(), f"--emit={emit}: the same text on standard output")
        path.unlink(missing_ok=True)
    out = suite.succeeds("--explain", gcompile, "--explain", BFS).out
    suite.expect(out.startswith("bfs.gdsl: algorithm bfs") and files() == [], "--explain writes to standard output", out)
    page = (harness.ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    suite.expect(f"```text\n{out}```" in page, "docs/explain.md shows what --explain says", out)
    suite.succeeds("--explain=json -o", gcompile, "--explain=json", BFS, "-o", "bfs.json")
    suite.expect(json.loads((suite.folder / "bfs.json").read_text())["file"] == "bfs.gdsl", "--explain=json writes a file")
    (suite.folder / "bfs.json").unlink(missing_ok=True)
    suite.expect("main(" not in suite.run(gcompile, "--emit=library", BFS, "-o", "-").out, "a library has no main")
    suite.succeeds("--emit=object", gcompile, "--emit=object", "-O", "0", BFS)
    suite.expect((suite.folder / "bfs.o").exists(), "--emit=object writes bfs.o")
    (suite.folder / "bfs.o").unlink(missing_ok=True)


def test_executable():
    result = suite.succeeds("compile", gcompile, "-v", "-O1", "--keep", BFS)
    suite.expect("g++ -O1 " in result.err and "-fopenmp" in result.err, "-v shows the compiler's command", result)
    suite.expect(files() == ["bfs", "bfs.cpp"], f"bfs and bfs.cpp are written: {files()}")
    suite.succeeds("run", "./bfs", KARATE, "--root=1", "--quiet", "--verify")
    before = [(suite.folder / name).stat().st_mtime_ns for name in files()]
    result = suite.succeeds("compile again", gcompile, "-O1", "--keep", BFS)
    suite.expect(result.out + result.err == "", "nothing is printed", result)
    suite.expect(before == [(suite.folder / name).stat().st_mtime_ns for name in files()],
                 "files that would not change are not written")
    for name in files():
        (suite.folder / name).unlink(missing_ok=True)


def test_byte_stable():
    elsewhere = suite.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(BFS, elsewhere)
    for emit in ("source", "exec-ir"):
        first = suite.run(gcompile, f"--emit={emit}", BFS, "-o", "-").out
        second = suite.run(gcompile, f"--emit={emit}", BFS, "-o", "-").out
        other = suite.run(gcompile, f"--emit={emit}", "bfs.gdsl", "-o", "-", cwd=elsewhere).out
        suite.expect(first == second, f"--emit={emit} is the same twice")
        suite.expect(first == other, f"--emit={emit} is the same from another folder")
        suite.expect(str(harness.ROOT) not in first, f"--emit={emit} names no absolute path")
    shutil.rmtree(elsewhere)


def test_depfile():
    suite.succeeds("--MF", gcompile, "--emit=source", BFS, "--MF", "bfs.d", "--MT", "gen/my bfs.cpp")
    text = (suite.folder / "bfs.d").read_text()
    suite.expect(text.startswith("gen/my\\ bfs.cpp:") and str(BFS) in text, "the depfile", text)
    suite.succeeds("--MF for an executable", gcompile, "-O0", BFS, "--MF", "bfs.d")
    text = (suite.folder / "bfs.d").read_text()
    suite.expect(text.startswith("bfs:") and "program.h" in text and "libgcompile_runtime.a" in text,
                 "an executable depends on the runtime", text)
    for name in files():
        (suite.folder / name).unlink(missing_ok=True)


def test_library():
    suite.succeeds("--emit=library", gcompile, "--emit=library", BFS)
    write("host.cpp", HOST)
    suite.succeeds("compile a host program", "g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-isystem",
                   suite.build / "include", "host.cpp", suite.build / "lib" / "libgcompile_runtime.a", "-lz", "-lzstd",
                   "-llzma", "-o", "host")
    result = suite.succeeds("run it", "./host", KARATE)
    suite.expect(result.out == "depth of vertex 17: 2\n", "the host program reads the result", result)
    for name in files():
        (suite.folder / name).unlink(missing_ok=True)


def test_threads():
    suite.succeeds("--threads", gcompile, "-O0", "--threads=3", BFS)
    suite.succeeds("run it", "./bfs", KARATE, "--root=1", "--quiet", "--report=report.json")
    report = json.loads((suite.folder / "report.json").read_text())
    suite.expect(report.get("threads") == 3, "the program uses three threads by default", report)
    for name in files():
        (suite.folder / name).unlink(missing_ok=True)


def test_serial():
    environment = {"XDG_CACHE_HOME": str(suite.folder / "serial-cache")}
    run = [gcompile, "run", "-O0", "--target=serial"]
    result = suite.succeeds("run for one thread", *run, BFS, KARATE, "--root=1", "--verify", "--report=report.json",
                            env=environment, timeout=200)
    suite.expect("interpreter" in result.out, "the interpreter checks it", result)
    report = json.loads((suite.folder / "report.json").read_text())
    suite.expect(report.get("threads") == 1, "the program has one thread", report)
    suite.succeeds("one thread", *run, BFS, KARATE, "--root=1", "--threads=1", env=environment, timeout=200)
    suite.fails("two threads", 2, "--threads: this program was compiled for one thread", *run, BFS, KARATE, "--root=1",
                "--threads=2", env=environment, timeout=200)
    result = suite.succeeds("a profile", *run, "--profile", BFS, KARATE, "--root=1", env=environment, timeout=200)
    suite.expect("propagate" in result.out + result.err, "the profile names the kernels", result)
    shutil.rmtree(suite.folder / "serial-cache")
    for name in files():
        (suite.folder / name).unlink(missing_ok=True)


def test_verify_by_interpreter():
    cache = suite.folder / "verify-cache"
    environment = {"XDG_CACHE_HOME": str(cache)}
    key = write("key.gdsl", """algorithm key(g: graph, root: vertex) {
    output parent: vertex[g] = none;
    output depth: int[g] = inf;
    depth[root] = 0;
    propagate u -> v from {root} round r where depth[v] == inf { depth[v] = r; parent[v] = u; }
}
""")
    run = [gcompile, "run", "-O1"]
    both = ["verified: 2 outputs agree with the serial execution", "verified: 2 outputs agree with the interpreter"]
    result = suite.succeeds("verify", *run, BFS, KARATE, "--root=1", "--verify", "--output", "depth=-", env=environment)
    suite.expect(all(line in result.out for line in both) and "34 2\n" in result.out, "both comparisons are named", result)
    # Who wins is not the serial form's to say, but the interpreter is told by the results.
    graph = "kronecker:scale=10,degree=8,seed=3"
    result = suite.succeeds("claims", *run, key, graph, "--root=1", "--threads=4", "--verify", env=environment)
    suite.expect("not compared: parent" in result.err and both[1] in result.out, "claims are compared", result)
    result = suite.succeeds("a large graph", *run, key, "grid:400x400", "--root=1", "--verify", env=environment)
    suite.expect("not compared with the interpreter: the graph is large" in result.err and both[1] not in result.out,
                 "a large graph is not interpreted unasked", result)
    result = suite.succeeds("a large graph, asked", *run, key, "grid:400x400", "--root=1", "--verify=interpreter",
                            env=environment)
    suite.expect(both[1] in result.out, "a large graph is interpreted", result)

    # Each type and shape of result, under a layout that numbers the vertices otherwise, and with ids that are words.
    text = """algorithm kinds(g: graph<weight: int>, root: vertex) {
    output score: float[g] = 1;
    output heavy: bool[g.edges] = e.weight > 4;
    output both: double[g.edges] = 0;
    output pairs: long[g, g] = inf;
    output best: (double, vertex)[g] = (0.5, root);
    output first: vertex = none;
    repeat 5 { for v in g { score[v] = 0.15 + 0.85 * sum(u -> v : score[u] / u.out_degree); } }
    for e: u -> v { both[e] = score[u] + score[v]; pairs[u, v] min= e.weight; }
    first = root;
}
schedule kinds { layout { vertices by ORDER; } }
"""
    write("words.el", "alice bob 3\nbob carl 2\ncarl alice 7\ncarl alice 5\ndora carl 1\nbob bob 9\n")
    for order, extra in (("degree", "--vertex-bits=32"), ("degree", "--vertex-bits=64"), ("bfs", "--vertex-bits=32")):
        kinds = write("kinds.gdsl", text.replace("ORDER", order))
        result = suite.succeeds(f"results of all kinds by {order} {extra}", *run, kinds, "words.el", "--ids=text", "--root=carl",
                                "--duplicates=keep", "--verify", extra, env=environment)
        suite.expect("verified: 6 outputs agree with the interpreter" in result.out, "all kinds are compared", result)
    (suite.folder / "words.el").unlink()
    kinds.unlink()

    # Executables that agree with themselves and not with the language.
    def forged(what, place, old, new, found=", the interpreter has "):
        text = key.read_text()
        executable = next(path for path in cache.rglob("key") if path.is_file())
        right = executable.read_bytes()
        write("forged.gdsl", text.replace(old, new))
        suite.succeeds(f"compile {what}", gcompile, "-O1", "forged.gdsl", "-o", executable)
        note, forgery = executable.with_name("key.sum"), executable.read_bytes()
        whole = note.read_text()
        note.write_text(f"{len(forgery)} {zlib.crc32(forgery):08x}\n")
        result = suite.run(*run, key, graph, "--root=1", "--verify", "--quiet", env=environment)
        suite.expect(result.code == 1 and f"error: verification failed: {place}" in result.err
                     and re.search(found, result.err), f"{what} is noticed", result)
        executable.write_bytes(right)
        note.write_text(whole)
        (suite.folder / "forged.gdsl").unlink()

    forged("a wrong depth", "depth of ", "depth[v] = r;", "depth[v] = r + 1;")
    forged("a parent that is none", "parent of ", "parent[v] = u; }",
           "parent[v] = u; } for v in g where parent[v] != none { parent[v] = v; }")
    forged("a vertex that is found too late", "depth of ", "depth[v] == inf", "depth[v] == inf && (r > 2 || v.degree % 3 > 0)",
           r"depth of \d+: 3, but the claim was due in round 2, with another value")
    shutil.rmtree(cache)
    key.unlink(missing_ok=True)


def test_several_algorithms():
    path = write("two.gdsl", TWO_ALGORITHMS)
    suite.fails("no choice", 2, "two.gdsl: has several algorithms: choose one with --algorithm=first, second", gcompile,
                path.name)
    suite.fails("wrong choice", 2, "two.gdsl: has no algorithm 'third', only first, second", gcompile, path.name,
                "--algorithm=third")
    for name, member in (("first", "g.degree"), ("second", "out_degree")):
        out = suite.succeeds(name, gcompile, path.name, f"--algorithm={name}", "--emit=source", "-o", "-").out
        suite.expect(f"class {name.capitalize()}" in out, f"the algorithm {name} is compiled", out)
    suite.expect(files() == ["two.gdsl"], f"nothing else is written: {files()}")
    path.unlink(missing_ok=True)


def test_diagnostics():
    bad, warned = write("bad.gdsl", BAD), write("warned.gdsl", UNUSED)
    result = suite.run(gcompile, bad.name)
    suite.expect(result.code == 1 and "bad.gdsl:3:18: error[E0201]" in result.err and "did you mean 'depth'" in result.err
                 and "bad.gdsl:4:" in result.err, "two errors with places and a suggestion", result)
    result = suite.run(gcompile, "--diagnostics=json", bad.name)
    found = [json.loads(line) for line in result.err.splitlines()]
    suite.expect(result.code == 1 and [entry["line"] for entry in found] == [3, 4], "the same as JSON", result)
    result = suite.run(gcompile, "check", warned.name)
    suite.expect(result.code == 0 and "warning[W0601]" in result.err, "a warning", result)
    result = suite.run(gcompile, "check", "-Werror", warned.name)
    suite.expect(result.code == 1 and "W0601" in result.err, "-Werror", result)
    result = suite.run(gcompile, "check", "-Wno-unused-let", warned.name)
    suite.expect(result.code == 0 and result.err == "", "-Wno-unused-let", result)
    suite.fails("an unknown warning", 2, "unknown option '-Wno-nonsense': there is no warning 'nonsense'", gcompile,
                "check", "-Wno-nonsense", warned.name)
    result = suite.run(gcompile, "check", *sorted(EXAMPLES.glob("*.gdsl")))
    suite.expect(result.code == 0 and result.out + result.err == "", "check of all examples is silent", result)
    result = suite.run(gcompile, "check", bad.name, warned.name)
    suite.expect(result.code == 1 and "bad.gdsl" in result.err and "warned.gdsl" in result.err, "check of several", result)
    suite.expect(files() == ["bad.gdsl", "warned.gdsl"], f"nothing is written: {files()}")
    bad.unlink(missing_ok=True)
    warned.unlink(missing_ok=True)


def test_help():
    result = suite.succeeds("--version", gcompile, "--version")
    suite.expect(result.out.startswith("gcompile 0."), "the version", result)
    result = suite.succeeds("--help", gcompile, "--help")
    suite.expect("--emit" in result.out and "gcompile run" in result.out, "the help", result)
    page = (harness.ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    codes = re.findall(r"^  (\d+) ", result.out, re.MULTILINE)
    suite.expect(codes == re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == ["0", "1", "2", "3", "70"],
                 "the help and docs/exit-codes.md list the same exit codes", result)


def test_convert():
    for extension in ("gcsr", "el"):
        target = suite.folder / f"karate.{extension}"
        suite.succeeds(f"convert to .{extension}", gcompile, "convert", KARATE, target, "--undirected", "--weights=1..9")
        result = suite.succeeds(f"read .{extension}", gcompile, "convert", target, "-", "--undirected")
        lines = result.out.splitlines()
        suite.expect(len(lines) == 78 and all(1 <= int(line.split()[2]) <= 9 for line in lines),
                     f"78 edges with weights come back from .{extension}", result)
        target.unlink(missing_ok=True)


for name, test in sorted(globals().items()):
    if name.startswith("test_") and (not suite.cases or name in suite.cases):
        try:
            test()
        except (OSError, ValueError) as error:  # what a failed command did not write
            suite.expect(False, name, repr(error))
# The interpreter's other order of iterations heeds who has won a claim.
suite.succeeds("an interpretation is verified", suite.gcompile, "interpret", harness.ROOT / "examples" / "bfs.gdsl",
               "kronecker:scale=5,degree=4", "--root=1", "--verify", "--quiet")
suite.finish()
