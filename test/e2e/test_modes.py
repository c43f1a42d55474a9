"""The most frequent value wherever it may be asked for: the interpreter's results."""

import harness

suite = harness.Suite("modes")
PROGRAM = harness.ROOT / "test" / "e2e" / "modes.gdsl"
OUTPUTS = ["kind", "usual", "around", "most", "common", "risen", "chosen", "here", "places"]

for graph in ("kronecker:scale=7,degree=6,weights=1..9", "uniform:scale=6,degree=2,weights=1..9", "grid:5x7,weights=1..5"):
    for direction in ("--directed", "--undirected"):
        def results(what, command, env=None):
            files = [suite.folder / f"{name}.txt" for name in OUTPUTS]
            suite.succeeds(what, *command, graph, direction, "--quiet", "--root=3",
                           *[f"--output={name}={file}" for name, file in zip(OUTPUTS, files)], env=env, timeout=200)
            return [file.read_text() for file in files]

        expected = results("interpreted", [suite.gcompile, "interpret", PROGRAM])
        for options, env in suite.variants(threads=(1, 4), seeds=(1, 2)):
            got = results(graph, [suite.programs / "modes", *options], env)
            for name, wanted, found in zip(OUTPUTS, expected, got):
                suite.expect(wanted == found, f"{name} on {graph} {direction} with {options} {env}: {found} for {wanted}")
suite.finish()
