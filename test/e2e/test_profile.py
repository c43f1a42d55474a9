"""Programs that measure themselves: `gcompile --profile`, the option --profile, and the picture of it."""

import json
import os
import shutil

import harness

suite = harness.Suite("profile")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
EXAMPLES = harness.ROOT / "examples"
KARATE = EXAMPLES / "data" / "karate.el"
ARCS = 2 * 78  # of karate, in both directions
gcompile = suite.gcompile


def profile_of(name, program, *arguments):
    """The calls of a profiled run on the karate club."""
    suite.succeeds(name, gcompile, "run", "-O1", program, KARATE, "--undirected", "--quiet",
                   "--profile=profile.json", *arguments)
    path = suite.folder / "profile.json"
    if not path.exists():
        return []
    profile = json.loads(path.read_text())
    path.unlink()
    suite.expect(profile["seconds"] >= sum(call["seconds"] for call in profile["calls"]) > 0,
                 f"{name}: the calls are part of the run", profile)
    starts = [call["start_seconds"] for call in profile["calls"]]
    suite.expect(starts == sorted(starts), f"{name}: the calls are in order")
    return profile["calls"]


def scheduled(direction):
    path = suite.folder / f"bfs_{direction}.gdsl"
    path.write_text((EXAMPLES / "bfs.gdsl").read_text() + f"schedule bfs {{ cpu {{ direction {direction}; }} }}\n")
    return path


def test_rounds():
    for direction in ["push", "pull", "hybrid"]:
        for threads in [1, 2]:
            name = f"bfs, {direction}, {threads} threads"
            calls = profile_of(name, scheduled(direction), "--root=1", f"--threads={threads}")
            rounds = [call for call in calls if "round" in call]
            # From vertex 1 of karate: 1, 16, 9, 8 vertices at distance 0, 1, 2, 3.
            suite.expect([call["active"] for call in rounds] == [1, 16, 9, 8], f"{name}: the frontiers", rounds)
            suite.expect([call["round"] for call in rounds] == [1, 2, 3, 4], f"{name}: the rounds", rounds)
            edges = sum(call["edges"] for call in rounds)
            if direction == "push":
                suite.expect(edges == ARCS, f"{name}: every arc is looked at once, not {edges}")
                suite.expect({call["state"] for call in rounds} == {"serial"}, f"{name}: small rounds", rounds)
            else:
                suite.expect(0 < edges, f"{name}: edges are counted")
            if direction == "pull":
                suite.expect({call["state"] for call in rounds} == {"pull"}, f"{name}: all rounds pull", rounds)
                # 33 vertices have no parent yet, and each ends at its first neighbour in the frontier.
                suite.expect(16 <= rounds[0]["edges"] < ARCS, f"{name}: the early exit shows", rounds[0])


def test_other_kernels():
    calls = profile_of("pagerank", EXAMPLES / "pagerank.gdsl", "--tolerance=0", "--rounds=3", "--threads=2")
    pulls = [call["edges"] for call in calls if call["edges"] > 0]
    suite.expect(pulls == [ARCS] * 3, "pagerank looks at every arc in every round", calls)
    calls = profile_of("sssp", EXAMPLES / "sssp.gdsl", "--source=1", "--weights=1..1", "--threads=1")
    suite.expect(sum(call["edges"] for call in calls) == ARCS, "sssp with equal weights looks at every arc once", calls)
    calls = profile_of("route", EXAMPLES / "route.gdsl", "--source=1", "--target=1", "--weights=1..1", "--threads=1")
    suite.expect(sum(call["edges"] for call in calls) == 16, "route looks at no arcs beyond its end", calls)
    for name, kernel in [("components", "connect_components"), ("triangles", "count_triangles")]:
        calls = profile_of(name, EXAMPLES / f"{name}.gdsl")
        suite.expect([call["kernel"] for call in calls if call["kernel"] != "initialise"] == [kernel], name, calls)


def test_text():
    out = suite.succeeds("as a table", gcompile, "run", "-O1", "--profile", EXAMPLES / "bfs.gdsl", KARATE, "--root=1").out
    suite.expect("profile of the last run" in out and "rounds:" in out and "between kernels" in out, "the tables", out)
    grid = suite.succeeds("many rounds", gcompile, "run", "-O1", EXAMPLES / "bfs.gdsl", "grid:100x2", "--root=0", "--profile").out
    suite.expect(grid.count("propagate_push") < 50 and "  ..." in grid, "of many rounds some are shown", grid)


def test_answers():
    for example, arguments in [("bfs", ["--root=1"]), ("betweenness", ["--sources=1,2"]), ("kcore", []), ("mis", []),
                               ("prim", ["--root=1", "--weights=1..9"]), ("boruvka", ["--weights=1..9"])]:
        suite.succeeds(f"{example} is right", gcompile, "run", "-O1", "--profile", EXAMPLES / f"{example}.gdsl", KARATE,
                       "--undirected", "--verify", "--quiet", *arguments)


def test_without():
    suite.succeeds("a plain program", gcompile, "-O", "0", EXAMPLES / "bfs.gdsl", "-o", "plain")
    text = suite.succeeds("its source", gcompile, "--emit=source", EXAMPLES / "bfs.gdsl", "-o", "-").out
    suite.expect("profile" not in text.lower(), "a plain program does not measure itself")
    result = suite.run("./plain", KARATE, "--root=1", "--profile")
    suite.expect(result.code == 2 and "compile it with gcompile --profile" in result.err, "it says so", result)
    result = suite.run(gcompile, "run", "-O1", "--profile", EXAMPLES / "bfs.gdsl", KARATE, "--root=99", "--profile=no.json")
    suite.expect(result.code != 0 and not os.path.exists(suite.folder / "no.json"), "nothing is written on errors")


def test_picture():
    plot = harness.ROOT / "scripts" / "plot-profile"
    for example, arguments in [("bfs", ["--root=1"]), ("pagerank", [])]:
        suite.succeeds(f"profile of {example}", gcompile, "run", "-O1", EXAMPLES / f"{example}.gdsl", KARATE, "--quiet",
                       f"--profile={example}.json", *arguments)
        suite.succeeds(f"picture of {example}", plot, f"{example}.json", f"{example}.png")
        path = suite.folder / f"{example}.png"
        suite.expect(path.exists() and path.read_bytes()[:4] == b"\x89PNG" and path.stat().st_size > 2000, "a PNG")
    (suite.folder / "other.json").write_text('{"a": 1}')
    for name, reason in [("missing.json", "No such file"), ("other.json", "this is no profile")]:
        result = suite.run(plot, name, "no.png")
        suite.expect(result.code == 1 and reason in result.err and "Traceback" not in result.err, name, result)


test_rounds()
test_other_kernels()
test_text()
test_answers()
test_without()
test_picture()
suite.finish()
