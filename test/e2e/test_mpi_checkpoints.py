"""A run that is killed goes on from its checkpoint: the result is that of a run that nobody killed, in all bits. What
is not its checkpoint is refused with the reason.

usage: test_mpi_checkpoints.py --build DIR checkpoints"""

import json
import os
import random
import shutil
import signal

import harness
from ranks import build, mpirun, run, suite, write

# Each form of a statement with rounds, and each kind of state: claims, buckets, sets, values of edges, numbers of the
# program, real sums.
SOURCE = """
function both(still: double, moved: double) -> (double, double) { return (still, moved); }

algorithm forms(g: graph<weight: int>, root: vertex, steps: int = 7, parts: (double, double) from both = (0.15, 0.85)) {
    output parent: vertex[g] = none;
    output dist: int[g] = inf;
    output core: int[g] = 0;
    output rank: double[g] = 1.0;
    output size: long;
    output through: long[g] = 0;
    parent[root] = root;
    dist[root] = 0;
    propagate u -> v from {root} where parent[v] == none { parent[v] = u; }
    size = count(v in g where parent[v] != none);
    let seen = size % 5;

    propagate e: u -> v from {root} ordered by dist { dist[v] min= dist[u] + e.weight; }

    degree: int[g] = v.out_degree;
    remaining: vertex set = g;
    k: int = 0;
    while !remaining.empty {
        k = max(k, min(v in remaining : degree[v]));
        peel: vertex set = {v in remaining where degree[v] <= k};
        for v in peel { core[v] = k + int(seen); }
        remaining -= peel;
        for u -> v from peel where v in remaining { degree[v] -= 1; }
    }

    flow: long[g.edges] = e.weight;
    repeat steps {
        for e: u -> v where edge(v, u) != none { flow[edge(v, u)] += e.weight * v.out_degree; }
        for v in g { through[v] += sum(v -> u where edge(u, v) != none : flow[edge(u, v)] % 17); }
    }

    share: double[g] = 0;
    total: double = 0;
    repeat steps {
        for v in g { share[v] = rank[v] / (v.out_degree + 1); }
        total = 0;
        for v in g {
            let next = parts.0 + parts.1 * sum(u -> v : share[u]) + 1.0 / (core[v] + 3);
            total += abs(next - rank[v]);
            rank[v] = next;
        }
    } until total < 0.001;
}
"""
RESULTS = ("parent", "dist", "core", "through", "rank", "size")
RANKS = 3


