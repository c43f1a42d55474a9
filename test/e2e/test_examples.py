"""Every example on graphs of several shapes, against the oracle: both directions where the program takes them, several
numbers of threads, 32- and 64-bit vertex ids, and each run compared with its serial form (--verify)."""

import harness
from examples import EXAMPLES, first_vertex, graphs

suite = harness.Suite("examples")

THREADS = [1, 2, 4]


def check(name, graph_name, graph, direction, variant, interpreted=False):
    outputs, parameters, _, _ = EXAMPLES[name]
    given = {key: first_vertex(graph) if value == "ROOT" else value for key, value in parameters.items()}
    options = [f"--{key}={value}" for key, value in given.items()]
    files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
    for file in files.values():
        file.unlink(missing_ok=True)
    what = f"{name} {graph_name} {direction} {variant}"
    program = [suite.programs / name]
    if interpreted:
        what += " interpreted"
        program = [suite.gcompile, "interpret", harness.ROOT / "examples" / f"{name}.gdsl"]
    command = [*program, graph, direction, variant, "--quiet", *([] if interpreted else ["--verify"]), *options]
    for output, file in files.items():
        command.append(f"--output={output}={file}")
    if suite.succeeds(f"run {what}", *command).code == 0:
        suite.succeeds(f"check {what}", suite.oracle, "check", name, graph, direction, *options,
                       *[f"{output}={file}" for output, file in files.items()])


all_graphs = list(graphs(suite))
for name in suite.cases or EXAMPLES:
    _, _, directions, needs_weights = EXAMPLES[name]
    for graph_name, graph, weighted in all_graphs:
        if needs_weights and not weighted:
            continue
        for direction in directions:
            # The matrix of all pairs is long to write and read: one number of threads does there.
            for threads in [4] if name == "apsp" else THREADS:
                check(name, graph_name, graph, direction, f"--threads={threads}")
    # The interpreter must agree with the oracle as well, or it would be no judge of other programs.
    for graph_name, graph, weighted in all_graphs:
        if graph_name in ("loops", "karate", "karate-weighted") and (weighted or not needs_weights):
            for direction in directions:
                check(name, graph_name, graph, direction, "--threads=1", interpreted=True)
    for direction in directions:
        check(name, "loops", suite.folder / "loops.el", direction, "--vertex-bits=64")
suite.finish()
