"""Graphs that do not fit into the memory that a program may use: the results are right, memory stays below the limit,
and what cannot be is said. Every example is streamed by test_examples."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import harness

suite = harness.Suite("streamed")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
bfs, pagerank = suite.programs / "bfs", suite.programs / "pagerank"
SPEC = "kronecker:scale=17,degree=24"
graph, directed = suite.folder / "graph.gcsr", suite.folder / "directed.gcsr"

# Built in little memory, it is the same file.
suite.succeeds("convert", suite.gcompile, "convert", SPEC, graph)
outside = suite.folder / "outside.gcsr"
suite.succeeds("convert in little memory", suite.gcompile, "convert", SPEC, outside, "--memory=130MiB")
suite.expect(graph.read_bytes() == outside.read_bytes(), "the files are the same")
outside.unlink()

# Streamed results are those in memory; what the process has in memory stays below the limit.
limit = 24
size = graph.stat().st_size
for name, program, options in (("depth", bfs, ["--root=1"]), ("rank", pagerank, ["--rounds=5", "--tolerance=0"])):
    results = {}
    for memory in ([], [f"--memory={limit}MiB"]):
        result, report = suite.folder / "result.txt", suite.folder / "report.json"
        suite.succeeds(f"{name} {memory}", program, graph, "--threads=2", *options, *memory, "--quiet",
                       f"--report={report}", f"--output={name}={result}")
        streamed = json.loads(report.read_text()).get("streamed")
        suite.expect(bool(streamed) == bool(memory), f"{name} {memory}: streamed where it does not fit", streamed)
        if streamed:
            suite.expect(streamed["peak_bytes"] < limit << 20, f"{name} stays below {limit} MiB", streamed)
            suite.expect(streamed["read_bytes"] > 0, f"{name} reads", streamed)
        results[bool(memory)] = [line.split() for line in result.read_text().splitlines()]
    close = all(a[0] == b[0] and (a == b or abs(float(a[1]) - float(b[1])) <= 1e-9 * abs(float(b[1])))
                for a, b in zip(results[False], results[True]))
    suite.expect(close and len(results[False]) == len(results[True]), f"{name} is the same streamed")

# What goes by priorities reads the file in passes, not a block for each list.
weighted = suite.folder / "weighted.gcsr"
suite.succeeds("convert with weights", suite.gcompile, "convert", "kronecker:scale=15,degree=24,weights=1..255", weighted)
answers = {}
for where in (None, "65536:32"):
    report, result = suite.folder / "report.json", suite.folder / "dist.txt"
    suite.succeeds(f"sssp {where}", suite.programs / "sssp", weighted, "--source=1", "--threads=2", "--quiet", f"--report={report}",
                   f"--output=dist={result}",
                   env={"GCOMPILE_STREAM": where} if where else {})
    answer = json.loads(report.read_text())
    answers[where] = answer["traversed_edges"], result.read_text()
passes = answer["streamed"]["read_bytes"] / weighted.stat().st_size
suite.expect(passes < 16, "shortest paths in few passes over the file", passes)
suite.expect(answers[None] == answers["65536:32"], "shortest paths are the same streamed")

# What cannot be.
suite.fails("too little memory", 2, "...the program's data and the offsets need about", pagerank, graph,
            "--memory=12MiB")
suite.fails("weights", 2, "...'gcompile convert --weights'", bfs, graph, "--root=1", f"--memory={limit}MiB",
            "--weights=1..9")
suite.succeeds("convert directed", suite.gcompile, "convert", SPEC + ",directed=true", directed)
suite.fails("edges into vertices", 2, "...'gcompile convert --in-edges'", bfs, directed, "--root=1",
            f"--memory={limit // 2}MiB")
suite.fails("no GPU", 2, "--device-memory: this program does not run on a GPU", bfs, graph, "--root=1",
            "--device-memory=1GiB")
suite.fails("a size", 2, "--memory needs a size such as 2GiB, 512MiB or 64KiB, not '2GB'", bfs, graph, "--root=1",
            "--memory=2GB")

# A file that becomes shorter while the program runs: an error, and no result.
result = suite.folder / "cut.txt"
process = subprocess.Popen([pagerank, graph, f"--memory={limit}MiB", "--rounds=100000", "--tolerance=0", "--quiet",
                            f"--output=rank={result}"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
time.sleep(1)
os.truncate(graph, size // 2)
_, errors = process.communicate(timeout=60)
suite.expect(process.returncode == 2 and errors.startswith(f"error: {graph}: "), "a file that becomes shorter", errors)
suite.expect(not result.exists(), "there is no result")

# A conversion that is killed leaves no file that looks whole; the next one removes what it left.
made = suite.folder / "killed.gcsr"
for wait, how in ((0.05, signal.SIGKILL), (0.3, signal.SIGTERM), (0.6, signal.SIGKILL), (1.0, signal.SIGKILL)):
    process = subprocess.Popen([suite.gcompile, "convert", "kronecker:scale=18,degree=24", made],
                               env={**os.environ, "GCOMPILE_STREAM": "65536:64"}, stdin=subprocess.DEVNULL)
    time.sleep(wait)
    if process.poll() is None:
        process.send_signal(how)
        process.wait()
        suite.expect(not made.exists(), f"{how} after {wait} s: there is no file")
    made.unlink(missing_ok=True)
suite.succeeds("convert again", suite.gcompile, "convert", "path:100", made)
left = sorted(path.name for path in pathlib.Path(suite.folder).glob(".gcompile-*"))
suite.expect(not left, "nothing is left", left)
suite.finish()
