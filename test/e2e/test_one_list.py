"""Loops over the edges of one vertex, against loops of Python; and what is none has no edges."""

from random_graphs import INF, Test


def parameters(rng, graph):
    return {"root": rng.choice(graph.ids), "limit": rng.randint(1, 12)}


def oracle(graph, given):
    root, ids = given["root"], graph.ids
    near, sums, both, ends = {v: (INF, None) for v in ids}, {v: 0 for v in ids}, {v: 0 for v in ids}, {v: -1 for v in ids}
    total, most = 0, -1
    hub = max(ids, key=lambda v: (graph.degree(v), -v))

    def offer(v, pair):
        near[v] = min(near[v], pair, key=lambda x: (x[0], INF if x[1] is None else x[1]))

    for v, weight in graph.neighbours(hub):
        if v != root:
            offer(v, (weight, hub))
    for v, weight in graph.neighbours(hub, "in"):
        sums[v] += weight
        total += 1
    for v, weight in graph.neighbours(hub, "both"):
        if weight > 1 or v == hub:
            both[v] += 1
            total += weight
            most = max(most, weight)
    for v, _ in graph.neighbours(root):
        ends[v] = 5
    out_sum = sum(weight for v, weight in graph.neighbours(hub) if v != root)
    into_count = sum(weight > 2 for _, weight in graph.neighbours(hub, "in"))
    far = min((v for v, _ in graph.neighbours(root, "both")), key=lambda v: (-graph.degree(v), v), default=None)
    great = hub if graph.degree(hub) > 9 else None
    guarded = max((weight for _, weight in graph.neighbours(great)), default=-INF) if great else -7
    maybe = great is not None and any(len(graph.out[v]) > 1 for v, _ in graph.neighbours(great, "in"))
    walked = 0
    owner, turn, left = {v: None for v in ids}, {v: -1 for v in ids}, {v: 0 for v in ids}
    at, last, turns = root, None, 0
    owner[root] = root
    for _ in range(given["limit"]):
        turn[at] = turns
        turns += 1
        for v, _ in graph.neighbours(at):
            if owner[v] is None:
                owner[v] = at
        for v, weight in graph.neighbours(at, "in"):
            if turn[v] < 0:
                left[v] += weight + turns
                total += 1
        waiting = [v for v in ids if owner[v] is not None and turn[v] < 0]
        if not waiting:
            break
        following = min(waiting, key=lambda v: (len(graph.out[v]), v))
        for v, weight in graph.neighbours(following, "both"):
            offer(v, (weight + 1, at))
        walked += sum(weight for v, weight in graph.neighbours(following) if owner[v] == at)
        walked += sum(weight > turns for _, weight in graph.neighbours(following, "in"))
        at = last = following
    return {"near": near, "sums": sums, "both": both, "ends": ends, "total": total, "most": most, "owner": owner,
            "turn": turn, "left": left, "last": last, "turns": turns, "out_sum": out_sum, "into_count": into_count, "far": far,
            "guarded": guarded, "maybe": maybe, "walked": walked}


test = Test("one_list", oracle, parameters)
suite = test.suite
source = suite.folder / "nobody.gdsl"
source.write_text("""algorithm nobody(g: graph<weight: int>, turns: int) {
    output near: int[g] = inf;
    repeat turns {
        let u = argmax(v in g where v.degree > 9 : v.degree);
        for e: u -> v { near[v] min= e.weight; }
    }
}
""")
(suite.folder / "star.el").write_text("".join(f"0 {v} {v % 7}\n" for v in range(1, 11)))
(suite.folder / "path.el").write_text("".join(f"{v} {v + 1} 1\n" for v in range(10)))
result = suite.build_program(source, suite.folder / "nobody", *suite.QUICK)
suite.expect(result.code == 0, "nobody.gdsl compiles", result)
for options, env in suite.variants(threads=(1, 2)):
    near = suite.succeeds("a hub", suite.folder / "nobody", "star.el", "--turns=2", "--output=near=-", "--quiet", *options,
                          env=env).out
    suite.expect(near.split()[:8] == ["0", "inf", "1", "1", "2", "2", "3", "3"], f"the weights at a hub {options}: {near}")
    result = suite.run(suite.folder / "nobody", "path.el", "--turns=2", *options, env=env)
    suite.expect(result.code == 3 and result.err.endswith("error: nobody.gdsl:5: the index is none\n"), "no hub", result)
test.run()
