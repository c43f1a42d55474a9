"""Reductions over all edges, and neighbours as sets where edges are repeated: the interpreter's results."""

import harness

suite = harness.Suite("whole_graph")
PROGRAM = harness.ROOT / "test" / "e2e" / "whole_graph.gdsl"
OUTPUTS = ["differ", "loops", "heaviest", "first", "around", "degrees", "sizes", "shared"]
repeated = suite.folder / "repeated.el"
repeated.write_text("0 1 3\n0 1 4\n0 1 4\n1 2 9\n2 2 1\n2 2 1\n3 0 2\n1 0 5\n")
single = suite.folder / "single.el"
single.write_text("0 1 3\n1 2 1\n1 3 7\n3 4 2\n")


def results(what, command, env=None):
    files = [suite.folder / f"{name}.txt" for name in OUTPUTS]
    suite.succeeds(what, *command, "--quiet", *[f"--output={name}={file}" for name, file in zip(OUTPUTS, files)], env=env,
                   timeout=200)
    return [file.read_text() for file in files]


for graph in (repeated, single, "kronecker:scale=7,degree=4,weights=1..9"):
    for form in (["--directed", "--duplicates=keep"], ["--undirected", "--duplicates=keep"], ["--directed"]):
        expected = results("interpreted", [suite.gcompile, "interpret", PROGRAM, graph, *form])
        for options, env in suite.variants(threads=(1, 4), seeds=(1, 2)):
            got = results(graph, [suite.programs / "whole_graph", graph, *form, *options], env)
            for name, wanted, found in zip(OUTPUTS, expected, got):
                suite.expect(wanted == found, f"{name} on {graph} {form} with {options} {env}: {found} for {wanted}")
suite.finish()
