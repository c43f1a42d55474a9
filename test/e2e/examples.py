"""The examples, and the graphs that tests run them on."""

import harness

BOTH = ["--directed", "--undirected"]
UNDIRECTED = ["--undirected"]

# name: outputs, parameters ("ROOT" is the graph's first vertex, "LAST" the last one of its file, "VALUES" a file of a
# number for each vertex), directions, and whether it reads weights
EXAMPLES = {
    "apsp": (["dist"], {}, BOTH, True),
    "apsp_paths": (["dist", "pred"], {}, BOTH, True),
    "betweenness": (["score"], {}, BOTH, False),
    "bfs": (["parent", "depth"], {"root": "ROOT"}, BOTH, False),
    "boruvka": (["component", "tail", "head", "total"], {}, UNDIRECTED, True),
    "bottleneck": (["width"], {"source": "ROOT"}, BOTH, True),
    "clustering": (["coefficient"], {}, BOTH, False),
    "coloring": (["color"], {}, UNDIRECTED, False),
    "components": (["label"], {}, BOTH, False),
    "components_gas": (["label"], {}, BOTH, False),
    "degree_histogram": (["vertices", "at_least"], {}, BOTH, False),
    "densest_subgraph": (["density", "member"], {}, UNDIRECTED, False),
    "diameter": (["bound", "from"], {"start": "ROOT"}, UNDIRECTED, False),
    "dijkstra": (["dist", "parent"], {"source": "ROOT"}, BOTH, True),
    "dominating_set": (["chosen", "size"], {}, BOTH, False),
    "hits": (["hub", "authority"], {"rounds": "15"}, BOTH, False),
    "kcore": (["core"], {}, UNDIRECTED, False),
    "ktruss": (["truss"], {}, UNDIRECTED, False),
    "label_propagation": (["label"], {"rounds": "8"}, BOTH, False),
    "mis": (["chosen"], {}, UNDIRECTED, False),
    "pagerank": (["rank"], {"damping": "0.8", "tolerance": "1e-6", "rounds": "30"}, BOTH, False),
    "personalised_pagerank": (["rank"], {"interest": "VALUES", "tolerance": "1e-6", "rounds": "30"}, BOTH, False),
    "prim": (["parent", "key"], {"root": "ROOT"}, UNDIRECTED, True),
    "random_walks": (["visits", "end"], {"steps": "7", "seed": "3"}, BOTH, False),
    "residual_pagerank": (["rank"], {"damping": "0.8", "bound": "1e-4"}, BOTH, False),
    "route": (["length", "stop"], {"source": "ROOT", "target": "LAST"}, BOTH, True),
    "scc": (["component"], {}, BOTH, False),
    "sssp": (["dist"], {"source": "ROOT"}, BOTH, True),
    "sssp_vertex": (["dist"], {"source": "ROOT"}, BOTH, True),
    "transitive_closure": (["reach"], {}, BOTH, False),
    "triangles": (["count"], {}, UNDIRECTED, False),
    "widest_path": (["width"], {}, BOTH, True),
}
# Examples that say in another way what another example computes: the oracle knows that one.
SAME_AS = {"components_gas": "components", "sssp_vertex": "sssp"}
# Those whose result has a value for every pair of vertices.
DENSE = {"apsp", "apsp_paths", "transitive_closure", "widest_path"}
SHAPES = ["kronecker", "uniform", "grid", "path-star", "loops"]


def graphs(suite):
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


def given(suite, name, path):
    """The options that give an example its parameters on a graph."""
    options = []
    for key, value in EXAMPLES[name][1].items():
        if value == "ROOT":
            value = first_vertex(path)
        elif value == "LAST":
            value = path.read_text().split("\n")[-2].split()[1]
        elif value == "VALUES":
            file = suite.folder / f"{path.stem}.values"
            lines = [line.split()[:2] for line in path.read_text().splitlines() if not line.startswith("#")]
            vertices = sorted({int(v) for line in lines for v in line})
            if not file.exists():
                file.write_text("".join(f"{v} {(7 * v + 3) % 11 / 4 if v % 3 else 0}\n" for v in vertices))
            value = f"@{file}"
        options.append(f"--{key}={value}")
    return options
