"""What the tests of programs for several machines share: compiling them, running them on ranks, and comparing results."""

import itertools
import math
import os
import pathlib
import shutil
import signal
import sys
import tempfile

import harness

suite = harness.Suite(pathlib.Path(sys.argv[0]).stem.removeprefix("test_"))
if not shutil.which("mpirun") or not shutil.which("mpicxx"):
    print("skipped: there is no mpirun or mpicxx here; scripts/setup installs openmpi-bin and libopenmpi-dev")
    sys.exit(77)

KARATE = harness.ROOT / "examples" / "data" / "karate.el"
# Threads share the kernels of the smallest graph, too, and some messages are long.
QUICK = ("-O1", "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32", "--cxx-flag=-DGCOMPILE_MOST_ALONE=0",
         "--cxx-flag=-DGCOMPILE_LONG_MESSAGE=200")

# Ranks that wait let go of their core: there are more ranks than cores.
START = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
         "--mca", "btl_vader_single_copy_mechanism", "none", "-n"]
# A folder of its own for each test: Open MPI removes the folder of all runs of a user when one ends, perhaps while
# another one begins.
_SESSIONS = tempfile.TemporaryDirectory(prefix="ranks", ignore_cleanup_errors=True)
# Tests start ranks thousands of times, and starting is most of what a run takes. Ranks of one machine need no search for
# networks, nor for devices on a bus, nor to ask each core what it is, which waits until that core is free (HWLOC_*), and
# no memory for what mpirun tells them (PMIX_MCA_gds). The ranks that are left when another one has failed are ended at
# once: mpirun would wait a second or two for each such run, and runs that fail are many.
ENVIRONMENT = {"OMPI_MCA_plm_rsh_agent": "", "OMPI_MCA_pml": "ob1", "OMPI_MCA_odls_base_sigkill_timeout": "0",
               "OMPI_MCA_orte_tmpdir_base": _SESSIONS.name, "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
               "OMP_WAIT_POLICY": "passive", "PMIX_MCA_gds": "hash", "HWLOC_PLUGINS_PATH": "/nonexistent",
               "HWLOC_COMPONENTS": "-x86,-linux:pci,-linux:io"}
_THREADS = itertools.cycle((3, 1))
_ROUTES = itertools.cycle(("grid", "grid", "direct"))


def mpirun(ranks, *command, **options):
    def run():
        return suite.run(*START, str(ranks), "-q", *command, env=ENVIRONMENT, **options)

    result = run()
    # Once in some thousand runs a thread of Open MPI 4.1 is still at work when the end of a rank takes away its code. A
    # fault of the program would come back.
    if result.code == 128 + signal.SIGSEGV and result.out:
        print(f"note: a rank died when all had printed their results, so they run again: {' '.join(map(str, command))}")
        result = run()
    return result


def threads(ranks):
    """The option for the next run: three threads of a rank and one in turn, but many ranks have one each."""
    return f"--threads={next(_THREADS) if ranks <= 4 else 1}"


def routes():
    """The option for the next run: two go by way of other ranks and one straight in turn."""
    return f"--routes={next(_ROUTES)}"


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
            (*v, x), (*w, y) = a.split(), b.split()
            if v != w or "." not in x + y and "e" not in x + y or not math.isclose(number(x), number(y), rel_tol=1e-9):
                return False
    return True


def fails(what, ranks, code, message, *command):
    result = mpirun(ranks, *command)
    errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
    suite.expect(result.code == code and len(errors) == 1 and errors[0].startswith(f"error: {message}"), what, result)


def run(cases):
    """Runs the cases that the command line names; `cases` has a function for each."""
    for name in suite.cases:
        cases[name]()
    suite.finish()
