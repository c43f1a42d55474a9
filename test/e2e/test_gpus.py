"""Programs for several GPUs: on 1, 2, 3 and 5 devices of the emulation they give right answers, on graphs with fewer
vertices than devices too; more devices than there are and failures are said once; what cannot run in parts is refused.

usage: test_gpus.py --build DIR (EXAMPLE | errors | parts | segments | programs | nvcc)..."""

import json
import math
import shutil
import sys

import examples
import harness

suite = harness.Suite("gpus", shared=True)
EXAMPLES = harness.ROOT / "examples"
KARATE = EXAMPLES / "data" / "karate.el"
# Their loops have a turn for each vertex, in which all devices meet: larger graphs take minutes.
TURNS = {"betweenness", "dijkstra", "dominating_set", "prim", *examples.DENSE}


def emulated(devices, seed=1):
    return {"GCOMPILE_EMULATION_DEVICES": str(devices), "GCOMPILE_EMULATION_SEED": str(seed)}


def build(path, name):
    program = suite.folder / name
    result = suite.build_program(path, program)
    suite.expect(result.code == 0 and result.err == "", f"{path.name} compiles", result)
    return program


def compare(name):
    outputs, parameters, directions, reads_weights = examples.EXAMPLES[name]
    program = build(EXAMPLES / f"{name}.gdsl", name)
    small = suite.folder / "line.wel"
    small.write_text("0 1 3\n1 2 3\n")
    report = suite.folder / f"{name}.json"
    counts = {"kronecker": (1, 2, 3), "uniform": (2, 5), "grid": (3,), "path-star": (5,), "karate-weighted": (2, 5), "line": (3,)}
    if name in TURNS:
        counts = {"karate-weighted": (1, 2, 5), "line": (3,)}
    for shape, graph, weighted in [*examples.graphs(suite), ("line", small, True)]:
        if shape not in counts or (reads_weights and not weighted):
            continue
        for direction in directions:
            options = examples.given(suite, name, graph)
            wide = suite.wide if shape == "uniform" else []
            for devices in counts[shape]:
                what = f"{name} {shape} {direction} on {devices} GPUs"
                files = {output: suite.folder / f"{name}-{output}.txt" for output in outputs}
                for file in files.values():
                    file.unlink(missing_ok=True)
                result = suite.succeeds(what, program, graph, direction, *options, *wide, f"--gpus={devices}", "--trials=2",
                                        "--verify", f"--report={report}",
                                        *[f"--output={output}={file}" for output, file in files.items()],
                                        env=emulated(devices, devices))
                if result.code != 0:
                    continue
                suite.expect("verified" in result.out and result.err == "", f"{what}: is verified", result)
                suite.expect(json.loads(report.read_text())["gpus"] == devices, f"{what}: the report tells the GPUs")
                suite.succeeds(f"check {what}", suite.oracle, "check", examples.SAME_AS.get(name, name), graph,
                               direction, *options, *[f"{output}={file}" for output, file in files.items()])


def errors():
    program = build(EXAMPLES / "bfs.gdsl", "bfs")
    suite.fails("more devices than there are", 2, "--gpus=3: this machine has 2 GPUs", program, KARATE, "--root=1",
                "--gpus=3", env=emulated(2))
    suite.fails("no device", 2, "...no CUDA device can be used", program, KARATE, "--root=1", env=emulated(0))
    suite.fails("no number", 2, "--gpus needs a positive number, not '0'", program, KARATE, "--root=1", "--gpus=0")
    report = suite.folder / "all.json"
    suite.succeeds("all devices", program, KARATE, "--root=1", f"--report={report}", env=emulated(3))
    suite.expect(json.loads(report.read_text())["gpus"] == 3, "all devices are used where nobody says how many")
    suite.fails("little memory", 2, "...out of memory on the GPU", program, KARATE, "--root=1",
                env={**emulated(3), "GCOMPILE_EMULATION_MEMORY": "16384"})

    suite.succeeds("one root after another", program, KARATE, "--each=root=1,9,34", "--verify", "--gpus=2", env=emulated(3))

    # One device alone fails, or all of them do; the others wait for it in another kernel.
    source = suite.folder / "divide.gdsl"
    source.write_text("algorithm divide(g: graph, by: int) {\n    output x: int[g] = 0;\n"
                      "    for v in g { x[v] = 100 / (v.out_degree - by); }\n    total: long;\n    total = sum(v in g : x[v]);\n"
                      "    for v in g { x[v] = int(total); }\n}\n")
    program = build(source, "divide")
    graph = suite.folder / "divide.el"
    graph.write_text("".join(f"{u} {v}\n" for u in range(40) for v in range(40) if u != v and (u != 7 or v != 9)))
    for by, what in ((38, "one device"), (39, "all devices")):
        suite.fails(f"an exception on {what}", 3, "divide.gdsl:3: division by zero", program, graph, f"--by={by}",
                    env=emulated(4, by))
    suite.succeeds("no exception", program, graph, "--by=3", "--verify", env=emulated(4))
    suite.fails("a program for one GPU", 2, "...--gpus: this program does not run on several GPUs", suite.gcompile, "run",
                "--target=serial", EXAMPLES / "bfs.gdsl", KARATE, "--root=1", "--gpus=2")


