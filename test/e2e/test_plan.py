"""The memory that a run needs, told before it: --plan says what is checked before loading and what a run reports."""

import json
import re

import harness

suite = harness.Suite("plan")
KARATE = harness.ROOT / "examples" / "data" / "karate.el"


def planned(what, program, *given):
    """The members of the plan, and its lines as a dictionary."""
    file = suite.folder / "plan.json"
    file.unlink(missing_ok=True)
    result = suite.succeeds(f"plan of {what}", program, *given, "--plan", f"--report={file}")
    return json.loads(file.read_text()), dict(re.split("  +", line.strip()) for line in result.out.splitlines()[1:])


def converted(name, graph, *options):
    path = suite.folder / name
    suite.succeeds(f"{name} is written", suite.gcompile, "convert", *options, graph, path)
    return path


named = suite.folder / "named.el"
named.write_text("".join(f"v{u} w{(u * 5 + k) % 90}\n" for u in range(100) for k in (1, 2)))
graphs = [converted("undirected.gcsr", "kronecker:scale=12,degree=8,weights=1..9"),
          converted("directed.gcsr", KARATE, "--directed"), converted("named.gcsr", named),
          converted("in-edges.gcsr", "rmat:scale=11,degree=4,directed=true", "--in-edges")]
for name, needed in (("bfs", ["--root"]), ("pagerank", []), ("sssp", ["--source"])):
    program = suite.programs / name
    for graph in graphs[:1] if name == "sssp" else graphs:
        what = f"{name} on {graph.name}"
        plan, _ = planned(what, program, graph)
        first = "v0" if graph.name == "named.gcsr" else "1"
        report = suite.folder / "report.json"
        suite.succeeds(what, program, graph, *[f"{option}={first}" for option in needed], f"--report={report}")
        run = json.loads(report.read_text())
        suite.expect(not plan["arcs_at_most"] and plan["vertices"] == run["vertices"], f"{what}: the header is enough", plan)
        for ours, reported in (("graph_bytes", "graph_bytes"), ("state_bytes", "state_bytes_estimate")):
            suite.expect(plan[ours] == int(run[reported]), f"{what}: {ours} is {plan[ours]}, not {run[reported]}")
        suite.expect(plan["needed_bytes"] == plan["graph_bytes"] + plan["state_bytes"], f"{what}: the sum", plan)

# Nothing is made: a graph of tebibytes, a file whose arcs are wrong, and no result is written.
bfs = suite.programs / "bfs"
plan, lines = planned("a large graph", bfs, "kronecker:scale=31,degree=32")
suite.expect(plan["needed_bytes"] > 8 * 2**31 + 4 * 2 * 2**36 and lines["graph"].endswith("GiB"), "a large graph", plan)
corrupt = bytearray(graphs[1].read_bytes())
corrupt[-100:] = b"\xff" * 100
wrong = suite.folder / "wrong.gcsr"
wrong.write_bytes(corrupt)
planned("wrong arcs", bfs, wrong)
suite.fails("a run on wrong arcs", 2, "...corrupt", bfs, wrong, "--root=1")
suite.succeeds("a plan with a result", bfs, KARATE, "--root=1", "--plan", f"--output=depth={suite.folder / 'none.txt'}")
suite.expect(not (suite.folder / "none.txt").exists(), "a plan writes no result")

# What text holds is known when it has been read, and what repeats other edges when the graph is built.
doubled = suite.folder / "doubled.el"
doubled.write_text("1 2\n2 3\n1 2\n" * 50)
plan, _ = planned("doubled edges", bfs, doubled)
suite.expect(plan["arcs_at_most"] and (plan["vertices"], plan["arcs"]) == (3, 150), "doubled edges", plan)

# The plan is what is checked: a run with less memory is refused, with the same number, and one with more goes on.
generated = "uniform:scale=15,degree=16"
plan, lines = planned("a generator", bfs, generated)
suite.fails("less memory than planned", 2, f"...needs about {lines['in all']} of memory", bfs, generated, "--root=1",
            f"--memory={plan['needed_bytes'] - 4096}")
suite.succeeds("as much as planned", bfs, generated, "--root=1", f"--memory={plan['needed_bytes'] + 4096}")

suite.fails("ranks of one process", 2, "...--plan: this program runs in one process", bfs, KARATE, "--plan=3")
suite.fails("no number of ranks", 2, "...--plan needs a positive number, not '0'", bfs, KARATE, "--plan=0")
suite.fails("no such file", 2, "...nowhere.el", bfs, "nowhere.el", "--plan")
suite.finish()
