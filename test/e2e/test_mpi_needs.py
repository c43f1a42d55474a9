"""What programs for several machines need: the memory that is planned is what ranks have; the messages and bytes are as
few as the copies allow, and the profile tells them.

usage: test_mpi_needs.py --build DIR (plan | profile | volume | gifts | routes | kept)"""

import json
import random

import harness
from ranks import ENVIRONMENT, KARATE, QUICK, START, build, fails, mpirun, run, suite, write


def plan():
    """The memory that is planned for a rank is what ranks then have, and what is checked before they load."""
    large = suite.folder / "planned.gcsr"
    suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=18,degree=16", large)
    file = suite.folder / "plan.json"

    def peak(program, ranks, graph):
        report = suite.folder / "planned.json"
        result = mpirun(ranks, program, graph, *given, "--quiet", f"--report={report}")
        suite.expect(result.code == 0, f"{program.name} on {ranks} ranks", result)
        return json.loads(report.read_text())["rank_peak_bytes"]

    for name, given in (("bfs", ["--root=1"]), ("pagerank", ["--rounds=2"])):
        program = build(harness.ROOT / "examples" / f"{name}.gdsl", f"plan-{name}")
        for ranks in (1, 2, 3):
            what = f"{name} on {ranks} ranks"
            alone = suite.succeeds(f"plan of {what}", program, large, f"--plan={ranks}", f"--report={file}")
            told = json.loads(file.read_text())
            suite.expect(told["ranks"] == ranks and (ranks == 1 or f"all {ranks} ranks" in alone.out), what, alone)
            together = mpirun(ranks, program, large, "--plan")
            told_by = [[line for line in each.out.splitlines() if not line.startswith(("  available", "threads of"))]
                       for each in (alone, together)]
            suite.expect(together.code == 0 and together.out.count("a rank ") == 1 and told_by[0] == told_by[1],
                         f"{what} plan alike", together)
            # Of the peak, the process itself is not planned, nor are pages of the file, which may leave at any time.
            own = peak(program, ranks, large) - peak(program, ranks, KARATE)
            needed = told["needed_bytes"]
            suite.expect(0.9 * needed <= own <= 1.1 * (needed + told["graph_bytes"]), f"{what}: {own} bytes, planned {needed}")
    amount = [line for line in alone.out.splitlines() if line.startswith("  a rank")][0].split(maxsplit=2)[2]
    fails("less memory than planned", 3, 2, f"{large}: a part of the graph and the program's data needs about {amount}",
          program, large, f"--memory={needed - 4096}")
    suite.expect(mpirun(3, program, large, "--quiet", f"--memory={needed + 4096}").code == 0, "as much as planned")
    # One rank has less than the others.
    for graph in (large, "kronecker:scale=18,degree=16"):
        short = [program, graph, *given, "--quiet"]
        result = suite.run(*START, "1", "-q", *short, ":", "-n", "1", *short, "--memory=4MiB", ":", "-n", "1", *short, env=ENVIRONMENT)
        errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
        suite.expect(result.code == 2 and len(errors) == 1 and " is available (on rank 1 of 3)" in errors[0], f"no memory on one rank: {graph}", result)
    # Of what is built of edges each rank has a part, which takes more memory while it loads.
    made, text = "kronecker:scale=18,degree=16", suite.folder / "planned.el"
    suite.succeeds("a text", suite.gcompile, "convert", large, text)
    for graph in (made, text):
        for ranks in (2, 4):
            planned = suite.succeeds("plan of edges", program, graph, f"--plan={ranks}", f"--report={file}")
            told = json.loads(file.read_text())
            own = peak(program, ranks, graph) - peak(program, ranks, KARATE) - (text.stat().st_size // ranks if graph == text else 0)
            suite.expect("loading, besides" in planned.out and 0 < own <= 1.1 * told["needed_bytes"],
                         f"{graph} on {ranks} ranks: {own} bytes, planned {told['needed_bytes']}", planned)
    # Where a rank needs more than its own arcs, the whole graph is there while it loads.
    triangles = build(harness.ROOT / "examples" / "triangles.gdsl", "plan-triangles")
    loading = []
    for which in (program, triangles):
        suite.succeeds("plan of a generator", which, made, "--plan=4", f"--report={file}")
        loading.append(json.loads(file.read_text())["loading_bytes"])
    suite.expect(loading[1] > 2 * loading[0], f"loading with and without the arcs at copies: {loading}")
    # So are lists that a file has packed.
    packed = suite.folder / "packed.gcsr"
    suite.succeeds("packed lists", suite.gcompile, "convert", large, packed, "--adjacency=packed")
    suite.succeeds("plan of packed lists", program, packed, "--plan=3", f"--report={file}")
    told = json.loads(file.read_text())
    own = peak(program, 3, packed) - peak(program, 3, KARATE)
    suite.expect(told["loading_bytes"] > 0 and own <= 1.1 * (told["needed_bytes"] + packed.stat().st_size),
                 f"packed lists: {own} bytes", told)


def held(edges, ranks):
    """The copies that each rank has of the vertices of each other one, with their degrees, in an undirected graph of these
    edges: an oracle."""
    number_of = {v: i for i, v in enumerate(sorted({v for edge in edges for v in edge}))}
    ends = [set() for _ in number_of]
    for u, v in edges:
        ends[number_of[u]].add(number_of[v])
        ends[number_of[v]].add(number_of[u])
    before = [0]  # the work before each vertex
    for around in ends:
        before.append(before[-1] + len(around) + 1)
    begins = [next(v for v, work in enumerate(before) if work >= before[-1] * r // ranks) for r in range(ranks)]
    blocks = [range(a, b) for a, b in zip(begins, [*begins[1:], len(ends)])]
    there = [{u for v in block for u in ends[v] if u not in block} for block in blocks]
    return [{u: len(ends[u]) for u in copies if u in owned} for copies in there for owned in blocks]


def copies(edges, ranks):
    """How many copies all ranks have of the vertices of others."""
    return sum(map(len, held(edges, ranks)))


def sent(program, ranks, *given):
    """Messages and bytes of a run, counted between the program and MPI."""
    counter, file = suite.folder / "count.so", suite.folder / "counted"
    if not counter.exists():
        suite.succeeds("the counter compiles", "mpicc", "-shared", "-fPIC",
                       harness.ROOT / "test" / "e2e" / "count_messages.c", "-o", counter)
    file.unlink(missing_ok=True)
    result = mpirun(ranks, "env", f"LD_PRELOAD={counter}", f"COUNT_FILE={file}", program, *given, "--quiet")
    lines = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
    suite.expect(result.code == 0 and len(lines) == ranks, f"{program.name} is counted", result)
    return [sum(int(line[k]) for line in lines) for k in (1, 2)]


def profile():
    """A profile has the rounds of one machine, and in each what is sent: what is counted on the way to MPI."""
    bfs = build(harness.ROOT / "examples" / "bfs.gdsl", "profile-bfs", *QUICK, "--profile")
    graph = write("profile.el", [*[line.split()[:2] for line in KARATE.read_text().splitlines() if line[0].isdigit()],
                                 (90, 91)])
    file = suite.folder / "profile.json"
    for ranks in (1, 2, 3):
        sums = {}
        for root, active in (("1", [1, 16, 9, 8]), ("90", [1, 1])):  # from 90, an edge apart
            given = (graph, "--undirected", f"--root={root}")
            result = mpirun(ranks, bfs, *given, "--quiet", f"--profile={file}")
            suite.expect(result.code == 0, f"a profile on {ranks} ranks", result)
            told = json.loads(file.read_text())
            rounds = [call for call in told["calls"] if "round" in call]
            suite.expect(told["ranks"] == ranks and [call["active"] for call in rounds] == active, f"{ranks} ranks: rounds", told)
            suite.expect(all(0.999 <= call["imbalance"] <= ranks + 0.001 for call in told["calls"]), "the imbalance", told)
            suite.expect(root == "90" or any(call["messages"] for call in rounds) == (ranks > 1), f"{ranks} ranks: messages", told)
            counted = sent(bfs, ranks, *given)
            sums[root] = [sum(call[key] for call in told["calls"]) - counted[k] for k, key in enumerate(("messages", "sent_bytes"))]
        # What is sent besides, before and behind the run, is the same from both roots.
        suite.expect(sums["1"] == sums["90"], f"{ranks} ranks: what the profile has of what is counted", sums)
    # Rounds pull where that is less work: where degrees are even, later than at 1/40 of the edges.
    rng, n = random.Random(5), 4096
    for name, edges, most in (("tree", [((v - 1) // 2, v) for v in range(1, n)], 1),
                              ("ring", [(v, (v + k) % n if rng.random() > 0.01 else rng.randrange(n)) for v in range(n) for k in range(1, 5)], 2.5)):
        even, looked = write(f"profile-{name}.el", edges), set()
        for ranks in (1, 3, 4):
            result = mpirun(ranks, bfs, even, "--undirected", "--root=0", "--quiet", f"--profile={file}")
            suite.expect(result.code == 0, f"a profile of a {name} on {ranks} ranks", result)
            looked.add(sum(call["edges"] for call in json.loads(file.read_text())["calls"] if "round" in call))
        suite.expect(len(looked) == 1 and max(looked) <= most * 2 * len(edges), f"a {name} looks at {looked} of {2 * len(edges)} arcs")
    text = mpirun(3, bfs, graph, "--undirected", "--root=1", "--profile")
    suite.expect(text.out.count("imbalance") == 2 and text.out.count("profile of the last run") == 1, "the tables", text)


def gifts():
    """Owners give values of edges to the ranks that hold copies of the vertices that these leave: what has changed since they
    last did, with its edge, or all where that is less."""
    source = suite.folder / "gifts.gdsl"
    source.write_text("""algorithm gifts(g: graph<undirected>, turns: int, all: bool) {
    output x: int[g.edges] = 0;
    output y: int[g.edges] = 0;
    i: int = 0;
    repeat turns {
        i += 1;
        for e: u -> v where all || u.degree == i { x[e] += i; }
        for e: u -> v { y[e] += x[edge(v, u)]; }
    }
}
""")
    program = build(source, "gifts")
    path = suite.folder / "gifts-kronecker.el"
    suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=9,degree=8", path)
    edges = [tuple(map(int, line.split()[:2])) for line in path.read_text().splitlines() if line[0].isdigit()]
    for name, edges in (("line", [(v, v + 1) for v in range(100)]), ("kronecker", edges)):
        graph = write(f"gifts-{name}.el", edges)
        for ranks in (1, 3, 4):
            pairs = held(edges, ranks)
            for all_ in (False, True):
                one, many = (sent(program, ranks, graph, f"--turns={turns}", f"--all={str(all_).lower()}") for turns in (1, 9))
                wanted = [0, 0]
                for turn in range(2, 10):
                    for degrees in pairs:
                        news = sum(d for d in degrees.values() if all_ or d == turn)
                        if news:
                            wanted[0] += 1
                            wanted[1] += 1 + min(12 * news, 4 * sum(degrees.values()))
                found = [b - a for a, b in zip(one, many)]
                suite.expect(found == wanted, f"gifts of a {name} on {ranks} ranks, all {all_}: {found}, not {wanted}")
                suite.expect(wanted[1] > 0 or ranks == 1, f"a {name} on {ranks} ranks sends something")


def volume():
    """Messages and bytes, counted between the program and MPI. What a run sends besides is in both of two runs."""
    bfs = build(harness.ROOT / "examples" / "bfs.gdsl", "volume-bfs")
    pagerank = build(harness.ROOT / "examples" / "pagerank.gdsl", "volume-pagerank")
    # Owners give depths before its rounds pull.
    source, text = suite.folder / "gives.gdsl", (harness.ROOT / "examples" / "bfs.gdsl").read_text()
    source.write_text(text.replace("depth[u] + 1", "depth[u] + 2"))
    gives = build(source, "volume-gives")
    # Rounds cannot pull: lengths are with the arcs out of vertices.
    source = suite.folder / "pushes.gdsl"
    source.write_text(text.replace("g: graph,", "g: graph<weight: int>,").replace("propagate u", "propagate e: u")
                      .replace("depth[u] + 1", "depth[u] + e.weight"))
    pushes = build(source, "volume-pushes")
    path = suite.folder / "volume-kronecker.el"
    suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=10,degree=8", path)
    edges = [tuple(map(int, line.split()[:2])) for line in path.read_text().splitlines() if line[0].isdigit()]
    line = [(v, v + 1) for v in range(100)]
    for name, edges in (("line", line), ("kronecker", edges)):
        alone = 1 + max(max(edge) for edge in edges)
        edges = [*edges, (alone, alone + 1)]  # from here nothing is sent
        graph = write(f"volume-{name}.el", edges)
        for ranks in (3, 4):
            there = copies(edges, ranks)
            few, many = (sent(bfs, ranks, graph, "--undirected", f"--root={root}") for root in (alone, edges[0][0]))
            messages, volume = many[0] - few[0], many[1] - few[1]
            suite.expect(0 < volume <= 1.05 * 12 * there, f"bfs of a {name}: {volume} bytes for {there} copies")
            # On a line each copy is told of once, on its own: in all other rounds ranks that have no news are silent.
            suite.expect(name != "line" or messages == there == 2 * (ranks - 1), f"bfs of a line: {messages} messages")
            bytes_of = {"bits": volume}
            for form, program, more in (("values", gives, []), ("pushes", pushes, ["--weights=1..1"])):
                few, many = (sent(program, ranks, graph, "--undirected", f"--root={root}", *more) for root in (alone, edges[0][0]))
                bytes_of[form] = many[1] - few[1]
            # A copy's vertex is active in one round. On a line all rounds push.
            suite.expect(name == "line" or bytes_of["bits"] < bytes_of["values"] <= bytes_of["bits"] + 4 * there, f"bfs of a {name}: {bytes_of}")
            suite.expect(name != "line" or len(set(bytes_of.values())) == 1, f"bfs of a line: {bytes_of}")
            suite.expect(bytes_of["values"] <= (0.8 if name == "kronecker" else 1) * bytes_of["pushes"], f"bfs of a {name}: {bytes_of}")
            suite.expect(bytes_of["bits"] <= (0.6 if name == "kronecker" else 1) * bytes_of["pushes"], f"bfs of a {name}: {bytes_of}")
            few, many = (sent(pagerank, ranks, graph, "--undirected", "--tolerance=0", f"--rounds={n}") for n in (2, 12))
            volume, wanted = many[1] - few[1], 10 * 8 * there
            suite.expect(abs(volume - wanted) <= 0.01 * wanted, f"pagerank of a {name}: {volume} bytes, not {wanted}")


def kept():
    """A result that all ranks write, or that is told in a line, stays with them; compared, it comes to rank 0 whole."""
    source = suite.folder / "kept.gdsl"
    source.write_text("""algorithm kept(g: graph) {
    output wide: long[g, g];
    output of: vertex[g] = none;
    for i, j in g { wide[i, j] = 3 * i.out_degree + j.out_degree; }
    for v in g where v.out_degree == 2 { of[v] = v; }
}
""")
    program = build(source, "kept")
    n = 400
    graph = write("kept.el", [(v, (v + 1) % n) for v in range(n)] + [(7, 300)])
    file = suite.folder / "kept.txt"
    for ranks in (2, 4):
        bare, written, passed, compared = (sent(program, ranks, graph, *more)[1] for more in (
            (), (f"--output=wide={file}",), ("--output=wide=-",), ("--verify",)))
        whole = (8 * n + 4) * n * (ranks - 1) // ranks  # 'wide' and 'of'
        suite.expect(written - bare < 4096, f"written on {ranks} ranks: {written - bare} bytes more")
        suite.expect(0 < passed - bare <= file.stat().st_size, f"lines for standard output: {passed - bare} bytes")
        # Blocks have about as many rows each.
        suite.expect(abs(compared - bare - whole) <= ranks * (8 * n + 4), f"compared on {ranks} ranks: {compared - bare} bytes more, not {whole}")
        # The line about a result has what each rank knows of its own values.
        told = mpirun(ranks, program, graph)
        suite.expect("wide: from 4 to 8\nof: 1 of 400 are set, to 1 different values\n" in told.out, "lines about results", told)


def by_routes():
    """In a grid each rank sends to those of its row and column alone, and each value once to a rank that passes it on."""
    pagerank = build(harness.ROOT / "examples" / "pagerank.gdsl", "routes-pagerank", "-O1")
    path = suite.folder / "routes-kronecker.el"
    suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=10,degree=12", path)
    edges = [tuple(map(int, line.split()[:2])) for line in path.read_text().splitlines() if line[0].isdigit()]
    for ranks, columns, partners in ((4, 2, 2), (5, 3, None), (6, 3, 3), (8, 3, None), (9, 3, 4)):
        pairs = held(edges, ranks)  # by the rank that has the copies, and the owner
        places = {rank: divmod(rank, columns) for rank in range(ranks)}
        ranks_at = {place: rank for rank, place in places.items()}
        first, second = {}, {}
        for n, vertices in enumerate(pairs):
            to, owner = divmod(n, ranks)
            if to == owner:
                continue
            corner = (places[owner][0], places[to][1])
            by = ranks_at[corner] if corner in ranks_at else ranks_at[places[to][0], places[owner][1]]
            if by != owner:
                first.setdefault((owner, by), set()).update(vertices)
            if by != to:
                second.setdefault((by, to), []).extend(vertices)
        wanted = [len(first) + len(second), 8 * sum(map(len, [*first.values(), *second.values()]))]
        found = {}
        for way in ("direct", "grid"):
            few, many = (sent(pagerank, ranks, path, "--undirected", "--tolerance=0", f"--rounds={n}",
                              f"--routes={way}") for n in (2, 12))
            found[way] = [(b - a) / 10 for a, b in zip(few, many)]
        suite.expect(found["grid"] == wanted, f"pagerank on {ranks} ranks in a grid: {found['grid']} a round, not {wanted}")
        suite.expect(partners is None or wanted[0] == ranks * partners, f"{ranks} ranks send {wanted[0]} messages a round")
        suite.expect(found["direct"] == [ranks * (ranks - 1), 8 * sum(map(len, pairs))], f"straight: {found['direct']} a round")
    # Left to choose, few ranks send straight, and many in a grid where they have many partners.
    report = suite.folder / "routes.json"
    line = write("routes-line.el", [(v, v + 1) for v in range(400)])
    for ranks, graph, wanted in ((9, path, "direct"), (16, path, "grid of 4 x 4"), (16, line, "direct")):
        result = mpirun(ranks, pagerank, graph, "--rounds=2", "--quiet", "--threads=1", f"--report={report}")
        suite.expect(result.code == 0 and json.loads(report.read_text())["routes"] == wanted, f"{graph.name} on {ranks}: {wanted}", result)
    alone = suite.run(suite.gcompile, "run", "--target=serial", harness.ROOT / "examples" / "pagerank.gdsl", KARATE, "--routes=grid")
    suite.expect(alone.code == 2 and "--routes: this program runs in one process" in alone.err, "routes on one machine", alone)


run({"plan": plan, "profile": profile, "volume": volume, "gifts": gifts, "routes": by_routes, "kept": kept})
