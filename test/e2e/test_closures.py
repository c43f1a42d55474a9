"""Closures of a state of pairs: every operation, at sizes around the edges of tiles and blocks, bit by bit as the plain
loop of the interpreter or the serial form computes them."""

import harness

suite = harness.Suite("closures")
OUTPUTS = {
    "closures": ["shortest", "signed", "far", "single", "real", "widest", "reach", "flagged", "chance", "total", "mixed", "parted",
                 "hop"],
    "open_pairs": ["further", "turned", "second", "part", "shared", "decided", "last"],
}
# Strips have 16 steps, blocks 96 or 192; a tile has 8 or 4 rows, and 192 bytes, 96 or 48 in a row.
SIZES = [1, 2, 15, 17, 48, 49, 95, 97, 193] if suite.target != "cuda" else [1, 17, 33]
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


# The interpreter is the judge of the small ones, and the serial form of all.
for algorithm in OUTPUTS:
    program = suite.programs / algorithm
    for n in SIZES:
        for arguments in ARGUMENTS if algorithm == "closures" else [["--seed=1"], ["--seed=7"]]:
            options = [graph(n), "--directed", *arguments]
            for variant, environment in suite.variants([1, 2, 5]):
                what = f"{algorithm} of {n} vertices, {arguments} {variant}"
                found = results(what, algorithm, "out", [program, "--verify", *options, *variant], environment)
                if n < 50:
                    source = harness.ROOT / "test" / "e2e" / f"{algorithm}.gdsl"
                    compare(what, found, results(f"{what}, interpreted", algorithm, "expected",
                                                 [suite.gcompile, "interpret", source, *options]))
suite.finish()
