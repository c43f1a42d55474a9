"""Programs with a form for the CPU and one for the GPU: on either side, and over from one to the other, they give what
the oracle says; they start no GPU that is not worth it, and do without one. Every example has both forms.

usage: test_hybrid.py --build DIR --target hybrid (examples | migrate | stages | loops | sides | calibrate | printed | nvcc)"""

import concurrent.futures
import itertools
import json
import random
import shutil
import sys

import harness
from examples import EXAMPLES, SAME_AS, given, graphs

suite = harness.Suite("hybrid")
EXAMPLE_FOLDER, FOLDER = harness.ROOT / "examples", harness.ROOT / "test" / "e2e"
# One each of rounds, buckets, sums over edges, sets in loops, counts.
COMPILED = ["bfs", "sssp", "pagerank", "kcore", "triangles"]
WAYS = [(["--run-on=cpu", "--threads=3"], {}), (["--run-on=gpu"], {"GCOMPILE_EMULATION_SEED": "1"}), (["--run-on=auto"], {})]
# name: a program that goes over, and its results that are one
MIGRATING = {
    "search": ("""algorithm search(g: graph, root: vertex) {
    output parent: vertex[g] = none;
    output depth: int[g] = inf;
    output farthest: int;

    parent[root] = root;
    depth[root] = 0;
    walk: propagate u -> v from {root} where parent[v] == none {
        parent[v] = u;
        depth[v] = depth[u] + 1;
    }
    farthest = max(v in g where depth[v] < inf : depth[v]);
}
schedule search { hybrid walk { on migrate(T4 = 64); } }
""", ["depth", "farthest"]),
    # What is read and written has two copies, and the rounds are counted.
    "mass": ("""algorithm mass(g: graph, root: vertex) {
    output mass: long[g] = 0;

    for v in g { mass[v] = 7; }
    mass[root] = 1;
    propagate u -> v from {root} at most 4 rounds { mass[v] += mass[u]; }
}
schedule mass { hybrid { on migrate(T4 = 64); } }
""", ["mass"]),
    # Vertices come back.
    "nearest": ("""algorithm nearest(g: graph, root: vertex) {
    output dist: long[g] = inf;

    dist[root] = 0;
    propagate u -> v from {root} { dist[v] min= dist[u] + 1; }
    for v in g where dist[v] == inf { dist[v] = -1; }
}
schedule nearest { hybrid { on migrate(T4 = 64); } cpu { frontier hybrid; } }
""", ["dist"]),
}


def write(name, text):
    path = suite.folder / name
    path.write_text(text)
    return path


def build(path, name, *options):
    """Compiles one program; the emulation's compiler takes the printed source."""
    program = suite.folder / name
    result = suite.build_program(path, program, *options)
    suite.expect(result.code == 0 and result.err == "", f"{name} compiles", result)
    return program


def build_all(names):
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(lambda name: build(EXAMPLE_FOLDER / f"{name}.gdsl", name), names))


def check(program, name, graph, direction, way, environment, what):
    outputs = EXAMPLES[name][0]
    options = given(suite, name, graph)
    files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
    for file in files.values():
        file.unlink(missing_ok=True)
    result = suite.succeeds(what, program, graph, direction, *way, *options, "--verify",
                            *[f"--output={output}={file}" for output, file in files.items()], env=environment)
    suite.succeeds(f"check {what}", suite.oracle, "check", SAME_AS.get(name, name), graph, direction, *options,
                   *[f"{output}={file}" for output, file in files.items()])
    return result


def examples():
    chosen = [each for each in graphs(suite) if each[0] in ("kronecker", "grid", "karate-weighted")]
    for name, program in zip(COMPILED, build_all(COMPILED)):
        for graph_name, graph, _ in chosen:
            for direction in EXAMPLES[name][2]:
                for way, environment in WAYS:
                    what = f"{name} {graph_name} {direction} {way}"
                    result = check(program, name, graph, direction, way, environment, what)
                    where = "on the GPU: as --run-on says" if way == ["--run-on=gpu"] else "on the CPU: "
                    suite.expect(where in result.out, f"{what} says where it runs", result)


