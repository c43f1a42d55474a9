"""`--partition=grid`: ranks in a grid divide the edges at a vertex. Results are those of one machine, ranks send to their row
and column alone, the balance is that of an oracle, and programs that need all edges of a vertex at one place are refused.

usage: test_mpi_grid.py --build DIR (EXAMPLE | grid | grid_partners | grid_balance | grid_refused | grid_rounds)..."""

import json
import random

import examples
import harness
from rank_examples import compare
from ranks import KARATE, QUICK, build, fails, mpirun, run, same, suite, threads, write

# Two of these tests may run at a time.
suite.folder = suite.folder / "-".join(suite.cases)
suite.folder.mkdir(exist_ok=True)
EXAMPLES = harness.ROOT / "examples"
# The outputs of examples that are one, whichever rank computes them.
PROGRAMS = {"bfs": ["depth"], "bottleneck": ["width"], "components": ["label"], "degree_histogram": ["vertices", "at_least"],
            "densest_subgraph": ["density"], "diameter": ["bound", "from"], "dijkstra": ["dist"], "hits": ["hub", "authority"],
            "kcore": ["core"], "pagerank": [], "personalised_pagerank": [], "prim": ["key"], "route": ["length"],
            "scc": ["component"], "sssp": ["dist"], "sssp_vertex": ["dist"]}
RANKS = {"kronecker": (2, 4, 6), "uniform": (3, 8), "grid": (4,), "path-star": (6,), "loops": (1, 4), "karate-weighted": (2, 6),
         "line": (3, 8)}


def compared(name):
    # Rank 0 has the whole graph, too, where it verifies.
    compare(name, PROGRAMS[name], RANKS, lambda ranks: ["--partition=grid", *(["--verify"] if ranks % 2 == 0 else [])])


def random_graph(name, vertices, edges, seed):
    rng = random.Random(seed)
    ends = {(rng.randrange(vertices), rng.randrange(vertices)) for _ in range(edges)}
    ends |= {(0, v) for v in range(1, vertices, 2)} | {(v, 1) for v in range(2, vertices, 3)}  # with two hubs
    return write(name, [(u, v, 1 + (u * 7 + v) % 9, f"{(u + v) % 5}.5") for u, v in sorted(ends)])


def grid():
    """All forms of statements, values of edges out of and into vertices, from files of both kinds."""
    source = harness.ROOT / "test" / "e2e" / "grid.gdsl"
    program = build(source, "grid.program")
    outputs = [line.split()[1].rstrip(":") for line in source.read_text().splitlines() if line.startswith("    output ")]
    one, found = ([suite.folder / f"{output}.{kind}" for output in outputs] for kind in ("one", "grid"))
    small, tiny = random_graph("small.el", 90, 400, 1), write("tiny.el", [(0, 1, 3, "2.5"), (1, 2, 4, "0.5")])
    converted = suite.folder / "small.gcsr"
    suite.succeeds("a binary file", suite.gcompile, "convert", small, converted, "--directed", "--column=w:int", "--column=x:double")
    for graph, directions in ((small, examples.BOTH), (converted, ["--directed"]), (tiny, examples.BOTH)):
        for direction in directions:
            given = [direction, "--root=0", "--some=0,1,2"]
            suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", *QUICK, source, graph, *given, "--quiet",
                           *[f"--output={o}={file}" for o, file in zip(outputs, one)])
            for ranks in (1, 2, 3, 4, 6, 8):
                for file in found:
                    file.unlink(missing_ok=True)
                result = mpirun(ranks, program, graph, *given, threads(ranks), "--partition=grid", "--quiet",
                                *[f"--output={o}={file}" for o, file in zip(outputs, found)])
                what = f"{graph.name} {direction} on {ranks} ranks"
                if suite.expect(result.code == 0 and result.err == "", what, result):
                    for wanted, got in zip(one, found):
                        suite.expect(same(wanted.read_text(), got.read_text()), f"{what}: the same {got.stem}")


def shape_of(ranks):
    """Rows and columns: the greatest divisor up to the square root, and the rest."""
    rows = max(d for d in range(1, ranks + 1) if ranks % d == 0 and d * d <= ranks)
    return rows, ranks // rows


