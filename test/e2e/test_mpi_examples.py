"""Examples on several machines: on 1, 2, 3, 4 and 8 ranks they give right answers, and those of one machine where there
is one right answer, on graphs with fewer vertices than ranks too; what does not run yet is refused with a reason.

usage: test_mpi_examples.py --build DIR (EXAMPLE | sets | refused)..."""

import examples
import harness
from ranks import KARATE, QUICK, build, mpirun, same, suite, threads, write

# Two of these tests may run at a time.
suite.folder = suite.folder / "-".join(suite.cases)
suite.folder.mkdir(exist_ok=True)
EXAMPLES = harness.ROOT / "examples"
# What runs in parts since it asks owners, and the outputs that are one, whichever machine computes them.
PROGRAMS = {
    "betweenness": ["score"],
    "boruvka": ["total"],
    "components_gas": ["label"],
    "degree_histogram": ["vertices", "at_least"],
    "densest_subgraph": ["density"],
    "dijkstra": ["dist", "parent"],
    "prim": ["key"],
    "residual_pagerank": [],
    "route": ["length"],
    "scc": ["component"],
}
# A machine has no more than its own vertices' edges, and a part of what a program keeps for pairs or edges.
REFUSED = {
    "apsp": "'dist' has a value for each pair of vertices",
    "apsp_paths": "'dist' has a value for each pair of vertices",
    "clustering": "it loops over a set, a graph or pairs inside of a statement",
    "dominating_set": "it loops over a set, a graph or pairs inside of a statement",
    "ktruss": "'truss' has a value for each edge",
    "random_walks": "it looks at the neighbours of a vertex that it computes",
    "transitive_closure": "'reach' has a value for each pair of vertices",
    "triangles": "it looks at the neighbours of a vertex that it computes",
    "widest_path": "'width' has a value for each pair of vertices",
}
SETS = """algorithm sets(g: graph, root: vertex, some: vertex set = g) {
    output x: int[g] = 0;
    output n: long = 0;
    s: vertex set = root.neighbors + some;
    t: vertex set = root.in_neighbors;
    for v in s { x[v] = 1; }
    for v in t { x[v] += 2; }
    for v in s where v in some { x[v] += 4; }
    for v in g { x[v] += int(count(v -> u where u in some)) * 8; }
    n = s.size + some.size * 1000 + sum(root -> v : long(v.out_degree)) * 100000;
    for v in s sequentially { n = (n * 3 + long(x[v])) % 1009; }
    for v in some sequentially { n = n * 3 + long(x[v]); }
}
"""
COUNTS = {"kronecker": (1, 2, 4), "uniform": (3,), "grid": (8,), "path-star": (3,), "loops": (2,), "karate-weighted": (4,),
          "line": (3, 8)}
# From every vertex there are a few hundred searches: fewer runs.
LONG = {"betweenness": {"path-star": (3,), "loops": (2,), "karate-weighted": (4,), "line": (8,)}}


def compare(name):
    outputs, _, directions, reads_weights = examples.EXAMPLES[name]
    program = build(EXAMPLES / f"{name}.gdsl", name)
    line = write(f"{name}-line.wel", [(0, 1, 3), (1, 2, 3)])
    for shape, graph, weighted in [*examples.graphs(suite), ("line", line, True)]:
        counts = LONG.get(name, COUNTS)
        if shape not in counts or (reads_weights and not weighted):
            continue
        options = examples.given(suite, name, graph)
        for direction in directions:
            one = {output: suite.folder / f"{name}-{output}.one" for output in outputs}
            suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, EXAMPLES / f"{name}.gdsl",
                           graph, direction, *options, "--quiet", *[f"--output={o}={file}" for o, file in one.items()])
            for ranks in counts[shape]:
                shared = threads(ranks)
                what = f"{name} {shape} {direction} on {ranks} ranks with {shared}"
                files = {output: suite.folder / f"{name}-{output}.parts" for output in outputs}
                for file in files.values():
                    file.unlink(missing_ok=True)
                result = mpirun(ranks, program, graph, direction, *options, shared, "--verify", "--trials=2",
                                *[f"--output={o}={file}" for o, file in files.items()])
                if not suite.expect(result.code == 0 and "verified" in result.out, what, result):
                    continue
                suite.succeeds(f"check {what}", suite.oracle, "check", examples.SAME_AS.get(name, name), graph, direction,
                               *options, *[f"{o}={file}" for o, file in files.items()])
                for output in PROGRAMS[name]:
                    suite.expect(same(one[output].read_text(), files[output].read_text()), f"{what}: the same {output}")


def sets():
    """Neighbours as a set, sets that the program is given, and loops over sets one vertex after the other."""
    source = suite.folder / "sets.gdsl"
    source.write_text(SETS)
    program = build(source, "sets")
    given = ["--directed", "--root=9", "--some=3,5,30"]
    one, found = ([suite.folder / f"sets-{output}.{kind}" for output in ("x", "n")] for kind in ("one", "parts"))
    suite.succeeds("sets on one machine", suite.gcompile, "run", "--target=serial", *QUICK, source, KARATE, *given, "--quiet",
                   *[f"--output={o}={file}" for o, file in zip("xn", one)])
    for ranks in (1, 3, 4):
        result = mpirun(ranks, program, KARATE, *given, threads(ranks), "--quiet", *[f"--output={o}={file}" for o, file in zip("xn", found)])
        suite.expect(result.code == 0, f"sets on {ranks} ranks", result)
        for wanted, got in zip(one, found):
            suite.expect(result.code == 0 and wanted.read_text() == got.read_text(), f"{wanted.stem} on {ranks} ranks")


def refused():
    for path in sorted(EXAMPLES.glob("*.gdsl")):
        result = suite.run(suite.gcompile, "--target=mpi", "--emit=source", "-o", "-", path)
        if path.stem not in REFUSED:
            suite.expect(result.code == 0, f"{path.name} is compiled", result)
        else:
            suite.expect(result.code == 1 and f"cannot run in parts yet: {REFUSED[path.stem]}" in result.err,
                         f"{path.name} is refused with its reason", result)


for name in suite.cases:
    {"refused": refused, "sets": sets}.get(name, lambda name=name: compare(name))()
suite.finish()
