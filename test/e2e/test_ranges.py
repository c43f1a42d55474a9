"""Loops over integers, against Python's own."""

import math

from random_graphs import INF, Test


def parameters(rng, graph):
    a = rng.choice([0, -5, 3, rng.randrange(-1000, 1000), -2**31])
    return {"a": a, "b": a + rng.choice([0, 1, 7, 50, -3 if a > -2**31 else 2]),
            "far": rng.choice([2**31 - 3, 2**40, rng.randrange(2**31, 2**58)]),
            "x": {v: rng.choice([0, 1, 2, 3, rng.randrange(20)]) for v in graph.ids}}


def wrap(x):
    return (x + 2**63) % 2**64 - 2**63


def root_of(n):
    return next((i for i in range(n) if i * i >= n), n)


def nested():
    value = 0
    for i in range(4):
        for j in range(i - 6, i):
            if j > 1:
                break
            if j != 0:
                value = int(math.fmod(value * 3, 1000003)) + j
    return value


def within(graph, x, v):
    step = total = 0
    for i in range(x[v]):
        if i % 3 != 1:
            step += sum(j for j in range(i, 20) if j <= i + 2)
            total += step + sum(x[arc[0]] % (i + 2) for arc in graph.into[v])
    return total


def near(graph):
    found = {v: INF for v in graph.ids}
    for i in range(1, 4):
        for v in graph.ids:
            if len(graph.out[v]) == i:
                found[v] = min(found[v], i)
        active = [v for v in graph.ids if found[v] == i]
        for _ in range(i):
            before, changed = dict(found), set()
            for u in active:
                for arc in graph.out[u]:
                    if before[u] + 1 < found[arc[1]]:
                        found[arc[1]] = before[u] + 1
                        changed.add(arc[1])
            active = sorted(changed)
    return found


def oracle(graph, given):
    a, b, far, x = (given[name] for name in ("a", "b", "far", "x"))
    counted = range(a, b)
    wide = 0
    for i in range(far, far + 5):
        wide ^= wrap(i * (i - far + 1))
    marked = {v: max([i * x[arc[0]] for i in range(1, 4) for arc in graph.into[v] if x[arc[0]] % i == 0], default=0)
              for v in graph.ids}
    return {
        "total": sum(counted) + sum(x[v] % (i + 1) for i in range(1, 4) for v in graph.ids),
        "last": counted[-1] if counted else -1000,
        "odd": sum((i * 3 + 2**31) % 2**32 - 2**31 for i in counted if i % 2),
        "wide": wide,
        "mixed": sum(range(-3, 12)),
        "nested": nested(),
        "left": 7,
        "end": (7 + 7 + 8) * 100 + 13,
        "turns": 2,
        "backwards": max(0, a - b),
        "roots": {v: root_of(x[v]) for v in graph.ids},
        "marked": marked,
        "within": {v: within(graph, x, v) if graph.degree(v) else 0 for v in graph.ids},
        "near": near(graph),
    }


Test("ranges", oracle, parameters).run()
