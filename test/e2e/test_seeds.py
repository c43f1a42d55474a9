"""Labels that spread from given vertices: who is nearest, against a second computation."""

import collections
import math
import random

import harness

suite = harness.Suite("seeds")
PROGRAM = suite.programs / "seeds"


def read(path):
    return {int(line.split()[0]): tuple(line.split()[1:]) for line in path.read_text().splitlines()}


def steps_from(sources, follow):
    """How many steps each vertex is away from the nearest source."""
    away = {v: 0 for v in sources}
    queue = collections.deque(sources)
    while queue:
        u = queue.popleft()
        for v in follow[u]:
            if v not in away:
                away[v] = away[u] + 1
                queue.append(v)
    return away


def check_spread(what, found, start, follow, ids, limit=math.inf, nothing="none"):
    """Each vertex has the label of one a step before it, if it has none of its own."""
    away = steps_from(list(start), follow)
    before = collections.defaultdict(set)
    for u in ids:
        for v in follow[u]:
            if u in away and away[v] == away[u] + 1:
                before[v].add(u)
    for v in ids:
        label = found[v][0]
        good = (label == str(start[v]) if v in start else label == nothing if v not in away or away[v] > limit
                else any(found[u][0] == label for u in before[v]))
        if not suite.expect(good, f"{what}: {label} at {v}, from {sorted(start.items())[:5]}"):
            return


def nearest_seeds(ids, arcs, seeds):
    """For each vertex the least (distance, seed, vertex before it), in rounds until nothing changes."""
    best = {v: (0, v, math.inf) if v in seeds else (math.inf, math.inf, math.inf) for v in ids}
    changed = True
    while changed:
        changed = False
        for (u, v), weight in arcs.items():
            new = (best[u][0] + weight, best[u][1], u)
            if best[u][0] < math.inf and new < best[v]:
                best[v], changed = new, True
    return best


def farthest_seeds(ids, arcs, seeds, rounds):
    """The greatest (steps, seed) after some rounds, each of which reads what stood before it."""
    best = {v: (0, v) if v in seeds else (-1, math.inf) for v in ids}
    active = set(seeds)
    for _ in range(rounds):
        after, changed = dict(best), set()
        for u, v in arcs:
            new = (best[u][0] + 1, best[u][1])
            if u in active and new > after[v]:
                after[v] = new
                changed.add(v)
        best, active = after, changed
    return best


def check(what, graph, ids, arcs, given, seeds, far, command, options, environment):
    tuples = {"near": ["dist", "owner", "before"], "farthest": ["hops", "last"],
              **{f"near{k}": [f"dist{k}", f"owner{k}"] for k in (2, 3, 4)}}
    names = ["label", "origin", "steps", "back", "reach", "nearby", *sum(tuples.values(), [])]
    files = {name: suite.folder / f"{name}.out" for name in names}
    for file in files.values():
        file.unlink(missing_ok=True)
    (suite.folder / "given.in").write_text("".join(f"{v} {x}\n" for v, x in given.items()))
    (suite.folder / "far.in").write_text("".join(f"{v} {x}\n" for v, x in far.items()))
    (suite.folder / "seeds.in").write_text(" ".join(map(str, seeds)))
    if suite.succeeds(what, *command, graph, "--given=@given.in", "--far=@far.in", "--seeds=@seeds.in", "--quiet", *options,
                      *[f"--output={n}={f}" for n, f in files.items()], env=environment, timeout=120).code:
        return
    out, into = {v: [] for v in ids}, {v: [] for v in ids}
    for u, v in arcs:
        out[u].append(v)
        into[v].append(u)
    found = {name: read(file) for name, file in files.items()}
    check_spread(f"label, {what}", found["label"], given, out, ids)
    check_spread(f"back, {what}", found["back"], given, into, ids)
    check_spread(f"nearby, {what}", found["nearby"], given, out, ids, limit=2)
    check_spread(f"origin, {what}", found["origin"], {v: v for v in seeds}, out, ids)
    classes = {v: x // 10 for v, x in far.items() if x < 100}
    both = {v: out[v] + into[v] for v in ids}
    check_spread(f"reach, {what}", found["reach"], classes, both, ids, nothing="-1")
    nearest = nearest_seeds(ids, arcs, seeds)
    expected = {"near": nearest, "farthest": farthest_seeds(ids, arcs, seeds, 4),
                **{f"near{k}": {v: t[:2] for v, t in nearest.items()} for k in (2, 3, 4)}}
    for name, parts in tuples.items():
        for v in ids:
            values = tuple(found[part][v][0] for part in parts)
            wanted = tuple("none" if x == math.inf and part[:4] != "dist" else str(x)
                           for part, x in zip(parts, expected[name][v]))
            if not suite.expect(values == wanted, f"{name} of {v}, {what}: {values}, not {wanted}"):
                break
    away = steps_from(seeds, out)
    for v in ids:
        if not suite.expect(found["steps"][v][0] == str(away.get(v, "inf")), f"steps to {v}, {what}: {found['steps'][v]}"):
            break


rng = random.Random(3)
for n, m in ((1, 0), (12, 20), (60, 90), (400, 700)):
    for directed in (True, False):
        edges = sorted({(rng.randrange(n), rng.randrange(n)) for _ in range(m)} | {(0, n - 1)})
        ids = sorted({v for edge in edges for v in edge})
        graph = suite.folder / "graph.wel"
        weights = {edge: rng.randrange(6) for edge in edges}
        graph.write_text("".join(f"{u} {v} {w}\n" for (u, v), w in weights.items()))
        arcs = dict(weights)
        if not directed:  # of two edges between a pair the lighter one stays
            for (u, v), w in weights.items():
                arcs[v, u] = arcs[u, v] = min(w, weights.get((v, u), w))
        for count in (0, 1, max(len(ids) // 8, 1)):
            chosen = rng.sample(ids, min(count, len(ids)))
            given = {v: rng.choice(ids) for v in chosen}
            seeds = sorted(rng.sample(ids, min(count + 1, len(ids))))
            far = {v: rng.choice([0, 7, 25, 99, 100, 3000]) for v in rng.sample(ids, min(count, len(ids)))}
            runs = [([PROGRAM], ["--verify", *variant], env) for variant, env in suite.variants([1, 2, 4], [1, 2])]
            if suite.target == "omp":
                runs.append(([suite.gcompile, "interpret", harness.ROOT / "test" / "e2e" / "seeds.gdsl"], [], {}))
            for command, variant, environment in runs:
                direction = "--directed" if directed else "--undirected"
                check(f"{n} vertices {direction} {count} {variant} {environment}", graph, ids, arcs, given, seeds, far,
                      command, [direction, *variant], environment)
suite.finish()
