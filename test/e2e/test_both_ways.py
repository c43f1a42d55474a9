"""Edges that are followed both ways, and conditions of several parts, on directed and undirected graphs."""

import harness

suite = harness.Suite("both_ways")
PROGRAM = harness.ROOT / "test" / "e2e" / "both_ways.gdsl"
OUTPUTS = ["hops", "steps", "depth", "weight", "path", "light"]
GRAPHS = ["kronecker:scale=8,degree=4,weights=1..9", "uniform:scale=8,degree=2,weights=1..9", "grid:11x17,weights=1..5"]


def results(what, command, env=None):
    files = [suite.folder / f"{name}.txt" for name in OUTPUTS]
    suite.succeeds(what, *command, "--quiet", "--root=3",
                   *[f"--output={name}={file}" for name, file in zip(OUTPUTS, files)], env=env, timeout=200)
    return [file.read_text() for file in files]


for graph in GRAPHS:
    for direction in ("--directed", "--undirected"):
        expected = results("interpreted", [suite.gcompile, "interpret", PROGRAM, graph, direction])
        for options, env in suite.variants(threads=(1, 4), seeds=(1, 2)):
            got = results(graph, [suite.programs / "both_ways", graph, direction, *options], env)
            for name, wanted, found in zip(OUTPUTS, expected, got):
                suite.expect(wanted == found, f"{name} on {graph} {direction} with {options} {env} is not the interpreter's")
suite.finish()
