"""edge(u, w) against sorted lists of arcs in Python: loops, parallel edges, both directions, from and to none."""

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    x = {v: rng.choice(graph.ids) if rng.randrange(3) else None for v in graph.ids}
    for v in graph.ids:  # mostly at the other end of an edge
        if graph.out[v] and rng.randrange(4):
            x[v] = rng.choice(graph.out[v])[1]
    a = rng.choice(graph.ids)
    b = rng.choice(graph.out[a])[1] if graph.out[a] and rng.randrange(4) else rng.choice(graph.ids)
    return {"x": x, "S": sample(rng, graph.ids, 4), "a": a, "b": b}


def oracle(graph, given):
    ids, x, chosen, a, b = graph.ids, given["x"], given["S"], given["a"], given["b"]
    weight = {}
    for u, v, w in graph.arcs:  # ascending: the first of several is the lightest
        weight.setdefault((u, v), w)
    mark = {arc: 0 for arc in weight}
    for u, v, _ in graph.arcs:
        if (v, u) in mark:
            mark[v, u] += 1
    both = {v: {w for w in ids if (v, w) in weight} for v in ids}
    steps = graph.steps_from(chosen, along=lambda u, v, _: (v, u) in weight)
    near = {v: 0 if v in chosen else INF for v in ids}
    for _ in ids:
        before = dict(near)
        for (u, v), w in weight.items():
            near[v] = min(near[v], near[u] + w)
        if near == before:
            break
    marks = {v: sum(mark[u, v] for u in ids if (u, v) in mark) for v in ids}
    return {
        "light": {v: weight.get((v, x[v]), INF) for v in ids},
        "to": {v: x[v] if (v, x[v]) in weight else None for v in ids},
        "back": {v: (x[v], v) in weight for v in ids},
        "marks": marks,
        "opposite": {v: sum(weight.get((arc[1], v), 0) for arc in graph.out[v]) for v in ids},
        "firsts": {v: len(both[v]) for v in ids},
        "corners": {v: sum(arc[0] in both[v] and arc[1] in both[v] for arc in graph.arcs) if v in chosen else 0 for v in ids},
        "hops": {v: steps.get(v, INF) for v in ids},
        "nearest": near,
        "one": weight.get((a, b), -1),
        "turns": sum(1 + mark[v, a] for v in chosen if (v, a) in weight),
        "nothing": True,
    }


Test("edges", oracle, parameters,
     {"omp": ["cpu { direction push; }"], "cuda": ["cuda { direction push; }"]}, largest=1000).run()
