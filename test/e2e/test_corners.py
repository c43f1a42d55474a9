"""Corners of the language with the results that it defines, compiled (1, 2 and 4 threads) and interpreted."""

import harness

suite = harness.Suite("corners")
PROGRAM = harness.ROOT / "test" / "e2e" / "corners.gdsl"
EXPECTED = {
    "total": "12", "product": "9", "endless": "inf inf inf", "count": "inf", "sum_of_all": "inf", "doubled": "inf",
    "wide": "inf inf inf", "real": "inf inf inf", "seen": "3", "late": "inf 3 3", "reached": "0 6 6",
    "waves": "8", "chained": "1 12 12", "still": "3", "loop": "0",
    "shared": "1 11 21", "ends": "1 101 201", "near": "0 2 4", "next": "0 1 1", "hinted": "1 1 9", "least": "-1.5 -1.5 -1.5",
    "chosen": "123 123 123", "wrapped": "-294967295 -294967295 -294967295", "above": "1 1 1", "capped": "inf inf inf",
    "after": "false", "sums": "8553255926290448384", "converted": "2147483647 2147483647 inf -2147483648",
    "guarded": "0 0 2", "pushed": "0 0 4", "negated": "-2147483648 -2147483648 inf", "absorbed": "inf inf 1073741823 -2 1",
}

graph = suite.folder / "three.el"
graph.write_text("0 1 2\n1 2 2\n2 2 2\n")
suite.succeeds("compile", suite.gcompile, PROGRAM, "-O1", "-o", suite.folder / "corners", timeout=120)
for what, program in [(f"{n} threads", [suite.folder / "corners", graph, f"--threads={n}", "--verify"]) for n in (1, 2, 4)] + [
        ("interpreted", [suite.gcompile, "interpret", PROGRAM, graph])]:
    files = {name: suite.folder / f"{name}.txt" for name in EXPECTED}
    suite.succeeds(what, *program, "--quiet", *[f"--output={name}={file}" for name, file in files.items()])
    for name, file in files.items():
        lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
        got = lines[0] if len(lines) == 1 else " ".join(line.split()[-1] for line in lines)
        suite.expect(got == EXPECTED[name], f"{name}, {what}: expected {EXPECTED[name]}, got {got}")

NONE = harness.ROOT / "test" / "e2e" / "none.gdsl"
suite.succeeds("compile", suite.gcompile, NONE, "-O1", "-o", suite.folder / "none", timeout=120)
for case in range(10):
    for program in ([suite.folder / "none"], [suite.gcompile, "interpret", NONE]):
        done = suite.run(*program, graph, f"--case={case}", "--quiet", "--output=x=none-x")
        suite.expect(done.code == 3 and "the index is none" in done.err, f"none, case {case}: {done.code} {done.err}")
        left = [path.name for path in suite.folder.glob("none-x*")]
        suite.expect(not left, f"none, case {case}: files are left behind: {left}")
suite.finish()
