"""Claims that pass on what they find: each vertex has what one a step before it has."""

from random_graphs import INF, Test, sample, same, word


def parameters(rng, graph):
    ids = graph.ids
    return {"seeds": sample(rng, ids, 15), "open": {v: rng.random() < 0.8 for v in ids},
            "given": {v: rng.choice(ids) if rng.random() < 0.1 else None for v in ids},
            "start": {v: rng.choice([0.5, -INF, 3.0, 0.0]) if rng.random() < 0.05 else INF for v in ids},
            "x": {v: rng.choice([0, 1, 3, 5, 7, -1, 6]) for v in ids}}


def claimed(graph, states, start, nothing, follow="out", along=lambda u, v, weight: True, then=None):
    """Says where the states of a vertex are neither `nothing`, where no step leads, nor `start`, where it begins, nor what
    `then` makes of those before it."""
    away = graph.steps_from(start, follow, along)
    before = graph.before(away, follow, along)
    then = then or (lambda values, weight: values)

    def wrong(found):
        for v in graph.ids:
            values = tuple(found[state][v] for state in states)
            if v not in away:
                good = values == nothing
            elif away[v] == 0:
                good = all(map(same, values, start[v]))
            else:
                good = any(values == then(tuple(found[state][u] for state in states), weight) for u, weight in before[v])
            if not good:
                return f"{values} at {v}"
        return None

    return wrong


def blocks(graph, seeds, x):
    """What winners do besides: count for their chief, and ask for a bit of the vertex that they come from."""
    away = graph.steps_from(seeds)
    before = graph.before(away)

    def wrong(found):
        sizes = {v: 0 for v in graph.ids}
        for v in graph.ids:
            chief, heavy = found["chief"][v], found["heavy"][v]
            if v not in away or away[v] == 0:
                good = (chief, heavy) == (word(v if v in away else None), "0")
            else:
                good = any(found["chief"][u] == chief and heavy == str(weight | 8) and int(found["asked"][u]) & 4
                           for u, weight in before[v])
                sizes[int(chief)] += 1
            if not good or int(found["asked"][v]) & ~4 != (v in seeds):
                return f"{chief}, {heavy}, {found['asked'][v]} at {v}"
        return next((f"size {found['size'][v]} at {v}, not {sizes[v]}" for v in graph.ids
                     if found["size"][v] != str(sizes[v])), None)

    won = [v for v in away if away[v] > 0]
    return {"chief": wrong, "size": lambda found: None, "heavy": lambda found: None, "asked": lambda found: None,
            "total": len(won), "most": max((bin(x[v] & 2**32 - 1).count("1") for v in won), default=0)}


def ranks(graph, seeds, is_open, x):
    """One less than that of a vertex a round before, from ranks above 1 into open vertices, as early as can be."""
    def wrong(found):
        rank, depth = ({v: int(value) for v, value in found[name].items()} for name in ("rank", "depth"))
        for v in graph.ids:
            sources = [u for u, _ in graph.neighbours(v, "in") if rank[u] > 1]
            if v in seeds:
                good = (rank[v], depth[v]) == (x[v] & 7, 0)
            elif rank[v] == -1:
                good = depth[v] == 0 and not (is_open[v] and sources)
            else:
                good = (is_open[v] and any((rank[u], depth[u]) == (rank[v] + 1, depth[v] - 1) for u in sources) and
                        all(depth[u] >= depth[v] - 1 for u in sources))
            if not good:
                return f"{rank[v]}, {depth[v]} at {v}"
        return None

    return {"rank": wrong, "depth": lambda found: None}


def oracle(graph, given):
    seeds, is_open, labels, start = given["seeds"], given["open"], given["given"], given["start"]
    named = {v: (labels[v], v in seeds) for v in graph.ids if labels[v] is not None}

    def label(found):
        for v in named:
            if (found["label"][v], found["mine"][v]) != (word(labels[v]), word(v in seeds)):
                return f"{found['label'][v]} at {v}"
        return rest(found)

    # Vertices with a label of their own that are no seeds are never active.
    free = lambda u, v, weight: v not in named
    spread = claimed(graph, ("label", "mine"), {v: named[v] for v in seeds if v in named}, ("none", "false"), along=free)
    rest = lambda found: spread({name: {v: x if v not in named or v in seeds else nothing for v, x in found[name].items()}
                                 for name, nothing in (("label", "none"), ("mine", "false"))})
    longer = lambda values, weight: (*values[:2], str(int(values[2]) + weight))
    classes = lambda found: claimed(graph, ("class",), {v: (int(colour) + 7,) for v, colour in found["colour"].items()
                                                        if colour != "-1"}, ("0",), "in",
                                    lambda u, v, weight: weight & 1)(found)
    nothing = lambda found: None
    return {"boss": claimed(graph, ("boss", "colour", "length"), {v: (v, graph.degree(v) % 4, 0) for v in seeds},
                            ("none", "-1", "inf"), along=lambda u, v, weight: weight < 4 and is_open[v], then=longer),
            "colour": nothing, "length": nothing, "label": label, "mine": nothing,
            "value": claimed(graph, ("value",), {v: (start[v],) for v in graph.ids if start[v] != INF}, ("inf",), "both"),
            "class": classes, **blocks(graph, seeds, given["x"]), **ranks(graph, seeds, is_open, given["x"])}


Test("claims", oracle, parameters, {
    "omp": ["cpu a { direction push; frontier read; } cpu b { direction pull; } cpu c { direction hybrid(alpha = 2, beta = 2); }"
            " cpu d { frontier serial; } cpu h { direction pull; }"],
    "cuda": ["cuda a { gather serial; } cuda b { direction pull; } cuda c { direction push; loop host; }"],
}).run()
