"""Texts of which each rank reads a range, and graphs of which it makes a part: the graph is that of one machine, whatever the number of ranks, and
what is wrong is said once, with its line.

usage: test_mpi_text.py --build DIR (text_graphs | text_formats | text_rows | text_lines | text_wrong | text_memory | generated)"""

import json
import pathlib
import random

import harness
from ranks import QUICK, build, fails, mpirun, run, same, suite, threads

EXAMPLES = harness.ROOT / "examples"
RANKS = (1, 2, 3, 4, 8)
# What a rank keeps: the arcs out of its vertices with their values, in their order, and the arcs into them.
SHOWS = """algorithm shows(g: graph<weight: int>) {
    output out: long[g];
    output into: long[g];
    output edges: long;
    for v in g {
        let targets = sum(e: v -> w : (hash(w) % 1000) * e.weight);
        let sources = sum(u -> v : hash(u) % 1000);
        out[v] = targets * 1000 + v.out_degree;
        into[v] = sources * 1000 + v.in_degree;
    }
    edges = sum(v in g : v.out_degree);
}
"""
UNWEIGHED = SHOWS.replace("<weight: int>", "").replace("e: v -> w", "v -> w").replace(" * e.weight", "")


def text(name, content):
    path = suite.folder / name
    path.write_text(content)
    return path


