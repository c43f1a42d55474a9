"""Programs for several machines: on 1, 2, 3, 4 and 8 ranks they give what one machine gives, on graphs with fewer
vertices than ranks too; a rank keeps its part of the graph, and sends no more than its
copies need; an error is said once; what cannot run in parts is refused.

usage: test_mpi.py --build DIR (bfs | sssp | bottleneck | components | pagerank | kcore | pulls | parts | plan | profile |
stall | killed | volume | errors | programs)"""

import json
import math
import os
import re
import random
import shutil
import signal
import subprocess
import sys
import time

import harness

suite = harness.Suite("mpi")
if not shutil.which("mpirun") or not shutil.which("mpicxx"):
    print("skipped: there is no mpirun or mpicxx here; scripts/setup installs openmpi-bin and libopenmpi-dev")
    sys.exit(77)

KARATE = harness.ROOT / "examples" / "data" / "karate.el"
# The program, its parameters, the outputs that are one, whichever machine computes them, and further options.
PROGRAMS = {
    "bfs": ("root", ["depth"], []),
    "sssp": ("source", ["dist"], []),
    "bottleneck": ("source", ["width"], []),
    "components": ("", ["label"], []),
    "pagerank": ("", ["rank"], ["--tolerance=0"]),
    "kcore": ("", ["core"], ["--undirected"]),
}
# Each reads at the other ends of edges what its rounds change.
PULLS = """
algorithm reached(g: graph, root: vertex) {
    output parent: vertex[g] = none;
    output far: int[g] = 0;
    parent[root] = root;
    propagate u -> v from {root} where parent[v] == none { parent[v] = u; far[v] = far[u] + 2; }
}
algorithm hops(g: graph, root: vertex) {
    output far: long[g] = inf;
    far[root] = 0;
    propagate u -> v from {root} { far[v] min= far[u] + 1; }
}
algorithm against(g: graph, root: vertex) {
    output far: int[g] = inf;
    far[root] = 0;
    propagate u -> v into {root} { far[u] min= far[v] + 1; }
}
algorithm labels(g: graph) {
    output far: vertex[g] = self;
    propagate u -- v from g { far[v] min= far[u]; }
}
algorithm rounds(g: graph, root: vertex) {
    output far: int[g] = inf;
    far[root] = 0;
    propagate u -> v from {root} round r { far[v] min= far[u] + (u.out_degree + r) % 3; } until r >= 4;
}
"""
QUICK = ("-O1", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32")


# Ranks that wait let go of their core: there are more ranks than cores.
START = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
         "--mca", "btl_vader_single_copy_mechanism", "none", "-n"]
ENVIRONMENT = {"OMPI_MCA_plm_rsh_agent": "", "TMPDIR": os.environ.get("TMPDIR", "/tmp")}


def mpirun(ranks, *command, **options):
    return suite.run(*START, str(ranks), "-q", *command, env=ENVIRONMENT, **options)


def build(path, name, *options):
    program = suite.folder / name
    result = suite.run(suite.gcompile, "--target=mpi", *(options or QUICK), "--cxx-flag=-Wall", "--cxx-flag=-Wextra",
                       path, "-o", program, timeout=300)
    suite.expect(result.code == 0 and result.err == "", f"{path.name} compiles", result)
    return program


def write(name, edges):
    path = suite.folder / name
    path.write_text("".join(" ".join(map(str, edge)) + "\n" for edge in edges))
    return path


def number(text):
    return math.inf if text == "inf" else float(text)


def same(wanted, found):
    """Lines that are equal; real numbers but for rounding."""
    left, right = wanted.split("\n"), found.split("\n")
    if len(left) != len(right):
        return False
    for a, b in zip(left, right):
        if a != b:
            (v, x), (w, y) = a.split(), b.split()
            if v != w or "." not in x + y and "e" not in x + y or not math.isclose(number(x), number(y), rel_tol=1e-9):
                return False
    return True


