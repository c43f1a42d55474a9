"""The programs of test/peers that compile: right in every legal direction, with 1, 2 and 4 threads. Their answers are
computed here a second way."""

import collections
import heapq

import harness

suite = harness.Suite("peers")
PEERS = harness.ROOT / "test" / "peers"
THREADS = [1, 2, 4]
INF = float("inf")


class Graph:
    """A directed graph with weights, from the edge list that gcompile writes."""

    def __init__(self, path):
        self.edges = [tuple(map(int, line.split())) for line in path.read_text().splitlines() if line[0] not in "#%"]
        self.vertices = sorted({end for u, v, _ in self.edges for end in (u, v)})
        self.out, self.into = collections.defaultdict(list), collections.defaultdict(list)
        for u, v, w in self.edges:
            self.out[u].append((v, w))
            self.into[v].append((u, w))

    def degree(self, v):
        return len(self.out[v])


def depths(graph, root, passes=lambda u: True):
    """The number of edges from `root`, along edges whose source `passes`."""
    depth, queue = {root: 0}, collections.deque([root])
    while queue:
        u = queue.popleft()
        for v, _ in graph.out[u] if passes(u) else []:
            if v not in depth:
                depth[v] = depth[u] + 1
                queue.append(v)
    return depth


def distances(graph, root):
    distance, queue = {}, [(0, root)]
    while queue:
        d, u = heapq.heappop(queue)
        if u not in distance:
            distance[u] = d
            for v, w in graph.out[u]:
                heapq.heappush(queue, (d + w, v))
    return distance


def whole(result, name):
    return {int(vertex): value for vertex, value in (line.split() for line in result[name].splitlines())}


def number(text):
    return INF if text == "inf" else float(text)


def numbers(result, name):
    return {vertex: number(value) for vertex, value in whole(result, name).items()}


def equal(expected, found):
    if expected.keys() != found.keys():
        return ["other vertices"]
    return [(v, expected[v], found[v]) for v in expected if abs(expected[v] - found[v]) > 1e-9][:3]


def tree(graph, root, result, passes=lambda u: True):
    """What is wrong with `parent`: exactly the reachable vertices have one, over an edge, from a level before."""
    depth, parent = depths(graph, root, passes), whole(result, "parent")
    sources = {v: {u for u, _ in graph.into[v]} for v in graph.vertices}
    for v in graph.vertices:
        if v == root:
            good = parent[v] == str(root)
        elif v not in depth:
            good = parent[v] == "none"
        else:
            good = parent[v] != "none" and int(parent[v]) in sources[v] and passes(int(parent[v])) and \
                depth.get(int(parent[v])) == depth[v] - 1
        if not good:
            return [(v, parent[v], depth.get(v))]
    return []


def destination_name(graph, root, result):
    depth, found = depths(graph, root), numbers(result, "depth")
    far = [v for v in graph.vertices if v not in depth and found[v] != INF]
    return tree(graph, root, result) + far + equal(depth, {v: found[v] for v in depth})


def global_sum(graph, _, result):
    expected = [str(len(graph.edges)), str(max(map(graph.degree, graph.vertices)))]
    return [] if [result["total"].strip(), result["heaviest"].strip()] == expected else [(expected, result)]


def other_end(graph, _, result):
    return equal({u: float(any(graph.degree(v) > 8 for v, _ in graph.out[u])) for u in graph.vertices},
                 numbers(result, "leads"))


def indirect_index(graph, _, result):
    children = collections.Counter(min(u for u, _ in graph.into[v]) for v in graph.vertices if graph.into[v])
    return equal({v: children[v] for v in graph.vertices}, numbers(result, "children"))


def maximum(graph, _, result):
    greatest, changed = {v: v for v in graph.vertices}, True
    while changed:
        changed = False
        for u, v, _ in graph.edges:
            if greatest[u] > greatest[v]:
                greatest[v], changed = greatest[u], True
    return equal(greatest, numbers(result, "greatest"))


def conditional(graph, root, result):
    return tree(graph, root, result, lambda u: graph.degree(u) > 3)


