"""What the tests compile is kept by ccache, and found again from another checkout: the script `g++` beside this file says
how. `environment(build)` is what a command needs for that, besides what it has."""

import os
import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
NVCC = next((path for path in (os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc")
             if path and shutil.which(path)), None)


def environment(build):
    """PATH begins with the folder of the compilers; CUDA's is among them where it is installed. Nothing changes where
    there is no ccache."""
    path = os.environ.get("PATH", os.defpath)
    if not shutil.which("ccache", path=path):
        return {}
    folders = [HERE, *([HERE / "device"] if NVCC else [])]
    after = [str(pathlib.Path(NVCC).parent)] if NVCC and not shutil.which("nvcc", path=path) else []
    return {"PATH": os.pathsep.join([*map(str, folders), path, *after]), "GCOMPILE_TEST_BUILD": str(build)}
