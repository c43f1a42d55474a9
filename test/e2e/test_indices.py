"""Indices that loops keep of the best key, against a search of all vertices in every turn."""

from random_graphs import INF, Test


def parameters(rng, graph):
    ids = graph.ids
    return {"root": rng.choice(ids), "turns": rng.choice([0, 1, 7, 60]),
            "fee": {v: rng.choice([0.0, 0.5, 2.0, 64.0, INF]) for v in ids}, "cap": {v: rng.choice([0, 1, 2, 3, INF]) for v in ids}}


def best(choose, ids, has, key):
    """The vertex with the best key, the smallest of several; None without one."""
    some = [v for v in ids if has(v)]
    return choose(some, key=lambda v: (key(v), -v if choose is max else v)) if some else None


def oracle(graph, given):
    ids, turns, cap = graph.ids, given["turns"], given["cap"]
    dist, settled, done = {v: INF for v in ids}, {v: -1 for v in ids}, set()
    dist[given["root"]] = 0.0
    while (u := best(min, ids, lambda v: v not in done and dist[v] < INF, dist.get)) is not None:
        settled[u] = len(done)
        done.add(u)
        for _, v, _, cost in graph.out[u]:
            if v not in done:
                dist[v] = min(dist[v], dist[u] + cost)

    left, core, peeled, gone, k = {v: graph.degree(v) for v in ids}, {}, {}, set(), 0
    while (u := best(min, ids, lambda v: v not in gone, left.get)) is not None:
        k = max(k, left[u])
        core[u], peeled[u] = k, len(gone)
        gone.add(u)
        for w, _ in graph.neighbours(u, "both"):
            if w not in gone:
                left[w] -= 1

    gain, chosen, most = {v: graph.degree(v) for v in ids}, {v: -1 for v in ids}, {v: -1 for v in ids}
    for turn in range(turns):
        u = best(max, ids, lambda v: gain[v] != 3, gain.get)
        if u is None:
            break
        most[u], chosen[u], gain[u] = gain[u], turn, -turn - 1
        for _, w, weight, _ in graph.out[u]:
            gain[w] += weight
    turn = max([t + 1 for t in chosen.values()], default=0)

    price, paid = dict(given["fee"]), {v: INF for v in ids}
    for _ in range(turns):
        u = best(max, ids, lambda v: cap[v] > turn % 3 and price[v] < INF, lambda v: price[v] * 0.5)
        if u is not None:
            paid[u], price[u] = price[u], price[u] * 0.25 - 1.0
    around = {v: {w for w, _ in graph.neighbours(v, "out")} for v in ids}
    sources = {v: {u for u in ids if v in around[u]} for v in ids}
    worth, picked, reached = {v: len(around[v]) for v in ids}, {v: -1 for v in ids}, set()
    turn = 0
    while (u := best(max, ids, lambda v: worth[v] > 0, worth.get)) is not None:
        picked[u] = turn
        turn += 1
        for v in around[u] - reached:
            reached.add(v)
            for w in sources[v]:
                worth[w] -= 1

    load, first = {v: graph.degree(v) for v in ids}, {v: 0 for v in ids}
    for _ in range(turns):
        u = best(min, ids, lambda v: load[v] != 4, load.get)
        if u is not None:
            first[u] += 1
            load[u] += 5
        for v in ids:
            if cap[v] > 0 and load[v] < 1000:
                load[v] += len(graph.out[v]) - 1
    return {"picked": picked, "worth": worth, "first": first, "load": load, "dist": dist, "settled": settled, "core": core, "peeled": peeled, "gain": gain, "chosen": chosen, "most": most,
            "price": price, "paid": paid}


Test("indices", oracle, parameters, {}, columns=2).run()
