"""The validation cases of LDBC Graphalytics, if they are there, with their reference outputs: directed and undirected."""

import re
import sys

import harness

DATA = harness.SHARED_DATA / "ldbc-graphalytics"
PROGRAMS = harness.ROOT / "test" / "e2e" / "ldbc"
EXAMPLES = harness.ROOT / "examples"

# algorithm: source, output, relative tolerance, {parameter: key in the properties file}. The larger references of PR come
# from more rounds than the properties say; LDBC itself accepts a difference of 1e-4.
ALGORITHMS = {
    "bfs": (EXAMPLES / "bfs.gdsl", "depth", 0, {"root": "bfs.source-vertex"}),
    "sssp": (PROGRAMS / "sssp.gdsl", "dist", 1e-9, {"source": "sssp.source-vertex"}),
    "pr": (PROGRAMS / "pagerank.gdsl", "rank", 1e-5, {"damping": "pr.damping-factor", "rounds": "pr.num-iterations"}),
    "wcc": (EXAMPLES / "components.gdsl", "label", 0, {}),
    "cdlp": (EXAMPLES / "label_propagation.gdsl", "label", 0, {"rounds": "cdlp.max-iterations"}),
    "lcc": (EXAMPLES / "clustering.gdsl", "coefficient", 1e-9, {}),
}


def skip_without():
    if not DATA.is_dir():
        print(f"skipped: {DATA} is not there")
        sys.exit(77)


def properties(name):
    """The parameters of a data set, without the common prefix."""
    result = {}
    for line in (DATA / "properties" / f"{name}.properties").read_text().splitlines():
        match = re.match(rf"graph\.{name}\.(\S+)\s*=\s*(.*\S)", line)
        if match:
            result[match[1]] = match[2]
    return result


def vertices_and_edges(suite, adjacency, name, undirected):
    """Writes an adjacency list (`v n1 n2 ...`) as a .v and a .e file; returns the latter."""
    vertices, edges = set(), set()
    for line in adjacency.read_text().splitlines():
        ids = [int(word) for word in line.split()]
        vertices.update(ids)
        edges.update((min(ids[0], v), max(ids[0], v)) if undirected else (ids[0], v) for v in ids[1:])
    (suite.folder / f"{name}.v").write_text("".join(f"{v}\n" for v in sorted(vertices)))
    path = suite.folder / f"{name}.e"
    path.write_text("".join(f"{u} {v}\n" for u, v in sorted(edges)))
    return path


def cases(suite, algorithm):
    """Yields the name of each case, its graph, its reference, and the program's options."""
    parameters = ALGORITHMS[algorithm][3]

    def options(settings, kind):
        return [f"--{kind}", *(f"--{parameter}={settings[key]}" for parameter, key in parameters.items())]

    for kind, short in (("directed", "dir"), ("undirected", "undir")):
        example = f"example-{kind}"
        yield (example, DATA / "example" / f"{example}.e", DATA / "example" / f"{example}-{algorithm.upper()}",
               options(properties(example), kind))
        graph = DATA / algorithm / f"{short}-input.e"
        if not graph.exists():
            graph = vertices_and_edges(suite, DATA / algorithm / f"{short}-input", f"{algorithm}-{kind}", kind == "undirected")
        yield (f"test-{kind}", graph, DATA / algorithm / f"{short}-output",
               options(properties(f"test-{algorithm}-{kind}"), kind))
