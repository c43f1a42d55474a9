"""Kept levels in the algebra of sets, against the sets of Python."""

import collections

from random_graphs import INF, Test


def parameters(rng, graph):
    return {"root": rng.choice(graph.ids), "marked": [v for v in graph.ids if rng.random() < 0.4 or v == 1],
            "limit": rng.randint(1, 5)}


def nearer(graph, near, start):
    queue = collections.deque(start)
    while queue:
        u = queue.popleft()
        for v, weight in graph.neighbours(u):
            if near[u] + weight < near[v]:
                near[v] = near[u] + weight
                queue.append(v)


def oracle(graph, given):
    root, marked, limit, ids = given["root"], set(given["marked"]), given["limit"], graph.ids
    away = graph.steps_from([root], "both")
    rings = [{v for v in away if away[v] == k} for k in range(max(away.values()) + 1)]
    level = {v: away.get(v, -1) for v in ids}
    paths, low = {v: 0 for v in ids}, {v: 0 for v in ids}
    peak, near, some, odd = {v: None for v in ids}, {v: INF for v in ids}, set(), set()
    rest = sizes = turns = kept = 0
    for k, ring in enumerate(rings):
        some = some | ring & marked if k % 2 == 1 else some - ring
        odd |= ring & marked | some
        rest += len(set(ids) - ring - some) * (k + 1)
        largest = sorted(ring, key=lambda v: (-graph.degree(v), v))
        for v in ring - marked:
            peak[v] = next((w for w in largest if w != v), None)
        last = min(ring, key=lambda v: (-graph.degree(v), -len(graph.out[v]), v))
        sizes = sizes << 1 ^ len(ring)
    for k, ring in reversed(list(enumerate(rings))):
        for u in ring:
            paths[u] += sum(1 + paths[v] + weight for v, weight in graph.neighbours(u) if level[v] == k + 1)
        even = {v for v in ring if paths[v] & 1 == 0}
        nearer(graph, near, even)
        for v in even:
            near[v] = min(near[v], k)
        for _ in range(limit):
            turns += 1
            if root in ring or len(ring) <= 2:
                break
            for _ in range(2):
                turns += 2
                if turns % 5 == 0:
                    break
        some -= even
        kept += len(some)
        for v in some | ring if k < 2 else ():
            low[v] += bin(level[v]).count("1")
    before = {v: sum(level[u] << 2 | 1 for u, _ in graph.neighbours(v, "in") if v in away and level[u] + 1 == level[v])
              for v in ids}
    return {"level": level, "odd": {v: v in odd for v in ids}, "paths": paths, "before": before, "rest": rest, "peak": peak,
            "near": near, "sizes": sizes, "turns": turns, "low": low, "last": last, "kept": kept}


Test("rings", oracle, parameters, {
    "omp": ["cpu walk { direction pull; } cpu relax { asynchronous; }"],
    "cuda": ["cuda walk { direction pull; loop host; }"],
}).run()
