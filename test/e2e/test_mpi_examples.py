"""Examples on several machines: on 1, 2, 3, 4, 5 and 8 ranks they give right answers, and those of one machine where there
is one right answer, on graphs with fewer vertices than ranks too.

usage: test_mpi_examples.py --build DIR (EXAMPLE | compiled | edges | lists | pairs | sets | several)..."""

import json
import re

import examples
import harness
from rank_examples import compare
from ranks import KARATE, QUICK, build, mpirun, routes, same, suite, threads, write

# Two of these tests may run at a time.
suite.folder = suite.folder / "-".join(suite.cases)
suite.folder.mkdir(exist_ok=True)
EXAMPLES = harness.ROOT / "examples"
# What runs in parts since it asks owners, and the outputs that are one, whichever machine computes them.
PROGRAMS = {
    "apsp": ["dist"],
    "apsp_paths": ["dist", "pred"],
    "betweenness": ["score"],
    "boruvka": ["total"],
    "components_gas": ["label"],
    "clustering": ["coefficient"],
    "coloring": ["color"],
    "degree_histogram": ["vertices", "at_least"],
    "densest_subgraph": ["density"],
    "diameter": ["bound", "from"],
    "dijkstra": ["dist", "parent"],
    "dominating_set": ["chosen", "size"],
    "hits": ["hub", "authority"],
    "ktruss": ["truss"],
    "label_propagation": ["label"],
    "mis": ["chosen"],
    "personalised_pagerank": [],
    "prim": ["key"],
    "random_walks": ["visits", "end"],
    "residual_pagerank": [],
    "route": ["length"],
    "scc": ["component"],
    "sssp_vertex": ["dist"],
    "transitive_closure": ["reach"],
    "triangles": ["count"],
    "widest_path": ["width"],
}
PARTS = harness.ROOT / "test" / "e2e" / "in_parts.gdsl"
# Updates of several states at the other ends of edges, each combined by itself; both ways, and in rounds.
SEVERAL = """algorithm several(g: graph, root: vertex) {
    output total: long[g] = 0;
    output least: int[g] = inf;
    output met: bool[g];
    output first: vertex[g] = self;
    output near: int[g] = inf;
    output paths: long[g] = 0;
    output low: int[g] = 99;
    output of: vertex[g] = self;
    for u -> v from {w in g where w.out_degree > 1} { total[v] += u.out_degree; least[v] min= u.in_degree; met[v] = true; }
    for u -> v into {w in g where w.out_degree > 2} { total[u] += 1; first[u] min= v; (low[u], of[u]) min= (v.out_degree % 7, v); }
    for v in g { total[first[v]] += 3; paths[of[v]] += 1; }
    near[root] = 0;
    propagate u -> v from {root} round r { near[v] min= near[u] + 1; paths[v] += 1; least[v] min= r - 3; } until r >= 5;
}
"""
COUNTS = {"kronecker": (1, 2, 4), "uniform": (3,), "grid": (8,), "path-star": (5,), "loops": (2,), "karate-weighted": (4,),
          "line": (3, 8)}
# Searches from every vertex, and all pairs: fewer runs.
LONG = {"betweenness": {"path-star": (3,), "loops": (2,), "karate-weighted": (4,), "line": (8,)},
        **dict.fromkeys(examples.DENSE, {"karate-weighted": (1, 4), "line": (3, 8)})}


def compared(name):
    compare(name, PROGRAMS[name], LONG.get(name, COUNTS), lambda _: [routes(), "--verify"])


def sets():
    """Neighbours as a set, sets that the program is given, and loops over sets one vertex after the other."""
    program = build(PARTS, "sets", *QUICK, "--algorithm=sets")
    given = ["--directed", "--root=9", "--some=3,5,30"]
    one, found = ([suite.folder / f"sets-{output}.{kind}" for output in ("x", "n")] for kind in ("one", "parts"))
    suite.succeeds("sets on one machine", suite.gcompile, "run", "--target=serial", *QUICK, "--algorithm=sets", PARTS, KARATE, *given, "--quiet",
                   *[f"--output={o}={file}" for o, file in zip("xn", one)])
    for ranks in (1, 3, 4):
        result = mpirun(ranks, program, KARATE, *given, threads(ranks), "--quiet", *[f"--output={o}={file}" for o, file in zip("xn", found)])
        suite.expect(result.code == 0, f"sets on {ranks} ranks", result)
        for wanted, got in zip(one, found):
            suite.expect(result.code == 0 and wanted.read_text() == got.read_text(), f"{wanted.stem} on {ranks} ranks")


