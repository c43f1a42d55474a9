"""What no list of edges is shared out for: modes over whole graphs and sets, priorities under conditions that ask other
vertices, kept levels as sets. The results of a serial form in Python, under several schedules."""

import collections
import concurrent.futures
import random

import harness

suite = harness.Suite("general")
INF, NONE = "inf", "none"


def mode(values, nothing=0):
    counts = collections.Counter(values)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else nothing


def modes(n, edges, S, x):
    out, into = [[] for _ in range(n)], [[] for _ in range(n)]
    for u, v, _ in edges:
        out[u].append(v)
        into[v].append(u)
    everyone = range(n)
    most = lambda v: mode(x[w] % 5 for w in everyone if x[w] % 5 != x[v] % 5)
    chosen = mode(x[y] % 5 for y in S)
    waves, active = [0] * n, S
    for _ in range(7):
        before = list(waves)
        for u in active:
            for v in out[u]:
                waves[v] = max(waves[v], before[u] + 1)
        active = {v for v in everyone if waves[v] != before[v]}
        if not active or mode(waves) > 1:
            break
    return {
        "of_others": mode(x[v] % 6 for v in everyone if x[v] % 5 != chosen),
        "waves": waves,
        "of_all": mode(x[v] % 5 - 3 for v in everyone),
        "of_set": mode(x[v] % 7 - 7 for v in S if x[v] % 3),
        "distinct": mode(-x[v] for v in everyone),
        "minus": mode(-1 if x[v] % 2 == 0 else x[v] for v in everyone),
        "nothing": NONE,
        "source": mode((u for u, v, _ in edges if u != v), NONE),
        "heavy": mode(weight for _, _, weight in edges),
        "out_of_set": mode(x[v] % 4 for u, v, _ in edges if u in S),
        "pairs": mode(x[i] * 31 + x[j] for i in everyone for j in everyone if i != j),
        "busy": mode(x[v] % 6 for v in everyone if sum(x[u] % 2 == 0 for u in into[v]) > 1),
        "of_modes": mode(most(v) for v in everyone),
        "near": [mode((x[w] + x[v]) % 4 for w in S if w != v) for v in everyone],
        "shared": [mode(x[w] % 3 - 1 for w in set(out[v]) & S) for v in everyone],
        "far": [mode((w for w in everyone if x[w] > x[v] and w < v), NONE) for v in everyone],
        "beyond": [mode(x[b] % 4 for a in set(out[v]) for b in out[a]) for v in everyone],
        "guarded": [mode(x[u] % 3 for u in into[v]) if len(out[v]) > 2 else 0 for v in everyone],
    }


def settle(start, steps):
    """The least values that no step (from, to, length) lowers."""
    value = list(start)
    while True:
        before = list(value)
        for u, v, length in steps:
            if value[u] + length < value[v]:
                value[v] = value[u] + length
        if value == before:
            return [INF if x == float("inf") else x for x in value]


def ordered(n, edges, S, x):
    out, into = [[] for _ in range(n)], [[] for _ in range(n)]
    for u, v, _ in edges:
        out[u].append(v)
        into[v].append(u)
    start = lambda of: [of(v) if v in S else float("inf") for v in range(n)]
    longest = max((len(out[w]) for w in S if x[w] % 2 == 0), default=-2**31)
    near = lambda u, v: any(w != u for w in set(out[v]) & S)
    both = [(u, v) for u, v, _ in edges] + [(v, u) for u, v, _ in edges]
    return {
        "rising": settle(start(lambda v: 0), [step for step in edges if step[0] < step[1]]),
        "asked": settle(start(lambda v: x[v]), [(u, v, len(out[u])) for u, v, _ in edges
                                               if any(x[w] % 2 == 0 for w in into[u])]),
        "around": settle(start(lambda v: 0), [(u, v, 2) for u, v in both if near(u, v)]),
        "back": settle(start(lambda v: 3), [(v, u, weight) for u, v, weight in edges
                                            if (u < v or x[v] % 3 == 0) and longest > len(out[u])]),
    }


