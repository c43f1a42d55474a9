"""Elements of tuples by themselves, `+=` on tuples, and sums of tuples."""

from random_graphs import INF, Test


def parameters(rng, graph):
    return {"kind": {v: rng.randrange(20) for v in graph.ids}}


def oracle(graph, given):
    kind, ids = given["kind"], graph.ids
    into = {v: [(u, weight) for u, _, weight in graph.into[v]] for v in ids}
    moments = {}
    for v in ids:
        sums = (10 + sum(kind[u] for u, _ in into[v]), 0.5 + 0.5 * len(into[v]), 1 + len(into[v]))
        moments[v] = (2 * (sums[0] - 1), 3 * (sums[1] - 0.25), sums[2] - kind[v])
    groups = {i: (len(of), max(of, default=-1)) for i in range(20)
              for of in [[graph.degree(v) for v in ids if kind[v] == i]]}

    def words(values):
        return {v: " ".join(f"{x:g}" if isinstance(x, float) else "inf" if x == INF else str(x) for x in each)
                for v, each in values.items()}

    def same(name, values):
        """Numbers are compared as they are printed, since all of them are exact."""
        def wrong(found):
            return next((f"{found[name].get(v)} at {v}, not {text}" for v, text in words(values).items()
                         if [float(x) for x in found[name][v].split()] != [float(x) for x in text.split()]), None)
        return wrong
    spread = {v: max(kind[v], 5) + 3 - min(kind[v], 5) for v in ids}
    return {
        "reached": same("reached", {v: (sum(w for _, w in into[v]), min((w for _, w in into[v]), default=INF)) for v in ids}),
        "moments": same("moments", moments), "own": {v: (kind[v] + 1, kind[v] > 4) for v in ids},
        "sides": {v: (-sum(1 for _, w, _ in graph.out[v] if w != v), 2 * sum(1 for u, _ in into[v] if u != v)) for v in ids},
        "wide": (min(kind.values()), max(kind.values())), "total": f"{sum(kind.values())} {len(ids) / 2:g}",
        "around": {v: (sum(kind[u] for u, _ in into[v] if kind[u] > 1), sum(1 for u, _ in into[v] if kind[u] > 1)) for v in ids},
        "whole": same("whole", {v: (sum(kind[u] for u, _ in into[v]), 0.25 * len(into[v])) for v in ids}),
        "groups": groups, "gap": spread, "last": (1, 9)}


Test("tuples", oracle, parameters).run()