def several():
    """Statements that update several states elsewhere."""
    source = suite.folder / "several.gdsl"
    source.write_text(SEVERAL)
    program = build(source, "several")
    outputs = [line.split()[1].rstrip(":") for line in SEVERAL.splitlines() if line.startswith("    output ")]
    one, found = ({o: suite.folder / f"several-{o}.{kind}" for o in outputs} for kind in ("one", "parts"))
    for graph, root in ((KARATE, 1), ("uniform:scale=8,degree=6", 3)):
        given = ["--directed", f"--root={root}"]
        suite.succeeds("several states on one machine", suite.gcompile, "run", "--target=serial", *QUICK, source, graph, *given,
                       "--quiet", *[f"--output={o}={file}" for o, file in one.items()])
        for ranks in (1, 3, 4, 5):
            shared, way = threads(ranks), routes()
            what = f"several states of {graph} on {ranks} ranks with {shared} {way}"
            result = mpirun(ranks, program, graph, *given, shared, way, "--trials=2", "--verify",
                            *[f"--output={o}={file}" for o, file in found.items()])
            suite.expect(result.code == 0 and "verified" in result.out, what, result)
            for output in outputs:
                suite.expect(result.code == 0 and one[output].read_text() == found[output].read_text(), f"{what}: {output}")


def lists():
    """Edges at the neighbours of a rank's own vertices: of text, of files with and without the edges into vertices, and
    of parts in another order."""
    program = build(PARTS, "lists", *QUICK, "--algorithm=lists")
    outputs = harness.outputs_of(PARTS, "lists")
    one, found = ({o: suite.folder / f"lists-{o}.{kind}" for o in outputs} for kind in ("one", "parts"))
    for graph, direction in (("uniform:scale=7,degree=5,weights=1..9", "--directed"), ("uniform:scale=6,degree=4,weights=1..9", "--undirected")):
        given = [direction, "--some=5,7,40"]
        file, both = suite.folder / f"lists{direction}.gcsr", suite.folder / f"lists{direction}-both.gcsr"
        suite.succeeds("a file", suite.gcompile, "convert", graph, direction, file)
        suite.succeeds("a file with edges into vertices", suite.gcompile, "convert", graph, direction, "--in-edges", both)
        suite.succeeds("lists on one machine", suite.gcompile, "run", "--target=serial", *QUICK, "--algorithm=lists", PARTS, graph, *given, "--quiet",
                       *[f"--output={o}={path}" for o, path in one.items()])
        for ranks, form in ((1, file), (2, graph), (3, file), (4, both), (8, file)):
            result = mpirun(ranks, program, form, *given, "--quiet", *[f"--output={o}={path}" for o, path in found.items()])
            suite.expect(result.code == 0, f"lists of {form} on {ranks} ranks", result)
            for output in outputs:
                suite.expect(result.code == 0 and one[output].read_text() == found[output].read_text(), f"{output} of {form} on {ranks} ranks")


def pairs():
    """Rows of own vertices, the row of one vertex, and one pair; parts in another order; what is planned for them."""
    program = build(PARTS, "pairs", *QUICK, "--algorithm=pairs")
    outputs = harness.outputs_of(PARTS, "pairs")
    one, found = ({o: suite.folder / f"pairs-{o}.{kind}" for o in outputs} for kind in ("one", "parts"))
    graph = suite.folder / "pairs.gcsr"
    suite.succeeds("a file", suite.gcompile, "convert", "uniform:scale=5,degree=3,weights=1..9", graph, "--directed")
    given = ["--root=9"]
    suite.succeeds("pairs on one machine", suite.gcompile, "run", "--target=serial", *QUICK, "--algorithm=pairs", PARTS, graph, *given, "--quiet",
                   *[f"--output={o}={path}" for o, path in one.items()])
    parts = suite.folder / "pairs.parts"
    parts.write_text("".join(f"{v * 7 % 3}\n" for v in range(32)))
    for ranks, more in ((1, []), (2, []), (3, [f"--partition={parts}"]), (4, []), (8, [])):
        result = mpirun(ranks, program, graph, *given, *more, "--quiet", *[f"--output={o}={path}" for o, path in found.items()])
        suite.expect(result.code == 0, f"pairs on {ranks} ranks", result)
        for output in outputs:
            suite.expect(result.code == 0 and one[output].read_text() == found[output].read_text(), f"{output} on {ranks} ranks")
    # Of a million vertices, whose rows a rank has: 'd' and 'low'. Rank 0 has all of them only where it compares, or writes
    # alone, as it does with parts in another order.
    file = suite.folder / "pairs.json"
    made, square = "uniform:scale=20,degree=1,weights=1..9", 2**40
    for form, n, ranks, more, width in ((made, 2**20, 4, ["--output=low=low.txt"], 0), (made, 2**20, 4, ["--verify"], 5),
                                        (graph, 32, 3, ["--output=low=low.txt", f"--partition={parts}"], 1)):
        suite.succeeds("a plan", program, form, "--directed", f"--plan={ranks}", "--quiet", f"--report={file}", *more)
        told = json.loads(file.read_text())
        suite.expect(form != made or 5 * square / 4 <= told["state_bytes"] <= 5 * square / 4 + 100 * 2**20, "the rows of a rank", told)
        suite.expect(told.get("results_bytes", 0) == int(width * n * n * (ranks - 1) / ranks), f"results with {more}", told)