def migrate():
    """Rounds go over once the frontier is large and grows: with T4 = 64 on a Kronecker graph, never on a grid."""
    report = suite.folder / "report.json"
    for name, (text, outputs) in MIGRATING.items():
        program = build(write(f"{name}.gdsl", text), name)
        for graph, root, goes in (("kronecker:scale=11,degree=16,seed=3", 1, True), ("uniform:scale=11,degree=8", 5, True),
                                  ("grid:50x50", 0, False)):
            what = f"{name} {graph}"
            found = {}
            for way in (["--run-on=cpu"], ["--run-on=gpu"], ["--trials=2"]):
                files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
                result = suite.succeeds(f"{what} {way}", program, graph, f"--root={root}", *way, "--verify",
                                        f"--report={report}", *[f"--output={output}={file}" for output, file in files.items()],
                                        env={"GCOMPILE_EMULATION_SEED": "2"})
                found[way[0]] = [file.read_text() for file in files.values()]
            suite.expect(found["--run-on=cpu"] == found["--run-on=gpu"] == found["--trials=2"], f"{what}: one result")
            said = json.loads(report.read_text())
            suite.expect(said["side"] == "migrate" and said["ended_on"] == ("gpu" if goes else "cpu"), what, said)
            # Fewer than all vertices, with the values of two states.
            suite.expect(0 < said["moved_bytes"] < said["vertices"] * 16 if goes else said["moved_bytes"] == 0,
                         f"{what}: what is moved", said)
            suite.expect(("moved to the GPU" in result.out) == goes, f"{what}: says it", result)

    # The profile tells the side of each round, and what was moved for the first one on the GPU.
    program, profile = build(suite.folder / "search.gdsl", "profiled", "--profile"), suite.folder / "profile.json"
    suite.succeeds("a profile", program, "kronecker:scale=9,degree=8", "--root=1", f"--profile={profile}")
    rounds = [call for call in json.loads(profile.read_text())["calls"] if call.get("round")]
    order = [call["side"] for call in rounds]
    suite.expect(order == sorted(order) and set(order) == {"cpu", "gpu"}, "each round has its side", rounds)
    suite.expect([call["round"] for call in rounds] == list(range(1, len(rounds) + 1)), "the rounds go on", rounds)
    moved = [call["moved_bytes"] for call in rounds]
    suite.expect([bytes > 0 for bytes in moved] == [k == order.index("gpu") for k in range(len(moved))],
                 "what was moved is told once", rounds)
    shown = suite.succeeds("a profile as text", program, "kronecker:scale=9,degree=8", "--root=1", "--profile")
    suite.expect("moved" in shown.out and " gpu" in shown.out, "the text has the sides", shown)


# name: how many stages the example has
STAGES = {"apsp": 3, "boruvka": 2, "densest_subgraph": 2, "ktruss": 3, "route": 2, "scc": 3}
# Of stages_nested.gdsl: how many there are, and which are loops and choices.
NESTED_STAGES, CONDUCTED = 28, (1, 3, 5, 11, 13, 17, 21, 24)


def lists_of_sides(count, draws, drawing):
    """All lists of sides that are not all the same, or some of them."""
    every = [sides for sides in itertools.product(("cpu", "gpu"), repeat=count) if len(set(sides)) > 1]
    return every if len(every) <= draws else drawing.sample(every, draws)