def compare(name):
    parameter, outputs, options = PROGRAMS[name]
    program = build(harness.ROOT / "examples" / f"{name}.gdsl", name)
    alone = harness.ROOT / "examples" / f"{name}.gdsl"
    weighted = name in ("sssp", "bottleneck")
    weights = ",weights=1..20" if weighted else ""
    line = write(f"{name}-line.wel", [(v, v + 1, 3) for v in (0, 1)])
    apart = write(f"{name}-apart.wel", [(u, (u * 7 + k) % 40 + 40 * (u // 40), 1 + u % 5) for u in range(120) for k in (1, 5)])
    graphs = [(line, "0", (3, 8)), (apart, "2", (1, 2)), (f"kronecker:scale=9,degree=6{weights}", "5", (2, 3, 4, 8))]
    if not weighted:
        graphs.append((KARATE, "1", (4,)))
    for graph, vertex, counts in graphs:
        given = [*options, *([f"--{parameter}={vertex}"] if parameter else [])]
        files = [suite.folder / f"{name}-{output}.{kind}" for kind in ("one", "parts") for output in outputs]
        one, parts = files[: len(outputs)], files[len(outputs) :]
        suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, alone, graph, "--quiet",
                       *given, *[f"--output={output}={file}" for output, file in zip(outputs, one)])
        for ranks in counts:
            what = f"{name} {graph} on {ranks} ranks"
            for file in parts:
                file.unlink(missing_ok=True)
            report = suite.folder / f"{name}.json"
            result = mpirun(ranks, program, graph, *given, "--trials=2", "--verify", f"--report={report}",
                            *[f"--output={output}={file}" for output, file in zip(outputs, parts)])
            if not suite.expect(result.code == 0 and result.err == "", what, result):
                continue
            suite.expect(result.out.count("loaded in") == 1 and "verified" in result.out, f"{what}: says it once", result)
            for wanted, found in zip(one, parts):
                suite.expect(same(wanted.read_text(), found.read_text()), f"{what}: the same {wanted.stem}")
            suite.expect(json.loads(report.read_text())["ranks"] == ranks, f"{what}: the report tells the ranks")


def pulls():
    """Rounds that pull what changes: along edges, against them and both ways; as of the round's beginning, and the newest."""
    source = suite.folder / "pulls.gdsl"
    source.write_text(PULLS)
    edges = [(u, (u * 7 + k) % 300 + 300 * (u // 300)) for u in range(900) for k in (1, 5, 80)]
    graphs = [(write("pulls.el", edges), "500"), (write("pulls-line.el", [(0, 1), (1, 2)]), "1"),
              ("kronecker:scale=10,degree=12", "3")]
    for name in re.findall(r"algorithm (\w+)", PULLS):
        program = build(source, f"pulls-{name}", f"--algorithm={name}", *QUICK)
        text = suite.run(suite.gcompile, "--target=mpi", "--emit=source", "-o", "-", source, f"--algorithm={name}").out
        suite.expect(bool(re.search(r"frontier_\.pulls\([\d.]+, [\d.]+, \w", text)), f"{name}: values are given before a pull")
        for graph, root in graphs:
            for direction in ("--directed", "--undirected"):
                given = [direction] if name == "labels" else [direction, f"--root={root}"]
                one, found = suite.folder / "pulls-one", suite.folder / "pulls-found"
                suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK,
                               f"--algorithm={name}", source, graph, *given, "--quiet", f"--output=far={one}")
                for ranks in (1, 3, 4):
                    what = f"{name} {graph} {direction} on {ranks} ranks"
                    found.unlink(missing_ok=True)
                    result = mpirun(ranks, program, graph, *given, "--trials=2", "--verify", "--quiet", f"--output=far={found}")
                    suite.expect(result.code == 0 and result.err == "" and one.read_text() == found.read_text(), what, result)


def parts():
    """A rank keeps the arcs of its block, whichever way the graph comes; what is said of the whole stays as it is."""
    def converted(name, graph, *options):
        path = suite.folder / name
        suite.succeeds(f"{name} is written", suite.gcompile, "convert", *options, graph, path)
        return path

    def reported(what, program, *given, ranks=4):
        report = suite.folder / "parts.json"
        result = mpirun(ranks, program, *given, f"--report={report}")
        suite.expect(result.code == 0, what, result)
        return json.loads(report.read_text()), result

    examples = harness.ROOT / "examples"
    bfs, pagerank = build(examples / "bfs.gdsl", "parts-bfs"), build(examples / "pagerank.gdsl", "parts-pagerank")
    large = converted("large.gcsr", "kronecker:scale=18,degree=16")
    for program, given in ((bfs, ["--root=1", "--quiet"]), (pagerank, ["--rounds=2", "--quiet"])):
        one, four = (reported(f"{program.name} on {n} ranks", program, large, *given, ranks=n)[0] for n in (1, 4))
        peaks = [report["rank_peak_bytes"] for report in (one, four)]
        suite.expect(peaks[1] <= 0.55 * peaks[0], f"{program.name}: a rank of 4 has {peaks[1]} bytes, one alone {peaks[0]}")
        offsets = 8 * (one["vertices"] + 1) # the graph is undirected: both arcs of an edge are in one array
        arcs = [report["graph_bytes"] - offsets for report in (one, four)]
        suite.expect(arcs[0] == 8 * one["edges"] and 0.25 * arcs[0] <= arcs[1] <= 0.3 * arcs[0],
                     f"{program.name}: of {one['edges']} arcs a rank of 4 has {arcs[1]} bytes, one alone {arcs[0]}")

    # Edges into vertices, of a file with them and of one without; the rate goes by what the root reaches.
    edges = write("arcs.el", [(u, (u * 7 + k) % 300 + 300 * (u // 300)) for u in range(900) for k in (1, 5, 80)])
    files = [edges, converted("arcs.gcsr", edges), converted("arcs-in.gcsr", edges, "--in-edges")]
    wanted = suite.folder / "parts-one"
    suite.succeeds("pagerank on one machine", suite.gcompile, "run", "--target=serial", *QUICK, examples / "pagerank.gdsl",
                   edges, f"--output=rank={wanted}")
    for graph in files:
        found = suite.folder / "parts-found"
        result = mpirun(3, pagerank, graph, f"--output=rank={found}")
        suite.expect(result.code == 0 and same(wanted.read_text(), found.read_text()), f"pagerank of {graph.name}", result)
        report, _ = reported(f"bfs of {graph.name}", bfs, graph, "--root=500", ranks=3)
        suite.expect(report["traversed_edges"] == 900, f"bfs of {graph.name}: edges", report)

    backwards = suite.folder / "backwards.gdsl"
    backwards.write_text("algorithm backwards(g: graph<weight: int>, to: vertex) {\n    output far: int[g] = inf;\n"
                         "    far[to] = 0;\n    propagate e: u -> v into {to} { far[u] min= far[v] + e.weight; }\n}\n")
    weighted = write("sums.wel", [(v, v + 1, 2000000000 if v in (3, 9) else 1) for v in range(12)])
    for path, root, name in ((examples / "sssp.gdsl", "source=0", "dist"), (backwards, "to=12", "far")):
        program = build(path, f"parts-{path.stem}")
        one = suite.succeeds(f"{path.stem} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, path, weighted,
                             f"--{root}", f"--output={name}={wanted}", f"--report={suite.folder / 'one.json'}")
        edges = json.loads((suite.folder / "one.json").read_text())["traversed_edges"]
        for graph in (weighted, converted("sums.gcsr", weighted, "--column=weight:int"),
                      converted("sums-in.gcsr", weighted, "--column=weight:int", "--in-edges")):
            report, result = reported(f"{path.stem} of {graph.name}", program, graph, f"--{root}",
                                      f"--output={name}={suite.folder / 'found'}", ranks=3)
            suite.expect(result.err == one.err and "a sum of finite ints reached inf" in one.err,
                         f"{path.stem} of {graph.name}: the sum is told once", result)
            suite.expect((suite.folder / "found").read_text() == wanted.read_text(), f"{path.stem}: {graph.name}")
            suite.expect(report["traversed_edges"] == edges, f"{path.stem} of {graph.name}: edges", report)

    # What one rank alone reads of a corrupt file, all learn.
    bytes_of = bytearray(files[1].read_bytes())
    targets = len(bytes_of) - 900 * 3 * 4 // 64 * 64
    bytes_of[targets + 4000:targets + 4004] = b"\xff" * 4
    corrupt = suite.folder / "corrupt.gcsr"
    corrupt.write_bytes(bytes_of)
    fails("a corrupt file", 3, 2, f"{corrupt}: the targets are corrupt", bfs, corrupt, "--root=1")


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
            suite.expect(together.code == 0 and together.out.count("a rank ") == 1 and
                         together.out.splitlines()[:-1] == alone.out.splitlines()[:-1], f"{what} plan alike", together)
            # Of the peak, the process itself is not planned, nor are pages of the file, which may leave at any time.
            own = peak(program, ranks, large) - peak(program, ranks, KARATE)
            needed = told["needed_bytes"]
            suite.expect(0.9 * needed <= own <= 1.1 * (needed + told["graph_bytes"]), f"{what}: {own} bytes, planned {needed}")
    amount = [line for line in alone.out.splitlines() if line.startswith("  a rank")][0].split(maxsplit=2)[2]
    fails("less memory than planned", 3, 2, f"{large}: a part of the graph and the program's data needs about {amount}",
          program, large, f"--memory={needed - 4096}")
    suite.expect(mpirun(3, program, large, "--quiet", f"--memory={needed + 4096}").code == 0, "as much as planned")
    # Whatever is built of edges is whole on each rank while it loads.
    whole = suite.succeeds("plan of a generator", program, "kronecker:scale=18,degree=16", "--plan=3")
    suite.expect("loading, besides" in whole.out, "a generator", whole)


def copies(edges, ranks):
    """How many copies all ranks have of the vertices of others, in an undirected graph of these edges: an oracle."""
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
    return sum(len({u for v in block for u in ends[v] if u not in block}) for block in blocks)


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
    text = mpirun(3, bfs, graph, "--undirected", "--root=1", "--profile")
    suite.expect(text.out.count("imbalance") == 2 and text.out.count("profile of the last run") == 1, "the tables", text)


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
            # A copy's vertex is active in one round.
            suite.expect(bytes_of["bits"] < bytes_of["values"] <= bytes_of["bits"] + 4 * there, f"bfs of a {name}: {bytes_of}")
            suite.expect(bytes_of["values"] <= (0.8 if name == "kronecker" else 1) * bytes_of["pushes"], f"bfs of a {name}: {bytes_of}")
            suite.expect(bytes_of["bits"] <= (0.6 if name == "kronecker" else 1) * bytes_of["pushes"], f"bfs of a {name}: {bytes_of}")
            few, many = (sent(pagerank, ranks, graph, "--undirected", "--tolerance=0", f"--rounds={n}") for n in (2, 12))
            volume, wanted = many[1] - few[1], 10 * 8 * there
            suite.expect(abs(volume - wanted) <= 0.01 * wanted, f"pagerank of a {name}: {volume} bytes, not {wanted}")


def fails(what, ranks, code, message, *command):
    result = mpirun(ranks, *command)
    errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
    suite.expect(result.code == code and len(errors) == 1 and errors[0].startswith(f"error: {message}"), what, result)


def errors():
    program = build(harness.ROOT / "examples" / "bfs.gdsl", "errors-bfs")
    fails("a parameter is missing", 3, 2, "the parameter --root=VALUE is missing", program, KARATE)
    fails("no such graph", 3, 2, "nowhere.el", program, "nowhere.el", "--root=1")
    fails("no such vertex", 3, 2, "--root", program, KARATE, "--root=99")
    fails("an output that rank 0 cannot write", 3, 2, "/nowhere/depth", program, KARATE, "--root=1",
          "--output=depth=/nowhere/depth")
    fails("standard input", 2, 2, "-: standard input", program, "-", "--root=1")
    result = mpirun(2, program, "--help")
    suite.expect(result.code == 0 and result.out.count("--root") == 1, "help comes once", result)

    # A vertex of one rank alone makes the program fail; the others wait for it in another kernel.
    source = suite.folder / "divide.gdsl"
    source.write_text("algorithm divide(g: graph, by: int) {\n    output x: int[g] = 0;\n"
                      "    for v in g { x[v] = 100 / (v.out_degree - by); }\n    total: long;\n    total = sum(v in g : x[v]);\n"
                      "    for v in g { x[v] = int(total); }\n}\n")
    program = build(source, "divide")
    graph = write("divide.el", [(u, v) for u in range(40) for v in range(40) if u != v and (u != 7 or v != 9)])
    fails("an exception on one rank", 4, 3, "divide.gdsl:3: division by zero (on rank 0 of 4)", program, graph, "--by=38")
    fails("an exception on all ranks", 2, 3, "divide.gdsl:3: division by zero", program, graph, "--by=39")
    suite.expect(mpirun(4, program, graph, "--by=3").code == 0, "no exception")


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as status:
            return status.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Started:
    """A run whose ranks are known by their processes."""

    def __init__(self, what, ranks, *command):
        self.what = what
        for file in suite.folder.glob("pid.*"):
            file.unlink()
        note = f'echo $$ > {suite.folder}/new.$OMPI_COMM_WORLD_RANK; mv {suite.folder}/new.$OMPI_COMM_WORLD_RANK ' \
               f'{suite.folder}/pid.$OMPI_COMM_WORLD_RANK; exec "$@"'
        self.process = subprocess.Popen([*START, str(ranks), "sh", "-c", note, "sh", *map(str, command)],
                                        env={**os.environ, **ENVIRONMENT}, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.pids = []
        for rank in range(ranks):
            file = suite.folder / f"pid.{rank}"
            for _ in range(3000):
                if file.exists():
                    break
                time.sleep(0.01)
            self.pids.append(int(file.read_text()))

    def work(self, rank, seconds):
        """Waits until a rank has used so much time of a processor."""
        for _ in range(6000):
            with open(f"/proc/{self.pids[rank]}/stat", encoding="ascii") as status:
                fields = status.read().rsplit(")", 1)[1].split()
            if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= seconds:
                break
            time.sleep(0.01)

    def end(self, code, seconds):
        """What it says on standard error, where it ends so soon, and no rank goes on."""
        begin = time.monotonic()
        try:
            _, err = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            suite.expect(False, f"{self.what}: does not end")
            return ""
        took = time.monotonic() - begin
        suite.expect(self.process.returncode == code, f"{self.what}: ends with {self.process.returncode}, not {code}", err)
        suite.expect(took < seconds, f"{self.what}: took {took} seconds to end")
        for _ in range(300):
            if not any(map(is_running, self.pids)):
                break
            time.sleep(0.01)
        suite.expect(not any(map(is_running, self.pids)), f"{self.what}: a rank goes on")
        return err


ENDLESS = ["--tolerance=0", "--rounds=100000000"]


def stall():
    """A rank that is stopped ends the run, and is named; one that is only busy on what is its own does not."""
    program = build(harness.ROOT / "examples" / "pagerank.gdsl", "stall-pagerank")
    for ranks, stopped in ((2, [1]), (3, [0]), (3, [1]), (4, [1, 3])):
        run = Started(f"{stopped} of {ranks} stopped", ranks, program, KARATE, *ENDLESS, "--stall-timeout=2")
        for rank in stopped:
            run.work(rank, random.uniform(0.5, 1))  # all have started
        for rank in stopped:
            os.kill(run.pids[rank], signal.SIGSTOP)
        err = run.end(2, 2 + 5)
        named = ", ".join(f"rank {rank} of {ranks} (process {run.pids[rank]} on {os.uname().nodename})" for rank in stopped)
        wanted = f"error: the others have waited 2 seconds for {named}"
        suite.expect([line for line in err.splitlines() if "error:" in line] == [wanted], wanted, err)
    # Stopped for less than the limit: the run goes on, and is right.
    wanted = suite.folder / "stall-one"
    suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", *QUICK, harness.ROOT / "examples" / "pagerank.gdsl",
                   KARATE, "--tolerance=0", "--rounds=3000", f"--output=rank={wanted}")
    found = suite.folder / "stall-found"
    run = Started("stopped for a moment", 3, program, KARATE, "--tolerance=0", "--rounds=3000", "--trials=3", "--stall-timeout=20",
                  f"--output=rank={found}")
    os.kill(run.pids[2], signal.SIGSTOP)
    time.sleep(1)
    os.kill(run.pids[2], signal.SIGCONT)
    run.end(0, 60)
    suite.expect(same(wanted.read_text(), found.read_text()), "stopped for a moment: the result")
    # What rank 0 does alone has no limit: its result goes to a pipe that nobody reads yet.
    pipe = suite.folder / "stall-pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    run = Started("rank 0 writes slowly", 3, program, "kronecker:scale=14,degree=4", "--rounds=2", "--stall-timeout=1",
                  f"--output=rank={pipe}")
    time.sleep(4)
    suite.expect(run.process.poll() is None, "rank 0 writes slowly: the run goes on")
    with pipe.open(encoding="ascii") as reader:
        suite.expect(len(reader.read().splitlines()) > 1000, "rank 0 writes slowly: the result")
    run.end(0, 30)
    alone = suite.succeeds("a program of one machine", suite.gcompile, "run", "--target=serial", *QUICK,
                           harness.ROOT / "examples" / "pagerank.gdsl", KARATE, "--quiet")
    suite.fails("a limit on one machine", 2, "...--stall-timeout: this program runs in one process", *alone.command[:-1],
                "--stall-timeout=3")


def killed():
    """A rank that is killed at any moment ends the run, which is not taken for a whole one."""
    program = build(harness.ROOT / "examples" / "pagerank.gdsl", "killed-pagerank")
    result = suite.folder / "killed-result"
    for turn in range(10):
        ranks, rank = 3, turn % 3
        run = Started(f"rank {rank} of {ranks} is killed, turn {turn}", ranks, program, "kronecker:scale=14,degree=8", *ENDLESS,
                      f"--output=rank={result}")
        run.work(rank, random.uniform(0.2, 0.7))  # while it loads and runs; before that it is mpirun's
        os.kill(run.pids[rank], signal.SIGKILL)
        err = run.end(128 + signal.SIGKILL, 5)
        suite.expect(f"process rank {rank} with PID" in err, f"{run.what}: is named", err)
        suite.expect(not result.exists(), f"{run.what}: no result")


def programs():
    """What the compiler takes and refuses."""
    for path in sorted((harness.ROOT / "examples").glob("*.gdsl")):
        result = suite.run(suite.gcompile, "--target=mpi", "--emit=source", "-o", "-", path)
        if path.stem in PROGRAMS:
            suite.expect(result.code == 0, f"{path.name} is compiled", result)
        elif result.code != 0:
            suite.expect(result.code == 1 and "E0508" in result.err, f"{path.name} is refused with a reason", result)


for name in suite.cases:
    {"pulls": pulls, "parts": parts, "plan": plan, "profile": profile, "stall": stall, "killed": killed, "volume": volume, "errors": errors,
     "programs": programs}.get(name, lambda name=name: compare(name))()
suite.finish()
