"""Operators on bits wherever values are computed, against Python's own."""

import collections

from random_graphs import INF, Test, sample


def wrap(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def count(x, bits=64):
    return bin(x & ((1 << bits) - 1)).count("1")


def parameters(rng, graph):
    gen = {v: wrap(rng.choice([0, 0, 1 << rng.randrange(64), rng.randrange(256)]), 64) for v in graph.ids}
    return {"gen": gen, "kill": {v: rng.choice([0, 0, 1, 3, 7, 1 << 30, -1, 5]) for v in graph.ids},
            "seeds": sample(rng, graph.ids, 10)}


def mode(values):
    counts = collections.Counter(values)
    return min(counts, key=lambda x: (-counts[x], x), default=0)


def settle(graph, values, new, active=None):
    queue = collections.deque(graph.ids if active is None else active)
    while queue:
        u = queue.popleft()
        for v, _ in graph.neighbours(u):
            value = new(values[v], values[u], v)
            if value != values[v]:
                values[v] = value
                queue.append(v)
    return values


def searches(graph, gen):
    """From every vertex with a bit, at once: the bits that came by, and the number of steps."""
    now, visited, steps = dict(gen), {v: 0 for v in graph.ids}, 0
    while steps == 0 or (any(now.values()) and steps < 40):
        after = {v: 0 for v in graph.ids}
        for u, v, _ in graph.arcs:
            after[v] |= now[u]
        now = {v: after[v] & ~visited[v] for v in graph.ids}
        visited = {v: visited[v] | after[v] for v in graph.ids}
        steps += 1
    return visited, steps


def oracle(graph, given):
    gen, kill, seeds, ids = given["gen"], given["kill"], set(given["seeds"]), graph.ids
    into = {v: [arc[0] for arc in graph.into[v]] for v in ids}
    seen = settle(graph, dict(gen), lambda old, source, v: old | source & ~kill[v])
    shifted = settle(graph, {v: int(v in seeds) for v in ids}, lambda old, source, v: wrap(old | source << 1, 32), seeds)
    rounds, active = {v: 0 for v in ids}, seeds
    for r in range(1, 7):
        active = {v for u in active for v, _ in graph.neighbours(u)}
        for v in active:
            rounds[v] |= 1 << r
    visited, steps = searches(graph, gen)
    united, common = 0, -1
    for x in seen.values():
        united, common = united | x, common & ~x
    long_word = lambda x: INF if x == 2**63 - 1 else x
    return {
        "seen": {v: long_word(x) for v, x in seen.items()},
        "meet": {v: long_word(x) for v, x in settle(graph, {v: gen[v] if v in seeds else -1 for v in ids},
                                                    lambda old, source, v: old & (source | gen[v])).items()},
        "shifted": {v: INF if x == 2**31 - 1 else x for v, x in shifted.items()},
        "rounds": rounds,
        "counts": {v: count(shifted[v], 32) << 2 | count(kill[v] & 3) for v in ids},
        "united": long_word(united), "common": long_word(common), "high": sum(x >> 62 & 3 for x in seen.values()),
        "nearest": {v: min(into[v], key=lambda u: (count(gen[u] ^ gen[v]), u), default=None) for v in ids},
        "odd": {v: sum(gen[u] >> 1 & 1 == 1 for u in into[v]) for v in ids},
        "usual": {v: mode(gen[u] & 3 | 4 for u in into[v]) for v in ids},
        "total": {v: sum(gen[u] & 255 ^ kill[v] for u in into[v]) for v in ids},
        "alike": {v: min((u for u in ids if u != v), key=lambda u: (-count(gen[u] & gen[v]), u), default=None)
                     if v in seeds else None for v in ids},
        "apart": {v: any(gen[u] & gen[v] != 0 and kill[u] ^ kill[v] > 1 for u in into[v]) for v in ids},
        "steps": steps, "visited": {v: long_word(x) for v, x in visited.items()},
    }


Test("masks", oracle, parameters, {
    "omp": ["cpu a { asynchronous; } cpu b { asynchronous; } cpu c { direction pull; } cpu d { direction hybrid(alpha = 2, beta = 2); }"],
    "cuda": ["cuda a { direction pull; } cuda b { gather serial; } cuda c { loop host; }"],
}).run()
