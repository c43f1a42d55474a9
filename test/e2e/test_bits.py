"""Operators on the bits of integers, against Python's own."""

import random

import harness

suite = harness.Suite("bits")
PROGRAM = suite.programs / "bits"


def wrap(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def shift_left(x, n, bits):
    return wrap(x << n, bits) if 0 <= n < bits else 0


def shift_right(x, n, bits):
    return x >> (n if 0 <= n < bits else bits)


def count(x, bits):
    return bin(x & ((1 << bits) - 1)).count("1")


def remainder(x, y):
    return x % y if x >= 0 else -(-x % y)


def mixed(x, y):
    return x & 255 | shift_left(y, 4, 32) ^ shift_right(~x, 2 + 1, 32)


def word(x, bits):
    return "inf" if x == 2 ** (bits - 1) - 1 else str(x)


rng = random.Random(5)
n = 90
xs = [rng.choice([0, 1, -1, 5, 2**62, -2**63, rng.randrange(-2**40, 2**40), rng.randrange(100)]) for _ in range(n)]
ns = [rng.choice([0, 1, 3, 20, 31, 32, 33, 63, 64, 65, 1000, -1, -64, -2**31, rng.randrange(40)]) for _ in range(n)]
edges = sorted({(rng.randrange(n), rng.randrange(n)) for _ in range(150)} | {(v, (v + 1) % n) for v in range(n)})
graph = suite.folder / "graph.wel"
graph.write_text("".join(f"{u} {v} 1\n" for u, v in edges))
(suite.folder / "x.in").write_text("".join(f"{v} {x}\n" for v, x in enumerate(xs)))
(suite.folder / "n.in").write_text("".join(f"{v} {x}\n" for v, x in enumerate(ns)))

short = [remainder(x, 100000) for x in xs]
expected = {
    "both": [word(x & k, 64) for x, k in zip(xs, ns)],
    "either": [word(x | ~k, 64) for x, k in zip(xs, ns)],
    "one": [word(x ^ k, 32) for x, k in zip(short, ns)],
    "left": [word(shift_left(x, k, 64), 64) for x, k in zip(xs, ns)],
    "right": [word(shift_right(x, k, 64), 64) for x, k in zip(xs, ns)],
    "left_int": [word(shift_left(x, k, 32), 32) for x, k in zip(short, ns)],
    "right_int": [word(shift_right(-x, k, 32), 32) for x, k in zip(short, ns)],
    "count": [str(count(x, 64)) for x in xs],
    "count_int": [str(count(k, 32)) for k in ns],
    "order": [word(mixed(x, k), 32) for x, k in zip(short, ns)],
    "test": ["true" if x & 6 == 4 or k ^ 1 < 3 else "false" for x, k in zip(xs, ns)],
}
expected |= {
    "above": [word(shift_left(-1, k, 64), 64) for k in ns],
    "high": [word(shift_left(1 if k > 32 else 5, k, 64), 64) for k in ns],
    "ones": ["127"] * n,
    "plus": [str((1 if k > 32 else 2) + (abs(x) // 2 if x >= 0 else -(abs(x) // 2))) for x, k in zip(xs, ns)],
}
# Python compares before nothing else than it should: `x & 6 == 4` is `(x & 6) == 4` there as well.
MASK = 1 << 4 | 3 | 1 << 20
reach = [shift_left(1, k, 32) for k in ns]
changed = True
while changed:
    changed = False
    for u, v in edges:
        new = wrap(reach[v] | reach[u] & MASK, 32)
        if new != reach[v]:
            reach[v], changed = new, True
expected["reach"] = [word(x, 32) for x in reach]

runs = [([PROGRAM], ["--verify", *variant], env) for variant, env in suite.variants([1, 2, 4], [1, 2])]
if suite.target == "omp":
    runs.append(([suite.gcompile, "interpret", harness.ROOT / "test" / "e2e" / "bits.gdsl"], [], {}))
for command, variant, environment in runs:
    what = f"{variant} {environment}"
    files = {name: suite.folder / f"{name}.out" for name in expected}
    if suite.succeeds(what, *command, graph, "--x=@x.in", "--n=@n.in", "--quiet", *variant,
                      *[f"--output={name}={file}" for name, file in files.items()], env=environment, timeout=120).code:
        continue
    for name, values in expected.items():
        found = {int(line.split()[0]): line.split()[1] for line in files[name].read_text().splitlines()}
        for v in range(n):
            if not suite.expect(found[v] == values[v], f"{name} of {v} (x = {xs[v]}, n = {ns[v]}), {what}: {found[v]}, "
                                                       f"not {values[v]}"):
                break
suite.finish()
