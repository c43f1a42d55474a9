"""Which rank owns which vertices: by blocks, as Scotch divides them, or as a file says. Results are those of one machine, in
its ids and order; the cut, the balance and the copies are those of an oracle; what is wrong is said once.

usage: test_mpi_partition.py --build DIR (results | cut | wrong | ranks)"""

import json
import random

import harness
from ranks import ENVIRONMENT, KARATE, QUICK, build, fails, mpirun, run, same, suite, write

NO_SCOTCH = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
void *dlopen(const char *name, int flags) {
  void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  return name && strstr(name, "scotch") ? 0 : real(name, flags);
}
"""
EXAMPLES = harness.ROOT / "examples"


def parts_file(name, ids, ranks, named, seed=1):
    """A file of random parts, in the order of the ids or with them, in any order."""
    rng = random.Random(seed)
    lines = [f"{v} {rng.randrange(ranks)}" if named else f"{rng.randrange(ranks)}" for v in ids]
    if named:
        rng.shuffle(lines)
    path = suite.folder / name
    path.write_text("# parts\n" + "".join(line + "\n" for line in lines))
    return path


def ids_of(graph):
    """The ids of the vertices of an edge list, ascending: integers as such, others as texts."""
    words = {word for line in graph.read_text().splitlines() if line and line[0] not in "#%" for word in line.split()[:2]}
    return sorted(words, key=int) if all(word.isdigit() for word in words) else sorted(words)


def results():
    """On 1, 2, 3, 4 and 8 ranks; real sums may be added in another order."""
    texts = write("texts.wel", [(f"v{u}", f"w{(u * 7 + k) % 20}", 1 + u % 5) for u in range(20) for k in (1, 5)])
    apart = write("apart.wel", [(3 * u, 3 * ((u * 7 + k) % 40 + 40 * (u // 40)), 1 + u % 5) for u in range(120) for k in (1, 5)])
    line = write("line.wel", [(0, 1, 2), (1, 2, 5)])  # fewer vertices than ranks
    cases = (("bfs", "root", "depth", []), ("sssp", "source", "dist", []), ("pagerank", "", "rank", ["--tolerance=0"]),
             ("kcore", "", "core", ["--undirected"]))
    for name, parameter, output, options in cases:
        program = build(EXAMPLES / f"{name}.gdsl", f"partition-{name}")
        for graph, vertex, counts in ((texts, "v4", (3,)), (apart, "6", (1, 2, 4)), (line, "0", (3, 8))):
            given = [*options, *([f"--{parameter}={vertex}"] if parameter else [])]
            one, found = suite.folder / "one", suite.folder / "found"
            suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, EXAMPLES / f"{name}.gdsl",
                           graph, "--quiet", *given, f"--output={output}={one}")
            converted = suite.folder / f"{graph.stem}.gcsr"
            suite.succeeds(f"{converted.name} is written", suite.gcompile, "convert", graph, converted)
            for ranks in counts:
                named = (ranks + len(name)) % 2 == 0
                parts = parts_file(f"{graph.stem}-{named}.parts", ids_of(graph), ranks, named)
                for source, way in ((graph, "scotch"), (graph, parts), (converted, parts)):
                    what = f"{name} {source.name} on {ranks} ranks by {way}"
                    found.unlink(missing_ok=True)
                    result = mpirun(ranks, program, source, *given, "--verify", f"--partition={way}", f"--output={output}={found}")
                    suite.expect(result.code == 0 and result.err == "" and result.out.count(f"partition by {way} into {ranks} ") == 1,
                                 what, result)
                    suite.expect(same(one.read_text(), found.read_text()), f"{what}: the same {output}")


def oracle(edges, directed_in, parts_of, ranks):
    """The cut arcs, copies and balance of a directed graph of these edges, where vertices have these parts."""
    out, into = {v: set() for v in parts_of}, {v: set() for v in parts_of}
    for u, v in edges:
        out[u].add(v)
        into[v].add(u)
    cut = sum(parts_of[u] != parts_of[v] for u in out for v in out[u])
    copies, work = 0, [0] * ranks
    for r in range(ranks):
        own = [v for v in parts_of if parts_of[v] == r]
        ends = {u for v in own for u in (out[v] | into[v] if directed_in else out[v])}
        copies += sum(parts_of[u] != r for u in ends)
        work[r] = sum(1 + len(out[v]) for v in own)
    return {"cut_arcs": cut, "copies": copies, "balance": max(work) * ranks / sum(work)}


def cut():
    """What is reported is what an oracle counts, in a run as in a plan; Scotch cuts a scrambled grid as it should."""
    pagerank = build(EXAMPLES / "pagerank.gdsl", "cut-pagerank")  # reads edges into vertices
    rng = random.Random(3)
    edges = sorted({(rng.randrange(50), rng.randrange(50)) for _ in range(150)} | {(v, (v + 1) % 50) for v in range(50)})
    graph = write("cut.el", edges)
    file = suite.folder / "cut.json"
    for ranks in (1, 3, 4):
        parts = parts_file("cut.parts", range(50), ranks, named=True)
        parts_of = {int(v): int(part) for v, part in (line.split() for line in parts.read_text().splitlines()[1:])}
        wanted = oracle(edges, True, parts_of, ranks)
        result = mpirun(ranks, pagerank, graph, "--directed", f"--partition={parts}", f"--report={file}", "--quiet")
        suite.expect(result.code == 0, f"a report on {ranks} ranks", result)
        told = json.loads(file.read_text())["partition"]
        suite.expect(told["by"] == str(parts) and all(abs(told[key] - wanted[key]) < 1e-9 for key in wanted), f"{told} {wanted}")
        suite.expect(abs(told["cut"] - told["cut_arcs"] / len(edges)) < 1e-9, "the part of the arcs that is cut", told)
        plan = suite.succeeds("a plan", pagerank, graph, "--directed", f"--plan={ranks}", f"--partition={parts}", f"--report={file}")
        suite.expect(json.loads(file.read_text())["partition"] == told and f"partition by {parts} into {ranks}" in plan.out,
                     f"a plan for {ranks} ranks tells the same", plan)

    side = 60
    names = list(range(side * side))
    rng.shuffle(names)
    at = lambda x, y: names[x * side + y]
    grid = write("grid.el", [(at(x, y), at(x + dx, y + dy)) for x in range(side) for y in range(side)
                             for dx, dy in ((0, 1), (1, 0)) if x + dx < side and y + dy < side])
    told = {}
    for way in ("blocks", "scotch", "scotch"):
        result = mpirun(4, pagerank, grid, "--undirected", f"--partition={way}", f"--report={file}", "--rounds=3", "--quiet")
        suite.expect(result.code == 0, f"a grid by {way}", result)
        told.setdefault(way, []).append(json.loads(file.read_text())["partition"])
    # Four squares cut two lines of 60 edges; a random order cuts three quarters of all edges.
    suite.expect(told["blocks"][0]["cut"] > 0.7 and told["scotch"][0]["cut"] < 0.03, "Scotch cuts few edges of a grid", told)
    suite.expect(told["scotch"][0]["balance"] < 1.06 and told["scotch"][0] == told["scotch"][1], "and the same each time", told)


def wrong():
    program = build(EXAMPLES / "bfs.gdsl", "wrong-bfs")
    path = suite.folder / "wrong.parts"
    ids = ids_of(KARATE)
    right = [f"{v} 0" for v in ids]
    for what, lines, message in (
            ("too few", ["0"] * 33, f"{path}: 33 parts, but the graph has 34 vertices"),
            ("too many", ["0"] * 35, f"{path}:35: a part too many: the graph has 34 vertices"),
            ("no part", ["0", "3", *["0"] * 32], f"{path}:2: there is no part 3: they are numbered from 0 to 2"),
            ("a negative part", ["-1"], f"{path}:1: there is no part -1"),
            ("a text", ["0", "first"], f"{path}:2: expected the number of a part, found 'first'"),
            ("half of a number", ["0.5"], f"{path}:1: expected the number of a part, found '0.5'"),
            ("two forms", ["# of all", "1 0", "2"], f"{path}:3: expected a vertex and its part"),
            ("two forms, the other way", ["0", "2 0"], f"{path}:2: expected a part alone"),
            ("three words", ["1 0 0"], f"{path}:1: expected the end of the line, found '0'"),
            ("no such vertex", ["99 0"], f"{path}:1: the graph has no vertex '99'"),
            ("a vertex twice", [*right, "1 1"], f"{path}:35: vertex 1 has a part already"),
            ("a vertex without", right[1:], f"{path}: vertex 1 has no part"),
            ("nothing", ["% nothing"], f"{path}: 0 parts, but the graph has 34 vertices")):
        path.write_text("".join(line + "\n" for line in lines))
        fails(what, 3, 2, message, program, KARATE, "--root=1", f"--partition={path}")
    fails("no such file", 3, 2, "nowhere.parts", program, KARATE, "--root=1", "--partition=nowhere.parts")
    components = build(EXAMPLES / "components.gdsl", "wrong-components")
    fails("numbers are compared", 3, 2, "--partition: vertices get other numbers where it is not 'blocks', and the result "
          "depends on their numbers: components.gdsl:10", components, KARATE, "--partition=scotch")
    suite.expect(mpirun(2, components, KARATE, "--partition=blocks").code == 0, "blocks are for all programs")
    # A machine without the library.
    source, shim = suite.folder / "no_scotch.c", suite.folder / "no_scotch.so"
    source.write_text(NO_SCOTCH)
    suite.succeeds("the shim compiles", "cc", "-shared", "-fPIC", source, "-o", shim, "-ldl")
    fails("Scotch is missing", 2, 2, "--partition=scotch: Scotch is not installed", "env", f"LD_PRELOAD={shim}", program, KARATE,
          "--root=1", "--partition=scotch")
    serial = suite.folder / "wrong-serial"
    suite.succeeds("a program of one process", suite.gcompile, "--target=serial", *QUICK, EXAMPLES / "bfs.gdsl", "-o", serial)
    suite.fails("one process", 2, "...--partition: this program runs in one process", serial, KARATE, "--root=1", "--partition=scotch")


def ranks():
    """`gcompile run --ranks` starts the ranks."""
    environment = {**ENVIRONMENT, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    bfs = EXAMPLES / "bfs.gdsl"
    found, one = suite.folder / "started", suite.folder / "alone"
    suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", *QUICK, bfs, KARATE, "--root=1", f"--output=depth={one}")
    file = suite.folder / "started.json"
    for count, more in ((3, []), (2, ["--verify"])):
        result = suite.run(suite.gcompile, "run", "--target=mpi", f"--ranks={count}", *QUICK, bfs, KARATE, "--root=1", *more,
                           "--partition=scotch", f"--report={file}", f"--output=depth={found}", env=environment, timeout=300)
        suite.expect(result.code == 0 and json.loads(file.read_text())["ranks"] == count, f"{count} ranks are started", result)
        suite.expect(one.read_text() == found.read_text(), "with the same result", result)
        suite.expect(not more or "verified" in result.out and "interpreter" in result.out, "and compared", result)
    suite.fails("ranks of one process", 2, "--ranks is for --target=mpi", suite.gcompile, "run", "--ranks=2", bfs, KARATE)
    suite.fails("no rank", 2, "--ranks needs a positive number, not '0'", suite.gcompile, "run", "--target=mpi", "--ranks=0", bfs, KARATE)


run({"results": results, "cut": cut, "wrong": wrong, "ranks": ranks})
