"""Schedules change how a program runs, never what it computes: examples under each schedule that is legal for them, on
graphs of several shapes, against the oracle and their serial form."""

import concurrent.futures

import harness

suite = harness.Suite("schedules")

# Small limits: the test graphs are small.
STATES = "frontier hybrid(T1 = 2, T2 = 60, T3 = 8, alpha = 1.5, beta = 1.2);"
# Breadth-first search without claims: the depth is a minimum, which needs no rounds.
HOPS = """algorithm bfs(g: graph, root: vertex) {
    output depth: int[g] = inf;
    output parent: vertex[g] = none;
    depth[root] = 0;
    spread: propagate u -> v from {root} { depth[v] min= depth[u] + 1; }
    for u -> v where depth[u] < inf && depth[v] == depth[u] + 1 { parent[v] min= u; }
    parent[root] = root;
}
"""
# Against the edges: what the same search gives along those of the transposed graph.
BACK = """algorithm bfs(g: graph, root: vertex) {
    output parent: vertex[g] = none;
    output depth: int[g] = inf;
    parent[root] = root;
    depth[root] = 0;
    propagate u -> v into {root} where parent[u] == none { parent[u] = v; depth[u] = depth[v] + 1; }
}
"""
TOWARDS = """algorithm sssp(g: graph<weight: int>, source: vertex) {
    output dist: int[g] = inf;
    dist[source] = 0;
    propagate e: u -> v into {source} ordered by dist { dist[u] min= dist[v] + e.weight; }
}
"""
DEGREE = "layout { vertices by degree; }"
BFS_ORDER = "layout { vertices by bfs; }"
NEIGHBORS = "layout { neighbors by degree; }"
PACKED = "layout { adjacency packed; }"
PACKED_BFS = "layout { vertices by bfs; adjacency packed; }"
ASYNCHRONOUS = ["cpu { asynchronous(chunk = 8); }", "cpu { ordered obim(chunk = 8, shift = 0); }",
                "cpu { ordered obim(chunk = 33, shift = 20); }"]
# example: parameters ("ROOT" is the graph's first vertex), results, program (None: the example), schedules
CASES = {
    "bfs": ({"root": "ROOT"}, ["parent", "depth"], None,
            ["cpu { direction push; }", "cpu { direction pull; }", "cpu { direction hybrid(alpha = 2, beta = 1000); }",
             "cpu { direction growth; }", "cpu { direction growth(alpha = 1000, beta = 1000); }",
             "cpu { frontier read; }", "cpu { direction push; frontier read; }", "cpu { direction push; frontier serial; }",
             "cpu { direction push; frontier queue(T1 = 0); }", f"cpu {{ direction push; {STATES} }}",
             f"cpu {{ direction hybrid(alpha = 3, beta = 3); {STATES} }}",
             DEGREE, f"cpu {{ direction pull; }} {DEGREE}", NEIGHBORS, f"cpu {{ direction pull; }} {NEIGHBORS}",
             "layout { vertices by degree; neighbors by degree; }", BFS_ORDER,
             "layout { vertices by bfs; neighbors by degree; }", PACKED, f"cpu {{ direction push; }} {PACKED_BFS}",
             "cpu { direction pull; } layout { vertices by degree; neighbors by degree; adjacency packed; }"]),
    "hops": ({"root": "ROOT"}, ["parent", "depth"], HOPS, ["cpu spread { asynchronous; }"]),
    "back": ({"root": "ROOT"}, ["parent", "depth"], BACK,
             ["cpu { direction push; frontier read; }", "cpu { direction pull; }",
              "cpu { direction hybrid(alpha = 2, beta = 1000); }", "cpu { direction growth(alpha = 1000, beta = 1000); }",
              f"cpu {{ direction push; {STATES} }}", "layout { vertices by degree; neighbors by degree; }", BFS_ORDER,
              PACKED]),
    "towards": ({"source": "ROOT"}, ["dist"], TOWARDS,
                ["cpu { ordered buckets(delta = 1); }", f"cpu {{ asynchronous; }} {DEGREE}", NEIGHBORS, ASYNCHRONOUS[1],
                 PACKED]),
    "sssp": ({"source": "ROOT"}, ["dist"], None, ["cpu { ordered buckets(delta = 1); }",
                                                 "cpu { ordered buckets(delta = 1000, fusion = 0); }", DEGREE, NEIGHBORS,
                                                 *ASYNCHRONOUS, f"cpu {{ asynchronous; }} {DEGREE}", BFS_ORDER, PACKED_BFS,
                                                 f"cpu {{ asynchronous; }} {PACKED}"]),
    "bottleneck": ({"source": "ROOT"}, ["width"], None, ["cpu { ordered buckets(delta = 1); }",
                                                         "cpu { ordered buckets(delta = 1000, fusion = 0); }",
                                                         *ASYNCHRONOUS, DEGREE, PACKED_BFS]),
    "components": ({}, ["label"], None,
                   ["cpu { asynchronous; }", "cpu { asynchronous(chunk = 8); }", "cpu { direction push; frontier read; }", f"cpu {{ direction push; {STATES} }}",
                    f"cpu {{ {STATES} }}", "cpu { direction growth; frontier queue(T1 = 0); }", NEIGHBORS, PACKED]),
    "betweenness": ({}, ["score"], None, ["cpu { frontier read; }", f"cpu {{ direction push; {STATES} }}", NEIGHBORS, PACKED]),
    "pagerank": ({"damping": "0.8", "tolerance": "1e-6", "rounds": "30"}, ["rank"], None,
                 [DEGREE, NEIGHBORS, "cpu { segments sources(KiB = 1); }",
                  f"cpu {{ segments sources; }} {DEGREE}", BFS_ORDER, PACKED,
                  f"cpu {{ segments sources(KiB = 1); }} {PACKED}"]),
    "kcore": ({}, ["core"], None, ["cpu { direction push; }", DEGREE, BFS_ORDER, PACKED]),
    "triangles": ({}, ["count"], None, [PACKED]),
}
ALGORITHMS = {"hops": "bfs", "back": "bfs", "towards": "sssp"}
AGAINST = ["back", "towards"]
SHAPES = ["kronecker", "grid", "path-star", "loops"]


