"""What the end-to-end tests share: the tools under test, running programs, and counting checks."""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("cuda", "compilers"):
    sys.path.insert(0, str(ROOT / "test" / folder))
import compilers  # noqa: E402
import emulated  # noqa: E402
SHARED_DATA = pathlib.Path(os.environ.get("GCOMPILE_SHARED_DATA", ROOT.parent / "shared" / "data"))


def outputs_of(path, algorithm):
    """The outputs of an algorithm of a file."""
    text = re.search(rf"^algorithm {algorithm}\(.*?^}}", path.read_text(), re.M | re.S)[0]
    return re.findall(r"^    output (\w+)", text, re.M)


def is_running(pid):
    """Whether a process is there and has not ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as status:
            return status.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Result:
    """The outcome of a command."""

    def __init__(self, command, process):
        self.command = [str(word) for word in command]
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    def __str__(self):
        return f"$ {' '.join(self.command)}\nexit {self.code}\n{self.out[-2000:]}{self.err[-4000:]}"


class Suite:
    """Runs commands in a folder of its own and counts what was checked. Runs of a script with other cases have other
    folders, since tests run at the same time; a script says `shared` if its tests wait for each other."""

    def __init__(self, name, shared=False):
        parser = argparse.ArgumentParser()
        parser.add_argument("--build", required=True, type=pathlib.Path, help="the build tree")
        parser.add_argument("--target", choices=["omp", "cuda", "serial", "mpi", "hybrid", "gpus"], default="omp",
                            help="the back end; CUDA programs run under the emulation in test/cuda")
        parser.add_argument("cases", nargs="*")
        arguments = parser.parse_args()
        self.build = arguments.build.resolve()
        self.cases = arguments.cases
        self.gcompile = self.build / "bin" / "gcompile"
        self.oracle = self.build / "bin" / "oracle"
        self.target = arguments.target
        suffix = "" if self.target == "omp" else "-" + self.target
        self.runtime = self.build / "lib" / f"libgcompile_runtime{'_serial' if self.target == 'serial' else ''}.a"
        self.emulation = self.build / "lib" / "libcuda_emulation.a"
        self.emulation_headers = ROOT / "test" / "cuda" / "emulation"
        self.programs = self.build / "e2e" / ("programs" + suffix)
        self.folder = self.build / "e2e" / (name + suffix)
        if not shared:
            self.folder = self.folder.joinpath("-".join(self.cases))
        self.folder.mkdir(parents=True, exist_ok=True)
        # How to have a program use ids of 64 bits. Those of one thread are compiled without them: they are those that
        # programs of several threads verify themselves by.
        self.wide = [] if self.target == "serial" else ["--vertex-bits=64"]
        self.checks = 0
        self.failures = 0

    def variants(self, threads, seeds=(1,)):
        """The ways to run a case, as (options, environment): with each number of threads; under the emulation, with
        the threads of the device in each order."""
        if self.target == "cuda":
            return [([], {"GCOMPILE_EMULATION_SEED": str(seed)}) for seed in seeds]
        if self.target == "serial":
            return [([], {})]
        return [([f"--threads={count}"], {}) for count in threads]

    def run(self, *command, cwd=None, env=None, timeout=60):
        environment = {**os.environ, **compilers.environment(self.build), **(env or {})}
        if "XDG_CACHE_HOME" not in (env or {}):
            # Each set of options has its precompiled headers, which are large.
            environment = {"GCOMPILE_CACHE_SIZE": "4096", **environment, "XDG_CACHE_HOME": str(self.build / "e2e" / "kept")}
        command = [str(word) for word in command]
        try:
            process = subprocess.run(command, cwd=cwd or self.folder, env=environment, timeout=timeout,
                                     stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                     check=False)
        except subprocess.TimeoutExpired:
            process = subprocess.CompletedProcess(command, -1, "", f"no end after {timeout} s")
        return Result(command, process)

    # How to compile what only a test uses: several threads share small graphs, too; and ids of 32 bits alone.
    SHARED = ("-O1", "--cxx-flag=-DGCOMPILE_MOST_ALONE=0")
    QUICK = (*SHARED, "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32")

    def build_program(self, path, output, *options):
        """Compiles a program for the target."""
        if self.target == "cuda":
            return self.build_emulated(path, f"{output}.cu", output)
        if self.target in ("hybrid", "gpus"):
            return self.build_emulated(path, f"{output}.cu", output, *options)
        return self.run(self.gcompile, f"--target={self.target}", *options, path, "-o", output, timeout=300)

    def build_emulated(self, path, source, output, *options):
        """Compiles a program for the emulation: CUDA printed to `source`, to which the emulation's header gives its
        meaning in C++."""
        target = self.target if self.target in ("hybrid", "gpus") else "cuda"
        printed = self.run(self.gcompile, f"--target={target}", "--emit=source", *options, path, "-o", source)
        if printed.code != 0:
            return printed
        compiled = self.run(*emulated.program_compiler(self.build), "-Wall", "-Wextra", f"-I{path.parent}", "-c", source,
                            "-o", f"{source}.o", timeout=300)
        if compiled.code != 0 or compiled.err:
            return compiled
        return self.run("g++", "-fopenmp", f"{source}.o", self.runtime, self.emulation, "-lboost_context", "-lz", "-lzstd",
                        "-llzma", "-o", output)

    def expect(self, condition, what, detail=""):
        """Counts one check; says what is wrong if it fails."""
        self.checks += 1
        if not condition:
            self.failures += 1
            print(f"FAILED: {what}\n{detail}", flush=True)
            if self.failures == 25:
                print("stopped after 25 failures")
                self.finish()
        return bool(condition)

    def succeeds(self, what, *command, **options):
        result = self.run(*command, **options)
        self.expect(result.code == 0, what, result)
        return result

    def fails(self, what, code, message, *command, **options):
        """The command must end with `code` and print exactly one error line: `message`, or one that holds it after `...`."""
        result = self.run(*command, **options)
        lines = result.err.strip().splitlines()
        if message.startswith("..."):
            good = len(lines) == 1 and lines[0].startswith("error: ") and message[3:] in lines[0]
        else:
            good = lines == [f"error: {message}"]
        self.expect(result.code == code and good, f"{what}: expected exit {code} with 'error: {message}'", result)
        return result

    def finish(self):
        print(f"{self.checks} checks, {self.failures} failed")
        if self.checks == 0:
            print("nothing was checked")
        sys.exit(1 if self.failures or self.checks == 0 else 0)
