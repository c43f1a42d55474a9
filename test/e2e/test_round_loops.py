"""Loops that hold propagates: run by the host, by one kernel, and as the compiler chooses."""

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"seeds": sample(rng, graph.ids, 6), "price": {v: rng.randrange(8) for v in graph.ids},
            "root": rng.choice(list(graph.ids))}


def components(graph):
    ahead = {v: set(graph.steps_from([v])) for v in graph.ids}
    return {v: min(u for u in ahead[v] if v in ahead[u]) for v in graph.ids}


def searches(graph, root):
    total, ends, at = {v: 0 for v in graph.ids}, 0, root
    for _ in range(4):
        away = graph.steps_from([at])
        for v, depth in away.items():
            total[v] += depth
        at = min(away, key=lambda v: (-away[v], v))
        ends = ends * 31 + away[at] % 7
    return total, ends


def reached(graph, seeds, price):
    reach, most, steps, some = dict(price), 0, 0, set(seeds)
    for _ in range(2):
        active = set(some)
        for r in range(1, 6):
            if not active:
                break
            before = dict(reach)
            for u in active:
                for v, _ in graph.neighbours(u, "both"):
                    if before[v] < 40:
                        reach[v] += price[u] + 1
                        most = max(most, before[u] * r)
            active = {v for v in graph.ids if reach[v] != before[v]}
            if most > 60:
                break
        steps = steps * 3 + most % 5
        some = {v for v in graph.ids if reach[v] % 3 == 1}
    return reach, most, steps


def costs(graph, seeds, price):
    cost = {v: price[v] if v in seeds else INF for v in graph.ids}
    for _ in range(2):
        changed = True
        while changed:
            changed = False
            for u, v, weight in graph.arcs:
                if cost[u] + weight < cost[v]:
                    cost[v], changed = cost[u] + weight, True
        cost = {v: cost[v] + len(graph.out[v]) for v in graph.ids}
    return cost


def waves(graph, seeds, price):
    found, wave = {v: 0 for v in graph.ids}, set(seeds)
    for turn in range(1, 7):
        if not wave:
            break
        active = wave
        for _ in range(2):
            active = {v for u in active for v, _ in graph.neighbours(u) if found[v] == 0}
            for v in active:
                found[v] = turn
        wave = {v for v in wave if found[v] == 0 and price[v] > turn}
    return found


def oracle(graph, given):
    seeds, price = set(given["seeds"]), given["price"]
    total, ends = searches(graph, given["root"])
    reach, most, steps = reached(graph, seeds, price)
    return {"component": components(graph), "total": total, "ends": ends, "reach": reach, "most": most, "steps": steps,
            "cost": costs(graph, seeds, price), "found": waves(graph, seeds, price)}


LOOPS, ON_HOST = (" ".join(f"cuda {label} {{ loop {where}; }}" for label in ("colour", "search", "stop", "whole", "again"))
                  for where in ("device", "host"))
Test("round_loops", oracle, parameters,
     {"cuda": ["cuda { loop host; }", ON_HOST, LOOPS,
               LOOPS + " cuda { direction push; gather scan + warp + cta; }"
               " cuda claim { direction push; cull warp + history(size = 16); }",
               LOOPS + "".join(f" cuda {label} {{ direction pull; }}" for label in ("ahead", "back", "walk", "both")),
               LOOPS + " cuda { direction push; gather serial; } cuda walk { direction push; gather cta; status bitmap; }"
               " cuda back { direction hybrid(alpha = 1000, beta = 1000); }"]},
     largest=100).run()