def stages():
    """Each stage runs on the side that is drawn for it, and finds what the others have left."""
    drawing = random.Random(5)
    chosen = [each for each in graphs(suite) if each[0] in ("kronecker", "karate-weighted")]
    report = suite.folder / "stages.json"
    for name, program in zip(STAGES, build_all(list(STAGES))):
        count, graph = STAGES[name], chosen[0][1]
        suite.fails(f"{name}: too many sides", 2, f"--run-on: {count + 1} sides are given, and this program has {count} stages",
                    program, graph, *given(suite, name, graph), "--run-on=" + ",".join(["cpu"] * (count + 1)))
        for (graph_name, graph, _), direction in itertools.product(chosen, EXAMPLES[name][2]):
            for sides in lists_of_sides(STAGES[name], 2, drawing):
                way = ["--run-on=" + ",".join(sides), f"--report={report}"]
                result = check(program, name, graph, direction, way, {"GCOMPILE_EMULATION_SEED": str(drawing.randrange(99))},
                               f"{name} {graph_name} {direction} {way}")
                said = json.loads(report.read_text())
                suite.expect(said["side"] == "mixed" and said["stages"] == list(sides), f"{name} {sides}: the report", said)
                suite.expect("stages on the CPU and on the GPU: as --run-on says" in result.out, f"{name} says it", result)

    program = build(FOLDER / "stages_handed.gdsl", "handed")
    outputs = ["x", "near", "seen", "pairs", "once", "ratio", "first"]
    for graph in ("kronecker:scale=7,degree=8,weights=1..9", "uniform:scale=6,degree=3,weights=1..9"):
        found = {}
        for sides in ["cpu", "gpu", *(",".join(sides) for sides in lists_of_sides(6, 12, drawing))]:
            files = {output: suite.folder / f"handed-{output}.txt" for output in outputs}
            suite.succeeds(f"handed {graph} {sides}", program, graph, "--root=2", f"--run-on={sides}", "--verify", "--trials=2",
                           *[f"--output={output}={file}" for output, file in files.items()],
                           env={"GCOMPILE_EMULATION_SEED": str(drawing.randrange(99))})
            found[sides] = [file.read_text() for file in files.values()]
        for sides, values in found.items():
            suite.expect(values == found["cpu"], f"handed {graph}: {sides} gives what the CPU gives",
                         [output for output, a, b in zip(outputs, values, found["cpu"]) if a != b])

    # Of the states' blocks of 256 bytes only those are moved that have changed: here, two.
    program, profile = build(FOLDER / "stages_in_turn.gdsl", "in_turn", "--profile"), suite.folder / "in_turn.json"
    whole, two = 64 * 64 * 8, 2 * 256
    for sides, moved in (("cpu,gpu,cpu,gpu", whole + 3 * two), ("gpu,cpu,gpu,cpu", 2 * whole + two), ("gpu,gpu,gpu,cpu", whole),
                         ("cpu,cpu,gpu,gpu", whole + two), ("cpu,cpu,cpu,gpu", whole + two)):
        for seed in "1", "2":
            suite.succeeds(f"in turn {sides}", program, "grid:64x64", "--root=0", f"--run-on={sides}", "--verify", "--trials=2",
                           f"--report={report}", f"--profile={profile}", env={"GCOMPILE_EMULATION_SEED": seed})
            said = json.loads(report.read_text())
            suite.expect(said["moved_bytes"] == moved, f"in turn {sides}: {moved} bytes are moved", said)
            calls = json.loads(profile.read_text())["calls"]
            suite.expect(sum(call["moved_bytes"] for call in calls) == moved, f"in turn {sides}: and the profile has them", calls)
            suite.expect([call["start_seconds"] for call in calls] == sorted(call["start_seconds"] for call in calls),
                         "the calls are in order", calls)

    # The schedule places two stages, the others go where that is better; a profile has both sides.
    text = (FOLDER / "stages_handed.gdsl").read_text() + "schedule handed { hybrid three { on gpu; } hybrid four { on cpu; } }\n"
    placed, profile = build(write("placed.gdsl", text), "placed", "--profile"), suite.folder / "placed.json"
    result = suite.succeeds("as the schedule says", placed, "kronecker:scale=7,degree=8,weights=1..9", "--root=1", "--verify",
                            f"--report={report}", f"--profile={profile}")
    said = json.loads(report.read_text())
    suite.expect(said["side"] == "mixed" and said["side_reason"] == "as the schedule says", "the schedule's sides", said)
    suite.expect(said["stages"][2:4] == ["gpu", "cpu"], "the schedule's sides", said)
    calls = json.loads(profile.read_text())["calls"]
    suite.expect({call["side"] for call in calls} == {"cpu", "gpu"}, "each call has its side", calls)
    said = suite.succeeds("no GPU", placed, "kronecker:scale=7,degree=8,weights=1..9", "--root=1",
                          env={"GCOMPILE_EMULATION_DEVICES": "0"})
    suite.expect("on the CPU: no GPU can be used" in said.out, "then all is on the CPU", said)


