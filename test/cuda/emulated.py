"""How a C++ compiler takes printed CUDA, to which the emulation beside this file gives its meaning."""

import pathlib
import shutil

# Small blocks: less to switch between, and more blocks on small graphs. What follows is C++, up to "-x none".
FLAGS = ["-DGCOMPILE_CUDA_BLOCK=64", f"-I{pathlib.Path(__file__).resolve().parent / 'emulation'}", "-include",
         "cuda_runtime.h", "-x", "c++"]
# Most of the time goes to compiling: Clang without optimisation takes a third of it.
COMPILER = [*(["clang++-19", "-fopenmp=libgomp"] if shutil.which("clang++-19") else ["g++", "-O1", "-fopenmp"]), *FLAGS]
