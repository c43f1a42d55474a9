"""Random programs: every one that the compiler accepts must compile and give the interpreter's answer, under every legal
schedule and with every number of threads; every one that it refuses must name the rule that it breaks.

    test/random/random_programs.py --build build --seeds 1-300         as ctest runs it
    test/random/random_programs.py --build build --seeds 1-20000       by hand
    test/random/random_programs.py --build build --seeds 17            one program; the files are kept
    test/random/random_programs.py --build build --seeds 1-120 --cuda  for CUDA, under the emulation in test/cuda
    test/random/random_programs.py --build build --seeds 1-400 --batch 400 --gpus  for several GPUs, under the same
    test/random/random_programs.py --build build --seeds 1-200 --batch 200 --mpi  for several machines, on 4 ranks
    test/random/random_programs.py --build build --seeds 1-40 --serial  for one thread, without OpenMP
    test/random/random_programs.py --build build --seeds 1-60 --hybrid  for a CPU and a GPU, each stage on a random side

With --memory nothing is compared: the compiler itself runs in Valgrind, up to the last pass for the target.

With --cuda or --hybrid and --prepare FOLDER nothing is compiled or run: for each batch a folder there gets main.cu, the
graphs, and the interpreter's answers in expected.txt, for a machine with a GPU (bench/h200).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

from answers import read_answers, same, wrong_answers
from generate import GIVEN, Program

ROOT = pathlib.Path(__file__).resolve().parents[2]
for room in ("cuda", "compilers"):
    sys.path.insert(0, str(ROOT / "test" / room))
import compilers  # noqa: E402
import emulated  # noqa: E402
CLANG = "clang++-19"
IMPORT = 'import "functions.hpp";\n'
ARCHER = pathlib.Path("/usr/lib/llvm-19/lib/libarcher.so")  # tells ThreadSanitizer what OpenMP synchronises
MPIRUN = ["mpirun", "-q", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
          "--mca", "btl_vader_single_copy_mechanism", "none", "-n", "4"]
RULES = re.compile(r"E0(4\d\d|50[^6])")  # the write rule and the schedules; each target runs what the other runs
# The schedules that are drawn without knowing whether they are legal.
UNKNOWN = ("cannot share the list of a vertex", "cannot keep a bitmap of what is claimed",
           "cannot claim without atomic operations and cull copies", "cannot number its vertices",
           "cannot align its lists of neighbours", "cannot list the edges of its frontier", "cannot keep its frontier as edges", "cannot have a side of its own",
           "cannot run on another side than the one before it")


def run(command, timeout=300, env=None):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=timeout,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **(env or {})), check=False)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        return -1, (late.stdout or b"").decode(errors="replace"), f"no end after {timeout} s"


def class_name(algorithm):
    """The C++ class of an algorithm."""
    return "".join(word.capitalize() for word in algorithm.split("_"))


def given_value(rng, kind, n):
    """What a program is given for a vertex: integers may be infinite, sums of reals are exact."""
    if kind == "bool":
        return rng.choice(["true", "false"])
    if kind == "vertex":
        return rng.choice(["none", *[rng.randrange(n) + 1] * 3])
    if kind in ("float", "double"):
        return rng.choice(["0.5", "2", "-3.25", "0", "7"])
    return rng.choice(["inf", "0", "-4", "1", "2", "9", "31"])


def write_graphs(folder, rng):
    """Small graphs with isolated vertices, self-loops, repeated edges, and a few larger ones, each with a file of every
    type that a program may be given for each vertex."""
    paths = []
    for number, n in enumerate([1, rng.randrange(2, 6), rng.randrange(6, 13), rng.randrange(30, 80)]):
        m = rng.choice([n // 2, n, 2 * n, 4 * n])
        edges = [(rng.randrange(n), rng.randrange(n), rng.randrange(1, 10)) for _ in range(m)]
        if n > 2:
            edges = [(u, v, w) for u, v, w in edges if u != n - 1 and v != n - 1]  # the last is alone
        path = folder / f"g{number}.mtx"
        path.write_text("%%MatrixMarket matrix coordinate integer general\n" + f"{n} {n} {len(edges)}\n"
                        + "".join(f"{u + 1} {v + 1} {w}\n" for u, v, w in edges))
        paths.append(path)
        own = random.Random(n)
        (folder / f"{path.name}.parts").write_text("".join(f"{own.randrange(4)}\n" for _ in range(n)))  # of 4 ranks
        for kind in GIVEN:
            lines = [f"{v + 1} {given_value(rng, kind, n)}\n" for v in range(n) if rng.randrange(4)]
            (folder / f"{path.name}.{kind}").write_text("# of some vertices\n" + "".join(lines))
    return paths


class Batch:
    """Programs that are compiled together."""

    def __init__(self, arguments, seeds):
        self.build = arguments.build.resolve()
        self.tsan, self.serial = arguments.tsan, arguments.serial
        self.target = "hybrid" if arguments.hybrid else "mpi" if arguments.mpi else "gpus" if arguments.gpus else "cuda" if arguments.cuda else "serial" if self.serial else "omp"
        self.cuda = self.target in ("cuda", "gpus", "hybrid")  # printed for the emulation
        self.option = f"--target={self.target}"
        self.prepares, self.memory = arguments.prepare is not None, arguments.memory
        # Every fourth batch has vertex ids of 64 bits.
        self.wide = seeds[0] // len(seeds) % 4 == 3
        # Clang compiles faster, and has another OpenMP: g++ compiles every third batch.
        self.cxx = CLANG if shutil.which(CLANG) and seeds[0] // len(seeds) % 3 else "g++"
        kind = "-tsan" if self.tsan else "" if self.target == "omp" else f"-{self.target}"
        kind += "-memory" if self.memory else ""
        self.folder = (arguments.prepare or self.build / "random") / f"{seeds[0]}-{seeds[-1]}{kind}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seeds = f"{seeds[0]}-{seeds[-1]}"  # the graphs are drawn for all of them
        self.programs = {}  # name in the batch: (program, text)
        self.failures, self.refused, self.unscheduled, self.compared = [], 0, 0, 0
        for seed in seeds:
            program = Program(seed, parts=self.target if self.target in ("gpus", "mpi") and seed % 2 == 1 else None,
                              sides=self.target == "hybrid")
            self.programs[program.name] = (program, program.text(program.name))
            rng = random.Random(seed + 1)
            # No section of a schedule speaks of one thread, or of parts. Its layout does.
            schedules = ([program.sides(rng) for _ in range(3)] if self.target == "hybrid" else [program.layout(rng)] if self.target in ("serial", "gpus", "mpi") else
                         [program.schedule(rng, "cuda" if self.cuda else "cpu") for _ in range(2)])
            for i, schedule in enumerate(schedules):
                if schedule and schedule not in schedules[:i]:
                    name = f"{program.name}_{'abc'[i]}"
                    self.programs[name] = (program, program.text(name, schedule, functions=False))

    def fail(self, name, what, detail=""):
        program, text = self.programs[name]
        if program.name not in [seed for seed, _ in self.failures]:
            self.failures.append((program.name, f"seed {program.seed}: {what}\n{detail}\n{text}"
                                  f"repeat: test/random/random_programs.py --build build --seeds {self.seeds}\n"))

    def write(self):
        """All programs in one file; returns the name of the program on each line."""
        (self.folder / "functions.hpp").write_text("#pragma once\n#include <cstdint>\n" + "".join(
            dict.fromkeys(program.header for program, _ in self.programs.values())))
        lines, owners = [IMPORT.strip()], [None]
        for name, (_, text) in self.programs.items():
            for line in text.splitlines():
                lines.append(line)
                owners.append(name)
        path = self.folder / "batch.gdsl"
        path.write_text("\n".join(lines) + "\n")
        return path, owners

    def drop(self, name):
        """A program that is refused goes, and with the plain form all of its schedules."""
        seed = self.programs[name][0].seed
        for other in [o for o, (program, _) in self.programs.items()
                      if o == name or (name == f"p{seed}" and program.seed == seed)]:
            del self.programs[other]

    def lowered(self):
        """The words that have gcompile find all that it refuses."""
        return ["check"] if self.target == "omp" else [self.option, "--emit=exec-ir", "-o", os.devnull]

    def check(self):
        """Leaves the programs that the compiler accepts."""
        while self.programs:
            path, owners = self.write()
            code, _, err = run([self.build / "bin" / "gcompile", *self.lowered(), "--diagnostics=json", path])
            if code == 0:
                return
            try:
                reports = [report for report in map(json.loads, err.splitlines()) if report["severity"] == "error"]
            except json.JSONDecodeError:
                reports = []
            if code != 1 or not reports:
                self.blame([self.build / "bin" / "gcompile", *self.lowered()], err)
                continue
            if any(report["line"] == 1 for report in reports):
                raise RuntimeError(f"{path}: the header is refused\n{err}")
            refused = {}
            for report in reports:
                refused.setdefault(owners[report["line"] - 1], report)
            for name, report in refused.items():
                if name not in self.programs:
                    continue
                unknown = "_" in name and any(text in report["message"] for text in UNKNOWN)
                if not RULES.fullmatch(report["code"]) or ("_" in name and not unknown):
                    self.fail(name, f"refused with {report['code']}: {report['message']}", f"line {report['line']}")
                elif unknown:
                    self.unscheduled += 1
                elif "_" not in name:
                    self.refused += 1
                self.drop(name)

    def blame(self, command, err):
        """A command that compiles failed on the batch: the programs that it fails on, one by one, are dropped."""
        for name in list(self.programs):
            program, text = self.programs.get(name, (None, None))
            if program is None:
                continue
            path = self.folder / f"{name}.gdsl"
            path.write_text(IMPORT + ("" if text.startswith(program.body[0]) else program.body[0]) + text)
            code, _, alone = run([*command, path])
            if code not in (0, 1):
                self.fail(name, "the compiler failed", alone)
                self.drop(name)
        if not self.failures:
            raise RuntimeError(err)

    def print_sources(self):
        """The batch as a library, and the main function that calls it."""
        source = self.folder / "batch.gdsl"
        header = self.folder / "batch.hpp"
        code, _, err = run([self.build / "bin" / "gcompile", self.option, "--emit=library", source, "-o", header])
        if code != 0:
            raise RuntimeError(f"{source}: accepted, but no C++ comes out\n{err}")
        calls = "".join(f'  runAlgorithm<{class_name(name)}>("{name}", {name}_info(), "{program.directedness}", argc - 1, argv + 1);\n'
                        for name, (program, _) in self.programs.items())
        main = self.folder / ("main.cu" if self.cuda else "main.cpp")
        wide = ("#define RANDOM_VERTEX_BITS 64\n\n" if self.wide else "") + (f"#define RANDOM_{self.target.upper()} 1\n" if self.target in ("gpus", "mpi") else "")
        begin, end = ("  gc::mpi::initialise(argc, argv);\n", "  MPI_Finalize();\n") if self.target == "mpi" else ("", "")
        main.write_text(f'{wide}#include "test/random/run_batch.h"\n#include "batch.hpp"\n\n'
                        f"int main(int argc, char **argv) {{\n{begin}{calls}{end}  return 0;\n}}\n")
        return header, main

    def compile(self):
        """The batch as one executable, or None."""
        header, main = self.print_sources()
        compiler = (emulated.COMPILER if self.cuda else
                    [CLANG, "-fopenmp", "-g1", "-O1", "-fsanitize=thread"] if self.tsan else
                    ["mpicxx", "-fopenmp"] if self.target == "mpi" else ["g++"] if self.serial else [self.cxx, "-fopenmp"])
        runtime = "-lgcompile_runtime_serial" if self.serial else "-lgcompile_runtime"
        emulation = ["-lcuda_emulation", "-lboost_context"] if self.cuda else []
        command = [*compiler, *([] if self.tsan else ["-O0"]), "-std=c++17", "-fwrapv", "-w", "-DGCOMPILE_MOST_ALONE=0",
                   "-DGCOMPILE_LONG_MESSAGE=100", f"-I{ROOT}",
                   f"-I{ROOT}/runtime/include", main, "-x", "none", f"-L{self.build}/lib", runtime, "-lz", "-lzstd",
                   "-llzma", *emulation, "-o", self.folder / "batch"]
        code, _, err = run(command, timeout=900, env=compilers.environment(self.build))
        if code == 0:
            return self.folder / "batch"
        for line in err.splitlines():
            if " error: " in line:
                found = re.search(r"batch\.hpp:(\d+)", line)
                names = header.read_text().splitlines()[:int(found.group(1))] if found else []
                names = [n for n in re.findall(r"^class (P\w+)", "\n".join(names), re.M)]
                names = [n for n in self.programs if class_name(n) in names[-1:]]
                self.fail(names[-1] if names else next(iter(self.programs)), "the C++ does not compile", line)
        if not self.failures:
            raise RuntimeError(err[-3000:])
        return None

    def answers(self, command):
        environment = {"OMP_WAIT_POLICY": "passive", "GCOMPILE_EMULATION_DEVICES": "3", "OMPI_MCA_plm_rsh_agent": ""}
        if self.tsan:
            environment.update(OMP_TOOL_LIBRARIES=str(ARCHER), TSAN_OPTIONS="ignore_noninstrumented_modules=1")
        code, out, err = run(command, timeout=900, env=environment)
        return code, read_answers(out), err

    def interpret(self, graphs):
        """The interpreter's answers."""
        plain = self.folder / "plain.gdsl"
        plain.write_text(IMPORT + "".join(text for name, (_, text) in self.programs.items() if "_" not in name))
        code, expected, err = self.answers([self.build / "bin" / "interpret_batch", plain, *graphs])
        if code != 0:
            raise RuntimeError(f"{plain}: the interpreter failed with {code}\n{err[-2000:]}")
        return expected

    def prepare(self, graphs):
        self.print_sources()
        expected = self.interpret(graphs)
        (self.folder / "expected.txt").write_text("".join(" ".join([*key, *values]) + "\n"
                                                          for key, values in expected.items()))

    def check_memory(self):
        """What the compiler reads, writes and frees for the programs that are accepted."""
        command = ["valgrind", "-q", "--undef-value-errors=no", "--num-callers=20", "--error-exitcode=99",
                   self.build / "bin" / "gcompile", *self.lowered()]
        self.compared += len(self.programs)
        code, _, err = run([*command, self.folder / "batch.gdsl"])
        if code != 0:
            self.blame(command, err)

    def compare(self, graphs):
        executable = self.compile()
        if not executable:
            return
        expected = self.interpret(graphs)
        code, got, err = self.answers([*(MPIRUN if self.target == "mpi" else []), executable, *graphs])
        if code != 0 or "WARNING: ThreadSanitizer" in err:
            last = [line for line in err.split("WARNING: ThreadSanitizer")[0].splitlines() if line.startswith("p")]
            if not last:
                raise RuntimeError(err[-3000:])
            self.fail(last[-1].split()[0], f"ended with {code}", last[-1] + "\n" + err[-3000:])
        for (name, where, output), values in expected.items():
            if where.endswith(":backward"):
                forward = expected.get((name, where.removesuffix(":backward"), output))
                if not same(output, forward, values):
                    self.fail(name, f"{output} depends on the order of iterations on {where}",
                              f"forward:  {forward}\nbackward: {values}")
        self.compared += len(got)
        for wrong in wrong_answers(expected, got):
            self.fail(*wrong)

    def test(self):
        graphs = write_graphs(self.folder, random.Random(self.folder.name))
        self.check()
        if self.programs and self.prepares:
            return self.prepare(graphs) or self
        if self.programs and self.memory:
            self.check_memory()
        elif self.programs:
            self.compare(graphs)
        if not self.failures:
            for path in self.folder.iterdir():
                path.unlink()
            self.folder.rmdir()
        return self


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", default="1-300")
    parser.add_argument("--batch", type=int, default=25, help="programs in one translation unit")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--stop", action="store_true", help="end with the first batch that fails")
    parser.add_argument("--cuda", action="store_true", help="compile for CUDA and run under the emulation")
    parser.add_argument("--gpus", action="store_true", help="compile for several GPUs and run on 2 and 3 under the emulation")
    parser.add_argument("--hybrid", action="store_true", help="compile for a CPU and a GPU and run each stage on a side that is drawn")
    parser.add_argument("--mpi", action="store_true", help="compile for several machines and run on 4 ranks")
    parser.add_argument("--serial", action="store_true", help="compile for one thread, without OpenMP")
    parser.add_argument("--prepare", type=pathlib.Path, metavar="FOLDER", help="with --cuda or --hybrid: only write what a GPU needs")
    parser.add_argument("--memory", action="store_true", help="only compile, with the compiler in Valgrind")
    parser.add_argument("--tsan", action="store_true", help="build with ThreadSanitizer; no report is allowed")
    arguments = parser.parse_args()
    if arguments.prepare and not (arguments.cuda or arguments.hybrid):
        parser.error("--prepare needs --cuda or --hybrid")
    if arguments.tsan and not (shutil.which(CLANG) and ARCHER.exists()):
        print(f"SKIPPED: no race is looked for: {CLANG} or {ARCHER} is missing")
        sys.exit(77)
    if arguments.memory and not shutil.which("valgrind"):
        print("SKIPPED: there is no valgrind here")
        sys.exit(77)
    if arguments.mpi and not arguments.memory and not (shutil.which("mpirun") and shutil.which("mpicxx")):
        print("SKIPPED: there is no mpirun or mpicxx here")
        sys.exit(77)
    first, _, last = arguments.seeds.partition("-")
    seeds = list(range(int(first), int(last or first) + 1))
    batches = [seeds[i:i + arguments.batch] for i in range(0, len(seeds), arguments.batch)]
    start, failures, refused, unscheduled, compared = time.time(), [], 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        for batch in pool.map(lambda seeds: Batch(arguments, seeds).test(), batches):
            refused += batch.refused
            unscheduled += batch.unscheduled
            compared += batch.compared
            failures += batch.failures
            for _, text in batch.failures:
                print(f"FAILED: {text}", flush=True)
            if failures and arguments.stop:
                pool.shutdown(cancel_futures=True)
                sys.exit(1)
    print(f"{len(seeds)} programs: {len(seeds) - refused} accepted, {refused} refused by a rule; {compared} "
          f"{'compiled in Valgrind' if arguments.memory else 'outputs compared'} in {time.time() - start:.0f} s, "
          f"{len(failures)} programs failed"
          + (f"; {unscheduled} schedules refused" if arguments.cuda or arguments.hybrid else ""))
    sys.exit(1 if failures or (compared == 0 and not arguments.prepare) else 0)


if __name__ == "__main__":
    main()
