"""How a C++ compiler takes printed CUDA, to which the emulation beside this file gives its meaning. As a program it
precompiles the headers that printed CUDA includes: `emulated.py emulation.pch`."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "compilers"))
import compilers  # noqa: E402
INCLUDE = f"-I{HERE.parents[1] / 'runtime' / 'include'}"
# Small blocks: less to switch between, and more blocks on small graphs. What follows is C++, up to "-x none".
FLAGS = ["-DGCOMPILE_CUDA_BLOCK=64", f"-I{HERE / 'emulation'}", "-include", "cuda_runtime.h", "-x", "c++"]
# Most of the time goes to compiling: Clang without optimisation takes a third of it.
COMPILER = [*(["clang++-19", "-fopenmp=libgomp"] if shutil.which("clang++-19") else ["g++", "-O1", "-fopenmp"]), *FLAGS]


def program_compiler(build):
    """The command for one printed program; Clang finds the headers precompiled, which are half of its work."""
    headers = build / "test" / "cuda" / "emulation.pch"
    precompiled = ["-include-pch", headers] if COMPILER[0].startswith("clang") else []
    return [*COMPILER, *precompiled, "-std=c++20", INCLUDE]


if __name__ == "__main__":
    environment = dict(os.environ, **compilers.environment(pathlib.Path(sys.argv[1]).resolve().parents[2]))
    subprocess.run([*COMPILER, "-std=c++20", INCLUDE, "-Wall", "-Wextra", "-Werror", "-Wno-pragma-once-outside-header",
                    "-Xclang", "-fno-pch-timestamp", "-fpch-instantiate-templates", "-MD", "-MF", sys.argv[1] + ".d",
                    "-MT", sys.argv[1], "-x", "c++-header", HERE / "emulation" / "printed.h", "-o", sys.argv[1]],
                   check=True, env=environment)
