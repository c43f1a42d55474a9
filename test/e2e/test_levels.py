"""Kept levels: their vertices ascend where that shows, whatever the order in which a frontier found them."""

import harness

suite = harness.Suite("levels")
FOLDER = harness.ROOT / "test" / "e2e"
GRAPHS = ["grid:30x40", "uniform:scale=9,degree=3", "kronecker:scale=9,degree=8"]


def results(what, command, outputs, folder, env=None):
    folder.mkdir(exist_ok=True)
    files = [folder / f"{name}.txt" for name in outputs]
    suite.succeeds(what, *command, "--quiet", "--root=500",
                   *[f"--output={name}={file}" for name, file in zip(outputs, files)], env=env, timeout=200)
    return [file.read_text() for file in files]


def compare(name, outputs, graphs=()):
    program, executable = FOLDER / f"{name}.gdsl", suite.programs / name
    for graph in [*GRAPHS, *graphs]:
        expected = results("interpreted", [suite.gcompile, "interpret", program, graph], outputs, suite.folder / "wanted")
        for options, env in suite.variants(threads=(1, 2, 4), seeds=(1, 2)):
            got = results(f"{name}, {graph}", [executable, graph, *options], outputs, suite.folder / "got", env)
            for output, wanted, found in zip(outputs, expected, got):
                suite.expect(wanted == found, f"{name}: {output} on {graph} with {options} {env} is not the interpreter's")


compare("levels", ["order", "first", "odd", "last"])
# Levels that get bitmaps.
compare("sweeps", ["below", "height", "nearer", "either"], ["uniform:scale=13,degree=8"])
compare("level_sets", ["common", "inside", "next", "passed", "hops", "of_root"])
suite.finish()
