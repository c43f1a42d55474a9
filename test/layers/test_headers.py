"""Each header of the runtime compiles alone: those of cuda and hybrid under the emulation, those of core and program without
OpenMP; those of mpi where there is an MPI."""
import concurrent.futures, os, pathlib, shutil, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "runtime" / "include"


def compile_alone(header):
    room = header.split("/")[1].removesuffix(".h")
    flags = {"core": ["-Wunknown-pragmas"], "program": ["-Wunknown-pragmas"], "values": ["-Wunknown-pragmas"],
             "serial": ["-Wunknown-pragmas"], "mpi": ["-Wunknown-pragmas"], "omp": ["-fopenmp"],
             **{room: ["-fopenmp", f"-I{ROOT}/test/cuda/emulation", "-include", "cuda_runtime.h"]
                for room in ("cuda", "gpus", "hybrid")}}[room]
    compiler = "mpicxx" if room == "mpi" else "c++"
    done = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *flags, f"-I{INCLUDE}",
                           "-x", "c++", "-"], input=f"#include <{header}>\n", capture_output=True, text=True)
    return f"{header} does not compile alone:\n{done.stderr}" if done.returncode else ""


headers = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h"))
assert len(headers) > 50, headers
if not shutil.which("mpicxx"):
    print("there is no mpicxx here: the headers of mpi are left out")
    headers = [header for header in headers if header.split("/")[1] not in ("mpi", "mpi.h")]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [fault for fault in pool.map(compile_alone, headers) if fault]
print("\n".join(faults))
sys.exit(1 if faults else 0)
