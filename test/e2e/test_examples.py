"""Every example on graphs of several shapes, against the oracle: both directions where the program takes them, several
numbers of threads (of a CPU) or orders of threads (of the emulated GPU), 32- and 64-bit vertex ids, and each run
compared with its serial form (--verify)."""

import json
import math

import harness
from examples import DENSE, EXAMPLES, SAME_AS, first_vertex, given, graphs

suite = harness.Suite("examples", shared=True)

THREADS = [1, 2, 4]
# Betweenness from every vertex takes minutes under the emulation where paths are long: from one, checked by --verify.
DEEP = ["grid", "path-star"]
SLOW = ["betweenness"]  # from every vertex of the others, in one order of threads
SEEDS = {"loops": [1, 2], "karate": [1, 2]}  # of the emulation; other graphs: 1


def check(name, graph_name, graph, direction, variant, environment, interpreted=False):
    outputs, _, _, _ = EXAMPLES[name]
    options = given(suite, name, graph)
    files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
    for file in files.values():
        file.unlink(missing_ok=True)
    what = f"{name} {graph_name} {direction} {variant} {environment}"
    program = [suite.programs / name]
    if interpreted:
        what += " interpreted"
        program = [suite.gcompile, "interpret", harness.ROOT / "examples" / f"{name}.gdsl"]
    command = [*program, graph, direction, *variant, "--quiet", *([] if interpreted else ["--verify"]), *options]
    if suite.target == "cuda" and name == "betweenness" and graph_name in DEEP:
        suite.succeeds(f"run {what}", *command, f"--sources={first_vertex(graph)}", env=environment)
        return
    for output, file in files.items():
        command.append(f"--output={output}={file}")
    if suite.succeeds(f"run {what}", *command, env=environment).code == 0:
        suite.succeeds(f"check {what}", suite.oracle, "check", SAME_AS.get(name, name), graph, direction, *options,
                       *[f"{output}={file}" for output, file in files.items()])


def few_loops():
    """The beginning of the graph with loops and parallel edges, which has some of both."""
    lines = (suite.folder / "loops.el").read_text().splitlines(keepends=True)[:600]
    graph = suite.folder / "few-loops.el"
    graph.write_text("".join(lines))
    return graph


def check_streamed(name, direction):
    """The arcs stay in the file, of which a few blocks are in memory."""
    text = few_loops() if name in DENSE else suite.folder / "kronecker.el"
    graph = suite.folder / f"{text.stem}{direction}.gcsr"
    if not graph.exists():
        suite.succeeds(f"convert {graph}", suite.gcompile, "convert", text, graph, direction, "--in-edges",
                       "--column=weight:int")
    outputs, _, _, _ = EXAMPLES[name]
    options = given(suite, name, text)
    files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
    for variant, environment in suite.variants([1, 4]):
        what = f"{name} {direction} streamed {variant}"
        result = suite.succeeds(f"run {what}", suite.programs / name, graph, *variant, "--verify", *options,
                                *[f"--output={output}={file}" for output, file in files.items()],
                                env={**environment, "GCOMPILE_STREAM": "4096:8"})
        suite.expect("streamed, " in result.out, f"{what} is streamed", result)
        suite.succeeds(f"check {what}", suite.oracle, "check", SAME_AS.get(name, name), text, direction, *options,
                       *[f"{output}={file}" for output, file in files.items()])


def check_limited(name, direction):
    """A GPU has room for what the plan says must be there, and the edges stay in the host's memory."""
    graph = few_loops() if name in DENSE else suite.folder / "kronecker.el"
    report = suite.folder / f"{name}.json"
    command = [suite.programs / name, graph, direction, "--quiet", f"--report={report}", *given(suite, name, graph)]
    what = f"{name} {direction} in little memory of the GPU"
    if suite.succeeds(f"plan {what}", *command, "--device-memory=1GiB").code != 0:
        return
    fixed = ("state", "frontiers", "offsets")
    parts = json.loads(report.read_text())["device_memory"]["parts"]
    least = math.ceil(sum(part["bytes"] for part in parts if part["what"] in fixed))
    suite.succeeds(f"run {what}", *command, "--verify", f"--device-memory={least}",
                   env={"GCOMPILE_EMULATION_MEMORY": str(2 * least)})
    memory = json.loads(report.read_text())["device_memory"]
    suite.expect(all(part["on_device"] == (part["what"] in fixed) for part in memory["parts"]), f"{what}: places", memory)
    suite.expect(memory["peak_bytes"] <= least, f"{what}: stays below it", memory)


all_graphs = list(graphs(suite))
for name in suite.cases or EXAMPLES:
    _, _, directions, needs_weights = EXAMPLES[name]
    loops = suite.folder / "loops.el"
    chosen = all_graphs
    if suite.target == "cuda" and name in DENSE:  # all pairs take minutes under the emulation
        loops = few_loops()
        chosen = [("few-loops", loops, True), *[each for each in all_graphs if each[0].startswith("karate")]]
    for graph_name, graph, weighted in chosen:
        if needs_weights and not weighted:
            continue
        for direction in directions:
            # The matrix of all pairs is long to write and read: one run does there.
            once = name in DENSE
            one_order = once or name in SLOW
            for variant in suite.variants([4] if once else THREADS, [1] if one_order else SEEDS.get(graph_name, [1])):
                check(name, graph_name, graph, direction, *variant)
    # The interpreter must agree with the oracle as well, or it would be no judge of other programs.
    for graph_name, graph, weighted in all_graphs if suite.target == "omp" else []:
        if graph_name in ("loops", "karate", "karate-weighted") and (weighted or not needs_weights):
            if graph_name == "loops" and name in DENSE:
                graph = few_loops()  # all pairs take long
            for direction in directions:
                check(name, graph_name, graph, direction, ["--threads=1"], {}, interpreted=True)
    for direction in directions if suite.wide else []:
        check(name, "loops", loops, direction, suite.wide, {})
    for direction in directions:
        check_limited(name, direction) if suite.target == "cuda" else check_streamed(name, direction)
suite.finish()
