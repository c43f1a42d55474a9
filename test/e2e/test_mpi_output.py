"""Results that all ranks write into one file: the lines of one machine, whatever the number of ranks; where a rank cannot write,
all end with one message, and the file is what it was.

usage: test_mpi_output.py --build DIR (written | written_edges | each | cannot_write)"""

import json
import os

import harness
from ranks import ENVIRONMENT, KARATE, START, build, mpirun, run, suite, threads, write

RANKS = (1, 2, 3, 4, 8)
PROGRAM = """algorithm shows(g: graph) {
    output number: long[g];
    output far: double[g];
    output next: vertex[g] = none;
    output pairs: int[g, g];
    output total: long;
    for v in g {
        number[v] = v.out_degree * 12345;
        far[v] = if v.out_degree == 0 then inf else 1.0 / v.out_degree;
        if v.out_degree > 2 { next[v] = v; }
    }
    for i, j in g { pairs[i, j] = i.out_degree * 100 + j.out_degree; }
    total = sum(v in g : v.out_degree);
}
"""
# Values of edges, and edges as values, which are those of other ranks, too.
EDGES = """algorithm edges(g: graph) {
    output sides: int[g.edges];
    output marked: (bool, edge)[g.edges] = (false, none);
    output into: edge[g] = none;
    output both: edge[g, g] = none;
    output best: edge = none;
    for e: u -> v { sides[e] = u.out_degree * 100 + v.out_degree; }
    for v in g { into[v] = argmax(e: u -> v : (hash(u) % 1000) + 1); }
    for e: u -> v where u.out_degree > 1 { marked[e] = (v.out_degree > 1, e); }
    for i, j in g { both[i, j] = into[i]; }
    best = argmax(e: u -> v : (hash(u) % 1000) * 1000 + (hash(v) % 1000));
}
"""
EDGE_OUTPUTS = ("sides", "marked", "into", "both", "best")
OUTPUTS = ("number", "far", "next", "pairs", "total")


def program():
    source = suite.folder / "shows.gdsl"
    source.write_text(PROGRAM)
    return build(source, "shows")


def written():
    """Files, files that exist, links and other names of them, standard output; fewer vertices than ranks."""
    shows = program()
    few = write("few.el", [(3, 9), (9, 3), (9, 9)])
    texts = write("texts.el", [(f"n{v}", f"m{v * v % 7}") for v in range(9)])
    for graph, options in ((KARATE, ()), (few, ()), (texts, ()), (KARATE, ("--partition=scotch",))):
        wanted, summaries = None, None
        for ranks in RANKS:
            if options and ranks == 1:
                continue
            files = {name: suite.folder / f"{name}.txt" for name in OUTPUTS}
            files["number"].write_text("it was longer before\n" * 50)
            other = suite.folder / "other name"
            other.unlink(missing_ok=True)
            os.link(files["number"], other)
            result = mpirun(ranks, shows, graph, threads(ranks), "--quiet", *options, *(f"--output={n}={f}" for n, f in files.items()))
            what = f"{graph.name} {options} on {ranks} ranks"
            suite.expect(result.code == 0 and result.err == "" and result.out == "", what, result)
            texts_now = {name: file.read_text() for name, file in files.items()}
            if not options:
                wanted = wanted or texts_now
                suite.expect(texts_now == wanted, f"{what}: the same files")
            told = mpirun(ranks, shows, graph, *options)
            lines = [line for line in told.out.splitlines() if line.startswith(tuple(f"{name}: " for name in OUTPUTS))]
            summaries = summaries or lines
            suite.expect(len(lines) == len(OUTPUTS) and lines == summaries, f"{what}: the summary, {summaries}", told)
            suite.expect(other.read_text() == texts_now["number"], f"{what}: the file's other name")
            suite.expect(not list(suite.folder.glob(".*")), f"{what}: nothing temporary stays")
            for name in ("number", "pairs"):
                result = mpirun(ranks, shows, graph, "--quiet", *options, f"--output={name}=-")
                suite.expect(result.out == texts_now[name], f"{what}: standard output", result)
        if wanted:
            lines = wanted["number"].splitlines()
            suite.expect(len(lines) == len({line.split()[0] for line in lines}) == wanted["far"].count("\n"), "a line a vertex")
            suite.expect(wanted["pairs"].count("\n") == len(lines) ** 2, "a line a pair")


