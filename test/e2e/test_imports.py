"""Functions of C++ headers: their values against the same in Python."""

import math

from random_graphs import INF, Test, sample


def cost(kind):
    return [3, 1, 4, 1][(-(kind + 1) if kind < 0 else kind) % 4]


def middle(a, b):
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def apart(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def parameters(rng, graph):
    return {"x": {v: rng.choice([rng.randint(-50, 50), rng.randint(-2**40, 2**40)]) for v in graph.ids},
            "S": sample(rng, graph.ids, 4),
            "site": {v: (rng.randint(-9, 9) / 2, rng.randint(-9, 9) / 4) for v in graph.ids},
            **({"next": {v: (rng.choice([None, *graph.ids]), rng.randint(0, 9)) for v in graph.ids}} if rng.random() < 0.6 else {}),
            **({"home_x": 3} if rng.random() < 0.5 else {})}


def oracle(graph, given):
    x, chosen = given["x"], given["S"]
    bits = {v: (x[v] & (2**64 - 1)).bit_count() for v in graph.ids}
    dist = {v: 0 if v in chosen else INF for v in graph.ids}
    changed = True
    while changed:
        changed = False
        for u, v, w in graph.arcs:
            length = dist[u] + cost(w) + cost(w) * (2 if w > 2 else 1)
            if length < dist[v]:
                dist[v], changed = length, True
    common = {v: 0 for v in graph.ids}
    for u, v, _ in graph.arcs:
        divisor = math.gcd(x[u], x[v])
        common[v] += divisor if divisor > 1 else 0
    place = {v: (len(graph.out[v]), 1) for v in graph.ids}
    first = {v: min((w for _, w, _ in graph.out[v]), default=None) for v in graph.ids}
    place = {v: place[v] if first[v] is None else middle(place[v], place[first[v]]) for v in graph.ids}
    centre = (0, 0)
    for v in sorted(chosen):
        centre = middle(centre, place[v])

    def moved(v):
        by = len(graph.into[v])
        return middle(place[v], (by, -by)) if by > 0 else place[v]
    rounds, active, r = {v: 0 for v in chosen}, set(chosen), 0
    while active:
        r += 1
        active = {v for u in active for _, v, _ in graph.out[u] if v not in rounds}
        rounds.update({v: r for v in active})
    bins = [sum(len(graph.out[v]) % 5 == i for v in graph.ids) for i in range(5)]
    def far(d):
        def third(x):
            return math.floor(abs(x) / 3)
        x, y = d + d, 1 + third(d)  # shifted((d, 2)) is d
        return (x - 2, y + third(x))  # shifted((1, 3)) is 2
    degree = {v: len(graph.out[v]) for v in graph.ids}
    to = {v: first[v] if first[v] is not None and degree[v] < 3 else v for v in graph.ids}
    length = {v: degree[v] if first[v] is not None and degree[v] < 3 else 3 for v in graph.ids}
    following = given.get("next", {v: (v, 4) for v in graph.ids})

    def entering(v, f):
        return sum(f(degree[u]) for u, *_ in graph.into[v])
    return {
        "tripled": {v: 4.5 * math.fmod(x[v], 100) + degree[v] + 0.25 for v in graph.ids},
        "said": {v: graph.degree(v)**3 + int(0.75 * graph.degree(v)) + 3 * graph.degree(v) + 1 for v in graph.ids},
        "strayed": {v: apart(given["site"][v], (given.get("home_x", 1), -2.5)) for v in graph.ids},
        "onward": {v: following[v][0] for v in graph.ids},
        "paces": {v: 2 * following[v][1] for v in graph.ids},
        "marks": {v: 2 * graph.degree(v) for v in graph.ids},
        "opened": {v: entering(v, lambda d: INF if d > 2 else d) for v in graph.ids},
        "shut": {v: entering(v, lambda d: 7 if d > 2 else d) for v in graph.ids},
        "far": {v: apart(far(degree[v]), (0, 0)) for v in graph.ids},
        "shifted": {v: int(degree[v] != 3) for v in graph.ids},
        "latest": {v: max(v, v if first[v] is None else first[v]) for v in graph.ids},
        "quotient": {v: (degree[v] + 10) // 3 for v in graph.ids},
        "rest": {v: (degree[v] + 10) % 3 for v in graph.ids},
        "to": to,
        "length": length,
        "spent": {v: sum(w for _, _, w in graph.into[v]) for v in graph.ids},
        "after": first,
        "twofold": {v: 2.0 * length[v] for v in graph.ids},
        "away": {v: apart(moved(v), centre if len(graph.out[v]) > 2 else (0, 0)) for v in graph.ids},
        "near": {v: min((apart(place[u], place[v]) for u, *_ in graph.into[v]), default=INF) for v in graph.ids},
        "reached": {v: rounds[v] + 2 if rounds.get(v) else 0 for v in graph.ids},
        "spans": {v: sum(w + 1 for _, _, w in graph.into[v]) for v in graph.ids},
        "degrees": {i: i + bins[i] for i in range(5)},
        "paired": {v: 3 * len(graph.ids) + 4 * (len(graph.ids) - v) + 1 for v in graph.ids},
        "doubled": {v: 2 * x[v] for v in graph.ids},
        "whole": {v: 2 * len(graph.out[v]) + bits[v] + len(graph.into[v]) // 2 + min(len(graph.out[v]), 7)
                  for v in graph.ids},
        "real": {v: 1.5 for v in graph.ids},
        "dist": dist,
        "common": common,
        "one": 10,
        "ends": sum(bits[v] for v in chosen),
    }


Test("imports", oracle, parameters).run()