def programs():
    """What the compiler takes and refuses."""
    for path in sorted(EXAMPLES.glob("*.gdsl")):
        result = suite.run(suite.gcompile, "--target=gpus", "--emit=source", "-o", "-", path)
        suite.expect(result.code == 0, f"{path.name} is compiled", result)
    suite.fails("a profile", 2, "...--profile is for", suite.gcompile, "--target=gpus", "--profile", EXAMPLES / "bfs.gdsl")
    # Ordered propagates beside each other, values that are compared together, vertices that become active alone, and what
    # rounds read at other ends while they change it.
    source = suite.folder / "several.gdsl"
    source.write_text("""algorithm several(g: graph<weight: int>, root: vertex) {
    output a: int[g] = inf;
    output b: int[g] = inf;
    output least: int[g] = inf;
    output whose: vertex[g] = none;
    output seen: bool[g] = false;
    output hops: int[g] = inf;
    a[root] = 0;
    b[root] = 0;
    propagate e: u -> v from {root} ordered by a { a[v] min= a[u] + e.weight; }
    propagate e: u -> v from {root} ordered by b { b[v] min= b[u] + e.weight + 1; }
    for u -> v from {w in g where w.out_degree > 3} { (least[v], whose[v]) min= (u.out_degree, u); }
    propagate u -> v from {root} where !seen[v] { seen[v] = true; }
    hops[root] = 0;
    propagate u -> v from {root} where hops[v] > 2 { hops[v] min= hops[u] + 1; }
}
""")
    program = build(source, "several")
    for graph, direction in ((KARATE, "--undirected"), ("uniform:scale=8,degree=3", "--directed"), ("grid:9x14", "--undirected")):
        for devices in (2, 3):
            result = suite.succeeds(f"several on {graph}", program, graph, "--weights=1..9", "--root=3", direction,
                                    f"--gpus={devices}", "--verify", env=emulated(devices, devices))
            suite.expect("verified: 6 outputs" in result.out, "all of them are verified", result)
    explained = suite.succeeds("what is sent", suite.gcompile, "--target=gpus", "--explain", EXAMPLES / "bfs.gdsl")
    suite.expect("sends 'parent', 'depth' to its owner" in explained.out, "--explain says what is sent", explained)


def parts():
    """What devices ask of each other: sets, lists of neighbours, pairs, arrays, values of edges."""
    line = suite.folder / "parts.wel"
    line.write_text("0 1 3\n1 0 6\n1 2 3\n3 1 2\n")  # fewer vertices than devices
    folder = harness.ROOT / "test" / "e2e"
    for name in ("sets", "lists", "pairs", "counted", "edge_values", "edges_of_copies", "edges_given_again", "edges_on_host"):
        path = "in_parts" if name in ("sets", "lists", "pairs", "counted") else "edge_values"
        program = suite.folder / name
        result = suite.build_program(folder / f"{path}.gdsl", program, f"--algorithm={name}")
        if not suite.expect(result.code == 0 and result.err == "", f"{name} compiles", result):
            continue
        count = len(harness.outputs_of(folder / f"{path}.gdsl", name))
        for graph, direction, all_devices in (("uniform:scale=6,degree=5,weights=1..9", "--directed", (1, 2, 3)),
                                              ("uniform:scale=5,degree=3,weights=1..9", "--undirected", (2, 5)), (line, "--directed", (3, 5))):
            given = ([] if name == "lists" else ["--root=1"]) + (["--some=1,3"] if name in ("sets", "lists", "counted") else [])
            for devices in all_devices:
                what = f"{name} of {graph} {direction} on {devices} GPUs"
                result = suite.succeeds(what, program, graph, direction, *given, f"--gpus={devices}", "--trials=2", "--verify",
                                        env=emulated(devices, devices))
                suite.expect(f"verified: {count} output" in result.out, f"{what}: is verified", result)