class Case:
    def __init__(self):
        source = suite.folder / "forms.gdsl"
        source.write_text(SOURCE)
        self.program = build(source, "forms", "-O0", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32")
        edges = {(u, (u * 7 + k) % 60 + 60 * (u // 60)) for u in range(150) for k in (1, 5, 11)} | {(3, 100), (120, 2)}
        self.edges = sorted(edges | {(v, u) for u, v in edges})
        self.graph = self.written("graph.wel", self.edges)
        self.kept = suite.folder / "kept"
        self.shim = suite.folder / "end_at_call.so"
        suite.succeeds("the shim compiles", "cc", "-shared", "-fPIC", harness.ROOT / "test" / "e2e" / "end_at_call.c", "-o",
                       self.shim, "-ldl")

    @staticmethod
    def written(name, edges):
        return write(name, [(u, v, 1 + (u + v) % 4) for u, v in edges])

    def run(self, *more, program=None, graph=None, ranks=RANKS, root=3, shim=(), results=()):
        outputs = [f"--output={name}={suite.folder / name}" for name in results]
        for name in results:
            (suite.folder / name).unlink(missing_ok=True)
        preload = ["env", f"LD_PRELOAD={self.shim}", *shim] if shim else []
        start = mpirun if ranks > 1 else lambda _, *command: suite.run(*command)
        return start(ranks, *preload, program or self.program, graph or self.graph, f"--root={root}", *outputs, *more)

    def checkpoint(self, every, *more, folder=None):
        return [f"--checkpoint={folder or self.kept}", f"--every={every}", *more]

    def results(self):
        return {name: (suite.folder / name).read_text() for name in RESULTS if (suite.folder / name).exists()}

    def refused(self, what, message, *more, code=2, **options):
        result = self.run(*(more or self.checkpoint(2, "--resume")), **options)
        lines = [line for line in result.err.splitlines() if line.startswith("error: ")]
        suite.expect(result.code == code and len(lines) == 1 and message in lines[0], what, result)


def resumed(case):
    """Ten kills, each at a random call that writes a file; each run goes on from the last checkpoint."""
    seed = random.randrange(10**6)
    draw = random.Random(seed)
    parts = suite.folder / "graph.parts"
    vertices = {v for edge in case.edges for v in edge}
    parts.write_text("".join(f"{v} {draw.randrange(RANKS)}\n" for v in vertices))
    partition = draw.choice(([], [f"--partition={parts}"]))
    result = case.run(*partition, results=RESULTS)
    wanted = case.results()
    suite.expect(result.code == 0 and len(wanted) == len(RESULTS), "a run without a checkpoint", result)
    went_on = 0
    for turn in range(10):
        rank, call = draw.randrange(RANKS), draw.randint(1, 20)
        what = f"seed {seed}, kill {turn} of rank {rank} at call {call}"
        result = case.run(*case.checkpoint(draw.choice((1, 1, 2, 3)), "--resume", *partition), results=RESULTS,
                          shim=[f"END_RANK={rank}", f"END_CALL={call}"])
        went_on += "goes on behind" in result.out
        if result.code == 0:  # it was done before so many calls
            suite.expect(case.results() == wanted, f"{what}: the results", result)
            suite.expect(not list(case.kept.iterdir()), f"{what}: a complete run leaves nothing", os.listdir(case.kept))
        else:
            suite.expect(result.code == 128 + signal.SIGKILL and not case.results(), f"{what}: ends", result)
    report = suite.folder / "report.json"
    result = case.run(*case.checkpoint(1, "--resume", f"--report={report}", "--verify", *partition), results=RESULTS)
    suite.expect(result.code == 0 and "verified" in result.out, f"seed {seed}: the last run", result)
    suite.expect(case.results() == wanted, f"seed {seed}: the results are those of a run that was not killed")
    suite.expect(went_on >= 3, f"seed {seed}: {went_on} runs went on")
    suite.expect(json.loads(report.read_text())["checkpoints"]["written"] > 0 and not list(case.kept.iterdir()),
                 "the report, and no files")


def refusals(case):
    """Only the run that was ended goes on."""
    result = case.run(*case.checkpoint(1), shim=["END_RANK=1", "END_CALL=44"])
    manifest = case.kept / "manifest"
    suite.expect(result.code != 0 and manifest.exists(), "a run that is killed", result)
    parts = [name for name in os.listdir(case.kept) if name.endswith(".0")]
    suite.expect(parts and all(len(list(case.kept.glob(f"{statement}.*.0"))) <= 2 for statement in range(5)),
                 "of each statement there is one, and perhaps one that was not complete", os.listdir(case.kept))
    saved = suite.folder / "saved"
    shutil.copytree(case.kept, saved, dirs_exist_ok=True)

    case.refused("without --resume", "is one that --resume goes on from", *case.checkpoint(1))
    case.refused("another argument", "has --root=3, and this run has 4", root=4)
    case.refused("arguments given together", "has --parts_still=0.15, and this run has 0.25,0.75",
                 *case.checkpoint(2, "--resume", "--parts=0.25,0.75"))
    case.refused("another number of ranks", "this number of ranks: 3, and this run has 2", ranks=2)
    case.refused("another partition", "the partition blocks, and this run has scotch",
                 *case.checkpoint(2, "--resume", "--partition=scotch"))
    case.refused("one edge less", "a graph of this many arcs: ", graph=case.written("less.wel", case.edges[:-1]))
    other = suite.folder / "other.wel"
    other.write_text(case.graph.read_text().replace(" 4\n", " 3\n", 1))
    case.refused("another weight", "with other edges, properties or names", graph=other)
    build_2 = suite.folder / "forms_2"
    build_2.write_bytes(case.program.read_bytes() + b"\n")
    build_2.chmod(0o755)
    case.refused("another executable", "an executable of the checksum ", program=build_2)
    text = json.loads(manifest.read_text())
    for change, message in (({"program": "bfs"}, "the program bfs, and this run has forms"),
                            ({"statements": 3}, "is damaged")):
        manifest.write_text(json.dumps({**text, **change}))
        case.refused(f"{change} in the manifest", message)
    manifest.write_text(json.dumps(text))
    last = max(text["statements"])
    part = case.kept / f"{last}.{'end' if text['statements'][last]['ended'] else text['statements'][last]['round']}.1"
    whole = part.read_bytes()
    part.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    case.refused("a damaged part", f"{part}: is damaged")
    shutil.rmtree(case.kept)

    # A full disk ends the run, which goes on once there is room.
    case.refused("a full disk", "cannot be written: No space left on device (on rank 2 of 3)", *case.checkpoint(1),
                 shim=["END_RANK=2", "END_CALL=13", "END_ERROR=28"])
    suite.expect(manifest.exists() and not list(case.kept.glob(".gcompile-*")), "a full disk: the checkpoint before stays",
                 os.listdir(case.kept))
    result = case.run(*case.checkpoint(5, "--resume"), results=RESULTS)
    suite.expect(result.code == 0 and "goes on behind" in result.out, "after a full disk", result)


def options(case):
    for what, message, given in (
            ("no number", "--checkpoint needs --every=N", [f"--checkpoint={case.kept}"]),
            ("no folder", "--resume goes with --checkpoint", ["--resume"]),
            ("more than one run", "--checkpoint excludes --trials", case.checkpoint(1, "--trials=2")),
            ("a file in place of a folder", "cannot be made", case.checkpoint(1, folder=case.graph))):
        case.refused(what, message, *given, ranks=1)
    result = case.run(*case.checkpoint(3, "--resume"))
    suite.expect(result.code == 0 and "there is no checkpoint yet" in result.out, "--resume without a checkpoint", result)


def checkpoints():
    case = Case()
    resumed(case)
    refusals(case)
    options(case)


run({"checkpoints": checkpoints})
