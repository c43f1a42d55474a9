"""Kept levels: their vertices ascend where that shows, whatever the order in which a frontier found them."""

import harness

suite = harness.Suite("levels")
FOLDER = harness.ROOT / "test" / "e2e"
GRAPHS = ["grid:30x40", "uniform:scale=9,degree=3"]


def results(what, command, outputs, folder, env=None):
    folder.mkdir(exist_ok=True)
    files = [folder / f"{name}.txt" for name in outputs]
    suite.succeeds(what, *command, "--quiet", "--root=500",
                   *[f"--output={name}={file}" for name, file in zip(outputs, files)], env=env, timeout=200)
    return [file.read_text() for file in files]


def compare(program, executable, outputs):
    for graph in GRAPHS:
        expected = results("interpreted", [suite.gcompile, "interpret", program, graph], outputs, suite.folder / "wanted")
        for options, env in suite.variants(threads=(1, 2, 4), seeds=(1, 2)):
            got = results(f"{program.stem}, {graph}", [*executable, graph, *options], outputs, suite.folder / "got", env)
            for name, wanted, found in zip(outputs, expected, got):
                suite.expect(wanted == found, f"{program.stem}: {name} on {graph} with {options} {env} is not the interpreter's")


compare(FOLDER / "levels.gdsl", [suite.programs / "levels"], ["order", "first", "odd", "last"])
if suite.target == "omp":  # E0506 for CUDA
    sets = FOLDER / "level_sets.gdsl"
    suite.succeeds("compile", suite.gcompile, sets, "-O1", "-o", suite.folder / "level_sets", timeout=120)
    compare(sets, [suite.folder / "level_sets"], ["common", "inside", "next"])
suite.finish()
