"""Edges that are followed against their direction, on directed and undirected graphs, under several schedules."""

import concurrent.futures

import harness

suite = harness.Suite("into")
PROGRAM = harness.ROOT / "test" / "e2e" / "into.gdsl"
OUTPUTS = ["depth", "dist", "tuples", "next", "back", "paths", "share", "out", "heavy", "last", "turns", "light", "steps"]
GRAPHS = ["kronecker:scale=8,degree=4,weights=1..9", "uniform:scale=8,degree=2,weights=1..9", "grid:11x17,weights=1..5"]
SCHEDULES = [
    "cpu walk { direction push; frontier read; } cpu spread { asynchronous; } cpu relax { ordered buckets(delta = 1); }",
    "cpu walk { direction pull; } cpu spread { direction push; frontier serial; } cpu joint { asynchronous; }"
    " cpu relax { ordered obim(chunk = 8, shift = 1); }",
    "cpu walk { direction hybrid(alpha = 3, beta = 3); frontier hybrid(T1 = 2, T2 = 30, T3 = 4, alpha = 1.5, beta = 1.2); }"
    " cpu spread { direction growth(alpha = 1000, beta = 1000); }",
]


def results(what, command, env=None):
    files = [suite.folder / f"{name}.txt" for name in OUTPUTS]
    suite.succeeds(what, *command, "--quiet", "--root=3",
                   *[f"--output={name}={file}" for name, file in zip(OUTPUTS, files)], env=env, timeout=200)
    return [file.read_text() for file in files]


def scheduled(number, schedule):
    source, program = suite.folder / f"into{number}.gdsl", suite.folder / f"into{number}"
    source.write_text(f"{PROGRAM.read_text()}schedule into {{ {schedule} }}\n")
    suite.succeeds(f"compile with {schedule}", suite.gcompile, *suite.QUICK, source, "-o", program, timeout=300)
    return program


programs = [suite.programs / "into"]
if suite.target == "omp":
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        programs += pool.map(scheduled, range(len(SCHEDULES)), SCHEDULES)
for graph in GRAPHS:
    for direction in ("--directed", "--undirected"):
        expected = results("interpreted", [suite.gcompile, "interpret", PROGRAM, graph, direction])
        for program in programs:
            for options, env in suite.variants(threads=(1, 4), seeds=(1, 2)):
                got = results(graph, [program, graph, direction, "--verify", *options], env)
                for name, wanted, found in zip(OUTPUTS, expected, got):
                    suite.expect(wanted == found, f"{name} of {program.name} on {graph} {direction} with {options} {env}"
                                                  " is not the interpreter's")
suite.finish()
