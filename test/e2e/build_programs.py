"""Compiles every program that the end-to-end tests run, two at a time; one that is up to date is left alone."""

import concurrent.futures
import shutil

import harness

suite = harness.Suite("build")


def programs():
    for path in sorted((harness.ROOT / "examples").glob("*.gdsl")):
        yield path, path.stem
    for path in sorted((harness.ROOT / "test" / "e2e" / "ldbc").glob("*.gdsl")):
        yield path, "ldbc_" + path.stem
    for name in ("stats", "levels", "both_ways", "into", "whole_graph", "modes", "inputs"):
        yield harness.ROOT / "test" / "e2e" / f"{name}.gdsl", name


RUNTIME = suite.build / "lib" / "libgcompile_runtime.a"
EMULATION = suite.build / "lib" / "libcuda_emulation.a"
EMULATION_HEADERS = harness.ROOT / "test" / "cuda" / "emulation"


def newest_input(path):
    inputs = [path, suite.gcompile, RUNTIME, *(harness.ROOT / "runtime" / "include").rglob("*.h")]
    if suite.target == "cuda":
        inputs += [EMULATION, *EMULATION_HEADERS.glob("*.h")]
    return max(file.stat().st_mtime for file in inputs)


def build_emulated(path, name):
    """A CUDA program for the emulation: C++ to which the emulation's header gives CUDA's meaning."""
    source = suite.programs / f"{name}.cu"
    printed = suite.run(suite.gcompile, "--target=cuda", "--emit=source", path, "-o", source)
    if printed.code != 0:
        return printed
    cache = ["ccache"] if shutil.which("ccache") else []
    # Small blocks: less to switch between, and more blocks on small graphs.
    compiled = suite.run(*cache, "g++", "-x", "c++", "-std=c++20", "-O1", "-fopenmp", "-Wall", "-Wextra",
                         "-DGCOMPILE_CUDA_BLOCK=64", f"-I{EMULATION_HEADERS}", "-include", "cuda_runtime.h",
                         f"-I{harness.ROOT / 'runtime' / 'include'}", "-c", source, "-o", f"{source}.o", timeout=300)
    if compiled.code != 0 or compiled.err:
        return compiled
    return suite.run("g++", "-fopenmp", f"{source}.o", RUNTIME, EMULATION, "-lboost_context", "-lz", "-lzstd", "-llzma",
                     "-o", suite.programs / (name + ".new"))


def build(path, name):
    output = suite.programs / name
    if output.exists() and output.stat().st_mtime > newest_input(path):
        return None
    if suite.target == "cuda":
        return build_emulated(path, name)
    return suite.run(suite.gcompile, "--keep", path, "-o", suite.programs / (name + ".new"))


suite.programs.mkdir(parents=True, exist_ok=True)
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    jobs = [(path, name, pool.submit(build, path, name)) for path, name in programs()]
    for path, name, job in jobs:
        result = job.result()
        if suite.expect(result is None or result.code == 0, f"{path.name} does not compile", result) and result:
            suite.expect(result.err == "", f"{path.name}: unexpected warnings", result)
            (suite.programs / (name + ".new")).replace(suite.programs / name)
suite.finish()
