"""The edges that a report counts: those of the input that lie in what a run's roots reach, against a search in Python."""

import json
import random

import harness

suite = harness.Suite("rates")

WALK = "algorithm walk(g: graph, root: vertex) {{ output reached: bool[g]; reached[root] = true;\n" \
       "    propagate {} {{root}} {{ {} }} }}\n"
# name: (program, the edges along which it goes, whether it has roots)
PROGRAMS = {
    "out": (WALK.format("u -> v from", "reached[v] |= reached[u];"), "out"),
    "by_degree": (WALK.format("u -> v from", "reached[v] |= reached[u];")
                  + "schedule walk { layout { vertices by degree; } }\n", "out"),
    "by_bfs": (WALK.format("u -> v from", "reached[v] |= reached[u];")
               + "schedule walk { layout { vertices by bfs; } }\n", "out"),
    "packed": (WALK.format("u -> v from", "reached[v] |= reached[u];")
               + "schedule walk { layout { adjacency packed; } }\n", "out"),
    "into": (WALK.format("u -> v into", "reached[u] |= reached[v];"), "in"),
    "into_pulling": (WALK.format("u -> v into", "reached[u] |= reached[v];")
                     + "schedule walk { cpu { direction pull; } }\n", "in"),
    "both": (WALK.format("u -- v from", "reached[v] |= reached[u];"), "both"),
    "several": ("algorithm walk(g: graph, some: vertex set) { output reached: bool[g];\n"
                "    for v in some { reached[v] = true; }\n"
                "    propagate u -> v from some { reached[v] |= reached[u]; } }\n", "out"),
    # What is reached from the root's neighbours does not follow from the arguments.
    "elsewhere": ("algorithm walk(g: graph, root: vertex) { output reached: bool[g];\n"
                  "    for v in root.out_neighbors { reached[v] = true; }\n"
                  "    propagate u -> v from {v in g where reached[v]} { reached[v] |= reached[u]; } }\n", None),
    # Nor does it where two go along different edges.
    "there_and_back": ("algorithm walk(g: graph, root: vertex) { output there: bool[g]; output back: bool[g];\n"
                       "    there[root] = true; back[root] = true;\n"
                       "    propagate u -> v from {root} { there[v] |= there[u]; }\n"
                       "    propagate u -> v into {root} { back[u] |= back[v]; } }\n", None),
    "ranks": ("algorithm walk(g: graph, root: vertex) { output rank: long[g] = 0; rank[root] = 1;\n"
              "    for v in g { rank[v] = sum(u -> v : rank[u]); } }\n", None),
}
CASES = [name for name in PROGRAMS if not suite.cases or name in suite.cases]

draw = random.Random(500)
VERTICES = 60
EDGES = []
for _ in range(70):
    half = draw.choice([0, 30])
    u, v = draw.randrange(half, half + 26), draw.randrange(half, half + 26)
    EDGES += [(u, v)] * draw.choice([1, 1, 1, 2, 3])
EDGES += [(7, 7), (7, 7), (31, 31), (28, 28)]  # 28 has nothing but a loop
graph = suite.folder / "graph.mtx"
graph.write_text("%%MatrixMarket matrix coordinate pattern general\n" + f"{VERTICES} {VERTICES} {len(EDGES)}\n"
                 + "".join(f"{u + 1} {v + 1}\n" for u, v in EDGES))


def reached_from(roots, along, directed):
    reached, queue = set(roots), list(roots)
    while queue:
        w = queue.pop()
        for u, v in EDGES:
            for a, b in ([(u, v)] if directed and along == "out" else [(v, u)] if directed and along == "in"
                         else [(u, v), (v, u)]):
                if a == w and b not in reached:
                    reached.add(b)
                    queue.append(b)
    return reached


def expected(roots, along, directed, known):
    """The edges that lie there; `known`: the loader has seen all that the input lists."""
    edges = EDGES if known else {(u, v) if directed else (min(u, v), max(u, v)) for u, v in EDGES}
    if along is None:
        return len(edges)
    if directed and along == "in":
        edges = set(edges)  # copies are not counted against the edges
    reached = reached_from(roots, along, directed)
    return sum((v if directed and along == "in" else u) in reached for u, v in edges)


report = suite.folder / "report.json"
for name in CASES:
    text, along = PROGRAMS[name]
    source = suite.folder / f"{name}.gdsl"
    source.write_text(text)
    program = suite.folder / name
    built = suite.build_program(source, program, *suite.QUICK)
    if not suite.expect(built.code == 0, f"{name} does not compile", built):
        continue
    parameter = "some" if name == "several" else "root"
    for direction in ("--directed", "--undirected"):
        stored = suite.folder / f"graph{direction}.gcsr"
        suite.succeeds("convert", suite.gcompile, "convert", graph, stored, direction)
        for path, known in ((graph, True), (stored, False)):
            roots = [[1], [8], [32], [29], [60]]  # two large parts, a loop alone, and nothing
            values = [str(root[0]) for root in roots]
            run = suite.succeeds(f"{name} {direction} {path.name}", program, path, direction, "--quiet",
                                 f"--each={parameter}={','.join(values)}", f"--report={report}")
            if run.code != 0:
                continue
            told = json.loads(report.read_text())
            wanted = [expected([v - 1 for v in root], along, direction == "--directed", known) for root in roots]
            found = [value["traversed_edges"] for value in told["values"]]
            suite.expect(found == wanted, f"{name} {direction} {path.name}: {found}, not {wanted}")
            seconds = sum(value["median_seconds"] for value in told["values"])
            suite.expect(abs(told["edges_per_second"] * seconds - sum(wanted)) <= 1e-6 * sum(wanted),
                         f"{name}: edges per second", told)
            suite.expect(told.get("input_edges") == (len(EDGES) if known else None), f"{name}: edges of the input", told)
    if name == "several":
        for some in ([1, 8], [1, 32, 29], [60, 29]):
            suite.succeeds("several roots", program, graph, "--directed", "--quiet",
                           f"--some={','.join(map(str, some))}", f"--report={report}")
            found = json.loads(report.read_text())["traversed_edges"]
            wanted = expected([v - 1 for v in some], along, True, True)
            suite.expect(found == wanted, f"from {some}: {found}, not {wanted}")
suite.finish()
