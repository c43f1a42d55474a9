"""Every example on graphs of several shapes, against the oracle: both directions where the program takes them, several
numbers of threads (of a CPU) or orders of threads (of the emulated GPU), 32- and 64-bit vertex ids, and each run
compared with its serial form (--verify)."""

import harness

suite = harness.Suite("examples")

BOTH = ["--directed", "--undirected"]
UNDIRECTED = ["--undirected"]
THREADS = [1, 2, 4]
# Betweenness from every vertex takes minutes under the emulation where paths are long: from one, checked by --verify.
DEEP = ["grid", "path-star"]
SEEDS = {"loops": [1, 2, 3], "karate": [1, 2, 3]}  # of the emulation; other graphs: 1

# name: outputs, parameters ("ROOT" is the graph's first vertex), directions, and whether it reads weights
EXAMPLES = {
    "apsp": (["dist"], {}, BOTH, True),
    "betweenness": (["score"], {}, BOTH, False),
    "bfs": (["parent", "depth"], {"root": "ROOT"}, BOTH, False),
    "boruvka": (["component", "tail", "head", "total"], {}, UNDIRECTED, True),
    "clustering": (["coefficient"], {}, BOTH, False),
    "coloring": (["color"], {}, UNDIRECTED, False),
    "components": (["label"], {}, BOTH, False),
    "hits": (["hub", "authority"], {"rounds": "15"}, BOTH, False),
    "kcore": (["core"], {}, UNDIRECTED, False),
    "label_propagation": (["label"], {"rounds": "8"}, BOTH, False),
    "mis": (["chosen"], {}, UNDIRECTED, False),
    "pagerank": (["rank"], {"damping": "0.8", "tolerance": "1e-6", "rounds": "30"}, BOTH, False),
    "prim": (["parent", "key"], {"root": "ROOT"}, UNDIRECTED, True),
    "sssp": (["dist"], {"source": "ROOT"}, BOTH, True),
    "triangles": (["count"], {}, UNDIRECTED, False),
}
SHAPES = ["kronecker", "uniform", "grid", "path-star", "loops"]


def graphs():
    """The generated graphs, and the karate club without and with weights."""
    for shape in SHAPES:
        path = suite.folder / f"{shape}.el"
        if not path.exists():
            suite.succeeds(f"generate {shape}", suite.oracle, "generate", shape, path)
        yield shape, path, True
    karate = harness.ROOT / "examples" / "data" / "karate.el"
    yield "karate", karate, False
    weighted = suite.folder / "karate-weighted.el"
    lines = [line.split() for line in karate.read_text().splitlines() if not line.startswith("#")]
    if not weighted.exists():
        weighted.write_text("".join(f"{u} {v} {(7 * int(u) + 3 * int(v)) % 20 + 1}\n" for u, v in lines))
    yield "karate-weighted", weighted, True


def first_vertex(path):
    return next(line for line in path.read_text().splitlines() if not line.startswith("#")).split()[0]


def check(name, graph_name, graph, direction, variant, environment):
    outputs, parameters, _, _ = EXAMPLES[name]
    given = {key: first_vertex(graph) if value == "ROOT" else value for key, value in parameters.items()}
    options = [f"--{key}={value}" for key, value in given.items()]
    files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
    for file in files.values():
        file.unlink(missing_ok=True)
    what = f"{name} {graph_name} {direction} {variant} {environment}"
    command = [suite.programs / name, graph, direction, *variant, "--quiet", "--verify", *options]
    if suite.target == "cuda" and name == "betweenness" and graph_name in DEEP:
        suite.succeeds(f"run {what}", *command, f"--sources={first_vertex(graph)}", env=environment)
        return
    for output, file in files.items():
        command.append(f"--output={output}={file}")
    if suite.succeeds(f"run {what}", *command, env=environment).code == 0:
        suite.succeeds(f"check {what}", suite.oracle, "check", name, graph, direction, *options,
                       *[f"{output}={file}" for output, file in files.items()])


all_graphs = list(graphs())
for name in suite.cases or EXAMPLES:
    _, _, directions, needs_weights = EXAMPLES[name]
    for graph_name, graph, weighted in all_graphs:
        if needs_weights and not weighted:
            continue
        for direction in directions:
            # The matrix of all pairs is long to write and read: one run does there.
            once = name == "apsp"
            for variant in suite.variants([4] if once else THREADS, [1] if once else SEEDS.get(graph_name, [1])):
                check(name, graph_name, graph, direction, *variant)
    for direction in directions:
        check(name, "loops", suite.folder / "loops.el", direction, ["--vertex-bits=64"], {})
suite.finish()
