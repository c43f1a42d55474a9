"""`--exchange=petsc`: programs whose full values go by star forests of PETSc answer as on plain MPI, in all bits; they send
as much, which is counted and told; an error of a rank is told with it; what is wrong with PETSc is the user's error.

usage: test_mpi_petsc.py --build DIR (EXAMPLE | petsc_counts | petsc_errors)..."""

import json
import os
import shutil
import subprocess
import sys

import examples
import harness
from ranks import KARATE, QUICK, build, fails, mpirun, run, suite, write

if subprocess.run(["pkg-config", "--exists", "petsc"], check=False).returncode != 0:
    print("skipped: there is no PETSc here; scripts/setup installs petsc-dev")
    sys.exit(77)

PETSC = (*QUICK, "--exchange=petsc")
# Whether their kernels give or collect full values at the ends of edges, with blocks and in a grid.
PROGRAMS = {"bfs": (False, False), "sssp": (False, False), "components": (False, False), "kcore": (False, False),
            "pagerank": (True, True), "hits": (True, True), "scc": (True, True)}


def example(name):
    return harness.ROOT / "examples" / f"{name}.gdsl"


def shim():
    path = suite.folder / "count_forests.so"
    if not path.exists():
        suite.succeeds("the counter compiles", "mpicc", "-shared", "-fPIC", harness.ROOT / "test" / "e2e" / "count_forests.c",
                       "-o", path, "-ldl")
    return f"LD_PRELOAD={path}"


def counted(program, ranks, *given):
    """The broadcasts of star forests, messages and bytes of all ranks in a run."""
    file = suite.folder / "counted"
    file.unlink(missing_ok=True)
    result = mpirun(ranks, "env", shim(), f"COUNT_FILE={file}", program, *given, "--quiet")
    lines = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
    suite.expect(result.code == 0 and len(lines) == ranks, f"{program.name} on {ranks} ranks is counted", result)
    return [sum(int(line[k]) for line in lines) for k in (1, 2, 3)]


def links(program):
    return "libpetsc" in suite.succeeds("the libraries", "ldd", program).out


def compared(name):
    outputs, _, directions, reads_weights = examples.EXAMPLES[name]
    plain, petsc = build(example(name), f"{name}.mpi"), build(example(name), f"{name}.petsc", *PETSC)
    suite.expect(links(petsc) and not links(plain), f"{name}: one of two programs has PETSc")
    line = write("line.wel", [(0, 1, 3), (1, 2, 3)])  # fewer vertices than ranks
    small = write("small.wel", [(u, (u * 7 + k) % 90, 1 + u % 5) for u in range(90) for k in (1, 5, 40)])
    for graph in (line, small) if reads_weights else (line, small, KARATE):
        given = [graph, directions[-1], *examples.given(suite, name, graph), "--threads=1"]
        for ranks in (1, 2, 3, 4, 8):
            for part, uses in zip(("blocks", "grid"), PROGRAMS[name]):
                what, texts = f"{name} of {graph.name} on {ranks} ranks by {part}", []
                for program in (plain, petsc):
                    files = [suite.folder / f"{output}.found" for output in outputs]
                    for file in files:
                        file.unlink(missing_ok=True)
                    options = [*given, f"--partition={part}", *[f"--output={o}={file}" for o, file in zip(outputs, files)]]
                    if program == petsc:
                        suite.expect((counted(petsc, ranks, *options)[0] > 0) == uses, f"{what}: star forests are used as said")
                    else:
                        suite.expect(mpirun(ranks, plain, *options, "--quiet").code == 0, what)
                    texts.append([file.read_text() if file.exists() else None for file in files])
                suite.expect(texts[0] == texts[1] and None not in texts[0], f"{what}: the same in all bits")


