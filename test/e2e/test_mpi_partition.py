"""Which rank owns which vertices: by blocks, as Scotch divides them, or as a file says. Results are those of one machine, in
its ids and order; the cut, the balance and the copies are those of an oracle; what is wrong is said once.

usage: test_mpi_partition.py --build DIR (results | cut | wrong | ranks)"""

import json
import random

import harness
from ranks import ENVIRONMENT, KARATE, QUICK, build, fails, mpirun, run, same, suite, write

# Libraries that are not found: those whose names have the text of HIDE, on the rank HIDE_RANK or on all. In place of
# PT-Scotch, the library INSTEAD.
LIBRARIES = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
void *dlopen(const char *name, int flags) {
  void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  const char *hide = getenv("HIDE"), *on = getenv("HIDE_RANK"), *rank = getenv("OMPI_COMM_WORLD_RANK");
  const char *instead = getenv("INSTEAD");
  if (name && hide && strstr(name, hide) && (!on || (rank && strcmp(on, rank) == 0)))
    return 0;
  return real(name && instead && strstr(name, "ptscotch") ? instead : name, flags);
}
"""
# PT-Scotch, which on rank 1 fails, when others wait for it or do not, or finds a part that there is not, or takes long.
FAILING = """#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int SCOTCH_dgraphPart(void *graph, int parts, void *strategy, int *found) {
  const char *how = getenv("FAIL");
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(how, "slow") == 0) {
    sleep(rank == 1 ? 4 : 0);
    return 0;
  }
  if (rank == 1 && strcmp(how, "part") != 0)
    return 1;
  if (strcmp(how, "alone") == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1)
    found[0] = parts;
  return 0;
}
"""
EXAMPLES = harness.ROOT / "examples"


def shared_library(name, source, *options, compiler="cc"):
    text, library = suite.folder / f"{name}.c", suite.folder / f"{name}.so"
    text.write_text(source)
    suite.succeeds(f"{name} compiles", compiler, "-shared", "-fPIC", text, "-o", library, *options)
    return library


def libraries(**settings):
    """The begin of a command that finds other libraries."""
    return ["env", f"LD_PRELOAD={shared_library('libraries', LIBRARIES, '-ldl')}", *(f"{key}={value}" for key, value in settings.items())]


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
    one_rank = libraries(HIDE="ptscotch")
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
                for source, way, by, start in ((graph, "scotch", "ptscotch" if ranks > 1 else "scotch", ()), (graph, "scotch", "scotch", one_rank),
                                               (graph, parts, parts, ()), (converted, parts, parts, ())):
                    what = f"{name} {source.name} on {ranks} ranks by {by}"
                    found.unlink(missing_ok=True)
                    result = mpirun(ranks, *start, program, source, *given, "--verify", f"--partition={way}", f"--output={output}={found}")
                    suite.expect(result.code == 0 and result.err == "" and result.out.count(f"partition by {by} into {ranks} ") == 1,
                                 what, result)
                    suite.expect(same(one.read_text(), found.read_text()), f"{what}: the same {output}")
    # Graphs without edges and without vertices: PT-Scotch is asked where there is something to divide.
    bare = suite.folder / "bare.mtx"
    bare.write_text("%%MatrixMarket matrix coordinate pattern general\n5 5 0\n")
    for graph, by in ((bare, "ptscotch"), ("uniform:vertices=0", "scotch")):
        suite.succeeds(f"{graph} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, EXAMPLES / "pagerank.gdsl", graph,
                       "--quiet", f"--output=rank={one}")
        for ranks in (2, 8):
            result = mpirun(ranks, suite.folder / "partition-pagerank", graph, "--partition=scotch", f"--output=rank={found}")
            suite.expect(result.code == 0 and result.err == "" and f"partition by {by} into {ranks} " in result.out,
                         f"{graph} on {ranks} ranks", result)
            suite.expect(same(one.read_text(), found.read_text()), f"{graph} on {ranks} ranks: the same ranks of pages")


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
    for ranks, way, by, start in ((4, "blocks", "blocks", ()), *[(4, "scotch", "scotch", libraries(HIDE="ptscotch"))] * 2,
                                  *[(ranks, "scotch", "ptscotch", ()) for ranks in (2, 3, 4, 8) for _ in range(2)]):
        result = mpirun(ranks, *start, pagerank, grid, "--undirected", f"--partition={way}", f"--report={file}", "--rounds=3", "--quiet")
        suite.expect(result.code == 0, f"a grid by {by}", result)
        told.setdefault((by, ranks), []).append(json.loads(file.read_text())["partition"])
        suite.expect(told[by, ranks][-1]["by"] == by, f"it is told that {by} was used", told)
    # Four squares cut two lines of 60 edges; a random order cuts three quarters of all edges.
    suite.expect(told["blocks", 4][0]["cut"] > 0.7, "blocks cut most edges", told)
    for (by, ranks), reports in told.items():
        if by != "blocks":
            what = f"{by} on {ranks} ranks"
            suite.expect(reports[0]["cut"] < (0.02 if ranks < 4 else 0.03 if ranks == 4 else 0.05), f"{what} cuts few edges of a grid", told)
            suite.expect(reports[0]["balance"] < 1.06 and reports[0] == reports[1], f"{what}: the same each time", told)


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
    given = [program, KARATE, "--root=1", "--partition=scotch"]
    fails("Scotch is missing", 2, 2, "--partition=scotch: Scotch is not installed", *libraries(HIDE="scotch"), *given)
    # One rank has no PT-Scotch.
    result = mpirun(3, *libraries(HIDE="ptscotch", HIDE_RANK=2), *given)
    suite.expect(result.code == 0 and "partition by scotch into 3" in result.out, "Scotch where a rank has no PT-Scotch", result)
    failing = shared_library("failing", FAILING, "-Wl,--no-as-needed", "-l:libptscotch-7.0.so", compiler="mpicc")
    for how, where in (("together", ""), ("alone", " (on rank 1 of 3)"), ("part", "")):
        fails(f"PT-Scotch fails: {how}", 3, 2, f"--partition=scotch: PT-Scotch could not divide the graph{where}",
              *libraries(INSTEAD=failing, FAIL=how), *given)
    result = mpirun(3, *libraries(INSTEAD=failing, FAIL="slow"), *given, "--stall-timeout=1")
    suite.expect(result.code == 0 and "partition by ptscotch into 3" in result.out, "ranks wait for PT-Scotch without a limit", result)
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