def segments():
    """From the third turn on, devices go by segments where that pays. Nothing else changes: whole numbers, minima and
    maxima are those of one thread, and real sums but for rounding."""
    source = suite.folder / "gathers.gdsl"
    # 64 bytes are read of each source: 16384 of them take a quarter of the emulated second-level cache.
    source.write_text("""algorithm gathers(g: graph, rounds: int) {
    output x: double[g] = 1;
    output y: long[g] = 0;
    output least: long[g] = inf;
    output most: float[g] = 0;
    a: long[g]; b: long[g]; c: long[g]; d: long[g]; e: long[g]; f: long[g]; h: double[g];
    for v in g { a[v] = v.out_degree; b[v] = v.in_degree; c[v] = 3; d[v] = 4; e[v] = v.in_degree % 5; f[v] = 1; }
    repeat rounds {
        for v in g { h[v] = 0.1 + x[v]; f[v] = (f[v] + y[v]) % 100; }
        for v in g { x[v] = 0.1 * sum(u -> v : h[u] + a[u] + b[u] + c[u] + d[u] + e[u] + f[u] + y[u] % 7) / (v.in_degree + 1); }
        for v in g { y[v] = sum(u -> v : a[u] + b[u] * c[u] + d[u] + e[u] + f[u] + y[u] % 5); }
        for v in g { least[v] = min(u -> v : f[u]); }
        for v in g { most[v] = max(u -> v : float(f[u])); }
    }
}
""")
    program = build(source, "gathers")
    hubs = suite.folder / "hubs.el"  # most arcs go into two vertices, and none into the last third
    hubs.write_text("".join(f"{u} {v}\n" for u in range(900) for v in (7, 599, u * 7 % 600, u * 11 % 600)))
    outputs = ("x", "y", "least", "most")
    for graph, rounds, devices in (("uniform:scale=15,degree=8", 3, (1, 3)), (hubs, 7, (1, 2, 3, 5)), ("grid:3x1", 5, (5,))):
        given = [graph, "--directed", f"--rounds={rounds}", "--quiet"]
        expected, found = ({output: suite.folder / f"{output}.{kind}" for output in outputs} for kind in ("one", "several"))
        suite.succeeds("one thread", suite.gcompile, "run", "--target=serial", "-O0", source, *given,
                       *[f"--output={output}={file}" for output, file in expected.items()])
        for count in devices:
            what = f"{graph} on {count} GPUs"
            suite.succeeds(what, program, *given, f"--gpus={count}", "--trials=1", timeout=200,
                           *[f"--output={output}={file}" for output, file in found.items()], env=emulated(count, count))
            for output in outputs:
                pairs = zip(*(files[output].read_text().split() for files in (expected, found)), strict=True)
                suite.expect(all(a == b or output == "x" and math.isclose(float(a), float(b), rel_tol=1e-9) for a, b in pairs),
                             f"{what}: the same {output}")
    # What says that they go by segments: they take memory in the third turn.
    peaks = []
    for rounds in (2, 3):
        report = suite.folder / "peak.json"
        suite.succeeds("memory", program, "uniform:scale=15,degree=8", "--directed", f"--rounds={rounds}", "--trials=1", "--quiet",
                       "--gpus=2", "--device-memory=1GiB", f"--report={report}", timeout=200, env=emulated(2))
        peaks.append(json.loads(report.read_text())["device_memory"]["peak_bytes"])
    suite.expect(peaks[1] - peaks[0] > 8 * 2**17, f"segments take memory: {peaks}")


def nvcc():
    """The compiler of users takes what is printed, without a warning."""
    if not any(shutil.which(name) for name in ("nvcc", "/usr/local/cuda/bin/nvcc")):
        print("skipped: nvcc is not installed")
        sys.exit(77)
    quick = ("-O0", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32", "--cxx-flag=-DGCOMPILE_WITHOUT_SERIAL",
             "--cxx-flag=-Werror=all-warnings")
    # Between them: records, sets and their members, values of edges, pairs, arrays, levels and segments.
    for name, *options in (("sssp", "--weights=1..9", "--source=1"), ("scc",), ("ktruss", "--undirected"), ("apsp", "--weights=1..9"), ("pagerank",),
                           ("counted", "--weights=1..9", "--root=1")):
        program, source = suite.folder / f"{name}-nvcc", EXAMPLES / f"{name}.gdsl"
        which = [source] if source.exists() else [harness.ROOT / "test" / "e2e" / "in_parts.gdsl", f"--algorithm={name}"]
        suite.succeeds(f"nvcc {name}", suite.gcompile, "--target=gpus", *quick, *which, "-o", program, timeout=600)
        result = suite.run(program, KARATE, *options)
        suite.expect(result.code in (0, 2), f"{name} runs, or says that there is no GPU", result)


for name in suite.cases:
    {"errors": errors, "parts": parts, "programs": programs, "segments": segments, "nvcc": nvcc}.get(name, lambda name=name: compare(name))()
suite.finish()
