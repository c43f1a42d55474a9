"""`^=` and `*=` in every place where a reduction may stand: against the interpreter, and Python's own operators."""

import random

import harness

suite = harness.Suite("reductions")


def wrap(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


rng = random.Random(11)
n = 70
edges = sorted({(rng.randrange(n), rng.randrange(n)) for _ in range(400)})
edges = [(u, v, rng.randrange(1, 40)) for u, v in edges if u != v]
xs = [rng.randrange(-2**40, 2**40) for _ in range(n)]
graph = suite.folder / "graph.wel"
graph.write_text("".join(f"{u} {v} {w}\n" for u, v, w in edges))
(suite.folder / "x.in").write_text("".join(f"{v} {x}\n" for v, x in enumerate(xs)))

own_xor, own_product, all_xor, all_product = [5] * n, [3] * n, 12, 1
far_product, edge_product = [1.0] * n, []
for u, v, w in edges:
    own_xor[v] ^= xs[u]
    own_product[v] = wrap(own_product[v] * (xs[u] | 1), 64)
    all_xor ^= wrap(xs[u] << w % 30, 64)
    all_product = wrap(all_product * (xs[v] | 1), 64)
    far_product[v] *= 2.0 if w % 2 == 0 else 0.5
    edge_product.append(w)
pushed, multiplied = [1] * n, [1] * n
for u, v, w in edges:
    pushed[v] ^= xs[u]
    multiplied[v] = wrap(multiplied[v] * (xs[u] | 1), 64)
KNOWN = {
    "reductions": {"own_xor": own_xor, "own_product": own_product, "far_product": far_product, "all_xor": [all_xor],
                   "all_product": [all_product], "host_xor": [5], "host_product": [-35], "edge_product": edge_product,
                   "winners": [7 if any(v == e[1] for e in edges) else 0 for v in range(n)]},
    "directed_reductions": {"pushed": pushed, "pulled": pushed, "multiplied": multiplied, "gathered": multiplied},
}
OUTPUTS = {
    "reductions": ["own_xor", "own_product", "far_xor", "far_product", "edge_xor", "edge_product", "pair_xor",
                   "pair_product", "all_xor", "all_product", "host_xor", "host_product", "local_xor", "local_product",
                   "winners", "round_xor", "round_product"],
    "directed_reductions": ["pushed", "pulled", "multiplied", "gathered"],
}


def outputs(algorithm, kind):
    return {name: suite.folder / f"{algorithm}.{name}.{kind}" for name in OUTPUTS[algorithm]}


def results(what, algorithm, kind, command, environment=None):
    files = outputs(algorithm, kind)
    suite.succeeds(what, *command, graph, "--x=@x.in", "--quiet",
                   *[f"--output={name}={file}" for name, file in files.items()], env=environment or {}, timeout=180)
    return {name: file.read_text().split("\n") if file.exists() else [] for name, file in files.items()}


for algorithm in OUTPUTS:
    expected = results("the interpreter", algorithm, "expected",
                       [suite.gcompile, "interpret", harness.ROOT / "test" / "e2e" / f"{algorithm}.gdsl"])
    for name, values in KNOWN[algorithm].items():
        lines = [line.split()[-1] for line in expected[name] if line]
        suite.expect([float(x) for x in lines] == [float(x) for x in values], f"{algorithm}: {name}, interpreted")
    program = suite.programs / algorithm
    for variant, environment in suite.variants([1, 2, 4], [1, 2]):
        what = f"{algorithm} {variant} {environment}"
        found = results(what, algorithm, "out", [program, "--verify", *variant], environment)
        for name, lines in expected.items():
            suite.expect(found[name] == lines, f"{name}, {what}", list(zip(found[name], lines))[:5])
suite.finish()
