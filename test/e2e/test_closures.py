"""Closures of a state of pairs: every operation, at sizes around the edges of tiles and blocks, bit by bit as the plain
loop of the interpreter or the serial form computes them."""

import functools
import random

import harness

suite = harness.Suite("closures")
OUTPUTS = {
    "closures": ["shortest", "signed", "far", "single", "real", "widest", "reach", "flagged", "chance", "total", "mixed", "parted",
                 "hop", "near", "via", "best", "steps", "middle"],
    "closed_sums": ["narrow", "wide", "first", "last", "odd"],
    "open_pairs": ["further", "turned", "second", "part", "shared", "decided", "last"],
}
# On CPUs, strips have 16 steps, blocks 96 or 192; a tile has 8 or 4 rows, and 192 bytes, 96 or 48 in a row. Under the
# emulation, tiles have 64 rows and columns of up to 4 bytes or 32 longer ones, slices 16 steps, and a word 32 flags.
SIZES = [1, 2, 15, 17, 48, 49, 95, 97, 193] if suite.target != "cuda" else [1, 17, 31, 32, 33, 49, 64, 65, 130]
ARGUMENTS = [["--seed=1"], ["--seed=5", "--shift=0", "--spread=1000000000"], ["--seed=9", "--shift=20"]]


def graph(n):
    path = suite.folder / f"{n}.mtx"
    path.write_text(f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} 1\n1 {n}\n")
    return path


def results(what, algorithm, kind, command, environment=None):
    files = {name: suite.folder / f"{algorithm}.{name}.{kind}" for name in OUTPUTS[algorithm]}
    suite.succeeds(what, *command, "--quiet", *[f"--output={name}={file}" for name, file in files.items()],
                   env=environment or {}, timeout=300)
    return {name: file.read_text() if file.exists() else "" for name, file in files.items()}


def compare(what, found, expected):
    for name, text in expected.items():
        if not suite.expect(found[name] == text, f"{name}, {what}"):
            differ = [pair for pair in zip(found[name].split("\n"), text.split("\n")) if pair[0] != pair[1]]
            print(len(differ), differ[:3])


TOP, BOTTOM, RANGE = 2**31 - 1, -2**31, 2**27


def matrix(name, n, entries):
    """A graph with these weights of arcs."""
    path = suite.folder / f"{name}-{n}.mtx"
    rows = "".join(f"{u + 1} {v + 1} {weight}\n" for (u, v), weight in sorted(entries.items()))
    path.write_text(f"%%MatrixMarket matrix coordinate integer general\n{n} {n} {len(entries)}\n{rows}")
    return path


def sparse(n, least, greatest, of=5):
    """About one arc in `of`, with weights from the least to the greatest one."""
    choose = random.Random(f"{n} {least} {greatest}")
    return {(u, v): choose.choice([least, greatest, choose.randint(least, greatest)])
            for u in range(n) for v in range(n) if choose.randrange(of) == 0}


def path_of(n, total, first):
    """A path over all vertices with weights of this sum, of which the first one is given."""
    each, more = divmod(total - first, n - 2)
    return {(v, v + 1): first if v == 0 else each + (v <= more) for v in range(n - 1)}


def potentials(n):
    """Negative weights, but no negative cycle."""
    height = [v * 37 % 101 for v in range(n)]
    return {(u, v): weight + height[u] - height[v] for (u, v), weight in sparse(n, 0, 30).items()}


MATRICES = {
    "none": lambda n: {},
    "small": lambda n: sparse(n, 0, 40),
    "below-16-bits": lambda n: path_of(n, 32766 - 300, 300), # the longest path is less by one than what 16 bits allow
    "at-16-bits": lambda n: path_of(n, 32767 - 300, 300),
    "at-16-bits-unseen": lambda n: path_of(n, 32767 - 255, 255), # weights for which no look at paths is taken
    "below-16-bits-unseen": lambda n: path_of(n, 32766 - 255, 255),
    "above-16-bits": lambda n: path_of(n, 40000, 200),
    "potentials": potentials,
    "negative-cycles": lambda n: sparse(n, -3, 40), # down to the least number
    "late-cycle": lambda n: {**sparse(n, 0, 40), (n - 2, n - 2): -1},
    "great": lambda n: sparse(n, TOP - 2, TOP - 1, 3), # the greatest number, and sums beside it
    "all": lambda n: sparse(n, BOTTOM, TOP - 1, 3),
    "least": lambda n: sparse(n, BOTTOM, BOTTOM + 1, 9),
    "in-range": lambda n: sparse(n, -RANGE, RANGE, 30),
    "beyond-range": lambda n: sparse(n, -RANGE - 1, RANGE + 1, 30),
}

@functools.cache
def interpreted(algorithm, *options):
    return results(f"{algorithm} {options}, interpreted", algorithm, "expected",
                   [suite.gcompile, "interpret", harness.ROOT / "test" / "e2e" / f"{algorithm}.gdsl", *options])


# The interpreter, which is slow, is the judge of the small ones, and the serial form of all.
for algorithm in ["closures", "open_pairs"]:
    program = suite.programs / algorithm
    for n in SIZES:
        for arguments in ARGUMENTS if algorithm == "closures" else [["--seed=1"], ["--seed=7"]]:
            options = [graph(n), "--directed", *arguments]
            for variant, environment in suite.variants([1, 2, 5]):
                what = f"{algorithm} of {n} vertices, {arguments} {variant}"
                found = results(what, algorithm, "out", [program, "--verify", *options, *variant], environment)
                if n < 20 or (n == 49 and arguments == ARGUMENTS[0]):
                    compare(what, found, interpreted(algorithm, *options))
for name, entries in MATRICES.items():
    wide = suite.target == "cuda" and ("16-bits" in name or name == "small") # two tiles of two numbers in a word
    for n in [21, 131] if suite.target != "cuda" else [33, 131] if wide else [33]:
        for scale in ["--scale=1", "--scale=3000000000"]:
            options = [matrix(name, n, entries(n)), "--directed", scale]
            expected = interpreted("closed_sums", *options) if n < 40 else {}
            for variant, environment in suite.variants([1, 3]):
                what = f"{name}, {n} vertices, {scale} {variant}"
                found = results(what, "closed_sums", "out", [suite.programs / "closed_sums", "--verify", *options, *variant],
                                environment)
                compare(what, found, expected)

# A cycle of negative length is said once, whatever the number of runs; without one nothing is.
ARCS = ("oslo rome -2", "rome oslo 1", "rome bonn 4")
for name, arcs, said in (("negative.el", ARCS, True), ("none.el", (ARCS[0], "rome oslo 2", ARCS[2]), False),
                         ("loop.el", ("oslo oslo -1", "rome oslo 7"), True)):
    (suite.folder / name).write_text("".join(f"{arc}\n" for arc in arcs), encoding="utf-8")
    for program, line in (("apsp", 11), ("apsp_paths", 14)):
        warning = (f"warning: {program}.gdsl:{line}: a cycle of negative length goes through vertex oslo: 'dist' is no "
                   "distance between vertices that it joins\n")
        for options in ([], ["--trials=3"]):
            result = suite.succeeds(f"{program} of {name}", suite.programs / program, name, *options)
            suite.expect(result.err == (warning if said else ""), f"{program} of {name}: the warning", result)
suite.finish()
