"""Graphs that do not fit into the memory of a GPU, under the emulation, whose device has no more than that: the results
are right, what is allocated stays below the limit, and what cannot be is said. Every example is run so by
test_examples."""

import json

import harness

suite = harness.Suite("device_memory")
graph = suite.folder / "graph.gcsr"
suite.succeeds("convert", suite.gcompile, "convert", "kronecker:scale=12,degree=512,weights=1..255", graph)
REPORT = suite.folder / "report.json"


def run(what, program, *options, **more):
    """The output of a run, and what its report says of the GPU's memory."""
    result = suite.succeeds(what, suite.programs / program, graph, f"--report={REPORT}", *options, **more)
    return result, json.loads(REPORT.read_text())


# Programs with a loop over all vertices that walks the list of each.
WALKS_ALL_LISTS = ("pagerank", "personalised_pagerank", "hits")


def values(path):
    return [line.split() for line in path.read_text().splitlines()]


def close(one, other):
    return len(one) == len(other) and all(
        a == b or (a[0] == b[0] and abs(float(a[1]) - float(b[1])) <= 1e-9 * abs(float(b[1]))) for a, b in zip(one, other))


for program, output, options in (("bfs", "depth", ["--root=1"]), ("pagerank", "rank", ["--rounds=3", "--tolerance=0"]),
                                 ("personalised_pagerank", "rank", ["--interest=1", "--rounds=2", "--tolerance=0"]),
                                 ("hits", "hub", ["--rounds=2"]), ("components", "label", []),
                                 ("sssp", "dist", ["--source=1"])):
    answers = []
    file = suite.folder / f"{program}.txt"
    _, whole = run(f"{program} on the GPU", program, *options, "--quiet", "--device-memory=1GiB", f"--output={output}={file}")
    answers.append(values(file))
    memory = whole["device_memory"]
    suite.expect(memory["host_bytes"] == 0, f"{program}: all is on the GPU", memory)
    # The device has a third of what the graph takes: allocating more is an error there.
    third = int(whole["graph_bytes"]) // 3
    for limit, environment in ((f"--device-memory={third}", {}), (None, {"GCOMPILE_EMULATION_MEMORY": str(third)})):
        what = f"{program} in a third of the graph's memory, {limit or environment}"
        result, report = run(what, program, *options, "--verify", f"--output={output}={file}", *[limit] * bool(limit),
                             env=environment)
        memory = report["device_memory"]
        suite.expect(memory["peak_bytes"] <= third < memory["host_bytes"], f"{what}: stays below it", memory)
        suite.expect(memory["usable_bytes"] <= third, f"{what}: does not plan with more", memory)
        if program in WALKS_ALL_LISTS:
            loops = memory["streamed_loops"] + memory["loops_in_place"]
            suite.expect(0 < memory["streamed_loops"] and loops >= 2, f"{what}: loops get copies of lists", memory)
            suite.expect("  blocks of edges " in result.out, f"{what}: the plan has room for them", result)
        suite.expect(" host\n" in result.out and "\nverified" in result.out, f"{what}: says where the edges are", result)
        answers.append(values(file))
    suite.expect(all(close(answers[0], other) for other in answers[1:]), f"{program}: the same answers")

# What is read most for its bytes is on the GPU, the rest is not.
_, report = run("sssp", "sssp", "--source=1", "--quiet", "--device-memory=1GiB")
memory = report["device_memory"]
weights = next(part["bytes"] for part in memory["parts"] if part["what"] == "weight")
result, report = run("sssp without its weights", "sssp", "--source=1", f"--device-memory={int(memory['device_bytes'] - weights) + 1}")
host = [part["what"] for part in report["device_memory"]["parts"] if not part["on_device"]]
suite.expect(host == ["weight"], "the weights stay with the host", report)
suite.expect(sum(line.endswith(" GPU") for line in result.out.splitlines()) == 4, "the plan is said", result)

# Lists of edges are as long as there is room for: what they cannot take is not lost.
listing = suite.folder / "listing.gdsl"
listing.write_text((harness.ROOT / "examples" / "bfs.gdsl").read_text()
                   + "schedule bfs { cuda { direction push; phases contract_expand; } }\n")
built = suite.build_program(listing, suite.folder / "listing", *suite.QUICK)
if suite.expect(built.code == 0, "compile with lists of edges", built):
    rooms = []
    for limit in ("1GiB", None):
        if limit is None:
            limit = int(memory["device_bytes"] - 0.9 * rooms[0])
        _, report = run(f"lists of edges in {limit}", suite.folder / "listing", "--root=1", "--verify", f"--device-memory={limit}")
        memory = report["device_memory"]
        rooms.append(next(part["bytes"] for part in memory["parts"] if part["what"] == "lists of edges"))
        suite.expect(memory["peak_bytes"] <= memory["usable_bytes"], f"lists of edges in {limit}: no more than planned", memory)
    suite.expect(rooms[0] > 5 * rooms[1] > 0, "the lists are shorter", rooms)

# What cannot be.
suite.fails("too little memory", 2, "...out of memory on the GPU: without the edges of this graph, bfs needs about ",
            suite.programs / "bfs", graph, "--root=1", "--device-memory=64KiB")
suite.fails("a size", 2, "--device-memory needs a size such as 2GiB, 512MiB or 64KiB, not 'all'", suite.programs / "bfs",
            graph, "--root=1", "--device-memory=all")
suite.finish()
