"""The validation cases of LDBC Graphalytics with their reference outputs: BFS, SSSP, PR, WCC, CDLP and LCC, directed and
undirected, each with its serial form (--verify)."""

import re
import sys

import harness

suite = harness.Suite("ldbc")
DATA = harness.SHARED_DATA / "ldbc-graphalytics"
if not DATA.is_dir():
    print(f"skipped: {DATA} is not there")
    sys.exit(77)

# algorithm: program, output, relative tolerance, {parameter: key in the properties file}. The larger references of PR come
# from more rounds than the properties say; LDBC itself accepts a difference of 1e-4.
ALGORITHMS = {
    "bfs": ("bfs", "depth", 0, {"root": "bfs.source-vertex"}),
    "sssp": ("ldbc_sssp", "dist", 1e-9, {"source": "sssp.source-vertex"}),
    "pr": ("ldbc_pagerank", "rank", 1e-5, {"damping": "pr.damping-factor", "rounds": "pr.num-iterations"}),
    "wcc": ("components", "label", 0, {}),
    "cdlp": ("label_propagation", "label", 0, {"rounds": "cdlp.max-iterations"}),
    "lcc": ("clustering", "coefficient", 1e-9, {}),
}


def properties(name):
    """The parameters of a data set, without the common prefix."""
    result = {}
    for line in (DATA / "properties" / f"{name}.properties").read_text().splitlines():
        match = re.match(rf"graph\.{name}\.(\S+)\s*=\s*(.*\S)", line)
        if match:
            result[match[1]] = match[2]
    return result


def vertices_and_edges(adjacency, name, undirected):
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


def check(algorithm, case, graph, reference, settings, directed):
    program, output, tolerance, parameters = ALGORITHMS[algorithm]
    found = suite.folder / f"{case}-{algorithm}.txt"
    found.unlink(missing_ok=True)
    options = [f"--{parameter}={settings[key]}" for parameter, key in parameters.items()]
    direction = "--directed" if directed else "--undirected"
    for variant, environment in suite.variants([1, 2]):
        result = suite.succeeds(f"{algorithm} {case}", suite.programs / program, graph, direction, *options, "--quiet",
                                "--verify", *variant, f"--output={output}={found}", env=environment)
        if result.code == 0:
            suite.succeeds(f"compare {algorithm} {case}", suite.oracle, "compare", reference, found, tolerance)


for algorithm in suite.cases or ALGORITHMS:
    for directed in (True, False):
        kind = "directed" if directed else "undirected"
        check(algorithm, f"example-{kind}", DATA / "example" / f"example-{kind}.e",
              DATA / "example" / f"example-{kind}-{algorithm.upper()}", properties(f"example-{kind}"), directed)
        short = "dir" if directed else "undir"
        graph = DATA / algorithm / f"{short}-input.e"
        if not graph.exists():
            graph = vertices_and_edges(DATA / algorithm / f"{short}-input", f"{algorithm}-{kind}", not directed)
        check(algorithm, f"test-{kind}", graph, DATA / algorithm / f"{short}-output",
              properties(f"test-{algorithm}-{kind}"), directed)
suite.finish()
