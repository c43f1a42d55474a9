"""Loops that change sets of vertices: run by the host, by one kernel, and as the compiler chooses."""

import collections

from random_graphs import Test, sample


def parameters(rng, graph):
    return {"seeds": sample(rng, graph.ids, 5), "price": {v: rng.randrange(8) for v in graph.ids},
            "root": rng.choice(list(graph.ids))}


def rounds(graph, seeds, how):
    away = graph.steps_from(seeds, how)
    return {v: away.get(v, -1) for v in graph.ids}


def peel(graph, seeds, price, root):
    ids = set(graph.ids)
    heavy = {v for v in ids if price[v] > 3}
    joint, asked, turns = {v: 0 for v in ids}, 0, 0
    left, third = set(ids), {root}
    for turns in range(1, 8):
        left = {v for v in left if price[v] % 5 != turns % 5}
        other = {v for v in left if graph.degree(v) > 1 and price[v] > 1}
        old = set(left)
        left -= other
        for u in old:
            for v, _ in graph.neighbours(u):
                joint[v] += price[u]
        other &= old | seeds
        for v in other:
            joint[v] += 1000
        third |= heavy & left
        for v in third:
            for u, _ in graph.neighbours(v, "in"):
                joint[u] += 7
        asked += root in other
        if len(other) > 2 and joint[root] + price[root] > 6:
            asked += 10 * len(other)
        asked += 100 * len(third) + 10000 * len(heavy)
        left = (old - {root}) | {v for v, _ in graph.neighbours(root)}
        left -= {v for v, _ in graph.neighbours(root)} & seeds
        if turns % 3 == 0:
            third = set(left)
            left = (ids - third) | third
        if joint[root] > 9000 or not left:
            break
    return joint, asked, turns, len(other) + sum(len(graph.out[u]) for u in heavy)


def oracle(graph, given):
    seeds, price, root, ids = set(given["seeds"]), given["price"], given["root"], graph.ids
    joint, asked, turns, walked = peel(graph, seeds, price, root)
    mostly, steps = dict(price), {v: 0 for v in ids}
    heavy = [v for v in ids if price[v] > 3]
    for _ in range(2):
        before = dict(mostly)
        for v in heavy:
            counts = collections.Counter(before[u] % 3 for u, _ in graph.neighbours(v, "in"))
            mostly[v] = min(counts, key=lambda value: (-counts[value], value)) if counts else 0
    value, chosen, named = dict(price), set(heavy), 0
    near = {u for u, _ in graph.neighbours(root)}
    for _ in range(3):
        before = dict(value)
        for v in near:
            value[v] = (before[v] + sum(before[u] > 2 for u, _ in graph.neighbours(v))) % 9
        for v in chosen:
            value[v] += 1
        named = (5 if chosen else named) + 1
        chosen = (chosen - {root}) | near
    for _ in range(3):
        rest = heavy
        while rest:
            for v in rest:
                steps[v] += 1
            rest = [v for v in rest if steps[v] % 3 != price[v] % 3]
    return {"wave": rounds(graph, seeds, "out"), "back": rounds(graph, seeds, "in"), "around": rounds(graph, seeds, "both"),
            "joint": joint, "asked": asked, "turns": turns, "mostly": mostly, "steps": steps,
            "value": value, "walked": walked, "named": named}


Test("set_loops", oracle, parameters,
     {"cuda": ["cuda { loop host; }", "cuda { loop device; }",
               " ".join(f"cuda {label} {{ loop device; }}" for label in ("along", "against", "both", "peel", "vote", "names", "nested"))]},
     largest=1000).run()
