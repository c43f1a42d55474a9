"""Propagates in the order of a priority that end early, against Dijkstra's algorithm cut off where they end."""

import heapq

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    ids = list(graph.ids)
    return {"seeds": sample(rng, graph.ids, 4), "a": rng.choice(ids), "b": rng.choice(ids), "c": rng.choice(ids),
            "start": {v: rng.choice([INF, INF, INF, 3, 11, 40]) for v in ids}}


def settle(graph, first, arcs, ends, every, active=INF):
    """The values of all vertices from `first` on, tuples that begin with the priority; those beyond the end, which is
    where all (or the first) of `ends` are reached, have their first one. `arcs(v)`: (vertex, function of the value).
    The vertices below `active` are active first."""
    best = dict(first)
    heap = [(value, v) for v, value in best.items() if value[0] < active]
    heapq.heapify(heap)
    done = set()
    while heap:
        value, v = heapq.heappop(heap)
        if v in done or value != best[v]:
            continue
        done.add(v)
        for w, step in arcs(v):
            if (new := step(value)) < best[w]:
                best[w] = new
                heapq.heappush(heap, (new, w))
    last = every(best[x][0] for x in ends)
    return {v: best[v] if best[v][0] <= last else first[v] for v in graph.ids}


def oracle(graph, given):
    ids, seeds, a, b, c = list(graph.ids), set(given["seeds"]), given["a"], given["b"], given["c"]
    out, into = {v: [] for v in ids}, {v: [] for v in ids}
    for u, v, w in graph.arcs:
        out[u].append((v, w))
        into[v].append((u, w))

    def along(lists, add=lambda w: w):
        return lambda v: [(x, lambda value, w=w: (value[0] + add(w),)) for x, w in lists[v] if add(w) is not None]

    def firsts(of):
        return {v: (of(v),) for v in ids}

    def plain(values):
        return {v: value[0] for v, value in values.items()}

    both_ways = {v: out[v] + (into[v] if graph.directed else []) for v in ids}
    degrees = {v: len(out[v]) for v in ids}
    owned = settle(graph, {v: (0, v) if v in seeds else (INF, INF) for v in ids},
                   lambda v: [(x, lambda value, w=w: (value[0] + w, value[1])) for x, w in out[v]], [c], max)
    tree = settle(graph, {v: (0, b) if v == b else (INF, INF) for v in ids},
                  lambda v: [(x, lambda value, w=w: (value[0] + w, v)) for x, w in out[v]], [a], max)
    total = left = 0
    at = a
    for _ in range(3):
        dist = plain(settle(graph, firsts(lambda v: 0 if v == at else INF), along(out), [c], max))
        total += sum(x + 1 for x in dist.values() if x < INF)
        left += sum(x == INF for x in dist.values())
        at = min((v for v in ids if dist[v] < INF), key=lambda v: (-dist[v], v))
    return {
        "near": plain(settle(graph, firsts(lambda v: 0 if v == a else INF), along(out), [b], max)),
        "both": plain(settle(graph, firsts(lambda v: 0 if v in seeds else INF),
                             along(out, lambda w: w if w > 0 else None), [b, c], max)),
        "either": plain(settle(graph, firsts(lambda v: degrees[v] if v in seeds else INF), along(out), [a, b, c], min)),
        "mixed": plain(settle(graph, firsts(lambda v: given["start"][v]), along(out), [c], max, 20)),
        "real": plain(settle(graph, firsts(lambda v: 0.5 if v in seeds else INF), along(out, lambda w: 0.5), [a], max)),
        "back": plain(settle(graph, firsts(lambda v: 3 if v == a else INF), along(into), [c], max)),
        "around": plain(settle(graph, firsts(lambda v: 0 if v == c else INF), along(both_ways), [a], max)),
        "owned": plain(owned), "owner": {v: x[1] if x[1] < INF else None for v, x in owned.items()},
        "parent": {v: x[1] if x[1] < INF else None for v, x in tree.items()},
        "total": total, "left": left,
    }


LABELS = ("one", "two", "first", "over", "halves", "against", "ways", "whose", "grow", "walk")
WIDTHS = [" ".join(f"{{}} {label} {{{{ ordered buckets(delta = {width}); }}}}" for label in LABELS)
          for width in (1, 3, 1000)]
Test("ends", oracle, parameters,
     {target: [text.format(*[target_name] * len(LABELS)) for text in WIDTHS]
      for target, target_name in (("omp", "cpu"), ("cuda", "cuda"))}).run()
