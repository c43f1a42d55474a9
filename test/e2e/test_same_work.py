"""The programs of bench/same_work: parents against the oracle, and the programs in float against the examples in double,
as the interpreter runs them, within what rounding explains."""

import collections

import harness
from examples import BOTH, first_vertex, graphs

suite = harness.Suite("same_work")
FOLDER = harness.ROOT / "bench" / "same_work"
ROUNDING = 2.0**-24  # of one operation of floats, relative
NAMES = ("bfs_parent", "pagerank_float", "betweenness_float")


def read(path):
    return {int(v): value for v, value in (line.split() for line in path.read_text().splitlines())}


def values(path):
    return {v: float(value) for v, value in read(path).items()}


def longest_list(graph):
    """At least the number of arcs into any vertex, in either direction."""
    ends = [line.split()[:2] for line in graph.read_text().splitlines() if not line.startswith("#")]
    return max(collections.Counter(v for each in ends for v in each).values())


def interpreted(name, output, graph, *options):
    file = suite.folder / f"wanted-{output}.txt"
    suite.succeeds(f"interpret {name}", suite.gcompile, "interpret", harness.ROOT / "examples" / f"{name}.gdsl", graph,
                   "--quiet", *options, f"--output={output}={file}", timeout=200)
    return file


def check_close(what, wanted, found, bound):
    for v, value in wanted.items():
        if not suite.expect(abs(found[v] - value) <= bound * abs(value), f"{what}: of vertex {v}",
                            f"expected {value}, found {found[v]}, within {bound}"):
            return


def runs(name, output, graph, *options):
    """What the program gives, in each way of running it."""
    for variant, environment in suite.variants([1, 2, 4]):
        file = suite.folder / f"{output}.txt"
        what = f"{name} {graph.name} {options} {variant}"
        suite.succeeds(f"run {what}", suite.folder / name, graph, "--quiet", "--verify", *options, *variant,
                       f"--output={output}={file}", env=environment)
        yield what, file


def depths_of(parents, root):
    """The depths in the tree, inf for vertices that are not in it."""
    children = collections.defaultdict(list)
    for v, parent in parents.items():
        if parent != "none":
            children[int(parent)].append(v)
    depth, level = {}, [root]
    while level:
        for v in level:
            depth[v] = 0 if v == root else depth[int(parents[v])] + 1
        level = [child for v in level for child in children[v] if child not in depth]
    return {v: depth.get(v, "inf") for v in parents}


def check_parents(graph, direction, root):
    for what, parent in runs("bfs_parent", "parent", graph, direction, f"--root={root}"):
        depth = suite.folder / "depth.txt"
        depth.write_text("".join(f"{v} {d}\n" for v, d in depths_of(read(parent), int(root)).items()))
        suite.succeeds(f"check {what}", suite.oracle, "check", "bfs", graph, direction, f"--root={root}",
                       f"parent={parent}", f"depth={depth}")


def check_ranks(graph, direction):
    rounds, options = 20, (direction, "--rounds=20", "--tolerance=0")
    wanted = values(interpreted("pagerank", "rank", graph, *options))
    for what, file in runs("pagerank_float", "rank", graph, *options):
        check_close(what, wanted, values(file), rounds * (longest_list(graph) + 6) * ROUNDING)


def check_scores(graph, direction, root):
    options = (direction, f"--sources={root}")
    wanted = values(interpreted("betweenness", "score", graph, *options))
    depth = values(interpreted("bfs", "depth", graph, direction, f"--root={root}"))
    reached = [d for d in depth.values() if d < float("inf")]
    wanted[int(root)] = len(reached) - 1  # each other vertex depends on the source
    if (greatest := max(wanted.values())) == 0:
        return
    wanted = {v: score / greatest for v, score in wanted.items()}
    for what, file in runs("betweenness_float", "score", graph, *options):
        check_close(what, wanted, values(file), 2 * (max(reached) + 1) * (longest_list(graph) + 6) * ROUNDING)


for name in NAMES:
    built = suite.build_program(FOLDER / f"{name}.gdsl", suite.folder / name,
                                *([] if suite.target == "cuda" else [*suite.QUICK, "--cxx-flag=-Wall"]))
    suite.expect(built.code == 0 and built.err == "", f"{name} compiles without a warning", built)
for shape, graph, _ in list(graphs(suite)):
    if shape == "karate-weighted":
        continue
    for direction in BOTH:
        root = first_vertex(graph)
        check_parents(graph, direction, root)
        check_ranks(graph, direction)
        check_scores(graph, direction, root)
suite.finish()