def edges():
    """Results with edges: each rank asks others for the ends of those that it has not."""
    source = suite.folder / "edges.gdsl"
    source.write_text(EDGES)
    shows = build(source, "edges")
    parallel = write("parallel.el", [(v % 7, v * v % 5 + 3) for v in range(60)])
    for graph, options in ((KARATE, ()), (KARATE, ("--undirected",)), (parallel, ("--duplicates=keep",)), ("kronecker:scale=7,degree=4", ()),
                           (write("few.el", [(3, 9), (9, 3), (9, 9)]), ())):
        files = {name: suite.folder / f"{name}.txt" for name in EDGE_OUTPUTS}
        given = [*options, "--quiet", *(f"--output={n}={f}" for n, f in files.items())]
        suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", source, graph, *given)
        wanted = {name: file.read_text() for name, file in files.items()}
        suite.expect(wanted["into"].count("\n") > wanted["into"].count("none none\n") and wanted["marked"].count("true") > 0 or "few" in str(graph),
                     f"{graph} has edges", wanted["into"])
        for ranks in RANKS:
            what = f"{graph} {options} on {ranks} ranks"
            for file in files.values():
                file.unlink()
            result = mpirun(ranks, shows, graph, *given, threads(ranks))
            suite.expect(result.code == 0 and result.err == "", what, result)
            for name, file in files.items():
                suite.expect(file.read_text() == wanted[name], f"{what}: the same {name}")
            told = mpirun(ranks, shows, graph, *options, "--output=into=-")
            best = next((line for line in told.out.splitlines() if line.startswith("best: ")), "")
            suite.expect(told.code == 0 and wanted["into"] in told.out and best == "best: " + wanted["best"].strip(), f"{what}: told", told)
    # No rank has the whole graph for that.
    report, kept = suite.folder / "report.json", []
    for more in ((), [f"--output={n}={f}" for n, f in files.items() if n != "both"]):
        suite.expect(mpirun(4, shows, "kronecker:scale=9,degree=9", "--quiet", f"--report={report}", *more).code == 0, "a report")
        kept.append(json.loads(report.read_text())["graph_bytes"])
    suite.expect(kept[0] == kept[1], f"what a rank keeps of the graph without and with results with edges: {kept}")


def each():
    """One run after the other on a graph that is loaded once: a file for each value."""
    bfs = build(harness.ROOT / "examples" / "bfs.gdsl", "bfs")
    roots = ("1", "9", "34")
    alone = {}
    for root in roots:
        file = suite.folder / "alone.txt"
        suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", harness.ROOT / "examples" / "bfs.gdsl", KARATE, f"--root={root}",
                       "--quiet", f"--output=depth={file}")
        alone[root] = file.read_text()
    for ranks in RANKS:
        result = mpirun(ranks, bfs, KARATE, "--each", f"root={','.join(roots)}", "--verify", "--trials=2", threads(ranks),
                        f"--output=depth={suite.folder}/depth-{{root}}.txt")
        suite.expect(result.code == 0 and all(result.out.count(f"root={root}: ") == 1 for root in roots), f"each root on {ranks} ranks", result)
        for root in roots:
            file = suite.folder / f"depth-{root}.txt"
            suite.expect(file.exists() and file.read_text() == alone[root], f"root {root} on {ranks} ranks")
            file.unlink(missing_ok=True)


def cannot_write():
    """A rank whose files may not grow is a rank whose disk is full."""
    shows = program()
    graph = write("many.el", [(1000 + v, 1000 + (v * 7 + 1) % 1500) for v in range(1500)])
    file = suite.folder / "pairs.txt"
    command = (shows, graph, "--quiet", f"--output=pairs={file}")
    # Less than the file, and more than MPI itself writes.
    limited = ("sh", "-c", 'ulimit -f 32000; exec "$0" "$@"')
    for before in (None, "as it was\n"):
        for full in (1, 2):
            file.unlink(missing_ok=True)
            if before:
                file.write_text(before)
            start = [*START, str(full), "-q", *command, ":", "-n", "1", *limited, *command]
            if full == 1:
                start += [":", "-n", "1", *command]
            result = suite.run(*start, env=ENVIRONMENT)
            errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
            suite.expect(result.code == 2 and errors == [f"error: {file}: cannot be written: File too large (on rank {full} of 3)"],
                         f"rank {full} cannot write", result)
            suite.expect((file.read_text() if file.exists() else None) == before, "the file is what it was")
            suite.expect(sorted(each.name for each in suite.folder.iterdir() if "pairs" in each.name)
                         == (["pairs.txt"] if before else []), "nothing temporary stays")


run({"written": written, "written_edges": edges, "each": each, "cannot_write": cannot_write})
