"""Programs for several machines: on 1, 2, 3, 4 and 8 ranks they give what one machine gives, on graphs with fewer
vertices than ranks too; an error is said once; what cannot run in parts is refused.

usage: test_mpi.py --build DIR (bfs | sssp | components | pagerank | kcore | errors | programs)"""

import json
import math
import os
import shutil
import sys

import harness

suite = harness.Suite("mpi")
if not shutil.which("mpirun") or not shutil.which("mpicxx"):
    print("skipped: there is no mpirun or mpicxx here; scripts/setup installs openmpi-bin and libopenmpi-dev")
    sys.exit(77)

KARATE = harness.ROOT / "examples" / "data" / "karate.el"
# The program, its parameters, the outputs that are one, whichever machine computes them, and further options.
PROGRAMS = {
    "bfs": ("root", ["depth"], []),
    "sssp": ("source", ["dist"], []),
    "components": ("", ["label"], []),
    "pagerank": ("", ["rank"], ["--tolerance=0"]),
    "kcore": ("", ["core"], ["--undirected"]),
}
QUICK = ("-O1", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32")


def mpirun(ranks, *command, **options):
    # Ranks that wait let go of their core: there are more ranks than cores.
    start = ["mpirun", "-q", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca",
             "mpi_yield_when_idle", "1", "--mca", "btl_vader_single_copy_mechanism", "none", "-n", str(ranks)]
    return suite.run(*start, *command, env={"OMPI_MCA_plm_rsh_agent": "", "TMPDIR": os.environ.get("TMPDIR", "/tmp")},
                     **options)


def build(path, name, *options):
    program = suite.folder / name
    result = suite.run(suite.gcompile, "--target=mpi", *(options or QUICK), "--cxx-flag=-Wall", "--cxx-flag=-Wextra",
                       path, "-o", program, timeout=300)
    suite.expect(result.code == 0 and result.err == "", f"{path.name} compiles", result)
    return program


def write(name, edges):
    path = suite.folder / name
    path.write_text("".join(" ".join(map(str, edge)) + "\n" for edge in edges))
    return path


def number(text):
    return math.inf if text == "inf" else float(text)


def same(wanted, found):
    """Lines that are equal; real numbers but for rounding."""
    left, right = wanted.split("\n"), found.split("\n")
    if len(left) != len(right):
        return False
    for a, b in zip(left, right):
        if a != b:
            (v, x), (w, y) = a.split(), b.split()
            if v != w or "." not in x + y and "e" not in x + y or not math.isclose(number(x), number(y), rel_tol=1e-9):
                return False
    return True


def compare(name):
    parameter, outputs, options = PROGRAMS[name]
    program = build(harness.ROOT / "examples" / f"{name}.gdsl", name)
    alone = harness.ROOT / "examples" / f"{name}.gdsl"
    weighted = name == "sssp"
    weights = ",weights=1..20" if weighted else ""
    line = write(f"{name}-line.wel", [(v, v + 1, 3) for v in (0, 1)])
    apart = write(f"{name}-apart.wel", [(u, (u * 7 + k) % 40 + 40 * (u // 40), 1 + u % 5) for u in range(120) for k in (1, 5)])
    graphs = [(line, "0", (3, 8)), (apart, "2", (1, 2)), (f"kronecker:scale=9,degree=6{weights}", "5", (2, 3, 4, 8))]
    if not weighted:
        graphs.append((KARATE, "1", (4,)))
    for graph, vertex, counts in graphs:
        given = [*options, *([f"--{parameter}={vertex}"] if parameter else [])]
        files = [suite.folder / f"{name}-{output}.{kind}" for kind in ("one", "parts") for output in outputs]
        one, parts = files[: len(outputs)], files[len(outputs) :]
        suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, alone, graph, "--quiet",
                       *given, *[f"--output={output}={file}" for output, file in zip(outputs, one)])
        for ranks in counts:
            what = f"{name} {graph} on {ranks} ranks"
            for file in parts:
                file.unlink(missing_ok=True)
            report = suite.folder / f"{name}.json"
            result = mpirun(ranks, program, graph, *given, "--trials=2", "--verify", f"--report={report}",
                            *[f"--output={output}={file}" for output, file in zip(outputs, parts)])
            if not suite.expect(result.code == 0 and result.err == "", what, result):
                continue
            suite.expect(result.out.count("loaded in") == 1 and "verified" in result.out, f"{what}: says it once", result)
            for wanted, found in zip(one, parts):
                suite.expect(same(wanted.read_text(), found.read_text()), f"{what}: the same {wanted.stem}")
            suite.expect(json.loads(report.read_text())["ranks"] == ranks, f"{what}: the report tells the ranks")


def fails(what, ranks, code, message, *command):
    result = mpirun(ranks, *command)
    errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
    suite.expect(result.code == code and len(errors) == 1 and errors[0].startswith(f"error: {message}"), what, result)


def errors():
    program = build(harness.ROOT / "examples" / "bfs.gdsl", "errors-bfs")
    fails("a parameter is missing", 3, 2, "the parameter --root=VALUE is missing", program, KARATE)
    fails("no such graph", 3, 2, "nowhere.el", program, "nowhere.el", "--root=1")
    fails("no such vertex", 3, 2, "--root", program, KARATE, "--root=99")
    fails("an output that rank 0 cannot write", 3, 2, "/nowhere/depth", program, KARATE, "--root=1",
          "--output=depth=/nowhere/depth")
    fails("standard input", 2, 2, "-: standard input", program, "-", "--root=1")
    result = mpirun(2, program, "--help")
    suite.expect(result.code == 0 and result.out.count("--root") == 1, "help comes once", result)

    # A vertex of one rank alone makes the program fail; the others wait for it in another kernel.
    source = suite.folder / "divide.gdsl"
    source.write_text("algorithm divide(g: graph, by: int) {\n    output x: int[g] = 0;\n"
                      "    for v in g { x[v] = 100 / (v.out_degree - by); }\n    total: long;\n    total = sum(v in g : x[v]);\n"
                      "    for v in g { x[v] = int(total); }\n}\n")
    program = build(source, "divide")
    graph = write("divide.el", [(u, v) for u in range(40) for v in range(40) if u != v and (u != 7 or v != 9)])
    fails("an exception on one rank", 4, 3, "divide.gdsl:3: division by zero (on rank 0 of 4)", program, graph, "--by=38")
    fails("an exception on all ranks", 2, 3, "divide.gdsl:3: division by zero", program, graph, "--by=39")
    suite.expect(mpirun(4, program, graph, "--by=3").code == 0, "no exception")


def programs():
    """What the compiler takes and refuses."""
    for path in sorted((harness.ROOT / "examples").glob("*.gdsl")):
        result = suite.run(suite.gcompile, "--target=mpi", "--emit=source", "-o", "-", path)
        if path.stem in PROGRAMS:
            suite.expect(result.code == 0, f"{path.name} is compiled", result)
        elif result.code != 0:
            suite.expect(result.code == 1 and "E0508" in result.err, f"{path.name} is refused with a reason", result)
    suite.fails("a profile", 2, "...--profile is for", suite.gcompile, "--target=mpi", "--profile", KARATE.parent.parent / "bfs.gdsl")


for name in suite.cases:
    {"errors": errors, "programs": programs}.get(name, lambda name=name: compare(name))()
suite.finish()
