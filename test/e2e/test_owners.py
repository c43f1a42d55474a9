"""Joint updates in the order of a priority: the least tuple that reaches each vertex."""

import collections

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"seeds": sample(rng, graph.ids, 12), "price": {v: rng.choice([0, 0, 0, 1, 2, 7, INF]) for v in graph.ids},
            "open": {v: rng.random() < 0.85 for v in graph.ids}, "fee": rng.choice([0, 0, 3]),
            "limit": rng.choice([3, 9, 30])}


def settle(graph, start, steps):
    """The least tuples: `steps(arc)` are (from, to, what becomes of the tuple, or None)."""
    best, out = dict(start), collections.defaultdict(list)
    for arc in graph.arcs:
        for u, v, step in steps(arc):
            out[u].append((v, step))
    queue = collections.deque(start)
    while queue:
        u = queue.popleft()
        for v, step in out[u]:
            new = step(best[u])
            if new[0] < INF and (v not in best or new < best[v]):
                best[v] = new
                queue.append(v)
    return best


def widest(graph, seeds):
    """Rounds, each of which reads what stood before it."""
    best, active = {v: (1000, v) if v in seeds else (-1, INF) for v in graph.ids}, set(seeds)
    while active:
        after = dict(best)
        for u in active:
            for v, weight in graph.neighbours(u):
                after[v] = max(after[v], (min(best[u][0], weight), best[u][1]))
        active = {v for v in graph.ids if after[v] != best[v]}
        best = after
    return {v: pair for v, pair in best.items() if pair[0] >= 0}


def oracle(graph, given):
    seeds, price, is_open, fee, limit = (given[name] for name in ("seeds", "price", "open", "fee", "limit"))
    surplus = {v: max(price[v] - 3, 0) for v in graph.ids}
    never = (INF,)
    longer = lambda length: lambda t: (t[0] + length, *t[1:])
    both = lambda u, v, w: [(u, v, w)] + [(v, u, w)] * graph.directed
    found = {
        ("dist", "owner"): settle(graph, {v: (price[v], v) for v in seeds},
                                  lambda a: [(a[0], a[1], longer(a[2] + price[a[1]] + fee))] * is_open[a[1]]),
        ("dist2", "owner2"): settle(graph, {v: (0, v) for v in seeds}, lambda a: [(a[0], a[1], longer(a[2]))]),
        ("dist3", "hops3", "owner3"): settle(graph, {v: (0, 0, v) for v in seeds}, lambda a: [
            (a[1], a[0], lambda t: (t[0] + a[2] + price[a[0]], t[1] + 1, t[2]))]),
        ("dist4", "owner4", "before4"): settle(graph, {v: (0, v, v) for v in seeds}, lambda a: [
            (u, v, lambda t, u=u, v=v: (t[0] + a[2] + surplus[v], t[1], u)) for u, v, _ in both(*a)]),
        ("dist5", "class5"): settle(graph, {v: (graph.degree(v),) * 2 for v in seeds}, lambda a: [
            (a[0], a[1], longer(len(graph.out[a[0]])))]),
        ("dist6", "owner6"): settle(graph, {v: (0, v) for v in seeds}, lambda a: [
            (a[0], a[1], lambda t: (t[0] + a[2] + graph.degree(a[1]), t[1]) if t[0] + a[2] <= limit else never)]),
        ("width", "source"): widest(graph, seeds),
    }
    nothing = {"dist": INF, "hops": 0, "clas": 0, "widt": -1}
    results = {name: {v: best[v][k] if v in best else nothing.get(name[:4]) for v in graph.ids}
               for names, best in found.items() for k, name in enumerate(names)}
    members = collections.Counter(results["owner"].values())
    return results | {"members": {v: members[v] for v in graph.ids}}


Test("owners", oracle, parameters, {
    "omp": ["cpu a { asynchronous; } cpu b { ordered obim(chunk = 8, shift = 1); } cpu c { asynchronous; }"
            " cpu d { ordered buckets(delta = 1000); } cpu f { asynchronous; } cpu h { ordered buckets(delta = 1); }"],
    "cuda": ["cuda a { ordered buckets(delta = 1); } cuda d { ordered buckets(delta = 9); } cuda widest { gather serial; }"],
}).run()