def graphs():
    for shape in SHAPES:
        path = suite.folder / f"{shape}.el"
        if not path.exists():
            suite.succeeds(f"generate {shape}", suite.oracle, "generate", shape, path)
        yield shape, path


def packed(graph, direction, in_edges):
    """The graph in a file of packed lists."""
    path = graph.with_suffix(f".{direction[2:]}{in_edges}.gcsr")
    if not path.exists():
        suite.succeeds(f"pack {path.name}", suite.gcompile, "convert", graph, path, direction, "--adjacency=packed",
                       "--column=weight:int", *["--in-edges"] * in_edges)
    return path


def transposed(graph):
    path = graph.with_suffix(".transposed.el")
    if not path.exists():
        lines = [line if line.startswith("#") else " ".join([*reversed(line.split()[:2]), *line.split()[2:]])
                 for line in graph.read_text().splitlines()]
        path.write_text("\n".join(lines) + "\n")
    return path


def programs():
    for name in suite.cases or CASES:
        schedules = CASES[name][3]
        for number, schedule in enumerate(schedules):
            yield name, schedule, suite.folder / f"{name}{number}"


def build(name, schedule, program):
    source = program.with_suffix(".gdsl")
    text = CASES[name][2] or (harness.ROOT / "examples" / f"{name}.gdsl").read_text()
    text += f"schedule {ALGORITHMS.get(name, name)} {{ {schedule} }}\n"
    runtime = harness.ROOT / "runtime" / "include" / "gcompile"
    inputs = [suite.gcompile, suite.build / "lib" / "libgcompile_runtime.a", *runtime.rglob("*.h")]
    if (program.exists() and source.exists() and source.read_text() == text
            and program.stat().st_mtime > max(file.stat().st_mtime for file in inputs)):
        return None
    source.write_text(text)
    return suite.run(suite.gcompile, *suite.SHARED, source, "-o", program, timeout=300)


with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    jobs = [(name, schedule, program, pool.submit(build, name, schedule, program))
            for name, schedule, program in programs()]
    for name, schedule, _, job in jobs:
        result = job.result()
        suite.expect(result is None or result.code == 0, f"{name} does not compile with {schedule}", result)

all_graphs = list(graphs())
for name, schedule, program in programs():
    parameters, outputs, _, _ = CASES[name]
    for shape, graph in all_graphs:
        first = next(line for line in graph.read_text().splitlines() if not line.startswith("#")).split()[0]
        options = [f"--{key}={first if value == 'ROOT' else value}" for key, value in parameters.items()]
        for direction in ["--undirected"] if name in ("kcore", "triangles") else ["--directed", "--undirected"]:
            for variant in ["--threads=1", "--threads=2", "--threads=4", "--vertex-bits=64"]:
                files = [f"{output}={suite.folder / f'{name}-{output}.txt'}" for output in outputs]
                what = f"{name} with {schedule} on {shape} {direction} {variant}"
                stored = "packed" in schedule and variant in ("--threads=1", "--threads=4")
                run = suite.succeeds(f"run {what}", program,
                                     packed(graph, direction, variant[-1] == "4") if stored else graph,
                                     direction, variant, "--quiet", "--verify", *options,
                                     *[f"--output={file}" for file in files])
                if run.code == 0:
                    suite.succeeds(f"check {what}", suite.oracle, "check", ALGORITHMS.get(name, name),
                                   transposed(graph) if name in AGAINST else graph, direction,
                                   *options, *files)
suite.finish()
