"""Loops that hold ordered propagates: run by the host, by one kernel, and as the compiler chooses."""

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"seeds": sample(rng, graph.ids, 6), "fee": {v: rng.choice([0.0, 0.5, 1.0, 2.5, 4.0]) for v in graph.ids},
            "root": rng.choice(list(graph.ids))}


def settle(values, steps):
    """Lowers values, in place, by (from, to, the new value of an old one) until nothing changes."""
    changed = True
    while changed:
        changed = False
        for u, v, step in steps:
            if values[u] != INF and (new := step(values[u])) < values[v]:
                values[v], changed = new, True
    return values


def tour(graph, root):
    total, ends, at = {v: 0 for v in graph.ids}, 0, root
    for _ in range(4):
        dist = settle({v: 0 if v == at else INF for v in graph.ids},
                      [(u, v, lambda x, w=w: x + w) for u, v, w in graph.arcs])
        for v in graph.ids:
            total[v] += dist[v] if dist[v] < INF else 0
        at = min((v for v in graph.ids if dist[v] < INF), key=lambda v: (-dist[v], v))
        ends = ends * 31 + dist[at] % 7
    return total, ends


def pay(graph, seeds, fee):
    paid, some = {v: INF for v in graph.ids}, set(seeds)
    for turn in range(1, 6):
        if not some:
            break
        paid.update({v: fee[v] * turn for v in some})
        settle(paid, [(v, u, lambda x, w=w: x + w if x + w < 9 else INF) for u, v, w in graph.arcs])
        some = {v for v in graph.ids if paid[v] == INF and len(graph.into[v]) + 2 > turn}
    return paid


def claim(graph, seeds):
    both = [arc for u, v, w in graph.arcs for arc in [(u, v, w)] + [(v, u, w)] * graph.directed]
    best = settle({v: (0, v) if v in seeds else (INF, INF) for v in graph.ids},
                  [(u, v, lambda x, w=w: (x[0] + w, x[1])) for u, v, w in both])
    return {v: x[0] + 1 for v, x in best.items()}, {v: x[1] if x[1] < INF else None for v, x in best.items()}


def mixed(graph, fee):
    joined, ring = {v: 0 for v in graph.ids}, {v for v in graph.ids if fee[v] < 1}
    for _ in range(3):
        depth = graph.steps_from(ring)
        cost = settle({v: len(graph.out[v]) if v in ring else INF for v in graph.ids},
                      [(u, v, lambda x, w=w: x + w) for u, v, w in graph.arcs if depth.get(v, INF) < 4])
        for v in graph.ids:
            joined[v] += 2 * (cost[v] % 5 + depth[v]) if cost[v] < INF else 0
        ring = {v for v in graph.ids if joined[v] % 3 == 1}
    return joined


def asks(graph, seeds):
    near = {v: {w for w, _ in graph.neighbours(v)} & seeds for v in graph.ids}
    around, asked = {v: INF for v in graph.ids}, {v: 0 for v in graph.ids}
    steps = [(u, v, lambda x: x + 2) for u in graph.ids for v, _ in graph.neighbours(u, "both") if near[v] - {u}]
    for _ in range(2):
        around.update({v: 0 for v in seeds})
        settle(around, steps)
        for v in graph.ids:
            if around[v] < INF:
                asked[v] += around[v]
                around[v] += len(graph.out[v])
    return asked


def oracle(graph, given):
    seeds, fee = set(given["seeds"]), given["fee"]
    total, ends = tour(graph, given["root"])
    near, owner = claim(graph, seeds)
    return {"total": total, "ends": ends, "paid": pay(graph, seeds, fee), "near": near, "owner": owner,
            "joined": mixed(graph, fee), "asked": asks(graph, seeds)}


LOOPS, ON_HOST = (" ".join(f"cuda {label} {{ loop {where}; }}" for label in ("tour", "pay", "claim", "mixed", "asks"))
                  for where in ("device", "host"))
Test("order_loops", oracle, parameters,
     {"cuda": [ON_HOST, LOOPS,
               LOOPS + " cuda walk { ordered buckets(delta = 1); } cuda both { ordered buckets(delta = 5); }"
               " cuda steps { direction pull; }"]},
     largest=100).run()
