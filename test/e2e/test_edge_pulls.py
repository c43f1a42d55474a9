"""Propagates and loops that ask for the edge, pushed and pulled, on directed and undirected graphs."""

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"S": sample(rng, graph.ids, 5)}


def nearest(graph, sources, arcs):
    """The least sum of weights from a source along `arcs`, (from, to, weight)."""
    near = {v: 0 if v in sources else INF for v in graph.ids}
    changed = True
    while changed:
        changed = False
        for u, v, weight in arcs:
            if near[u] + weight < near[v]:
                near[v] = near[u] + weight
                changed = True
    return near


def oracle(graph, given):
    chosen, ids = given["S"], graph.ids
    back = [(v, u, weight) for u, v, weight in graph.arcs]
    steps = graph.steps_from(chosen)
    heavy = graph.steps_from(chosen, along=lambda u, v, weight: weight > 1)
    light = graph.steps_from(chosen, along=lambda u, v, weight: weight < 5)
    paths = {v: 1 if v in chosen else 0 for v in ids}
    before = graph.before(steps)
    for v in sorted(steps, key=steps.get):
        paths[v] += sum((paths[u] + weight) % 1000 for u, weight in before[v])
    flow = {v: len(graph.out[v]) for v in ids}
    for _ in range(3):
        before_turn = dict(flow)
        for u, v, weight in graph.arcs:
            flow[v] += (before_turn[u] + weight) % 100 if weight != 2 else 0
    return {
        "flow": flow,
        "gathered": {v: sum(flow[u] * weight for u, _, weight in graph.into[v]) % 1000 for v in ids},
        "marked": {v: sum(3 if u < v or weight == 0 else 1 for u, _, weight in graph.into[v] if weight != 1)
                   for v in ids},
        "dist": nearest(graph, chosen, graph.arcs),
        "depth": {v: heavy.get(v, INF) for v in ids},
        "paths": paths,
        "toward": nearest(graph, chosen, back),
        "around": nearest(graph, chosen, [*graph.arcs, *back]),
        "after": {v: v in light for v in ids},
        "last": {v: 1 if v in light and v not in chosen else -1 for v in ids},
    }


WAYS = ["direction pull;", "direction hybrid(alpha = 1000, beta = 1000);", "direction growth(alpha = 1000, beta = 1000);"]
Test("edge_pulls", oracle, parameters,
     {"omp": [f"cpu {{ {way} }}" for way in WAYS],
      "cuda": [f"cuda {{ {way} }}" for way in WAYS]}).run()
