"""Sums, counts, minima and maxima over the edges into each vertex, whole, in segments of their sources, and from aligned lists."""

from random_graphs import INF, Test


def parameters(rng, graph):
    return {"x": {v: rng.randrange(-4, 9) for v in graph.ids}, "y": {v: rng.randrange(5) for v in graph.ids},
            "z": {v: rng.randrange(1, 64) / 16 for v in graph.ids}}


def oracle(graph, given):
    x, y, z, ids = given["x"], given["y"], given["z"], graph.ids
    into = {v: [arc[0] for arc in graph.into[v]] for v in ids}
    degree = {v: len(graph.out[v]) for v in ids}
    total = {v: sum(x[u] for u in into[v]) for v in ids}
    return {
        "total": total,
        "least": {v: min((y[u] for u in into[v] if x[u] > 2), default=INF) if y[v] > 1 else 7 for v in ids},
        "most": {v: max((x[u] + degree[u] for u in into[v]), default=-2**63) for v in ids},
        "odd": {v: sum(y[u] % 2 == 1 for u in into[v]) for v in ids},
        "shared": {v: float(sum(z[u] / degree[u] for u in into[v])) for v in ids},
        "part": {v: float(1 + sum(z[u] for u in into[v])) for v in ids},
        "divided": {v: sum(1000 // degree[u] for u in into[v]) for v in ids},
        "far": {v: INF if any(y[u] <= 1 for u in into[v]) else sum(y[u] for u in into[v]) for v in ids},
        "twice": total,
    }


SCHEDULES = {target: [f"{section} {{ segments sources(KiB = 1); }}", f"{section} {{ segments sources; }}"]
             for target, section in (("omp", "cpu"), ("cuda", "cuda"))}
SCHEDULES["cuda"] += ["layout { adjacency aligned(part = 1); }", "cuda { loop host; } layout { vertices by degree; adjacency aligned; }"]
Test("gathers", oracle, parameters, SCHEDULES, largest=1000).run()
