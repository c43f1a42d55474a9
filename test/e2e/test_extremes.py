"""Arguments of extremes and most frequent values: the smallest of several."""

import collections
import math

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"x": {v: rng.choice([0, 1, 1, 2, 3, 5, -4, 7, 120]) for v in graph.ids},
            "y": {v: rng.choice([0.0, -0.5, 0.25, 1.0, INF, -INF]) for v in graph.ids},
            "seeds": sample(rng, graph.ids, 10), "root": rng.choice(graph.ids)}


def mode(values, nothing=0):
    """None, which is no vertex, comes after all of them."""
    counts = collections.Counter(values)
    return min(counts, key=lambda x: (-counts[x], INF if x is None else x), default=nothing)


def least(elements, value):
    return min(elements, key=lambda x: (value(x), x), default=None)


def most(elements, value):
    return min(elements, key=lambda x: (-value(x), x), default=None)


def ends(arc):
    return (None, None) if arc is None else arc[:2]


def levels(graph, root, seeds, x):
    away = graph.steps_from([root])
    of_levels, of_level, others, turns = 0, *({v: 0 for v in graph.ids} for _ in range(3))
    for depth in range(max(away.values()) + 1):
        ring = {v for v in away if away[v] == depth}
        of_levels += mode(x[v] for v in ring)
        for v in graph.ids:
            of_level[v] += mode(x[u] for u in {u for u, _ in graph.neighbours(v, "in")} & ring)
        for v in ring - seeds:
            others[v] = mode(x[u] >> 1 for u in ring | seeds)
        for u in seeds:
            for v, _ in graph.neighbours(u):
                turns[v] += x[u]
    for _ in range(3):
        for _ in range(2):
            turns = {v: mode(turns[u] & 7 for u, _ in graph.neighbours(v, "in")) if graph.into[v] else turns[v]
                     for v in graph.ids}
            if of_levels < 0:
                break
    return {"of_levels": of_levels, "of_level": of_level, "others": others, "turns": turns}


def oracle(graph, given):
    x, y, seeds, ids = given["x"], given["y"], set(given["seeds"]), graph.ids
    into, out = ({v: [u for u, _ in graph.neighbours(v, how)] for v in ids} for how in ("in", "out"))
    around = {v: graph.neighbours(v, "both") for v in ids}
    usual = {v: mode(x[u] for u in into[v]) for v in ids}
    remainder = mode(int(math.fmod(x[u], 3)) for u in seeds)
    alike = {k: n * (n - 1) for k, n in collections.Counter(x.values()).items() if n > 1}
    return levels(graph, given["root"], seeds, x) | {
        "least": {v: least(into[v], lambda u: x[u] & 3) for v in ids},
        "most": {v: most([u for u, _ in around[v] if u in seeds or x[u] > 2], lambda u: y[u]) for v in ids},
        "light": {v: ends(least(graph.into[v], lambda arc: arc[2] & 1)) for v in ids},
        "wide": {v: ends(most([arc for arc in graph.out[v] if arc[2] != 3], lambda arc: arc[3])) for v in ids},
        "heavy": ends(most([arc for arc in graph.arcs if arc[0] in seeds], lambda arc: arc[2] % 3)),
        "first": least(seeds, lambda v: x[v]),
        "free": {v: most([u for u in out[v] if u not in seeds], lambda u: min(x[u], 3)) for v in ids},
        "partner": {v: least(seeds - {v}, lambda u: x[u]) if v in seeds else None for v in ids},
        "near": {v: least([u for u in ids if u != v], lambda u: abs(x[u] - x[v])) for v in ids},
        "pair": {v: min(((arc[2], arc[0]) for arc in graph.into[v]), default=(INF, None)) for v in ids},
        "busy": most(ids, lambda v: sum(x[u] == x[v] for u in into[v])),
        "surplus": {v: max((weight - x[u] for u, weight in around[v]), default=-2**31) for v in ids},
        "lowest": min((y[v] for v in ids if x[v] > 100), default=INF),
        "widest": max(arc[3] for arc in graph.arcs),
        "around": {v: mode(x[u] for u, _ in around[v]) for v in ids},
        "mixed": {v: mode(x[arc[0]] ^ arc[2] for arc in graph.into[v] if arc[2] > 1) for v in ids},
        "beside": {v: mode(x[u] & 1 for u in set(into[v]) & seeds) for v in ids},
        "spread": {v: max(usual[v], mode(x[u] for u in out[v])) - min(remainder, 1) for v in ids},
        "usual": {v: mode((u if u in seeds else None for u in into[v] if u in seeds or graph.degree(v) > 3), None)
                  for v in ids},
        "source": mode((arc[0] for arc in graph.arcs if arc[1] in seeds), None),
        "kind": mode(arc[2] & 3 for arc in graph.arcs if arc[0] in seeds),
        "alike": min(alike, key=lambda k: (-alike[k], k), default=0),
        "shifted": sum(usual[v] << 33 for v in seeds),
        "two": {v: mode(len(into[u]) for u in set(out[v])) for v in ids},
    }


Test("extremes", oracle, parameters, columns=2).run()