def second_write(graph, root, result):
    parent = whole(result, "parent")
    children = collections.Counter(int(parent[v]) for v in graph.vertices if v != root and parent[v] != "none")
    return tree(graph, root, result) + equal({v: children[v] for v in graph.vertices}, numbers(result, "children"))


def counter(graph, root, result):
    distance = distances(graph, root)
    wrong = equal(distance, {v: d for v, d in numbers(result, "dist").items() if v in distance})
    return wrong + ([] if result["rounds"].strip() == "3" else [result["rounds"]])


def neighbouring_elements(graph, _, result):
    pointed = collections.Counter(min(v for v, _ in graph.out[u]) for u in graph.vertices if graph.out[u])
    return equal({v: 1 + 10 * pointed[v] for v in graph.vertices}, numbers(result, "visits"))


def division(graph, _, result):
    n = len(graph.vertices)
    rank = {v: 1 / n for v in graph.vertices}
    for _ in range(10):
        rank = {v: 0.15 / n + 0.85 * sum(rank[u] / graph.degree(u) for u, _ in graph.into[v]) for v in graph.vertices}
    return equal(rank, numbers(result, "rank")) + equal(rank, numbers(result, "quick"))


def nested_blocks(graph, _, result):
    own, other = collections.Counter(), collections.Counter()
    for u, v, _ in graph.edges:
        if u != v and graph.degree(v) > graph.degree(u) > 1:
            own[u] += 1
            other[v] += 1
    return equal({v: own[v] for v in graph.vertices}, numbers(result, "own")) + \
        equal({v: other[v] for v in graph.vertices}, numbers(result, "other"))


# file: check, outputs, the parameter that is a vertex, the legal directions
ALL, BOTH = ["push", "pull", "hybrid"], ["push", "pull"]
CASES = {
    "graphit_1_destination_name": (destination_name, ["parent", "depth"], "root", ALL),
    "graphit_2_global_sum": (global_sum, ["total", "heaviest"], None, [None]),
    "graphit_3_other_end": (other_end, ["leads"], None, BOTH),
    "graphit_4_indirect_index": (indirect_index, ["children"], None, BOTH),
    "graphit_5_max": (maximum, ["greatest"], None, ALL),
    "graphit_6_conditional": (conditional, ["parent"], "root", ALL),
    "graphit_7_second_write": (second_write, ["parent", "children"], "root", ["push"]),
    "graphit_9_counter": (counter, ["dist", "rounds"], "source", [None]),
    "gpu_neighbouring_elements": (neighbouring_elements, ["visits"], None, BOTH),
    "ligra_division": (division, ["rank", "quick"], None, [None]),
    "starplat_nested_blocks": (nested_blocks, ["own", "other"], None, [None]),
}


def run(name, graph, path):
    check, outputs, parameter, directions = CASES[name]
    root = graph.edges[0][0]
    program = (PEERS / f"{name}.gdsl").read_text(encoding="utf-8")
    for direction in directions:
        what = f"{name} {direction or 'as chosen'}"
        text = program
        if direction:
            text += f"schedule {check.__name__} {{ cpu {{ direction {direction}; }} }}\n"
        source = suite.folder / f"{name}.gdsl"
        source.write_text(text, encoding="utf-8")
        executable = suite.folder / f"{name}-{direction}"
        suite.succeeds(f"{what} compiles", suite.gcompile, *suite.QUICK, source, "-o", executable)
        for threads in THREADS:
            files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
            options = [f"--output={output}={file}" for output, file in files.items()]
            options += [f"--{parameter}={root}"] if parameter else []
            result = suite.succeeds(f"{what} runs", executable, path, "--directed", "--quiet", "--verify",
                                    f"--threads={threads}", *options, env={"OMP_WAIT_POLICY": "passive"})
            if result.code != 0:
                break
            found = {output: file.read_text() for output, file in files.items()}
            suite.expect(not (wrong := check(graph, root, found)), f"{what} with {threads} threads", wrong)
        executable.unlink(missing_ok=True)


graph_file = suite.folder / "graph.wel"
suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=9,degree=6,directed=true,weights=1..9", "graph.el",
               "--directed")
(suite.folder / "graph.el").replace(graph_file)
kronecker = Graph(graph_file)
for case in suite.cases or CASES:
    run(case, kronecker, graph_file)
suite.finish()
