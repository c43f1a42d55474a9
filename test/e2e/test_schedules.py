"""Schedules change how a program runs, never what it computes: examples under each schedule that is legal for them, on
graphs of several shapes, against the oracle and their serial form."""

import concurrent.futures

import harness

suite = harness.Suite("schedules")

# Small limits: the test graphs are small.
STATES = "frontier hybrid(T1 = 2, T2 = 60, T3 = 8, alpha = 1.5, beta = 1.2);"
DEGREE = "layout { vertices by degree; }"
# example: parameters ("ROOT" is the graph's first vertex), results, whether it reads weights, schedules
CASES = {
    "bfs": ({"root": "ROOT"}, ["parent", "depth"], False,
            ["cpu { direction push; }", "cpu { direction pull; }", "cpu { direction hybrid(alpha = 2, beta = 1000); }",
             "cpu { direction growth; }", "cpu { direction growth(alpha = 1000, beta = 1000); }",
             "cpu { frontier read; }", "cpu { direction push; frontier read; }", "cpu { direction push; frontier serial; }",
             "cpu { direction push; frontier queue(T1 = 0); }", f"cpu {{ direction push; {STATES} }}",
             f"cpu {{ direction hybrid(alpha = 3, beta = 3); {STATES} }}",
             DEGREE, f"cpu {{ direction pull; }} {DEGREE}"]),
    "components": ({}, ["label"], False,
                   ["cpu { direction push; frontier read; }", f"cpu {{ direction push; {STATES} }}",
                    f"cpu {{ {STATES} }}", "cpu { direction growth; frontier queue(T1 = 0); }"]),
    "betweenness": ({}, ["score"], False, ["cpu { frontier read; }", f"cpu {{ direction push; {STATES} }}"]),
    "sssp": ({"source": "ROOT"}, ["dist"], True, ["cpu { ordered buckets(delta = 1); }",
                                                 "cpu { ordered buckets(delta = 1000); }", DEGREE]),
    "pagerank": ({"damping": "0.8", "tolerance": "1e-6", "rounds": "30"}, ["rank"], False, [DEGREE]),
    "kcore": ({}, ["core"], False, ["cpu { direction push; }", DEGREE]),
}
SHAPES = ["kronecker", "grid", "path-star", "loops"]


def graphs():
    for shape in SHAPES:
        path = suite.folder / f"{shape}.el"
        if not path.exists():
            suite.succeeds(f"generate {shape}", suite.oracle, "generate", shape, path)
        yield shape, path


def programs():
    for name, (_, _, _, schedules) in CASES.items():
        if suite.cases and name not in suite.cases:
            continue
        for number, schedule in enumerate(schedules):
            yield name, schedule, suite.folder / f"{name}{number}"


def build(name, schedule, program):
    source = program.with_suffix(".gdsl")
    text = (harness.ROOT / "examples" / f"{name}.gdsl").read_text() + f"schedule {name} {{ {schedule} }}\n"
    runtime = harness.ROOT / "runtime" / "include" / "gcompile"
    inputs = [suite.gcompile, suite.build / "lib" / "libgcompile_runtime.a", *runtime.iterdir()]
    if (program.exists() and source.exists() and source.read_text() == text
            and program.stat().st_mtime > max(file.stat().st_mtime for file in inputs)):
        return None
    source.write_text(text)
    return suite.run(suite.gcompile, source, "-o", program, timeout=300)


with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    jobs = [(name, schedule, program, pool.submit(build, name, schedule, program))
            for name, schedule, program in programs()]
    for name, schedule, _, job in jobs:
        result = job.result()
        suite.expect(result is None or result.code == 0, f"{name} does not compile with {schedule}", result)

all_graphs = list(graphs())
for name, schedule, program in programs():
    parameters, outputs, _, _ = CASES[name]
    for shape, graph in all_graphs:
        first = next(line for line in graph.read_text().splitlines() if not line.startswith("#")).split()[0]
        options = [f"--{key}={first if value == 'ROOT' else value}" for key, value in parameters.items()]
        for direction in ["--undirected"] if name == "kcore" else ["--directed", "--undirected"]:
            for variant in ["--threads=1", "--threads=3", "--vertex-bits=64"]:
                files = [f"{output}={suite.folder / f'{name}-{output}.txt'}" for output in outputs]
                what = f"{name} with {schedule} on {shape} {direction} {variant}"
                run = suite.succeeds(f"run {what}", program, graph, direction, variant, "--quiet", "--verify", *options,
                                     *[f"--output={file}" for file in files])
                if run.code == 0:
                    suite.succeeds(f"check {what}", suite.oracle, "check", name, graph, direction, *options, *files)
suite.finish()