def grid_partners():
    """To which ranks one sends while a program runs: to its row and column alone, and as many as these have."""
    source, shim = harness.ROOT / "test" / "e2e" / "partners.c", suite.folder / "partners.so"
    suite.succeeds("the shim compiles", "mpicc", "-shared", "-fPIC", source, "-o", shim)
    graph = suite.folder / "partners.gcsr"
    suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=10,degree=16", graph)
    for name, given in (("pagerank", ["--rounds=3", "--tolerance=0"]), ("bfs", ["--root=1"]), ("components", [])):
        program = build(EXAMPLES / f"{name}.gdsl", f"{name}.partners")
        for ranks in (4, 6, 8):
            rows, columns = shape_of(ranks)
            sent = suite.folder / f"{name}-{ranks}"
            result = mpirun(ranks, "env", f"LD_PRELOAD={shim}", f"PARTNERS={sent}", program, graph, *given, "--partition=grid", "--quiet")
            suite.expect(result.code == 0, f"{name} on {ranks} ranks", result)
            for rank in range(ranks):
                partners = {int(word) for word in (suite.folder / f"{name}-{ranks}.{rank}").read_text().split()}
                row, column = divmod(rank, columns)
                wanted = {row * columns + c for c in range(columns)} | {r * columns + column for r in range(rows)}
                suite.expect(partners == wanted - {rank}, f"{name}: rank {rank} of {ranks} sends to {sorted(partners)}")


def grid_balance():
    """What a report and a plan tell is what an oracle counts, and a vertex with most edges leaves no rank behind."""
    pagerank = build(EXAMPLES / "pagerank.gdsl", "pagerank.balance")
    graph = write("star.el", [(0, v) for v in range(1, 400)] + [(v, v + 1) for v in range(1, 60)])
    pairs = {tuple(map(int, line.split())) for line in graph.read_text().splitlines()}
    arcs = sorted(pairs | {(v, u) for u, v in pairs})
    file, balance = suite.folder / "report.json", {}
    for ranks in (2, 4, 6, 8):
        rows, columns = shape_of(ranks)
        for way in ("blocks", "grid"):
            given = ["--undirected", f"--partition={way}", f"--report={file}", "--quiet"]
            result = mpirun(ranks, pagerank, graph, *given)
            suite.expect(result.code == 0, f"{way} on {ranks} ranks", result)
            told = json.loads(file.read_text())["partition"]
            suite.succeeds("a plan", pagerank, graph, f"--plan={ranks}", *given)
            suite.expect(json.loads(file.read_text())["partition"] == told, f"the plan of {way} tells the same", told)
        owner = owners(arcs, 400, ranks)
        work, copies, cut = [sum(o == r for o in owner) for r in range(ranks)], [set() for _ in range(ranks)], 0
        for u, v in arcs:
            holder = owner[u] // columns * columns + owner[v] % columns
            work[holder] += 1
            copies[holder] |= {w for w in (u, v) if owner[w] != holder}
            cut += holder != owner[u] or holder != owner[v]
        wanted = {"by": f"grid of {rows} x {columns}", "cut_arcs": cut, "cut": cut / len(arcs),
                  "balance": max(work) * ranks / sum(work), "copies": sum(map(len, copies))}
        suite.expect(all(told[k] == w or abs(told[k] - w) < 1e-9 for k, w in wanted.items()), f"{told} {wanted}")
    for way in ("blocks", "grid"):
        suite.succeeds(f"a plan by {way}", pagerank, "kronecker:scale=12,degree=16", "--plan=64", f"--partition={way}", f"--report={file}")
        balance[way] = json.loads(file.read_text())["partition"]["balance"]
    suite.expect(balance["grid"] < 1.2 < balance["blocks"], "a hub leaves no rank of a grid behind", balance)


def owners(arcs, vertices, ranks):
    """Blocks with about as much work each, a vertex being one more than its arcs, as documented."""
    degree = [0] * vertices
    for u, _ in arcs:
        degree[u] += 1
    work, before, begins = vertices + len(arcs), 0, []
    for v in range(vertices):
        while len(begins) < ranks and before >= work // ranks * len(begins) + work % ranks * len(begins) // ranks:
            begins.append(v)
        before += degree[v] + 1
    return [sum(begin <= v for begin in begins) - 1 for v in range(vertices)]