def loops():
    """Statements in loops and choices run on sides of their own, and give what the CPU gives. The schedule places some."""
    drawing = random.Random(8)
    report, profile = suite.folder / "loops.json", suite.folder / "loops-profile.json"
    graphs_of = ["kronecker:scale=7,degree=8", "grid:9x7", "uniform:scale=6,degree=3", "grid:1x1"]

    def on_sides(name, outputs, count, conducted):
        """On lists of sides that are drawn, the conducted stages always on the CPU."""
        program = build(FOLDER / f"{name}.gdsl", name, "--profile")
        lists = [",".join("cpu" if k in conducted else drawing.choice(["cpu", "gpu"]) for k in range(count)) for _ in range(16)]
        for graph in graphs_of:
            found = {}
            for sides in ["cpu", "gpu", "auto", *lists]:
                files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
                suite.succeeds(f"{name} {graph} {sides}", program, graph, "--root=0", f"--run-on={sides}", "--verify", "--trials=2",
                               f"--report={report}", f"--profile={profile}",
                               *[f"--output={output}={file}" for output, file in files.items()],
                               env={"GCOMPILE_EMULATION_SEED": str(drawing.randrange(99))})
                found[sides] = [file.read_text() for file in files.values()]
                said = json.loads(report.read_text())
                if said["side"] == "mixed":
                    calls = json.loads(profile.read_text())["calls"]
                    suite.expect(said["moved_bytes"] == sum(call["moved_bytes"] for call in calls), "the profile has what is moved", said)
            for sides, values in found.items():
                suite.expect(values == found["cpu"], f"{name} {graph}: {sides} gives what the CPU gives",
                             [output for output, a, b in zip(outputs, values, found["cpu"]) if a != b])
        result = suite.succeeds("as the schedule says", program, "grid:9x7", "--root=0", "--verify", f"--report={report}")
        return program, json.loads(report.read_text())["stages"], result

    program, said, result = on_sides("stages_in_loops", ["x", "y", "seen", "k", "last"], 10, (1, 5))
    suite.expect([said[k] for k in (1, 3, 5, 6)] == ["cpu", "gpu", "cpu", "cpu"], "the schedule's sides", result)
    suite.fails("a loop on the GPU", 2, "--run-on: stage 2 is a loop whose turns the CPU counts; only stages in it can be on the GPU",
                program, "grid:9x7", "--root=0", "--run-on=" + ",".join(["cpu", "gpu"] * 5))
    program, said, result = on_sides("stages_nested", ["x", "y", "depth", "k", "last"], NESTED_STAGES, CONDUCTED)
    suite.expect([said[k] for k in (4, 6, 8)] == ["gpu", "cpu", "gpu"] and all(said[k] == "cpu" for k in CONDUCTED),
                 "the schedule's sides", result)
    suite.fails("a choice on the GPU", 2, "--run-on: stage 6 is a choice that the CPU makes; only stages in it can be on the GPU",
                program, "grid:9x7", "--root=0", "--run-on=" + ",".join("gpu" if k == 5 else "cpu" for k in range(NESTED_STAGES)))

    # In each turn, two values change on either side: of the blocks, these are moved.
    text = """algorithm few(g: graph, root: vertex) {
    output x: long[g] = 0;

    all: for u -> v { x[v] += 1; }
    repeat 5 {
        here: for u -> v from {root} { x[v] += 10; }
        there: for u -> v from {root} { x[v] += 100; }
    }
}
schedule few { hybrid all { on cpu; } hybrid here { on cpu; } hybrid there { on gpu; } }
"""
    few = build(write("few.gdsl", text), "few")
    suite.succeeds("few", few, "grid:64x64", "--root=0", "--verify", "--trials=2", f"--report={report}")
    said = json.loads(report.read_text())
    suite.expect(said["moved_bytes"] == 64 * 64 * 8 + 9 * 2 * 256, "whole once, then two blocks nine times", said)


