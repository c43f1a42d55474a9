"""Each header of the runtime compiles alone: those of cuda and hybrid under the emulation, those of core and program without
OpenMP; those of mpi where there is an MPI, and that over PETSc where that is. The argument is the build tree."""
import concurrent.futures, os, pathlib, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "compilers"))
import compilers  # noqa: E402

INCLUDE = ROOT / "runtime" / "include"
BUILD = pathlib.Path(sys.argv[1]).resolve()
FOLDER = BUILD / "layers" / "headers"
ENVIRONMENT = dict(os.environ, **compilers.environment(BUILD))
STAR_FOREST = "gcompile/mpi/star_forest.h"
PETSC = subprocess.run(["pkg-config", "--cflags", "petsc"], capture_output=True, text=True, check=False)


def compile_alone(header):
    room = header.split("/")[1].removesuffix(".h")
    flags = {"core": ["-Wunknown-pragmas"], "program": ["-Wunknown-pragmas"], "values": ["-Wunknown-pragmas"],
             "serial": ["-Wunknown-pragmas"], "mpi": ["-Wunknown-pragmas"], "omp": ["-fopenmp"],
             **{room: ["-fopenmp", f"-I{ROOT}/test/cuda/emulation", "-include", "cuda_runtime.h"]
                for room in ("cuda", "gpus", "hybrid")}}[room]
    if header == STAR_FOREST:
        flags = [*flags, *[word.replace("-I", "-isystem", 1) for word in PETSC.stdout.split()]]
    compiler = "mpicxx" if room == "mpi" else "c++"
    source = FOLDER / (header.replace("/", ".") + ".cpp")
    source.write_text(f"#include <{header}>\n")
    done = subprocess.run([compiler, "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", *flags, f"-I{INCLUDE}", "-c",
                           source, "-o", source.with_suffix(".o")], capture_output=True, text=True, env=ENVIRONMENT)
    return f"{header} does not compile alone:\n{done.stderr}" if done.returncode else ""


headers = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h"))
assert len(headers) > 50, headers
FOLDER.mkdir(parents=True, exist_ok=True)
if not shutil.which("mpicxx"):
    print("there is no mpicxx here: the headers of mpi are left out")
    headers = [header for header in headers if header.split("/")[1] not in ("mpi", "mpi.h")]
if PETSC.returncode != 0 and STAR_FOREST in headers:
    print("there is no PETSc here: its header is left out")
    headers.remove(STAR_FOREST)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [fault for fault in pool.map(compile_alone, headers) if fault]
print("\n".join(faults))
sys.exit(1 if faults else 0)