def random_lines(seed, ids, edges):
    """Edges among random ids, some of them repeated with other weights, and self-loops."""
    rng = random.Random(seed)
    names = rng.sample(ids, min(len(ids), 3 * edges // 4))
    lines = [f"{rng.choice(names)} {rng.choice(names)} {rng.randrange(1, 100)}" for _ in range(edges)]
    lines += [f"{' '.join(line.split()[:2])} {rng.randrange(1, 100)}" for line in rng.sample(lines, edges // 5)]
    lines += [f"{v} {v} 7" for v in rng.sample(names, 3)]
    rng.shuffle(lines)
    return "\n".join(lines) + "\n"


def shown(program, graph, ranks, *options):
    """Results and what the report says of the graph."""
    found, report = suite.folder / "found", suite.folder / "report.json"
    into = suite.folder / "into"
    for file in (found, into, report):
        file.unlink(missing_ok=True)
    result = mpirun(ranks, program, graph, threads(ranks), *options, f"--output=out={found}", f"--output=into={into}",
                    f"--report={report}")
    suite.expect(result.code == 0 and result.err == "", f"{graph.name} {options} on {ranks} ranks", result)
    told = json.loads(report.read_text())
    return (found.read_text(), into.read_text(), result.out.split("repeated arcs left out")[1:] != [],
            *(told.get(key) for key in ("vertices", "edges", "directed", "input_edges")), json.dumps(told.get("outputs")))


def compare_ranges(program, name, content, *options):
    """Against the same text, compressed, which each rank reads as a whole."""
    ranged = text(name, content)
    whole = suite.folder / f"{name}.gz"
    suite.succeeds(f"{whole.name} is written", "sh", "-c", f"gzip -c {ranged} > {whole}")
    wanted = shown(program, whole, 1, *options)
    for ranks in RANKS:
        suite.expect(shown(program, ranged, ranks, *options) == wanted, f"{name} {options} on {ranks} ranks: the same graph")
    divided = shown(program, ranged, 4, *options, "--partition=grid")
    suite.expect(divided == wanted, f"{name} {options} on ranks in a grid: the same graph")
    return wanted


def graphs():
    program = build(text("shows.gdsl", SHOWS), "shows")
    cases = (("close", random_lines(1, range(100, 400), 900), ()), ("apart", random_lines(2, range(-10**12, 10**12, 977), 700), ()),
             ("undirected", random_lines(3, range(300), 800), ("--undirected",)),
             ("kept", random_lines(4, range(50), 400), ("--duplicates=keep", "--self-loops=drop")),
             ("wide", random_lines(5, range(200), 300), ("--undirected", "--duplicates=keep")),
             ("hub", "".join(f"0 {v} 1\n{v} 0 2\n" for v in range(1, 500)), ()),
             ("few", "7 9 1\n9 7 2\n", ()), ("one", "5 5 3\n", ()))
    for name, content, options in cases:
        compare_ranges(program, f"{name}.wel", content, *options)
    # What starts at a vertex in the input counts for the edges that are traversed.
    bfs = build(EXAMPLES / "bfs.gdsl", "bfs")
    graph = text("traversed.el", random_lines(6, range(200), 500))
    traversed = set()
    for ranks in RANKS:
        report = suite.folder / "traversed.json"
        result = mpirun(ranks, bfs, graph, f"--root={content_root(graph)}", "--undirected", "--quiet", f"--report={report}")
        suite.expect(result.code == 0, f"bfs on {ranks} ranks", result)
        traversed.add(json.loads(report.read_text())["traversed_edges"])
    suite.expect(len(traversed) == 1, f"traversed edges are the same: {traversed}")


def of_format(name, n, edges):
    """A text in a format: its name, whether it is directed, and whether it has weights. Ids are from 1 to n."""
    def told(*lines):
        return "\n".join(lines) + "\n"

    def rows(form):
        return [form.format(u=u, v=v, w=w) for u, v, w in edges]

    lower = list({(max(u, v), min(u, v)): w for u, v, w in edges if u != v}.items())  # of a symmetric matrix
    rows_below = [f"{u} {v} {w}" for (u, v), w in lower]
    banner = "%%MatrixMarket matrix coordinate"
    return {
        "general.mtx": (told(f"{banner} integer general", "% a comment", f"{n} {n} {len(edges)}", *rows("{u} {v} {w}")), True, True),
        "real.mtx": (told(f"{banner} real general", f"{n} {n} {len(edges)}", *rows("{u} {v} {w}.0e0")), True, None),
        "pattern.mtx": (told(f"{banner} pattern general", f"{n} {n} {len(edges)}", *rows("{u}\t{v}")), True, False),
        "symmetric.mtx": (told(f"{banner} integer symmetric", f"{n} {n} {len(lower)}", *rows_below), False, True),
        "pattern-symmetric.mtx": (told(f"{banner} pattern symmetric", f"{n} {n} {len(edges)}", *rows("{u} {v}")), False, False),
        "skew.mtx": (told(f"{banner} integer skew-symmetric", f"{n} {n} {len(lower)}", *rows_below), True, True),
        "sp.gr": (told("c roads", f"p sp {n} {len(edges)}", *rows("a {u} {v} {w}"), "c the end"), True, True),
        "bare.gr": (told(*rows("a {u} {v} {w}")), True, True),
        "tw.gr": (told(f"p tw {n} {len(edges)}", *rows("{u} {v}")), False, False),
        "edge.gr": (told(f"p edge {n} {len(edges)}", *rows("e {u} {v}")), False, False),
        "sym.konect": (told("% sym weighted", *rows("{u} {v} {w}")), False, True),
        "asym.konect": (told("% asym weighted", *rows("{u} {v} {w}")), True, True),
    }[name]


FORMATS = ("general.mtx", "real.mtx", "pattern.mtx", "symmetric.mtx", "pattern-symmetric.mtx", "skew.mtx", "sp.gr", "bare.gr",
           "tw.gr", "edge.gr", "sym.konect", "asym.konect")


def formats():
    """Matrix Market, DIMACS and KONECT: vertices without edges, the directions that a file says, repeated edges."""
    weighed, plain = (build(text(f"{name}.gdsl", source), name) for name, source in (("shows", SHOWS), ("plain", UNWEIGHED)))
    real = build(text("real.gdsl", SHOWS.replace("int>", "double>").replace("output out: long", "output out: double")), "real")
    rng = random.Random(12)
    n = 90
    edges = [(rng.randrange(5, n - 3), rng.randrange(5, n - 3), rng.randrange(1, 50)) for _ in range(260)]
    for name in FORMATS:
        content, directed, weights = of_format(name, n, edges)
        wanted = compare_ranges(real if weights is None else weighed if weights else plain, name, content)
        declared = "konect" not in name and "bare" not in name
        suite.expect(wanted[5] == directed and wanted[3] == (n if declared else len({v for u, w, _ in edges for v in (u, w)})), f"{name}: {wanted[3:]}")
        if name in ("pattern-symmetric.mtx", "sp.gr"):
            compare_ranges(plain, name, content, "--undirected" if directed else "--directed", "--duplicates=keep")
    compare_ranges(plain, "none.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 0\n")
    compare_ranges(plain, "none.gr", "p sp 5 0\n")
    # What is wrong with a line, or with all of them.
    for name in ("general.mtx", "sp.gr"):
        content, _, _ = of_format(name, n, edges)
        lines = content.splitlines()
        for at in (len(lines) - 2, len(lines) // 2, 5):
            for what, reason in (("x", "expected "), (f"{n + 1}", f"vertex id {n + 1} is out of range")):
                bad = list(lines)
                fields = bad[at].split()
                fields[-2] = what
                bad[at] = " ".join(fields)
                graph = text(f"bad-{name}", "\n".join(bad) + "\n")
                for ranks in (1, 2, 8):
                    fails(f"{name} line {at + 1}", ranks, 2, f"{graph}:{at + 1}: {reason}", weighed, graph)
        header = next(i for i, line in enumerate(lines) if str(len(edges)) in line.split())
        fewer = text(f"fewer-{name}", "\n".join(lines[:-3]) + "\n")
        for ranks in (1, 3):
            fails(f"{name} with fewer lines", ranks, 2, f"{fewer}:{header + 1}: the file declares {len(edges)} edges, but has ", weighed, fewer)
    skew = text("low.mtx", f"%%MatrixMarket matrix coordinate integer skew-symmetric\n9 9 3\n2 1 4\n3 1 -2147483648\n4 1 2\n")
    many = text("many.mtx", "%%MatrixMarket matrix coordinate pattern general\n4000000000000 4000000000000 1\n1 2\n")
    for ranks in (1, 3):
        fails("no opposite", ranks, 2, f"{skew}: weight -2147483648 cannot be negated", weighed, skew)
        result = mpirun(ranks, plain, many, "--quiet")
        suite.expect(result.code == 2 and "needs about" in result.err, f"too many vertices on {ranks} ranks", result)


def rows(name, n, edges):
    """A text with a line for each vertex: its name, and whether it is directed. Ids are from 1 to n."""
    out = {v: [] for v in range(1, n + 1)}
    for u, v, w in edges:
        out[u].append((v, w))
    both = {v: [] for v in range(1, n + 1)}
    undirected = {(min(u, v), max(u, v)): w for u, v, w in edges if u != v}
    for (u, v), w in undirected.items():
        both[u].append((v, w))
        both[v].append((u, w))

    def lists(of, form, head="", shift=0):
        return "".join(head.format(v=v) + " ".join(form.format(v=w[0] - shift, w=w[1]) for w in of[v]) + "\n" for v in of)

    m = len(undirected)
    return {
        "plain.graph": (f"% a comment\n{n} {m}\n" + lists(both, "{v}"), False, False),
        "comments.graph": (f"{n} {m}\n" + lists(both, "{v}").replace("\n", "\n% 1 2 3\n", n // 2), False, False),
        "weights.graph": (f"{n} {m} 1\n" + lists(both, "{v} {w}"), False, True),
        "sizes.graph": (f"{n} {m} 111 2\n" + lists(both, "{v} {w}", "5 1 {v} "), False, True),
        "absent.graph": (f"{n} {m} 100\n" + lists(both, "{v}"), False, False),  # its sizes are not there
        "directed.graph": (f"{n} {len(edges)} 1\n" + lists(out, "{v} {w}"), True, True),
        "short.graph": ((f"{n} {m}\n" + lists(both, "{v}"))[:-1], False, False),
        "web.graph-txt": (f"{n}\n" + lists(out, "{v}", shift=1), True, False),
        "lists.adj": ("# a comment\n" + lists({v: out[v] for v in out if v % 3}, "{v}", "{v} "), True, False),
        "apart.adj": (lists({1000003 * v: [(1000003 * w[0], 0) for w in out[v]] for v in out}, "{v}", "{v}, ").replace(" ", "\t"), True, False),
    }[name]


ROWS = ("plain.graph", "comments.graph", "weights.graph", "sizes.graph", "absent.graph", "directed.graph", "short.graph", "web.graph-txt",
        "lists.adj", "apart.adj")


def of_rows():
    """METIS, WebGraph and adjacency lists: ranks count the lines of the others. LDBC: a second file has the vertices."""
    weighed, plain = (build(text(f"{name}.gdsl", source), name) for name, source in (("shows", SHOWS), ("plain", UNWEIGHED)))
    rng = random.Random(21)
    n = 80
    edges = [(rng.randrange(5, n - 3), rng.randrange(5, n - 3), rng.randrange(1, 50)) for _ in range(260)]
    for name in ROWS:
        content, directed, weights = rows(name, n, edges)
        wanted = compare_ranges(weighed if weights else plain, name, content)
        listed = {v for v in range(1, n + 1) if v % 3} | {v for u, v, _ in edges if u % 3} if name == "lists.adj" else range(n)
        suite.expect(wanted[5] == directed and wanted[3] == len(listed), f"{name}: {wanted[3:]}")
        # The other direction, and what the file does not have.
        if name in ("plain.graph", "directed.graph", "lists.adj"):
            compare_ranges(weighed, name, content, "--undirected" if directed else "--directed", "--duplicates=keep", "--weights=1..9")
    for name, content in (("none.graph", "5 0\n\n\n\n\n\n"), ("none.graph-txt", "3\n\n\n\n"), ("one.adj", "7\n"), ("empty.adj", "")):
        compare_ranges(plain, name, content)
    # What is wrong with a line.
    for name in ("plain.graph", "web.graph-txt"):
        lines = rows(name, n, edges)[0].splitlines()
        full = [i for i, line in enumerate(lines) if i > 2 and len(line.split()) > 1]
        for at in (full[0], full[len(full) // 2], full[-1]):
            for what, reason in (("x", "expected a vertex id, found 'x'"), (f"{n + 1}", f"vertex id {n + 1} is out of range")):
                bad = list(lines)
                bad[at] += f" {what}"
                graph = text(f"bad-{name}", "\n".join(bad) + "\n")
                for ranks in (1, 2, 8):
                    fails(f"{name} line {at + 1}", ranks, 2, f"{graph}:{at + 1}: {reason}", plain, graph)
    # What is wrong with all of them.
    content = rows("plain.graph", n, edges)[0]
    head, first = (lambda lines: (lines[1], next(i for i, line in enumerate(lines) if i > 2 and line)))(content.splitlines())
    m = int(head.split()[1])
    dropped = content.splitlines()
    dropped[first] = " ".join(dropped[first].split()[1:] + dropped[first].split()[-1:])
    for name, changed, line, reason in (
            ("edges", content.replace(head, f"{n} {m + 7}"), 2, f"the file declares {m + 7} edges, but lists {2 * m} neighbours"),
            ("vertices", content.replace(head, f"{n + 9} {m}"), 2, f"the file declares {n + 9} vertices, but has {n} lines of neighbours"),
            ("sides", "\n".join(dropped) + "\n", 2, "the neighbours are not symmetric"),
            ("more", content + "\n1 2\n", n + 4, f"the file declares {n} vertices, but has more lines")):
        graph = text(f"{name}.graph", changed)
        for ranks in (1, 2, 3, 8):
            fails(f"wrong {name} on {ranks} ranks", ranks, 2, f"{graph}:{line}: {reason}", plain, graph)
    # LDBC, with vertices without edges, and one that is not there.
    for name, shift in (("close", 1), ("apart", 10**9 + 7)):
        text(f"{name}.v", "".join(f"{v * shift}\n" for v in range(1, n + 1)))
        graph = text(f"{name}.e", "".join(f"{u * shift} {v * shift} {w}\n" for u, v, w in edges))
        wanted = shown(weighed, graph, 1)
        suite.expect(wanted[3] == n and wanted[0].startswith(f"{shift} "), f"LDBC {name}: {wanted[3:]}")
        for ranks in RANKS:
            suite.expect(shown(weighed, graph, ranks) == wanted, f"LDBC {name} on {ranks} ranks")
    names = suite.folder / "names.v"
    names.write_text("b\na\nc\n")
    graph = text("names.e", "a b 1\nc a 2\n")
    suite.expect(len({shown(weighed, graph, ranks) for ranks in (1, 3)}) == 1, "LDBC with texts as ids")
    text("fewer.v", "1\n2\n")
    graph = text("fewer.e", "1 2 1\n" * 50 + "2 3 1\n")
    for ranks in (1, 3):
        fails("an edge of no vertex", ranks, 2, f"{graph}:51: vertex 3 is not in ", weighed, graph)


GENERATORS = ("kronecker:scale=9,degree=8", "kronecker:scale=11,degree=20,directed=true", "rmat:vertices=700,degree=6,a=0.45,b=0.15,c=0.15,seed=7",
              "uniform:vertices=1000,degree=5,seed=3,directed=true", "grid:30x41", "grid:3x2,directed=true", "path:900", "star:700", "cycle:9001",
              "complete:60", "complete:40,directed=true", "path:1", "path:0", "uniform:vertices=3,degree=1")


def generated():
    """Each rank makes the edges of its part. Weights are made where the arcs are, for graphs in files, too."""
    weighed, plain = (build(text(f"{name}.gdsl", source), name) for name, source in (("shows", SHOWS), ("plain", UNWEIGHED)))
    for spec in GENERATORS:
        for program, graph in ((plain, spec), (weighed, f"{spec},weights=1..90")):
            wanted = shown(program, pathlib.Path(graph), 1)
            for ranks in RANKS:
                suite.expect(shown(program, pathlib.Path(graph), ranks) == wanted, f"{graph} on {ranks} ranks: the same graph")
            divided = shown(program, pathlib.Path(graph), 6, "--partition=grid")
            suite.expect(divided == wanted, f"{graph} on ranks in a grid: the same graph")
    graph, options = pathlib.Path("kronecker:scale=7,degree=16,weights=1..9"), ("--duplicates=keep", "--self-loops=keep")
    suite.expect(len({shown(weighed, graph, ranks, *options) for ranks in RANKS}) == 1, f"{graph} {options}")
    # On a target without ranks it is the same graph.
    alone = suite.folder / "alone"
    suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", suite.folder / "shows.gdsl", "kronecker:scale=9,degree=8,weights=1..90",
                   f"--output=out={alone}")
    suite.expect(alone.read_text() == shown(weighed, pathlib.Path("kronecker:scale=9,degree=8,weights=1..90"), 3)[0], "the graph of one machine")
    # Weights for a file that has none.
    lines = random_lines(31, range(300), 700)
    graph = text("bare.el", "".join(" ".join(line.split()[:2]) + "\n" for line in lines.splitlines()))
    stored = suite.folder / "bare.gcsr"
    suite.succeeds("a graph", suite.gcompile, "convert", graph, stored)
    found = {shown(weighed, file, ranks, "--weights=1..90") for ranks in RANKS for file in (graph, stored)}
    found |= {shown(weighed, file, 4, "--weights=1..90", "--partition=grid") for file in (graph, stored)}
    suite.expect(len(found) == 2, f"weights of a file: {len(found)} graphs, which are to differ in the edges of the input")
    suite.expect(len({each[:2] for each in found}) == 1, "weights of a file: the same values")
    # The traversed edges of bfs count those of the input.
    bfs = build(EXAMPLES / "bfs.gdsl", "bfs")
    report, told = suite.folder / "traversed.json", set()
    for ranks in RANKS:
        result = mpirun(ranks, bfs, "kronecker:scale=10,degree=8", "--root=1", "--quiet", f"--report={report}")
        suite.expect(result.code == 0, f"bfs on {ranks} ranks", result)
        told.add(tuple(json.loads(report.read_text())[key] for key in ("traversed_edges", "input_edges", "edges")))
    suite.expect(len(told) == 1, f"traversed edges are the same: {told}")


def content_root(graph):
    return graph.read_text().split()[0]


def lines():
    """Lines across the borders of ranges, of any length, with comments, a header, other ends of lines; no last one."""
    program = build(text("plain.gdsl", UNWEIGHED), "plain")
    rng = random.Random(8)
    edges = [(rng.randrange(30), rng.randrange(30)) for _ in range(60)]
    forms = (lambda u, v: f"{u} {v}", lambda u, v: f"{u}\t{v}", lambda u, v: f"{u},{v}", lambda u, v: f"{u};{v};x")
    for k in range(12):
        parts = ["source target\n" if k % 3 == 1 else "# a comment\n% 1 2\n" if k % 3 == 2 else ""]
        for u, v in edges:
            parts.append(" " * rng.randrange(3) + forms[k % 4](u, v) + ("\r\n" if k % 5 == 2 else "\n"))
            if rng.random() < 0.2:
                parts.append(rng.choice(("\n", "# " + "x" * rng.randrange(200) + "\n", "  \n")))
        content = "".join(parts)
        if k % 2:
            content = content.rstrip("\r\n")
        graph = text(f"lines{k}.txt", content)
        options = ("--header=yes",) if k % 3 == 1 else ()
        results = []
        for ranks in RANKS:
            found = suite.folder / "found"
            result = mpirun(ranks, program, graph, threads(ranks), "--quiet", *options, f"--output=out={found}")
            suite.expect(result.code == 0 and result.err == "", f"form {k} on {ranks} ranks", result)
            results.append(found.read_text())
        suite.expect(len(set(results)) == 1, f"form {k}: the same graph on all numbers of ranks")
        suite.expect(results[0].count("\n") == len({v for edge in edges for v in edge}), f"form {k}: all vertices")
    for name, content in (("empty.el", ""), ("comments.el", "# nothing\n"), ("texts.el", "a b\nb c\nc a\n")):
        graph = text(name, content)
        for ranks in (1, 3):
            found = suite.folder / "found"
            result = mpirun(ranks, program, graph, "--quiet", f"--output=out={found}")
            suite.expect(result.code == 0 and found.read_text().count("\n") == (3 if "a" in content and "#" not in content else 0),
                         f"{name} on {ranks} ranks", result)


def wrong():
    """A bad line in any range; of several, the first in the file."""
    program = build(text("shows.gdsl", SHOWS), "shows")
    good = [f"{v} {(v * 7) % 100} {v % 9}" for v in range(100)]
    for at in (0, 1, 26, 49, 50, 51, 75, 99):
        bad = list(good)
        bad[at] = "12 x 3" if at else "12 13 x"
        graph = text("bad.wel", "\n".join(bad) + "\n")
        for ranks in (1, 2, 3, 4, 8):
            fails(f"line {at + 1} is bad on {ranks} ranks", ranks, 2, f"{graph}:{at + 1}: expected ", program, graph)
    two = list(good)
    two[40], two[90] = "1 2", "3 nothing 4"
    graph = text("bad.wel", "\n".join(two) + "\n")
    for ranks in (2, 4, 8):
        result = mpirun(ranks, program, graph)
        suite.expect(result.code == 2 and result.err.count("error:") == 1 and "rank" not in result.err
                     and result.err.startswith(f"error: {graph}:41: "), f"the first of two bad lines on {ranks} ranks", result)
    missing = suite.folder / "missing.wel"
    fails("no file", 3, 2, f"{missing}: ", program, missing)


def memory():
    """No rank holds the edges of all."""
    program = build(text("plain.gdsl", UNWEIGHED), "plain")
    rng = random.Random(9)
    count = 1500000
    lines = "".join(f"{rng.randrange(1, 20000)} {rng.randrange(1, 20000)}\n" for _ in range(count))
    listed = "".join(" ".join(str(rng.randrange(20000)) for _ in range(count // 20000)) + "\n" for _ in range(20000))
    for name, head in (("large.el", ""), ("large.mtx", f"%%MatrixMarket matrix coordinate pattern general\n20000 20000 {count}\n"),
                       ("large.gr", f"p tw 20000 {count}\n"), ("large.graph-txt", "20000\n")):
        graph = text(name, head + (listed if name == "large.graph-txt" else lines))
        whole = suite.folder / f"{name}.gz"
        suite.succeeds("the file is compressed", "sh", "-c", f"gzip -1 -c {graph} > {whole}")
        peaks = []
        for source in (graph, whole):
            report = suite.folder / "memory.json"
            result = mpirun(4, program, source, "--threads=1", "--quiet", f"--report={report}")
            suite.expect(result.code == 0, f"{source.name} is read", result)
            peaks.append(json.loads(report.read_text())["rank_peak_bytes"])
        suite.expect(peaks[0] < 0.8 * peaks[1], f"a range of {name} takes less memory than the whole: {peaks}")
    peaks, report = [], suite.folder / "memory.json"
    for ranks, partition in ((1, "blocks"), (4, "blocks"), (4, "grid")):
        result = mpirun(ranks, program, "kronecker:scale=19,degree=16", "--threads=1", "--quiet", f"--report={report}",
                        f"--partition={partition}")
        suite.expect(result.code == 0, f"a graph is made by {ranks} ranks, {partition}", result)
        peaks.append(json.loads(report.read_text())["rank_peak_bytes"])
    for peak in peaks[1:]:
        suite.expect(peak < 0.75 * peaks[0], f"a rank of 4 takes less memory than one: {peaks}")


run({"text_graphs": graphs, "text_formats": formats, "text_rows": of_rows, "text_lines": lines, "text_wrong": wrong, "text_memory": memory, "generated": generated})