def sides():
    """Where a program runs, by itself and as it is told."""
    bfs = build(EXAMPLE_FOLDER / "bfs.gdsl", "sides-bfs")
    karate = EXAMPLE_FOLDER / "data" / "karate.el"
    report = suite.folder / "sides.json"

    def side(*options, program=bfs, **environment):
        parameters = ["--root=1"] if program == bfs else []
        suite.succeeds(f"sides {options} {environment}", program, karate, *parameters, f"--report={report}", *options,
                       "--verify", env=environment)
        said = json.loads(report.read_text())
        return said["side"], said["side_reason"]

    suite.expect(side(GCOMPILE_EMULATION_DEVICES="-1")[0] == "cpu", "a small graph does not even ask for a GPU")
    suite.expect(side("--run-on=cpu", GCOMPILE_EMULATION_DEVICES="-1") == ("cpu", "as --run-on says"), "nor does --run-on=cpu")
    suite.expect(side("--run-on=gpu") == ("gpu", "as --run-on says"), "--run-on=gpu")
    said = side("--trials=3", "--run-on=migrate")
    suite.expect(said == ("migrate", "as --run-on says"), "--run-on=migrate", said)
    # Much work, as far as the compiler can tell.
    text = "for v in g { x[v] = 1; }"
    for _ in range(9):
        text = "repeat 1 { for v in g { x[v] += sum(u -> v : 1); } " + text + " }"
    busy = build(write("busy.gdsl", "algorithm busy(g: graph) {\n    output x: long[g] = 0;\n    " + text + "\n}\n"), "busy")
    suite.expect(side(program=busy) == ("gpu", "the graph is large"), "much work goes to the GPU")
    said = side(program=busy, GCOMPILE_EMULATION_DEVICES="0")
    suite.expect(said == ("cpu", "no GPU can be used: no CUDA-capable device is detected"), "but needs none", said)
    said = side(program=busy, GCOMPILE_EMULATION_MEMORY="500")
    suite.expect(said[0] == "cpu" and "out of memory on the GPU" in said[1], "and it has to fit there", said)
    # Little to do in each turn, however many there are.
    nearest = build(write("nearest.gdsl", """algorithm nearest(g: graph) {
    output dist: int[g] = 7;
    done: bool[g] = false;
    repeat {
        let u = argmin(v in g where !done[v] : dist[v]);
        if u == none { break; }
        done[u] = true;
        for u -> v where !done[v] { dist[v] min= dist[u] + 1; }
    }
}
"""), "nearest")
    said = side(program=nearest)
    suite.expect(said == ("cpu", "each turn of a loop goes along one list, which gives a GPU little to do"), "one list", said)
    suite.expect(side("--run-on=gpu", program=nearest)[0] == "gpu", "unless one asks for it")
    suite.fails("nothing goes over", 2, "--run-on=migrate: no statement of this program can go over from the CPU to the GPU",
                busy, karate, "--run-on=migrate")
    suite.fails("no GPU", 2, "no GPU can be used: no CUDA-capable device is detected", bfs, karate, "--root=1",
                "--run-on=gpu", env={"GCOMPILE_EMULATION_DEVICES": "0"})
    suite.fails("no such side", 2, "--run-on is cpu, gpu, migrate or auto, not 'moon'", bfs, karate, "--root=1", "--run-on=moon")
    omp = suite.folder / "omp-bfs"
    suite.succeeds("bfs for the CPU alone", suite.gcompile, *suite.QUICK, EXAMPLE_FOLDER / "bfs.gdsl", "-o", omp)
    suite.fails("one form", 2, "--run-on: this program has one form only; compile it with gcompile --target=hybrid", omp,
                karate, "--root=1", "--run-on=gpu")


