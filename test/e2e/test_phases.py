"""Rounds on a GPU whose frontiers go through memory as vertices, as edges, or as both, with all that claims may do."""

from random_graphs import INF, Test, sample, word


def parameters(rng, graph):
    return {"root": rng.choice(graph.ids), "seeds": sample(rng, graph.ids, 15)}


def distances(graph, seeds):
    dist = {v: 0 if v in seeds else INF for v in graph.ids}
    for _ in graph.ids:
        for u, v, weight, *_ in graph.arcs:
            dist[v] = min(dist[v], dist[u] + weight)
    return dist


def reached(graph, seeds, names, follow, along, values, steps=INF):
    """Checks the states of these names: a seed has itself, a vertex that steps lead to has values(found, u, weight) of
    one that is a step nearer, and others have nothing."""
    away = {v: step for v, step in graph.steps_from(seeds, follow, along).items() if step <= steps}
    before = graph.before(away, follow, along)

    def wrong(found):
        for v in graph.ids:
            got = tuple(found[name][v] for name in names)
            if v not in away:
                good = got[0] == "none"
            elif away[v] == 0:
                good = got[0] == word(v)
            else:
                good = any(got == values(found, u, weight) for u, weight in before[v])
            if not good:
                return f"{got} at {v}"
        return None

    return wrong


def oracle(graph, given):
    seeds = given["seeds"]
    away = graph.steps_from([given["root"]])
    own = lambda found, u, weight: (word(u),)
    every = lambda u, v, weight: True
    return {"depth": {v: away.get(v, INF) for v in graph.ids}, "dist": distances(graph, seeds),
            "parent": reached(graph, [given["root"]], ("parent",), "out", every, own),
            "via": reached(graph, seeds, ("via", "length"), "both", lambda u, v, weight: weight < 7,
                           lambda found, u, weight: (word(u), word(weight))),
            "length": lambda found: None,
            "back": reached(graph, seeds, ("back",), "in", lambda u, v, weight: weight > 1, own),
            "label": reached(graph, seeds, ("label",), "out", every, lambda found, u, weight: (found["label"][u],), 3)}


Test("phases", oracle, parameters, {"cuda": [
    "cuda { phases two_phase; }",
    "cuda a { direction push; phases contract_expand; } cuda c { direction push; phases contract_expand; status bitmap; }"
    " cuda d { phases contract_expand; gather warp; } cuda f { phases contract_expand; loop host; }",
    "cuda a { phases hybrid(edges = 40); status bitmap; cull warp + history; gather block_scan + warp + cta; }"
    " cuda b { gather block_scan; } cuda c { phases hybrid(edges = 100); gather cta; }"
    " cuda f { direction push; phases hybrid(edges = 0); }",
    "cuda a { direction push; phases contract_expand; cull warp(size = 4) + history(size = 4); status bitmap; }"
    " cuda d { phases two_phase; status bitmap; gather scan + warp + cta; direction push; }"
    " cuda f { direction push; phases two_phase; cull history; }",
]}, largest=1000).run()
