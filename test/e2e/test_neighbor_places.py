"""v.neighbors[i] and v.in_neighbors[i] against sorted lists of arcs in Python: outside of the list, from none, with
parallel edges and self-loops."""

from random_graphs import Test, sample


def parameters(rng, graph):
    places = {v: rng.randint(-1, 1 + len(graph.out[v])) for v in graph.ids}
    for v in rng.sample(graph.ids, 1):
        places[v] = rng.choice([2**40, -2**40, 2**63 - 1])
    return {"i": places, "x": {v: rng.choice(graph.ids) if rng.randrange(3) else None for v in graph.ids},
            "S": sample(rng, graph.ids, 3), "a": rng.choice(graph.ids)}


def oracle(graph, given):
    places, x, chosen = given["i"], given["x"], given["S"]
    out = {v: sorted(arc[1] for arc in graph.out[v]) for v in graph.ids}
    into = {v: sorted(arc[0] for arc in graph.into[v]) for v in graph.ids}

    def at(list_, place):
        return list_[place] if 0 <= place < len(list_) else None

    picked = {v: 0 for v in graph.ids}
    for v in chosen:
        if len(out[v]) > 1:
            picked[out[v][1]] += 1
    ends = {}
    for v in graph.ids:
        ends[v] = v
        for _ in range(5):
            remainder = abs(places[v]) % 3 * (-1 if places[v] < 0 else 1)  # as in C++
            ends[v] = at(out[ends[v]], remainder) or ends[v]
    return {
        "there": {v: at(out[v], places[v]) for v in graph.ids},
        "from": {v: at(into[v], places[v]) for v in graph.ids},
        "beyond": {v: at(out[x[v]], places[v]) if x[v] else None for v in graph.ids},
        "picked": picked,
        "last": {v: at(out[v], len(out[v]) - 1) for v in graph.ids},
        "rising": {v: not out[v] or out[v][0] not in [*out[v], *into[v]] or len(out[out[v][0]]) > 0
                   or out[v][0] == at(into[v], 0) for v in graph.ids},
        "end": ends,
        "total": sum(len(out[into[v][0]]) for v in chosen if into[v]),
        "nothing": True,
    }


Test("neighbor_places", oracle, parameters, largest=1000).run()
