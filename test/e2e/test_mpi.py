"""Programs for several machines: on 1, 2, 3, 4, 5 and 8 ranks they give what one machine gives, on graphs with fewer
vertices than ranks too; a rank keeps its part of the graph; an error is said once.

usage: test_mpi.py --build DIR (bfs | sssp | bottleneck | components | pagerank | kcore | pulls | parts | segments |
errors)"""

import functools
import json
import re

import harness
from ranks import KARATE, QUICK, build, fails, mpirun, routes, run, same, suite, threads, write

# The program, its parameters, the outputs that are one, whichever machine computes them, and further options.
PROGRAMS = {
    "bfs": ("root", ["depth"], []),
    "sssp": ("source", ["dist"], []),
    "bottleneck": ("source", ["width"], []),
    "components": ("", ["label"], []),
    "pagerank": ("", ["rank"], ["--tolerance=0"]),
    "kcore": ("", ["core"], ["--undirected"]),
}
# Each reads at the other ends of edges what its rounds change.
PULLS = """
algorithm reached(g: graph, root: vertex) {
    output parent: vertex[g] = none;
    output far: int[g] = 0;
    parent[root] = root;
    propagate u -> v from {root} where parent[v] == none { parent[v] = u; far[v] = far[u] + 2; }
}
algorithm hops(g: graph, root: vertex) {
    output far: long[g] = inf;
    far[root] = 0;
    propagate u -> v from {root} { far[v] min= far[u] + 1; }
}
algorithm against(g: graph, root: vertex) {
    output far: int[g] = inf;
    far[root] = 0;
    propagate u -> v into {root} { far[u] min= far[v] + 1; }
}
algorithm labels(g: graph) {
    output far: vertex[g] = self;
    propagate u -- v from g { far[v] min= far[u]; }
}
algorithm rounds(g: graph, root: vertex) {
    output far: int[g] = inf;
    far[root] = 0;
    propagate u -> v from {root} round r { far[v] min= far[u] + (u.out_degree + r) % 3; } until r >= 4;
}
"""


