"""Compiles every program that the end-to-end tests run, two at a time; one that is up to date is left alone. With
OpenMP, the examples are compiled as users do; the others, and the programs of tests, with -O1, and those of one thread
for ids of 32 bits alone. g++ warns of nothing in them."""

import concurrent.futures

import harness

suite = harness.Suite("build")


def programs():
    for path in sorted((harness.ROOT / "examples").glob("*.gdsl")):
        yield path, path.stem
    for path in sorted((harness.ROOT / "test" / "e2e" / "ldbc").glob("*.gdsl")):
        yield path, "ldbc_" + path.stem
    for name in ("stats", "levels", "level_sets", "both_ways", "into", "whole_graph", "modes", "inputs", "seeds", "bits",
                 "sweeps", "claims", "phases", "gathers", "set_loops", "round_loops", "order_loops", "owners", "masks", "extremes",
                 "rings", "one_list", "indices", "priorities", "each", "reductions", "directed_reductions", "closures", "open_pairs",
                 "edges", "edge_pulls", "ends", "neighbor_places", "imports", "combiners", "calls", "ranges", "arrays", "tuples", "closed_sums"):
        yield harness.ROOT / "test" / "e2e" / f"{name}.gdsl", name


def newest_input(path):
    inputs = [path, suite.gcompile, suite.runtime, *(harness.ROOT / "runtime" / "include").rglob("*.h")]
    if suite.target == "cuda":
        inputs += [suite.emulation, *suite.emulation_headers.glob("*.h")]
    return max(file.stat().st_mtime for file in inputs)


def build(path, name):
    output = suite.programs / name
    if output.exists() and output.stat().st_mtime > newest_input(path):
        return None
    as_users = path.parent.name in ("examples", "ldbc") or name == "stats"
    level = suite.QUICK if not suite.wide else [] if as_users and suite.target == "omp" else suite.SHARED
    return suite.build_program(path, suite.programs / (name + ".new"), "--keep", "--cxx-flag=-Wall",
                               "--cxx-flag=-Wextra", *level)


suite.programs.mkdir(parents=True, exist_ok=True)
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    jobs = [(path, name, pool.submit(build, path, name)) for path, name in programs()]
    for path, name, job in jobs:
        result = job.result()
        if suite.expect(result is None or result.code == 0, f"{path.name} does not compile", result) and result:
            suite.expect(result.err == "", f"{path.name}: unexpected warnings", result)
            (suite.programs / (name + ".new")).replace(suite.programs / name)
suite.finish()
