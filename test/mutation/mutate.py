"""Weakens the compiler's rules one at a time and shows that the tests notice: for each entry of mutations.txt the change
is made, the compiler is built, and a fast part of the suite must fail. Run by hand; the tree must be clean.

    test/mutation/mutate.py --build build [--jobs N] [WORD...]      only mutations whose names hold a word
    test/mutation/mutate.py --build build --check                   only whether every mutation still finds its text
"""

import argparse
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def mutations():
    """The entries of mutations.txt; `find` and `with` may go on over several lines."""
    text = (ROOT / "test" / "mutation" / "mutations.txt").read_text()
    for entry in text.split("\n\n"):
        fields, key = {}, None
        for line in entry.splitlines():
            head, colon, rest = line.partition(": ")
            if line.startswith("#"):
                continue
            if colon and head in ("name", "file", "find", "with"):
                key = head
                fields[key] = rest
            elif key:
                fields[key] += "\n" + line
        yield fields


def run(*command):
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the file is put back
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--check", action="store_true", help="change nothing: does every mutation find its text?")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    chosen = [m for m in mutations() if m and (not arguments.words or any(w in m["name"] for w in arguments.words))]
    for mutation in chosen:
        times = (ROOT / mutation["file"]).read_text().count(mutation["find"])
        if times != 1:
            sys.exit(f"'{mutation['name']}': its text stands {times} times in {mutation['file']}")
    if arguments.check:
        print(f"{len(chosen)} mutations find their text")
        sys.exit(0 if chosen else 1)
    # Each names the part of the suite, the fastest first; one that fails is enough.
    cache = (build / "CMakeCache.txt").read_text()
    lit = next(line.partition("=")[2] for line in cache.splitlines() if line.startswith("LIT:FILEPATH="))
    random_programs = [sys.executable, ROOT / "test" / "random" / "random_programs.py", "--build", build]
    suites = [("lit", [sys.executable, lit, "-s", "--max-failures=1", "--filter", r"ir/.*\.gdsl", build / "test"]),
              ("corners", [sys.executable, ROOT / "test" / "e2e" / "test_corners.py", "--build", build]),
              ("random", [*random_programs, "--seeds", "1-100", "--batch", "20", "--stop"]),
              ("races", [*random_programs, "--seeds", "1-40", "--batch", "10", "--stop", "--tsan"])]
    code, log = run("ninja", "-C", build, "-j", arguments.jobs, "gcompile", "interpret_batch")
    failing = [name for name, command in suites if code != 0 or run(*command)[0] not in (0, 77)]
    if failing:
        sys.exit(f"fails without any mutation: {', '.join(failing)}")
    survivors, count = 0, 0
    for mutation in chosen:
        path = ROOT / mutation["file"]
        original = path.read_text()
        start, count = time.time(), count + 1
        try:
            path.write_text(original.replace(mutation["find"], mutation["with"]))
            code, log = run("ninja", "-C", build, "-j", arguments.jobs, "gcompile")
            if code != 0:
                sys.exit(f"'{mutation['name']}' does not compile\n{log[-2000:]}")
            caught = next((name for name, command in suites if run(*command)[0] not in (0, 77)), None)
        finally:
            path.write_text(original)
        survivors += caught is None
        print(f"| {mutation['name']} | {caught or 'nothing'} | {time.time() - start:.0f} s |", flush=True)
    run("ninja", "-C", build, "-j", arguments.jobs, "gcompile")
    print(f"{count} mutations, {survivors} survived")
    sys.exit(1 if survivors or not count else 0)


if __name__ == "__main__":
    main()
