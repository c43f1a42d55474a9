"""The examples with `layout { adjacency aligned; }` on a GPU: those of which a statement reads aligned lists give what
the oracle says, and all others are refused."""

import concurrent.futures
import json

import harness
from examples import EXAMPLES, given, graphs

suite = harness.Suite("aligned")
# Pulls that end with their first success, that add up, along edges and against them; loops over the edges into vertices.
READ = {"betweenness", "bfs", "diameter", "hits", "pagerank", "personalised_pagerank", "scc"}
LAYOUTS = {"betweenness": ["adjacency aligned(part = 1);"],
           "bfs": ["adjacency aligned(part = 1);", "vertices by degree; neighbors by degree; adjacency aligned;"],
           "hits": ["vertices by bfs; adjacency aligned(part = 0.6);"],
           "pagerank": ["adjacency aligned(part = 0.3);"],
           "scc": ["adjacency aligned(part = 1);"]}


def write(name, layout, number):
    path = suite.folder / f"{name}{number}.gdsl"
    text = (harness.ROOT / "examples" / f"{name}.gdsl").read_text()
    path.write_text(f"{text}schedule {name} {{ cuda {{ direction pull; }} layout {{ {layout} }} }}\n"
                    if name == "bfs" else f"{text}schedule {name} {{ layout {{ {layout} }} }}\n")
    return path


def build(job):
    name, layout, number = job
    path = write(name, layout, number)
    result = suite.build_program(path, path.with_suffix(""))
    good = suite.expect(result.code == 0 and result.err == "", f"{name} compiles with {layout}", result)
    return (name, layout, path.with_suffix("")) if good else None


for name in EXAMPLES:
    path = write(name, "adjacency aligned;", "_says")
    printed = suite.run(suite.gcompile, "--target=cuda", "--emit=source", path, "-o", suite.folder / "printed.cu")
    if name in READ:
        suite.expect(printed.code == 0 and printed.err == "", f"{name} reads aligned lists", printed)
    else:
        suite.expect(printed.code == 1 and "E0502" in printed.err and "cannot align its lists of neighbours" in printed.err,
                     f"{name} reads none", printed)

jobs = [(name, layout, number) for name, layouts in LAYOUTS.items() for number, layout in enumerate(layouts)]
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    programs = [program for program in pool.map(build, jobs) if program]
chosen = [each for each in graphs(suite) if each[0] in ("kronecker", "loops", "karate")]
report = suite.folder / "report.json"
for name, layout, program in programs:
    for graph_name, graph, _ in chosen:
        for direction in EXAMPLES[name][2]:
            for seed in (1, 2) if graph_name == "karate" else (1,):
                what = f"{name} with {layout} on {graph_name} {direction}, seed {seed}"
                options = given(suite, name, graph)
                files = {output: suite.folder / f"{name}-{output}.txt" for output in EXAMPLES[name][0]}
                done = suite.succeeds(what, program, graph, direction, *options, "--verify", "--quiet", f"--report={report}",
                                      *[f"--output={output}={file}" for output, file in files.items()],
                                      env={"GCOMPILE_EMULATION_SEED": str(seed)}, timeout=120)
                if done.code != 0:
                    continue
                suite.succeeds(f"check {what}", suite.oracle, "check", name, graph, direction, *options,
                               *[f"{output}={file}" for output, file in files.items()])
                suite.expect(json.loads(report.read_text()).get("layout_seconds", 0) > 0, f"{what}: the time is told")
suite.finish()