def grid_refused():
    """What needs all edges of a vertex at one place is refused before the run, with the statement."""
    for name, line, reason in (
            ("triangles", 8, "it looks at the neighbours of a vertex as a list or a set, which no rank has as a whole"),
            ("components_gas", 15, "a vertex needs what is collected over all of its edges"),
            ("label_propagation", 12, "it chooses among all neighbours of a vertex"),
            ("random_walks", 18, "it looks at the neighbours of a vertex as a list or a set, which no rank has as a whole"),
            ("mis", 14, "it chooses vertices by their edges"),
            ("clustering", 11, "it looks at the neighbours of a vertex as a list or a set, which no rank has as a whole"),
            ("ktruss", 9, "'truss' has values of edges, or edges")):
        program = build(EXAMPLES / f"{name}.gdsl", f"{name}.refused")
        direction = "--undirected" if name != "clustering" else "--directed"
        fails(name, 4, 2, "--partition=grid: ranks then have some of the edges of a vertex each, and this program cannot run so: "
              f"{name}.gdsl:{line}: {reason}", program, KARATE, direction, "--partition=grid")
        told = suite.succeeds(f"{name} explained", suite.gcompile, "--explain", "--target=mpi", EXAMPLES / f"{name}.gdsl")
        suite.expect(f"runs with --partition=grid: no, line {line}: {reason}" in told.out, f"{name} is explained", told)
    bfs = build(EXAMPLES / "bfs.gdsl", "bfs.refused")
    fails("routes", 4, 2, "--partition=grid: messages go straight there", bfs, KARATE, "--root=1", "--partition=grid", "--routes=grid")
    # What a second loop collects depends on the first.
    source = suite.folder / "twice.gdsl"
    source.write_text("algorithm twice(g: graph) {\n    output n: long[g] = 0;\n    x: int[g] = v.degree;\n    for v in g {\n"
                      "        let most = max(u -> v : x[u]);\n        n[v] = count(u -> v where x[u] == most);\n    }\n}\n")
    twice = build(source, "twice.refused")
    fails("two loops", 2, 2, "--partition=grid: ranks then have some of the edges of a vertex each, and this program cannot run so: "
          "twice.gdsl:", twice, KARATE, "--partition=grid")
    suite.expect(mpirun(2, twice, KARATE, "--verify").code == 0, "blocks run it")


def grid_rounds():
    """A run that is killed goes on from its last round in the same grid, and in no other partition."""
    state, shim = suite.folder / "state", suite.folder / "end_at_call.so"
    suite.succeeds("the shim compiles", "cc", "-shared", "-fPIC", harness.ROOT / "test" / "e2e" / "end_at_call.c", "-o", shim, "-ldl")
    path = write("path.wel", [(v, (v * 5 + 1) % 40 if v % 7 == 0 else v + 1, 1 + v % 3) for v in range(60)])
    for name, output, given in (("components", "label", []), ("sssp", "dist", ["--source=0"])):
        program = build(EXAMPLES / f"{name}.gdsl", f"{name}.rounds")
        whole, found = suite.folder / f"{name}.whole", suite.folder / f"{name}.found"
        given = [path, *given, "--threads=1"]
        suite.expect(mpirun(4, program, *given, "--partition=grid", f"--output={output}={whole}").code == 0, f"{name}: a whole run")
        kept = [f"--checkpoint={state}", "--every=1"]
        ended = mpirun(4, "env", f"LD_PRELOAD={shim}", "END_RANK=1", "END_CALL=9", program, *given, "--partition=grid", *kept)
        suite.expect(ended.code == 137, f"{name}: a run that is killed", ended)
        other = mpirun(4, program, *given, *kept, "--resume")
        suite.expect(other.code == 2 and "partition grid" in other.err, f"{name}: another partition is refused", other)
        result = mpirun(4, program, *given, "--partition=grid", *kept, "--resume", f"--output={output}={found}")
        suite.expect(result.code == 0 and "goes on behind" in result.out and whole.read_text() == found.read_text(),
                     f"{name}: resumed", result)


run({**{name: lambda name=name: compared(name) for name in PROGRAMS}, "grid": grid, "grid_partners": grid_partners,
     "grid_balance": grid_balance, "grid_refused": grid_refused, "grid_rounds": grid_rounds})