def edges():
    """Values of edges, of text and of files with and without the edges into vertices; several runs give the same; results
    that name edges, in the order of the input where vertices have other numbers; what is planned for them."""
    source = harness.ROOT / "test" / "e2e" / "edge_values.gdsl"
    parts = suite.folder / "edges.parts"
    parts.write_text("".join(f"{v * 7 % 3}\n" for v in range(64)))
    line = write("edges.wel", [(0, 1, 3), (1, 0, 6), (1, 2, 3), (3, 1, 2)])  # fewer vertices than ranks
    for name in re.findall(r"^algorithm (\w+)", source.read_text(), re.M):
        program = build(source, name, *QUICK, f"--algorithm={name}")
        outputs = harness.outputs_of(source, name)
        one, found = ({o: suite.folder / f"edges-{o}.{kind}" for o in outputs} for kind in ("one", "parts"))
        for graph, direction in (("uniform:scale=6,degree=4,weights=1..9", "--directed"),
                                 ("uniform:scale=6,degree=5,weights=1..9", "--undirected"), (line, "--directed")):
            file, both = (suite.folder / f"edges{kind}.gcsr" for kind in ("", "-both"))
            suite.succeeds("a file", suite.gcompile, "convert", graph, direction, file)
            suite.succeeds("a file with edges into vertices", suite.gcompile, "convert", graph, direction, "--in-edges", both)
            given = [direction, "--root=1", "--quiet"]
            suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, f"--algorithm={name}", source, file,
                           *given, *[f"--output={o}={path}" for o, path in one.items()])
            runs = [(1, file, []), (2, graph, []), (3, file, ["--trials=2"]), (4, both, ["--verify"]), (8, file, [])]
            if name == "edges_of_copies" and graph != line:
                runs.append((3, file, [f"--partition={parts}"]))
            for ranks, form, more in runs:
                what = f"{name} of {form} {direction} on {ranks} ranks {more}"
                for path in found.values():
                    path.unlink(missing_ok=True)
                result = mpirun(ranks, program, form, *given, threads(ranks), *more, *[f"--output={o}={path}" for o, path in found.items()])
                suite.expect(result.code == 0, what, result)
                for output in outputs:
                    suite.expect(result.code == 0 and one[output].read_text() == found[output].read_text(), f"{output}: {what}")
    # Own values, what copies were given and a mark, of 'load', 'back' and 'wedges'; rank 0 has the results that it compares, and their ends.
    plan = suite.folder / "edges.json"
    for more, width in ((["--output=far=far.txt"], 0), (["--output=load=load.txt"], 0), (["--verify"], 20 + 4)):
        suite.succeeds("a plan", suite.folder / "edges_of_copies", "uniform:scale=18,degree=8,weights=1..9", "--directed", "--plan=4", "--quiet", f"--report={plan}", *more)
        told = json.loads(plan.read_text())
        arcs = told["arcs"]
        suite.expect(20 * arcs / 4 <= told["state_bytes"] <= 60 * arcs / 4 + 30 * told["vertices"] and
                     told.get("results_bytes", 0) == width * arcs * 3 // 4, f"values of own edges, and the results with {more}", told)


def compiled():
    for path in sorted(EXAMPLES.glob("*.gdsl")):
        suite.succeeds(f"{path.name} is compiled", suite.gcompile, "--target=mpi", "--emit=source", "-o", "-", path)


for name in suite.cases:
    {"compiled": compiled, "edges": edges, "lists": lists, "pairs": pairs, "sets": sets,
     "several": several}.get(name, lambda name=name: compared(name))()
suite.finish()