def calibrate():
    """Measures the machine once; programs choose by what they find in the file, and say when it is damaged."""
    cache = suite.folder / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    own = {"XDG_CACHE_HOME": str(cache)}
    bfs, karate = build(EXAMPLE_FOLDER / "bfs.gdsl", "calibrated"), EXAMPLE_FOLDER / "data" / "karate.el"
    result = suite.succeeds("calibrate", bfs, "--calibrate", env=own)
    kept = list((cache / "gcompile").glob("rates-*.json"))
    suite.expect(len(kept) == 1 and f"kept in {kept[0]}" in result.out, "one file", result)
    rates = json.loads(kept[0].read_text())
    suite.expect(len(rates) == 7 and all(rate > 0 for rate in rates.values()), "what it keeps", rates)

    report = suite.folder / "calibrated.json"
    for changed, side in (({"gpu_start": 1e-12, "moved_byte": 1e-20, "gpu_arc": 1e-20}, "gpu"), ({"gpu_arc": 1.0}, "cpu")):
        kept[0].write_text(json.dumps({**rates, **changed}))
        suite.succeeds(f"with {changed}", bfs, karate, "--root=1", f"--report={report}", env=own)
        suite.expect(json.loads(report.read_text())["side"] == side, f"{changed}: on the {side}")
    kept[0].write_text("{}")
    suite.fails("a damaged file", 2, f"{kept[0]}: no 'gpu_start' above 0 is in it; remove the file, or measure again with "
                "--calibrate", bfs, karate, "--root=1", env=own)
    suite.succeeds("it is not read where the side is known", bfs, karate, "--root=1", "--run-on=cpu", env=own)
    suite.fails("no GPU", 2, "--calibrate: no GPU can be used: no CUDA-capable device is detected", bfs, "--calibrate", env={**own, "GCOMPILE_EMULATION_DEVICES": "0"})
    suite.fails("a graph", 2, f"--calibrate takes no graph, and '{karate}' was given", bfs, karate, "--calibrate", env=own)
    omp = suite.folder / "omp-calibrated"
    suite.succeeds("bfs for the CPU alone", suite.gcompile, *suite.QUICK, EXAMPLE_FOLDER / "bfs.gdsl", "-o", omp)
    suite.fails("one form", 2, "--calibrate: this program has one form only; compile it with gcompile --target=hybrid", omp, "--calibrate", env=own)


def printed():
    """Every example has both forms."""
    for path in sorted(EXAMPLE_FOLDER.glob("*.gdsl")):
        result = suite.run(suite.gcompile, "--target=hybrid", "--emit=source", "-o", "-", path)
        suite.expect(result.code == 0 and "namespace on_cpu" in result.out and "namespace on_gpu" in result.out,
                     f"{path.name} is printed", result)
        explained = suite.run(suite.gcompile, "--target=hybrid", "--explain", path)
        suite.expect(explained.code == 0 and "runs on" in explained.out, f"{path.name} is explained", explained)


def nvcc():
    """The compiler of users takes both forms; where the machine has no GPU, what it makes runs on the CPU."""
    if not any(shutil.which(name) for name in ("nvcc", "/usr/local/cuda/bin/nvcc")):
        print("skipped: nvcc is not installed")
        sys.exit(77)
    program = suite.folder / "apsp-nvcc"
    quick = ("-O0", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32", "--cxx-flag=-DGCOMPILE_WITHOUT_SERIAL")
    suite.succeeds("nvcc", suite.gcompile, "--target=hybrid", *quick, EXAMPLE_FOLDER / "apsp.gdsl", "-o", program, timeout=600)
    _, karate, _ = next(each for each in graphs(suite) if each[0] == "karate-weighted")
    dist = suite.folder / "nvcc-dist.txt"
    result = suite.succeeds("what nvcc has made", program, karate, "--undirected", f"--output=dist={dist}")
    suite.expect("on the CPU: the graph is too small" in result.out, "it runs without a GPU", result)
    suite.succeeds("its result", suite.oracle, "check", "apsp", karate, "--undirected", f"dist={dist}")
    nested = suite.folder / "nested-nvcc"
    suite.succeeds("nvcc, of stages in loops", suite.gcompile, "--target=hybrid", *quick, FOLDER / "stages_nested.gdsl", "-o", nested,
                   timeout=600)
    suite.succeeds("what nvcc has made", nested, "grid:9x7", "--root=0", "--run-on=cpu")


for case in suite.cases:
    {"examples": examples, "migrate": migrate, "stages": stages, "loops": loops, "sides": sides, "calibrate": calibrate, "printed": printed, "nvcc": nvcc}[case]()
suite.finish()
