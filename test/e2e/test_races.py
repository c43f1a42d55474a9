"""ThreadSanitizer over the generated code of the examples: small graphs, four threads, no report allowed. OpenMP's own
synchronisation is made known to it by libarcher; without that library the test skips, loudly."""

import concurrent.futures
import pathlib
import shutil
import sys

import harness
from examples import EXAMPLES, given, graphs

suite = harness.Suite("races")
CLANG = "clang++-19" if shutil.which("clang++-19") else None
ARCHER = next(iter(sorted(pathlib.Path("/usr/lib").glob("llvm-19/lib/libarcher.so"))), None)
if not CLANG or not ARCHER:
    print(f"SKIPPED: no race is looked for: {'libarcher.so (libomp-19-dev)' if CLANG else 'clang++-19'} is missing")
    sys.exit(77)
ENVIRONMENT = {"OMP_TOOL_LIBRARIES": str(ARCHER), "OMP_WAIT_POLICY": "passive",
               "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 halt_on_error=0 exitcode=66"}


# Examples under schedules that share their data in other ways: name: example, schedule.
SCHEDULED = {
    "sssp-obim": ("sssp", "cpu { ordered obim(chunk = 8, shift = 1); }"),
    "components-asynchronous": ("components", "cpu { asynchronous; }"),
}


def build(name):
    example, schedule = SCHEDULED.get(name, (name, None))
    source = harness.ROOT / "examples" / f"{example}.gdsl"
    if schedule:
        text = source.read_text() + f"schedule {example} {{ {schedule} }}\n"
        source = suite.folder / f"{name}.gdsl"
        source.write_text(text)
    return suite.run(suite.gcompile, source, "--cxx", CLANG, *suite.QUICK,
                     "--cxx-flag=-DGCOMPILE_WITHOUT_SERIAL", "--cxx-flag=-fsanitize=thread", "--cxx-flag=-g1", "-o", suite.folder / name, timeout=300)


def clean(what, name, *arguments):
    result = suite.run(suite.folder / name, *arguments, env=ENVIRONMENT, timeout=300)
    suite.expect(result.code == 0 and "WARNING: ThreadSanitizer" not in result.err, what, result)


# A race must be seen at all: two threads, one counter.
racy = suite.folder / "racy.cpp"
racy.write_text("int main() {\n  int x = 0;\n#pragma omp parallel num_threads(2)\n"
                "  for (int i = 0; i < 1000; ++i) ++x;\n  return x == 0;\n}\n")
suite.succeeds("build a race", CLANG, "-fopenmp", "-fsanitize=thread", "-g1", "-O0", racy, "-o", suite.folder / "racy")
race = suite.run(suite.folder / "racy", env=ENVIRONMENT)
suite.expect("WARNING: ThreadSanitizer: data race" in race.err, "a race is reported", race)

names = suite.cases or [*EXAMPLES, *SCHEDULED]
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    for name, result in zip(names, pool.map(build, names)):
        suite.expect(result.code == 0, f"{name} does not build", result)
small = [graph for graph in graphs(suite) if graph[0] in ("loops", "karate", "karate-weighted")]
for name in names:
    example = SCHEDULED.get(name, (name, None))[0]
    _, _, directions, needs_weights = EXAMPLES[example]
    for graph_name, graph, weighted in small:
        if needs_weights and not weighted:
            continue
        for direction in directions:
            clean(f"races in {name} {graph_name} {direction}", name, graph, direction, "--threads=4", "--quiet",
                  *given(suite, example, graph))
suite.finish()
