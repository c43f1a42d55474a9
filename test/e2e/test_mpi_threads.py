"""Threads inside of a rank: how many there are, results that do not depend on them, an MPI that does not serve them, and
ThreadSanitizer over a program with every form of a kernel.

usage: test_mpi_threads.py --build DIR (counts | races)"""

import json
import os
import pathlib
import shutil
import sys

import harness
from ranks import ENVIRONMENT, build, fails, mpirun, run, suite, write

# Claims with pulls, buckets of pairs, sets, sums at the other ends of edges and of the program, an array.
FORMS = """algorithm forms(g: graph<weight: int>, root: vertex) {
    output parent: vertex[g] = none;
    output depth: int[g] = inf;
    output label: vertex[g] = self;
    output dist: int[g] = inf;
    output near: int[g] = inf;
    output by: vertex[g] = none;
    output core: int[g] = 0;
    output degrees: int[16];
    output moved: double;
    parent[root] = root;
    depth[root] = 0;
    propagate u -> v from {root} where parent[v] == none { parent[v] = u; depth[v] = depth[u] + 1; }
    propagate u -- v from g { label[v] min= label[u]; }
    dist[root] = 0;
    propagate e: u -> v from {root} ordered by dist { dist[v] min= dist[u] + e.weight; }
    near[root] = 0;
    propagate e: u -> v from {root} { (near[v], by[v]) min= (near[u] + e.weight, u); }

    degree: int[g] = v.out_degree;
    for v in g { degrees[v.out_degree % 16] += 1; }
    remaining: vertex set = g;
    k: int = 0;
    while !remaining.empty {
        k = max(k, min(v in remaining : degree[v]));
        peel: vertex set = {v in remaining where degree[v] <= k};
        for v in peel { core[v] = k; }
        remaining -= peel;
        for u -> v from peel where v in remaining { degree[v] -= 1; }
    }

    rank: double[g] = 1.0;
    share: double[g] = 0;
    repeat 3 {
        for v in g { share[v] = rank[v] / (v.out_degree + 1); }
        for v in g {
            let next = 0.15 + 0.85 * sum(u -> v : share[u]);
            moved += abs(next - rank[v]);
            rank[v] = next;
        }
    }
}
"""
CERTAIN = ("depth", "label", "dist", "near", "core", "degrees")  # whichever thread is first


def source():
    path = suite.folder / "forms.gdsl"
    path.write_text(FORMS)
    return path


def graph():
    edges = sorted({(u, (u * 7 + k) % 900) for u in range(900) for k in (1, 5, 11, 80)} | {(0, v) for v in range(1, 300)})
    return write("forms.wel", [(u, v, 1 + (u + v) % 4) for u, v in edges])


def counts():
    program, report = build(source(), "forms"), suite.folder / "threads.json"
    given = [graph(), "--root=3", "--quiet", f"--report={report}"]
    processors = len(os.sched_getaffinity(0))

    def told(what, ranks, *more, code=0, env=None):
        result = mpirun(ranks, *(["env", *env] if env else []), program, *given, *more)
        suite.expect(result.code == code, what, result)
        return json.loads(report.read_text())

    # Quotas of the test's own control group may leave fewer.
    alone = told("one rank", 1)["threads"]
    suite.expect(1 <= alone <= processors, f"one rank has {alone} threads on {processors} processors")
    suite.expect(told("ranks divide", 2)["threads"] == max(1, alone // 2), "two ranks divide the processors")
    suite.expect(told("many ranks", 2 * processors)["threads"] == 1, "each has one at least")
    suite.expect(told("a number", 2, "--threads=5")["threads"] == 5, "--threads")
    suite.expect(told("OpenMP's number", 2, env=["OMP_NUM_THREADS=3"])["threads"] == 3, "OMP_NUM_THREADS")
    first = min(os.sched_getaffinity(0))
    if shutil.which("taskset") and processors > 1:
        suite.expect(told("bound", 2, env=["taskset", "-c", str(first)])["threads"] == 1, "ranks on one processor")
        bound = mpirun(1, "taskset", "-c", str(first), program, graph(), "--root=3", "--threads=2")
        suite.expect("note: a rank has 2 threads and may use 1 of " in bound.err, "threads on one processor", bound)
    planned = mpirun(2, program, graph(), "--plan", "--threads=5")
    suite.expect("threads of a rank: 5" in planned.out, "the plan tells the threads", planned)
    fixed = build(source(), "forms-4", "-O0", "--threads=4", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32")
    result = mpirun(2, fixed, *given)
    suite.expect(result.code == 0 and json.loads(report.read_text())["threads"] == 4, "gcompile --threads", result)

    # What is certain, and sums over vertices, are the same in all bits for any number of threads.
    for ranks in (1, 2, 3):
        wanted = None
        for threads in (1, 2, 4):
            files = {name: suite.folder / f"{name}.txt" for name in CERTAIN}
            outputs = told(f"{ranks} ranks with {threads} threads", ranks, f"--threads={threads}", "--verify",
                           *[f"--output={name}={file}" for name, file in files.items()])["outputs"]
            found = (outputs, {name: file.read_text() for name, file in files.items()})
            wanted = wanted or found
            suite.expect(found == wanted, f"{ranks} ranks with {threads} threads give what one thread gives", found[0])

    shim = suite.folder / "thread_level.so"
    suite.succeeds("the shim compiles", "mpicc", "-shared", "-fPIC", harness.ROOT / "test" / "e2e" / "thread_level.c", "-o",
                   shim)
    fails("an MPI without threads", 2, 2, "this MPI does not serve processes with threads", "env", f"LD_PRELOAD={shim}",
          program, graph(), "--root=3", "--threads=2")
    for given in ([], ["--threads=1"]):
        result = mpirun(2, "env", "-u", "OMP_NUM_THREADS", f"LD_PRELOAD={shim}", program, graph(), "--root=3", *given)
        suite.expect(result.code == 0, "one thread needs no MPI with threads", result)


def races():
    clang = "clang++-19" if shutil.which("clang++-19") else None
    archer = next(iter(sorted(pathlib.Path("/usr/lib").glob("llvm-19/lib/libarcher.so"))), None)
    if not clang or not archer:
        print(f"SKIPPED: no race is looked for: {'libarcher.so (libomp-19-dev)' if clang else 'clang++-19'} is missing")
        sys.exit(77)
    program = suite.folder / "forms-races"
    result = suite.run(suite.gcompile, "--target=mpi", source(), "-O1", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32",
                       "--cxx-flag=-DGCOMPILE_MOST_ALONE=0", "--cxx-flag=-DGCOMPILE_WITHOUT_SERIAL", "--cxx-flag=-fsanitize=thread",
                       "--cxx-flag=-g1", "-o", program, env={"OMPI_CXX": clang, "MPICH_CXX": clang}, timeout=300)
    suite.expect(result.code == 0, "the program compiles", result)
    ENVIRONMENT.update(OMP_TOOL_LIBRARIES=str(archer),
                       TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=0 exitcode=66")
    for ranks in (1, 2):
        result = mpirun(ranks, program, graph(), "--root=3", "--threads=4", "--quiet", "--trials=3", timeout=300)
        suite.expect(result.code == 0 and "WARNING: ThreadSanitizer" not in result.err, f"races on {ranks} ranks", result)


run({"counts": counts, "races": races})