def compare(name):
    parameter, outputs, options = PROGRAMS[name]
    program = build(harness.ROOT / "examples" / f"{name}.gdsl", name)
    alone = harness.ROOT / "examples" / f"{name}.gdsl"
    weighted = name in ("sssp", "bottleneck")
    weights = ",weights=1..20" if weighted else ""
    line = write(f"{name}-line.wel", [(v, v + 1, 3) for v in (0, 1)])
    apart = write(f"{name}-apart.wel", [(u, (u * 7 + k) % 40 + 40 * (u // 40), 1 + u % 5) for u in range(120) for k in (1, 5)])
    graphs = [(line, "0", (3, 8)), (apart, "2", (1, 2, 5)), (f"kronecker:scale=9,degree=6{weights}", "5", (2, 3, 4, 5, 8))]
    if not weighted:
        graphs.append((KARATE, "1", (4,)))
    for graph, vertex, counts in graphs:
        given = [*options, *([f"--{parameter}={vertex}"] if parameter else [])]
        files = [suite.folder / f"{name}-{output}.{kind}" for kind in ("one", "parts") for output in outputs]
        one, parts = files[: len(outputs)], files[len(outputs) :]
        suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, alone, graph, "--quiet",
                       *given, *[f"--output={output}={file}" for output, file in zip(outputs, one)])
        for ranks in counts:
            shared = threads(ranks)
            way = routes()
            what = f"{name} {graph} on {ranks} ranks with {shared} {way}"
            for file in parts:
                file.unlink(missing_ok=True)
            report = suite.folder / f"{name}.json"
            result = mpirun(ranks, program, graph, *given, shared, way, "--trials=2", "--verify", f"--report={report}",
                            *[f"--output={output}={file}" for output, file in zip(outputs, parts)])
            if not suite.expect(result.code == 0 and result.err == "", what, result):
                continue
            suite.expect(result.out.count("loaded in") == 1 and "verified" in result.out, f"{what}: says it once", result)
            for wanted, found in zip(one, parts):
                suite.expect(same(wanted.read_text(), found.read_text()), f"{what}: the same {wanted.stem}")
            told = json.loads(report.read_text())
            suite.expect(told["ranks"] == ranks and f"--threads={told['threads']}" == shared,
                         f"{what}: the report tells the ranks and their threads", told)
            suite.expect(told["routes"].startswith(way.removeprefix("--routes=")), f"{what}: and the routes", told)


def pulls():
    """Rounds that pull what changes: along edges, against them and both ways; as of the round's beginning, and the newest."""
    source = suite.folder / "pulls.gdsl"
    source.write_text(PULLS)
    edges = [(u, (u * 7 + k) % 300 + 300 * (u // 300)) for u in range(900) for k in (1, 5, 80)]
    graphs = [(write("pulls.el", edges), "500"), (write("pulls-line.el", [(0, 1), (1, 2)]), "1"),
              ("kronecker:scale=10,degree=12", "3")]
    for name in re.findall(r"algorithm (\w+)", PULLS):
        program = build(source, f"pulls-{name}", f"--algorithm={name}", *QUICK)
        text = suite.run(suite.gcompile, "--target=mpi", "--emit=source", "-o", "-", source, f"--algorithm={name}").out
        suite.expect(bool(re.search(r"frontier_\.pulls(_by_work)?\(([\d.]+, )+[a-z]", text)), f"{name}: values are given before a pull")
        for graph, root in graphs:
            for direction in ("--directed", "--undirected"):
                given = [direction] if name == "labels" else [direction, f"--root={root}"]
                one, found = suite.folder / "pulls-one", suite.folder / "pulls-found"
                suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK,
                               f"--algorithm={name}", source, graph, *given, "--quiet", f"--output=far={one}")
                for ranks in (1, 3, 4):
                    shared = threads(ranks)
                    way = routes()
                    what = f"{name} {graph} {direction} on {ranks} ranks with {shared} {way}"
                    found.unlink(missing_ok=True)
                    result = mpirun(ranks, program, graph, *given, shared, way, "--trials=2", "--verify", "--quiet",
                                    f"--output=far={found}")
                    suite.expect(result.code == 0 and result.err == "" and one.read_text() == found.read_text(), what, result)


def parts():
    """A rank keeps the arcs of its block, whichever way the graph comes; what is said of the whole stays as it is."""
    def converted(name, graph, *options):
        path = suite.folder / name
        suite.succeeds(f"{name} is written", suite.gcompile, "convert", *options, graph, path)
        return path

    def reported(what, program, *given, ranks=4):
        report = suite.folder / "parts.json"
        result = mpirun(ranks, program, *given, f"--report={report}")
        suite.expect(result.code == 0, what, result)
        return json.loads(report.read_text()), result

    examples = harness.ROOT / "examples"
    bfs, pagerank = build(examples / "bfs.gdsl", "parts-bfs"), build(examples / "pagerank.gdsl", "parts-pagerank")
    large = converted("large.gcsr", "kronecker:scale=18,degree=16")
    for program, given in ((bfs, ["--root=1", "--quiet"]), (pagerank, ["--rounds=2", "--quiet"])):
        one, four = (reported(f"{program.name} on {n} ranks", program, large, *given, ranks=n)[0] for n in (1, 4))
        peaks = [report["rank_peak_bytes"] for report in (one, four)]
        suite.expect(peaks[1] <= 0.55 * peaks[0], f"{program.name}: a rank of 4 has {peaks[1]} bytes, one alone {peaks[0]}")
        offsets = 8 * (one["vertices"] + 1) # the graph is undirected: both arcs of an edge are in one array
        arcs = [report["graph_bytes"] - offsets for report in (one, four)]
        suite.expect(arcs[0] == 8 * one["edges"] and 0.25 * arcs[0] <= arcs[1] <= 0.3 * arcs[0],
                     f"{program.name}: of {one['edges']} arcs a rank of 4 has {arcs[1]} bytes, one alone {arcs[0]}")

    # Edges into vertices, of a file with them and of one without; the rate goes by what the root reaches.
    edges = write("arcs.el", [(u, (u * 7 + k) % 300 + 300 * (u // 300)) for u in range(900) for k in (1, 5, 80)])
    files = [edges, converted("arcs.gcsr", edges), converted("arcs-in.gcsr", edges, "--in-edges")]
    wanted = suite.folder / "parts-one"
    suite.succeeds("pagerank on one machine", suite.gcompile, "run", "--target=serial", *QUICK, examples / "pagerank.gdsl",
                   edges, f"--output=rank={wanted}")
    for graph in files:
        found = suite.folder / "parts-found"
        result = mpirun(3, pagerank, graph, f"--output=rank={found}")
        suite.expect(result.code == 0 and same(wanted.read_text(), found.read_text()), f"pagerank of {graph.name}", result)
        report, _ = reported(f"bfs of {graph.name}", bfs, graph, "--root=500", ranks=3)
        suite.expect(report["traversed_edges"] == 900, f"bfs of {graph.name}: edges", report)

    backwards = suite.folder / "backwards.gdsl"
    backwards.write_text("algorithm backwards(g: graph<weight: int>, to: vertex) {\n    output far: int[g] = inf;\n"
                         "    far[to] = 0;\n    propagate e: u -> v into {to} { far[u] min= far[v] + e.weight; }\n}\n")
    weighted = write("sums.wel", [(v, v + 1, 2000000000 if v in (3, 9) else 1) for v in range(12)])
    for path, root, name in ((examples / "sssp.gdsl", "source=0", "dist"), (backwards, "to=12", "far")):
        program = build(path, f"parts-{path.stem}")
        one = suite.succeeds(f"{path.stem} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, path, weighted,
                             f"--{root}", f"--output={name}={wanted}", f"--report={suite.folder / 'one.json'}")
        edges = json.loads((suite.folder / "one.json").read_text())["traversed_edges"]
        for graph in (weighted, converted("sums.gcsr", weighted, "--column=weight:int"),
                      converted("sums-in.gcsr", weighted, "--column=weight:int", "--in-edges")):
            report, result = reported(f"{path.stem} of {graph.name}", program, graph, f"--{root}",
                                      f"--output={name}={suite.folder / 'found'}", ranks=3)
            suite.expect(result.err == one.err and "a sum of finite ints reached inf" in one.err,
                         f"{path.stem} of {graph.name}: the sum is told once", result)
            suite.expect((suite.folder / "found").read_text() == wanted.read_text(), f"{path.stem}: {graph.name}")
            suite.expect(report["traversed_edges"] == edges, f"{path.stem} of {graph.name}: edges", report)

    # What one rank alone reads of a corrupt file, all learn.
    bytes_of = bytearray(files[1].read_bytes())
    targets = len(bytes_of) - 900 * 3 * 4 // 64 * 64
    bytes_of[targets + 4000:targets + 4004] = b"\xff" * 4
    corrupt = suite.folder / "corrupt.gcsr"
    corrupt.write_bytes(bytes_of)
    fails("a corrupt file", 3, 2, f"{corrupt}: the targets are corrupt", bfs, corrupt, "--root=1")


def segments():
    """When two loops have asked 24 times, ranks go by segments if that pays for one of them, a rank of few vertices too.
    Nothing else changes: results are those of one machine, bit for bit."""
    source = suite.folder / "gathers.gdsl"
    source.write_text("algorithm gathers(g: graph, rounds: int) {\n    output x: double[g] = 1;\n    output most: int[g];\n"
                      "    repeat rounds {\n        for v in g { x[v] = 0.1 + 0.3 * sum(u -> v : x[u]); }\n"
                      "        for v in g { most[v] = max(u -> v : u.out_degree); }\n    }\n}\n")
    program = build(source, "gathers")
    varied, regular = suite.folder / "varied.gcsr", write("ring.el", [(v, (v + 1) % 5000) for v in range(5000)])
    suite.succeeds("a graph", suite.gcompile, "convert", "uniform:scale=15,degree=10", varied)
    few_on_first = suite.folder / "few-on-first"  # the ranks of the vertices
    few_on_first.write_text("".join(f"{int(v > 0)}\n" for v in range(2**15)))
    for graph, rounds, cut in ((varied, 60, True), (varied, 11, False), (regular, 60, False)):
        given, outputs = [graph, "--directed", f"--rounds={rounds}", "--quiet"], ("x", "most")
        one, found = ([suite.folder / f"{output}.{kind}" for output in outputs] for kind in ("one", "ranks"))
        suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", *QUICK, source, *given,
                       *[f"--output={o}={file}" for o, file in zip(outputs, one)])
        for ranks, partition in ((1, "blocks"), (2, "blocks"), (3, "blocks"), (2, few_on_first)):
            if partition == few_on_first and graph != varied:
                continue
            report, what = suite.folder / "report.json", f"{graph.name} with {rounds} rounds on {ranks} ranks"
            result = mpirun(ranks, program, *given, threads(ranks), f"--partition={partition}", f"--report={report}",
                            *[f"--output={o}={file}" for o, file in zip(outputs, found)])
            if suite.expect(result.code == 0 and result.err == "", what, result):
                suite.expect((json.loads(report.read_text()).get("segment_bytes", 0) > 0) == cut, f"{what}: segments")
                for wanted, got in zip(one, found):
                    suite.expect(wanted.read_bytes() == got.read_bytes(), f"{what}: the same {got.stem}")


def errors():
    program = build(harness.ROOT / "examples" / "bfs.gdsl", "errors-bfs")
    fails("a parameter is missing", 3, 2, "the parameter --root=VALUE is missing", program, KARATE)
    fails("no such graph", 3, 2, "nowhere.el", program, "nowhere.el", "--root=1")
    fails("no such vertex", 3, 2, "--root", program, KARATE, "--root=99")
    fails("an output that rank 0 cannot write", 3, 2, "/nowhere/depth", program, KARATE, "--root=1",
          "--output=depth=/nowhere/depth")
    fails("no such routes", 2, 2, "--routes is direct, grid or auto, not 'rows'", program, KARATE, "--root=1", "--routes=rows")
    fails("standard input", 2, 2, "-: standard input", program, "-", "--root=1")
    result = suite.run(program, KARATE, "--root=1", "--output=depth=alone.txt",
                       env={"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"})
    suite.expect(result.code == 2 and result.err.startswith("error: Slurm has started 4 processes") and
                 not (suite.folder / "alone.txt").exists(), "ranks that do not know of each other", result)
    result = mpirun(2, program, "--help")
    suite.expect(result.code == 0 and result.out.count("--root") == 1, "help comes once", result)

    # A vertex of one rank alone makes the program fail; the others wait for it in another kernel.
    source = suite.folder / "divide.gdsl"
    source.write_text("algorithm divide(g: graph, by: int) {\n    output x: int[g] = 0;\n"
                      "    for v in g { x[v] = 100 / (v.out_degree - by); }\n    total: long;\n    total = sum(v in g : x[v]);\n"
                      "    for v in g { x[v] = int(total); }\n}\n")
    program = build(source, "divide")
    graph = write("divide.el", [(u, v) for u in range(40) for v in range(40) if u != v and (u != 7 or v != 9)])
    fails("an exception on one rank", 4, 3, "divide.gdsl:3: division by zero (on rank 0 of 4)", program, graph, "--by=38")
    fails("an exception on all ranks", 2, 3, "divide.gdsl:3: division by zero", program, graph, "--by=39")
    suite.expect(mpirun(4, program, graph, "--by=3").code == 0, "no exception")


run({**{name: functools.partial(compare, name) for name in PROGRAMS},
     "pulls": pulls, "parts": parts, "segments": segments, "errors": errors})
