"""--verify: right runs of programs whose claims may have several winners pass, and a run that finds a vertex in a later
round than it should, or never, fails with the vertex and the round, also where the results name nothing but winners.
Such runs are had by changing the printed programs."""

import random
import re
import shutil

import harness

suite = harness.Suite("verify")
PROGRAMS = harness.ROOT / "test" / "e2e" / "verify.gdsl"
COMPILER = "clang++-19" if shutil.which("clang++-19") else "g++"  # Clang takes less time
rng = random.Random(5)


class Graph:
    """A directed graph with the vertices 0 to n - 1, of which the first are hubs, in a file of sources, targets, weights."""

    def __init__(self, name, n, m):
        self.n, self.path = n, suite.folder / f"{name}.el"
        pairs = {(v, v) for v in range(n)}  # names every vertex, and leads nowhere else
        while len(pairs) < n + m:
            pairs.add((rng.randrange(n), int(n * rng.random() ** 2)))
        self.edges = sorted((u, v, rng.randrange(1, 10)) for u, v in pairs)
        self.path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in self.edges))
        self.waits = suite.folder / f"{name}.wait"
        self.waits.write_text("".join(f"{v} {rng.randrange(1, 7)}\n" for v in range(n)))

    def missed(self, root, held):
        """The vertices that edges out of active ones reach but do not claim, in a run in which nothing claims v in a
        round with held(v, round): the first such round, and whether a later one claims them."""
        found, late, active, round_ = {root}, {}, {root}, 0
        while active:
            round_ += 1
            reached = {v for u, v, _ in self.edges if u in active and v not in found}
            active = {v for v in reached if not held(v, round_)}
            late.update({v: round_ for v in reached - active if v not in late})
            found |= active
        return {v: (round_, v in found) for v, round_ in late.items()}


class Program:
    def __init__(self, name):
        self.name = name

    def build(self, edit=None):
        """The program as an executable, after a change of its source."""
        executable = suite.folder / (self.name + ("_wrong" if edit else ""))
        if suite.target == "cuda":
            path = suite.folder / f"{self.name}.gdsl"  # a program of its own
            path.write_text(re.search(rf"^algorithm {self.name}\(.*?^}}\n(schedule {self.name} .*?\n)?",
                                      PROGRAMS.read_text(), re.M | re.S).group())
            result = suite.build_emulated(path, suite.folder / f"{self.name}.cu", executable)
        else:
            source = suite.folder / f"{self.name}.cpp"
            result = suite.run(suite.gcompile, "--emit=source", f"--algorithm={self.name}", PROGRAMS, "-o", source)
            if result.code == 0:
                if edit:
                    parallel, serial = source.read_text().split("// The same algorithm without threads", 1)
                    changed = edit(parallel)
                    suite.expect(changed != parallel, f"{self.name} can be changed", parallel)
                    source.write_text(changed + "// The same algorithm without threads" + serial)
                result = suite.run(COMPILER, "-std=c++17", "-O0", "-fopenmp", "-DGCOMPILE_VERTEX_BITS=32", f"-I{harness.ROOT / 'runtime' / 'include'}",
                                   source, suite.runtime, "-lz", "-lzstd", "-llzma", "-o", executable, timeout=300)
        suite.expect(result.code == 0, f"{self.name} is built", result)
        return executable


graphs = [Graph("small", 6, 9), Graph("sparse", 60, 110), Graph("dense", 60, 500)] + [
    Graph(f"many{i}", 14, 26) for i in range(3)]
# Of two ways to a fork, that over 9 is pushed along first and that over 8 is pulled from first; which of the two wins
# decides what comes behind it.
fork = Graph("fork", 13, 0)
ways = [(9, 10, 1), (8, 10, 1), (9, 11, 1), (8, 12, 1), (8, 5, 1), (10, 4, 1)]
fork.edges += [(1, 3, 1), (1, 6, 1), (1, 7, 1), (6, 9, 1), (7, 8, 1), *ways]
fork.path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in fork.edges))
fork.waits.write_text("".join(f"{v} {wait}\n" for v, wait in enumerate([1, 1, 1, 1, 5, 1, 1, 1, 2, 2, 3, 4, 4])))
two = Graph("two", 13, 0)  # from 1 and from 2
two.edges += [(1, 9, 1), (2, 8, 1), *ways]
two.path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in two.edges))
graphs += [fork, two]


def options(program, graph):
    ends = ["--a=1", "--b=2"] if program in ("passed", "sized", "asked") else ["--root=1"]
    given = {"labels": ["--seeds=1,3"], "several": [*ends, f"--wait=@{graph.waits}"],
             "kids": [*ends, f"--wait=@{graph.waits}"], "told": [*ends, f"--wait=@{graph.waits}"]}
    return given.get(program, ends)


# How many results are compared of a right run.
COMPARED = {"tree": 1, "labels": 2, "pairs": 1, "edges": 2, "several": 3, "nested": 3, "renamed": 1, "chosen": 1, "shares": 2, "kids": 0,
            "told": 3, "passed": 0, "sized": 0, "asked": 1}
if suite.target == "cuda":  # which has the same serial form
    COMPARED = {name: COMPARED[name] for name in ("tree", "pairs", "several", "kids")}
for name, compared in COMPARED.items():
    executable = Program(name).build()
    for graph in graphs:
        command = [graph.path, "--directed", *options(name, graph), "--verify"]
        for variant, environment in suite.variants([1, 4]):
            result = suite.succeeds(f"a right run of {name}", executable, *command, *variant, env=environment)
            suite.expect(f"verified: {compared} output" in result.out, f"what is compared of {name}", result)
        if suite.target == "omp":
            suite.succeeds(f"{name} is interpreted", suite.gcompile, "interpret", f"--algorithm={name}", PROGRAMS,
                           *command)

# Wrong runs: each mutation says when a vertex cannot be claimed, in C++ and in Python.
HELD = [("frontier_.round() < 4 && v % 3 == 2", lambda v, round_: round_ < 4 and v % 3 == 2),
        ("v % 5 == 3", lambda v, round_: v % 5 == 3),
        ("frontier_.round() == 2", lambda v, round_: round_ == 2),
        ("frontier_.round() > 1 && v == 10", lambda v, round_: round_ > 1 and v == 10)]
PLACES = {"tree": "parent of {}", "pairs": "first of {} 1"}
noticed = 0
for name, place in PLACES.items() if suite.target == "omp" else ():
    for held, rule in HELD:
        executable = Program(name).build(lambda text: text.replace("mine.claim(", f"!({held}) && mine.claim("))
        for graph in graphs:
            missed = graph.missed(1, rule)
            for threads in (1, 4):
                result = suite.run(executable, graph.path, "--directed", "--root=1", "--verify", "--quiet",
                                   f"--threads={threads}")
                lines = result.err.splitlines()
                wanted = [rf"error: verification failed: {place.format(v)}: (\d+|none), but the claim was due in round {round_}"
                          + (", with another value" if later else "") for v, (round_, later) in sorted(missed.items())]
                if len(wanted) > 5:
                    wanted[5:] = [f"error: verification failed: {place.split()[0]} has more such claims"]
                good = result.code == (1 if missed else 0) and len(lines) == len(wanted) and all(
                    re.fullmatch(pattern, line) for pattern, line in zip(wanted, lines))
                suite.expect(good, f"{name} held by {held}: {missed}", result)
                noticed += bool(missed)
suite.expect(suite.target != "omp" or noticed > 100, f"wrong runs are tried: {noticed}")
suite.finish()
