"""Programs on random graphs, under several schedules, against an oracle in Python. The graphs have isolated vertices,
self-loops, hubs and parallel edges."""

import collections
import concurrent.futures
import math
import random

import harness

INF = math.inf


class Graph:
    """A graph as a program sees it. Its vertices are the numbers from 1; `arcs` holds (source, target, column, ...),
    for an undirected edge both ways; `out` and `into` those of each vertex."""

    def __init__(self, folder, n, edges, directed, keep):
        self.ids = range(1, n + 1)
        self.directed = directed
        (folder / "graph.v").write_text("".join(f"{v}\n" for v in self.ids))
        (folder / "graph.e").write_text("".join(" ".join(map(str, edge)) + "\n" for edge in edges))
        self.command = ["graph.v", "--directed" if directed else "--undirected"] + (["--duplicates=keep"] if keep else [])
        if not keep:  # of several edges the one with the least columns stays
            least = {}
            for u, v, *columns in edges:
                ends = (u, v) if directed else (min(u, v), max(u, v))
                least[ends] = min(least.get(ends, columns), columns)
            edges = [(*ends, *columns) for ends, columns in least.items()]
        back = [] if directed else [(v, u, *columns) for u, v, *columns in edges if u != v]
        self.arcs = sorted([*edges, *back])
        self.out, self.into = {v: [] for v in self.ids}, {v: [] for v in self.ids}
        for arc in self.arcs:
            self.out[arc[0]].append(arc)
            self.into[arc[1]].append(arc)

    def degree(self, v):
        return len(self.out[v]) + (len(self.into[v]) if self.directed else 0)

    def neighbours(self, v, how="out"):
        """Pairs (neighbour, weight): "out" of v, "in" to it, or "both", as `u -- v` has them."""
        out = [(arc[1], arc[2]) for arc in self.out[v]]
        into = [(arc[0], arc[2]) for arc in self.into[v]]
        return out if how == "out" else into if how == "in" else out + (into if self.directed else [])

    def steps_from(self, sources, how="out", along=lambda u, v, weight: True):
        """How many steps each vertex that is reached is away from the sources."""
        away = {v: 0 for v in sources}
        queue = collections.deque(away)
        while queue:
            u = queue.popleft()
            for v, weight in self.neighbours(u, how):
                if v not in away and along(u, v, weight):
                    away[v] = away[u] + 1
                    queue.append(v)
        return away

    def before(self, away, how="out", along=lambda u, v, weight: True):
        """For each vertex the (neighbour, weight) from which a step leads to it, one step nearer."""
        found = {v: [] for v in self.ids}
        for u in away:
            for v, weight in self.neighbours(u, how):
                if away.get(v) == away[u] + 1 and along(u, v, weight):
                    found[v].append((u, weight))
        return found


def graphs(folder, rng, columns):
    for directed in (True, False):
        for n, m, keep in ((1, 2, False), (9, 14, False), (12, 60, True), (40, 55, False), (700, 4000, True)):
            edges = []
            for i in range(m):
                u = 1 + i % 3 % n if n > 100 and i % 2 else rng.randint(1, n)
                edges.append((u, rng.randint(1, n), *(rng.randrange(6) for _ in range(columns))))
            yield f"{n} vertices, {m} edges, {'directed' if directed else 'undirected'}", Graph(folder, n, edges, directed, keep)


def sample(rng, ids, part):
    """About one of `part` vertices, at least one."""
    return sorted(rng.sample(ids, max(1, len(ids) // part)))


def word(x):
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, tuple):
        return " ".join(map(word, x))
    return "none" if x is None else "inf" if x == INF else "-inf" if x == -INF else str(x)


def same(found, wanted):
    if isinstance(wanted, float) and math.isfinite(wanted):
        return math.isclose(float(found), wanted, rel_tol=1e-6)
    return found == word(wanted)


def difference(found, wanted):
    """What is wrong with a result: `wanted` is a value, one for each vertex, or what asks all results."""
    if not isinstance(wanted, dict):
        return None if same(found, wanted) else f"{found}, not {word(wanted)}"
    return next((f"{found.get(v)} at {v}, not {word(x)}" for v, x in wanted.items()
                 if v not in found or not same(found[v], x)), None)


class Test:
    def __init__(self, name, oracle, parameters, schedules=(), columns=1, largest=None, interpreted=True):
        """`oracle(graph, given)`: the wanted results by name, as for difference(), or functions of all results, which
        say what is wrong. `parameters(rng, graph)`: what is given by name: values for each vertex, lists of vertices, or
        one value. `schedules`: for each target the schedules besides the compiler's own. `largest`: vertices of a graph at
        most. `interpreted`: whether the interpreter can run the program."""
        self.suite = harness.Suite(name)
        self.name, self.oracle, self.parameters = name, oracle, parameters
        self.columns = columns
        self.interpreted = interpreted
        self.largest = largest or (100 if self.suite.target == "cuda" else 1000)  # the emulation is slow
        self.source = harness.ROOT / "test" / "e2e" / f"{name}.gdsl"
        self.schedules = dict(schedules).get(self.suite.target, [])

    def build(self, number):
        source, program = (self.suite.folder / f"{self.name}{number}{end}" for end in (".gdsl", ""))
        source.write_text(f"{self.source.read_text()}schedule {self.name} {{ {self.schedules[number]} }}\n")
        result = self.suite.build_program(source, program, *self.suite.QUICK)
        good = self.suite.expect(result.code == 0, f"compile with {self.schedules[number]}", result)
        return [program] if good else []

    def argument(self, name, given):
        if not isinstance(given, (dict, list)):
            return f"--{name}={word(given)}"
        lines = (f"{v} {word(x)}\n" for v, x in given.items()) if isinstance(given, dict) else (f"{v}\n" for v in given)
        (self.suite.folder / f"{name}.in").write_text("".join(lines))
        return f"--{name}=@{name}.in"

    def check(self, what, command, wanted, env):
        suite = self.suite
        files = {name: suite.folder / f"{name}.out" for name in wanted}
        if suite.succeeds(what, *command, "--quiet", *[f"--output={n}={f}" for n, f in files.items()], env=env,
                          timeout=120).code:
            return
        found = {}
        for name, file in files.items():
            text = file.read_text().strip()
            each = isinstance(wanted[name], dict) or callable(wanted[name])
            found[name] = {int(v): x for v, x in (line.split(None, 1) for line in text.splitlines())} if each else text
        for name, value in wanted.items():
            wrong = value(found) if callable(value) else difference(found[name], value)
            suite.expect(wrong is None, f"{name}, {what}: {wrong}")

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            programs = sum(pool.map(self.build, range(len(self.schedules))), [self.suite.programs / self.name])
        rng = random.Random(2)
        for size, graph in graphs(self.suite.folder, rng, self.columns):
            if len(graph.ids) > self.largest:
                continue
            given = self.parameters(rng, graph)
            wanted = self.oracle(graph, given)
            command = [*graph.command, *[self.argument(name, value) for name, value in given.items()]]
            if self.interpreted and len(graph.ids) < 100 and self.suite.target == "omp":
                self.check(f"{size}, interpreted", [self.suite.gcompile, "interpret", self.source, *command], wanted, {})
            for program in programs:
                for options, env in self.suite.variants(threads=(1, 2, 4), seeds=(1, 2)):
                    self.check(f"{size}, {program.name} {options} {env}", [program, *command, "--verify", *options], wanted, env)
        self.suite.finish()
