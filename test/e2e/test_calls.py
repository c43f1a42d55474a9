"""Algorithms that call algorithms, against their meaning in Python."""

import heapq

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"x": {v: rng.randrange(20) for v in graph.ids}, "S": sample(rng, graph.ids, 4), "a": rng.choice(graph.ids)}


def tolls(graph, toll, source):
    cost, heap = {v: INF for v in graph.ids}, [(toll[source], source)]
    while heap:
        at, u = heapq.heappop(heap)
        if at < cost[u]:
            cost[u] = at
            for arc in graph.out[u]:
                heapq.heappush(heap, (at + toll[arc[1]] + arc[2], arc[1]))
    return cost


def oracle(graph, given):
    ids, chosen, a = graph.ids, given["S"], given["a"]
    total = {v: 0 for v in ids}
    for v in chosen:
        for u, step in graph.steps_from([v]).items():
            total[u] += step
    path, length, last = {v: None for v in ids}, 0, a
    for _ in range(3):
        steps = graph.steps_from([last])
        far = max(steps.values())
        length = max(length, far)
        path[last] = min(v for v, step in steps.items() if step == far)
        last = path[last]
    paid = tolls(graph, given["x"], a)
    around = {v: step for v, step in graph.steps_from(chosen).items() if step <= 2}
    nearest = min(((paid[v], v) for v in ids if v != a), default=(INF, "none"))
    return {
        "sum": total,
        "all": len(ids),
        "some": len(around),
        "path": path,
        "length": length,
        "given": paid,
        "own": tolls(graph, given["x"], last),
        "heavy": {v: max([1000 * len(graph.out[arc[0]]) for arc in graph.arcs if arc[1] == v], default=0) +
                  max([length for arc in graph.arcs if arc[1] == v and path[arc[0]] is not None], default=0) for v in ids},
        "here": len(graph.out[a]),
        "nearest": f"{nearest[0]} {nearest[1]}",
    }


Test("calls", oracle, parameters).run()
