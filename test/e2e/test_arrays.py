"""Arrays: histograms and other reductions by a computed index, claims, copies; and indices and lengths that are wrong."""

from random_graphs import INF, Test


def parameters(rng, graph):
    k = rng.choice([1, 2, 7, 40])
    return {"root": rng.choice(graph.ids), "k": k, "kind": {v: rng.choice([0, k - 1, rng.randrange(k)]) for v in graph.ids}}


def within(members, degree):
    """Each index with a member has one of them, and its degree; the others have none, and 0."""
    def wrong(found):
        for i, of in members.items():
            legal = {str(v): str(degree(v)) for v in of} or {"none": "0"}
            if legal.get(found["winner"][i]) != found["won"][i]:
                return f"{found['winner'][i]} with {found['won'][i]} at {i}, which is none of {legal}"
        return None
    return wrong


def oracle(graph, given):
    k, kind, ids = given["k"], given["kind"], graph.ids
    places, n = range(k), len(graph.ids)
    of = {i: [v for v in ids if kind[v] == i] for i in places}
    degrees = {i: [graph.degree(v) for v in of[i]] for i in places}

    def folded(start, step):
        result = {}
        for i in places:
            value = start
            for d in degrees[i]:
                value = step(value, d)
            result[i] = value
        return result

    counts = {i: len(of[i]) for i in places}
    sums = {0: 7, **{i + 1: 7 - sum(degrees[i]) for i in places}}
    least = {**{2 * i + 1: INF for i in places}, **{2 * i: min(degrees[i], default=INF) for i in places}}
    best, weights, over = {i: (INF, None) for i in places}, {i: 0 for i in range(6)}, {i: 0 for i in range(n)}
    for u, v, weight in graph.arcs:
        old = best[kind[v]]
        best[kind[v]] = min(old, (weight, u), key=lambda pair: (pair[0], INF if pair[1] is None else pair[1]))
        weights[weight] += 1
        over[len(graph.into[v]) % n] += weight
    moved = {i: counts[i] + counts[i] * counts[k - 1 - i] for i in places}
    looked = {v: sum(moved[kind[u]] for u, *_ in graph.into[v]) if moved[kind[v]] > 2 else 0 for v in ids}
    away = graph.steps_from([given["root"]])
    levels = {i: 0 for i in range(n + 1)}
    for steps in away.values():
        levels[steps] += 1
    prefix = {i: sum(counts[j] for j in range(i + 1)) for i in places}
    return {
        "counts": counts, "sums": sums, "least": least, "most": {i: float(max(degrees[i], default=-1.5)) for i in places},
        "products": folded(1.0, lambda x, d: x * 1.25 if d > 3 else x), "seen": folded(False, lambda x, d: x or d == 2),
        "small": folded(True, lambda x, d: x and d < 4), "masks": folded(0, lambda x, d: x | 1 << (d & 15)),
        "common": folded(-1, lambda x, d: x & d), "parity": folded(0, lambda x, d: x ^ (1 + d)),
        "first": {i: min(of[i], default=None) for i in places}, "best": best, "weights": weights, "over": over,
        "nothing": {}, "winner": within(of, graph.degree), "won": lambda found: None, "before": {v: 0 for v in ids}, "moved": moved, "looked": looked,
        "levels": levels, "prefix": prefix, "turns": sum(counts[i] + counts[0] for i in places),
        "heavy": max(counts.values())}


test = Test("arrays", oracle, parameters)

# Wrong when it runs: the line, the reason and exit 3, as in the interpreter.
suite = test.suite
source, program, graph = suite.folder / "wrong.gdsl", suite.folder / "wrong", suite.folder / "wrong.el"
source.write_text("""algorithm wrong(g: graph, k: long, i: long, way: int) {
    output a: int[k] = 1;
    output b: int = 0;
    if way == 0 { b = a[i]; }
    if way == 1 { a[i] = 2; }
    if way == 2 { for v in g { a[i + v.degree - v.degree] += 1; } }
    if way == 3 { for v in g where a[i] == 5 { b += 1; } }
    if way == 4 { for v in g where a[i] == 1 { a[i] = 0; } }
}
""")
graph.write_text("1 2\n2 3\n")
suite.build_program(source, program, *suite.QUICK)
done = suite.run(program, "--help")
suite.expect(done.code == 0 and "  a    " in done.out and "an array" in done.out, "--help says what the results are", done)
commands = [[program]] + ([[suite.gcompile, "interpret", source]] if suite.target == "omp" else [])
for command in commands:
    for length, index, way, says in (
            [(4, i, way, f"wrong.gdsl:{way + 4}: the index is out of range") for way in range(5) for i in (-1, 4, 2**62)] +
            [(0, 0, way, f"wrong.gdsl:{way + 4}: the index is out of range") for way in range(5)] +
            [(-1, 0, 9, "wrong.gdsl:2: the length of the array is negative"), (4, 3, 0, ""), (4, 0, 2, ""), (0, 0, 9, "")]):
        done = suite.run(*command, graph, f"--k={length}", f"--i={index}", f"--way={way}")
        suite.expect(done.code == (3 if says else 0) and says in done.err, f"{command} {length} {index} {way}: {says}", done)
if suite.target != "cuda":  # whose memory is the emulation's
    done = suite.run(program, graph, "--k=4000000000000000", "--i=0", "--way=9")
    suite.expect(done.code == 2 and "wrong.gdsl:2: an array of 4000000000000000 values needs about 14.2 PiB of memory" in
                 done.err, "an array that is too long", done)
test.run()