def levels(n, edges, S, x):
    out = [[] for _ in range(n)]
    for u, v, _ in edges:
        out[u].append(v)
    rings, depth = [sorted(S)], {v: 0 for v in S}
    while rings[-1]:
        found = {v for u in rings[-1] for v in out[u] if v not in depth}
        depth.update((v, len(rings)) for v in found)
        rings.append(sorted(found))
    rings = [set(ring) for ring in rings if ring]
    inside, others, beside, kept, hops, sizes, seen, turn = [0] * n, [0] * n, [0] * n, [0] * n, [INF] * n, 0, set(), 1
    for ring in rings:
        small = {v for v in ring if x[v] % 3 == 0}
        sizes += turn * len(ring | S) + bool(seen & ring)
        seen = (seen | ring) - small
        for v in range(n):
            inside[v] += turn * (v in ring)
            others[v] += sum(x[w] * turn for w in set(out[v]) & ring)
            beside[v] += turn * (v in ring - S and x[v] % 2 == 0)
            kept[v] += turn * (v in seen)
        for u in ring - small:
            for v in out[u]:
                hops[v] = turn if hops[v] == INF else min(hops[v], turn)
        turn += 1
    for ring in reversed(rings):
        if len(ring) > 1:
            seen = ring
        for v in seen:
            kept[v] += turn
        turn += 1
    return {"inside": inside, "others": others, "beside": beside, "kept": kept, "sizes": sizes, "hops": hops}


CASES = {
    "modes": (modes, {"omp": [""], "cuda": [""]}),
    "ordered": (ordered, {target: ["", *("".join(f" {section} {label} {{ ordered buckets(delta = {delta}); }}"
                                                         for label in "abcd") for delta in (1, 1000))]
                                   for target, section in (("omp", "cpu"), ("cuda", "cuda"))}),
    "levels": (levels, {"omp": ["", "cpu walk { direction pull; }", "cpu walk { direction push; frontier read; }"],
                                "cuda": ["", "cuda walk { direction pull; }", "cuda walk { direction push; loop host; }",
                                         "cuda walk { direction push; gather serial; }"]}),
}


def text_of(name):
    return (harness.ROOT / "test" / "e2e" / "general" / f"{name}.gdsl").read_text()


def build(case):
    name, number, schedule = case
    source, program = suite.folder / f"{name}{number}.gdsl", suite.folder / f"{name}{number}"
    source.write_text(text_of(name) + (f"schedule {name} {{ {schedule} }}\n" if schedule else ""))
    return suite.build_program(source, program, *suite.QUICK)


def graphs():
    """Numbers of vertices and edges: random ones, one with a hub, one without edges."""
    rng = random.Random(5)
    yield 50, sorted({(rng.randrange(50), rng.randrange(49)): rng.randrange(1, 9) for _ in range(150)}.items())
    hub = {(0, v): v % 7 + 1 for v in range(1, 330)} | {(v, (v * v + 1) % 330): 2 for v in range(330)}
    yield 330, sorted(hub.items())
    yield 3, []


cases = [(name, number, schedule) for name, (_, schedules) in CASES.items()
         for number, schedule in enumerate(schedules.get(suite.target, [""]))]
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    for case, done in zip(cases, pool.map(build, cases)):
        suite.expect(done.code == 0 and not done.err, f"{case} does not compile, or with warnings", done)
for number, (n, arcs) in enumerate(graphs()):
    graph, given = suite.folder / f"g{number}.mtx", suite.folder / f"g{number}.x"
    graph.write_text(f"%%MatrixMarket matrix coordinate integer general\n{n} {n} {len(arcs)}\n"
                     + "".join(f"{u + 1} {v + 1} {weight}\n" for (u, v), weight in arcs))
    rng = random.Random(number)
    x = [rng.randrange(1000) for _ in range(n)]
    given.write_text("".join(f"{v + 1} {value}\n" for v, value in enumerate(x)))
    S = set(rng.sample(range(n), 3))
    edges = [(u, v, weight) for (u, v), weight in arcs]
    for name, oracle in ((name, case[0]) for name, case in CASES.items()):
        expected = oracle(n, edges, S, x)
        vertices = {key for key in expected if f"output {key}: vertex" in text_of(name)}
        text = lambda key, value: str(value + 1) if key in vertices and value != NONE else str(value)
        wanted = {key: [text(key, v) for v in value] if isinstance(value, list) else [text(key, value)]
                  for key, value in expected.items()}
        for which in (case[1] for case in cases if case[0] == name):
            for options, env in suite.variants(threads=(1, 2, 4), seeds=(1, 2, 3)):
                files = {key: suite.folder / f"{name}.{key}" for key in expected}
                suite.succeeds(f"{name}{which} on {graph.name}", suite.folder / f"{name}{which}", graph, "--directed",
                               "--quiet", f"--S={','.join(str(v + 1) for v in sorted(S))}", f"--x=@{given}", *options,
                               *[f"--output={key}={file}" for key, file in files.items()], env=env, timeout=200)
                for key, file in files.items():
                    got = [line.split(" ")[-1] for line in file.read_text().splitlines()]
                    suite.expect(got == wanted[key], f"{name}{which}: {key} on {graph.name} {options} {env}",
                                 f"got      {got}\nexpected {wanted[key]}")
suite.finish()
