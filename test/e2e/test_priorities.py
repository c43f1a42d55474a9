"""Priorities: the least sums along the edges, whatever they are of, and the greatest bounds."""

import collections

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    ids = graph.ids
    return {"seeds": sample(rng, ids, 12), "fee": {v: rng.choice([0.0, 0.25, 0.5, 2.0, 3.0, INF]) for v in ids},
            "toll": rng.choice([0, 0.25]), "cap": {v: rng.choice([0, 3, 9, 20, INF]) for v in ids},
            "start": {v: rng.choice([0.0, 1.5, -2.0, 5.0]) if rng.random() < 0.1 else INF for v in ids}}


def settle(graph, start, nothing, steps, best=min):
    """`steps(arc)`: (from, to, the new value of an old one) for what an edge does, if anything."""
    values, out = {v: start.get(v, nothing) for v in graph.ids}, collections.defaultdict(list)
    for arc in graph.arcs:
        for u, v, step in steps(*arc):
            out[u].append((v, step))
    queue = collections.deque(v for v in values if values[v] != nothing)
    while queue:
        u = queue.popleft()
        for v, step in out[u]:
            new = best(values[v], step(values[u]))
            if new != values[v]:
                values[v] = new
                queue.append(v)
    return values


def oracle(graph, given):
    seeds, fee, toll, start, cap = (given[name] for name in ("seeds", "fee", "toll", "start", "cap"))
    n, asked = len(graph.ids), set(seeds)
    starts = {v: x for v, x in start.items() if x < INF}
    reached = settle(graph, {v: (cap[v], v) for v in seeds}, (-1, None),
                     lambda u, v, w, c: [(u, v, lambda x: (min(x[0], w), u))], max)
    flows = lambda u, v: [(u, v, lambda x: min(x, fee[v] + 0.5, 2.25))] * (fee[v] > 0)
    fees = lambda u, v: [(u, v, lambda x: x + fee[v])] * (fee[v] < 3)
    return {
        "sum": settle(graph, {v: 0.0 for v in seeds}, INF, lambda u, v, w, c: [(u, v, lambda x: x + c + fee[v] + toll)]),
        "fees": settle(graph, {v: fee[v] for v in seeds}, INF,
                       lambda u, v, w, c: fees(u, v) + (fees(v, u) if graph.directed else [])),
        "bounded": settle(graph, start, INF, lambda u, v, w, c: [(u, v, lambda x: x + c if x + c < 6 else INF)]),
        "back": settle(graph, {v: graph.degree(v) for v in seeds}, INF, lambda u, v, w, c: [
            (v, u, lambda x: x + w + len(graph.out[u]))] * (w > 0 and v in asked or w > 1)),
        "wide": settle(graph, {v: -5 for v in seeds}, INF, lambda u, v, w, c: [(u, v, lambda x: x + max(w - 2, 0) + n)]),
        "capped": settle(graph, {v: cap[v] for v in seeds}, INF,
                         lambda u, v, w, c: [(u, v, lambda x: x + w if x + w <= cap[v] else INF)]),
        "width": settle(graph, {v: cap[v] for v in seeds}, -1, lambda u, v, w, c: [(u, v, lambda x: min(x, w + 2))], max),
        "wider": settle(graph, {v: cap[v] for v in seeds}, -9, lambda u, v, w, c: [(u, v, lambda x: min(x, w - 3))], max),
        "room": settle(graph, {v: INF for v in seeds}, -9200000000000000000,
                       lambda u, v, w, c: [(v, u, lambda x: min(x, (w - 3) * 3000000000000000000))], max),
        "flow": settle(graph, {v: fee[v] for v in seeds}, -1.0,
                       lambda u, v, w, c: flows(u, v) + (flows(v, u) if graph.directed else []), max),
        "best": settle(graph, starts, -INF, lambda u, v, w, c: [(u, v, lambda x: x if x > 0 else -INF)], max),
        "reach": {v: x for v, (x, _) in reached.items()},
        "last": {v: u for v, (_, u) in reached.items()},
        "lift": settle(graph, {v: cap[v] for v in seeds}, INF,
                       lambda u, v, w, c: [(u, v, lambda x: max(x + 1, 2 * w) + len(graph.out[u]))]),
    }


Test("priorities", oracle, parameters, {
    "omp": ["cpu a { asynchronous; } cpu b { asynchronous; } cpu c { ordered buckets(delta = 1); }"
            " cpu d { ordered obim(chunk = 8, shift = 1); } cpu f { ordered buckets(delta = 64); } cpu h { asynchronous; }"
            " cpu widest { asynchronous; } cpu i { asynchronous; } cpu j { ordered buckets(delta = 1); }"
            " cpu k { asynchronous; } cpu l { ordered obim(shift = 0); } cpu m { asynchronous; }"
            " cpu n { ordered obim(chunk = 64, shift = 2); }",
            "cpu i { ordered buckets(delta = 3, fusion = 0); } cpu j { ordered obim(shift = 0); }"
            " cpu k { ordered buckets(delta = 1); } cpu m { ordered buckets(delta = 2); }"],
    "cuda": ["cuda a { ordered buckets(delta = 1); } cuda d { ordered buckets(delta = 9); }"
             " cuda i { ordered buckets(delta = 3); } cuda j { ordered buckets(delta = 1); }"
             " cuda k { ordered buckets(delta = 1); }"],
}, columns=2).run()