def petsc_counts():
    """What a profile tells is what star forests send, and what is sent without them."""
    pair = {kind: build(example("pagerank"), f"counts.{kind}", *options, "--profile")
            for kind, options in (("mpi", QUICK), ("petsc", PETSC))}
    file = suite.folder / "profile.json"
    graph = suite.folder / "counts.gcsr"
    suite.succeeds("a graph", suite.gcompile, "convert", "kronecker:scale=9,degree=8", graph)
    suite.expect(counted(pair["petsc"], 3, graph, "--stall-timeout=60")[0] == 0, "with a limit, messages of MPI alone")
    for ranks, part in ((3, "blocks"), (4, "grid"), (9, "blocks")):
        def given(rounds):
            return [graph, "--tolerance=0", f"--rounds={rounds}", "--threads=1", f"--partition={part}"]
        told, sent = {}, {}
        for kind, program in pair.items():
            way = ["--routes=direct"] if kind == "mpi" else []  # star forests send straight
            for rounds in (2, 12):
                result = mpirun(ranks, program, *given(rounds), *way, "--quiet", f"--profile={file}")
                suite.expect(result.code == 0, f"a profile on {ranks} ranks", result)
                calls = json.loads(file.read_text())["calls"]
                told[kind, rounds] = [sum(call[key] for call in calls) for key in ("messages", "sent_bytes")]
        suite.expect(all(told["mpi", n] == told["petsc", n] for n in (2, 12)), f"{ranks} ranks by {part}: {told}")
        for rounds in (2, 12):
            sent[rounds] = counted(pair["petsc"], ranks, *given(rounds))
        more, wanted = [[b - a for a, b in zip(of[0], of[1])] for of in (
            (sent[2], sent[12]), (told["petsc", 2], told["petsc", 12]))]
        suite.expect(more == [10 * ranks * (2 if part == "grid" else 1), *wanted] and wanted[1] > 0,
                     f"{ranks} ranks by {part}: broadcasts, messages and bytes {more}, told are {wanted}")


def petsc_errors():
    """An error in PETSc ends all ranks, and tells whose it was. Options of PETSc do not reach a program."""
    program = build(example("pagerank"), "errors.petsc", *PETSC)
    for rank, call in ((0, 1), (2, 5)):
        fails(f"rank {rank} fails", 3, 2, f"PETSc: Out of memory (on rank {rank} of 3)", "env", shim(), f"FAIL_RANK={rank}",
              f"FAIL_CALL={call}", program, KARATE, "--rounds=30", "--tolerance=0")
    fails("one graph is bad", 3, 2, f"{suite.folder}/none.el: ", program, suite.folder / "none.el")
    (suite.folder / ".petscrc").write_text("-no_such_option\n-log_view\n-help\n")
    result = mpirun(2, "env", "PETSC_OPTIONS=-log_view -help", program, KARATE, "--quiet")
    suite.expect(result.code == 0 and result.out == result.err == "", "options of PETSc", result)
    (suite.folder / ".petscrc").unlink()
    compiles = [suite.gcompile, "--target=mpi", "--exchange=petsc", *QUICK, example("bfs"), "-o", suite.folder / "wrong"]
    packages = suite.folder / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir()
    nowhere = {"PKG_CONFIG_LIBDIR": str(packages)}
    suite.fails("no PETSc", 2, "--exchange=petsc: pkg-config finds no PETSc: on Debian it is in petsc-dev; elsewhere "
                "PKG_CONFIG_PATH names the folder with PETSc.pc or petsc.pc", *compiles, env=nowhere)
    (packages / "PETSc.pc").write_text("Name: PETSc\nDescription: broken\nVersion: 1\nCflags: -I/nowhere\nLibs: -lpetsc\n")
    half = suite.run(*compiles, env=nowhere)
    suite.expect(half.code == 2 and half.err.count("\n") == 1 and "compiles no program with these options: " in half.err
                 and "petscsf.h" in half.err, "half of a PETSc", half)
    environment = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    started = suite.run(suite.gcompile, "run", "--target=mpi", "--exchange=petsc", "--ranks=2", *QUICK, example("pagerank"), KARATE,
                        env={**os.environ, **environment}, timeout=300)
    suite.expect(started.code == 0 and "rank: from" in started.out, "gcompile run", started)


run({**{name: lambda name=name: compared(name) for name in PROGRAMS}, "petsc_counts": petsc_counts, "petsc_errors": petsc_errors})
