"""The cache of `gcompile run`: what is compiled again and what is not, damaged entries, how full it gets; and the
precompiled headers of all programs."""

import os
import shutil
import time

import harness

suite = harness.Suite("cache")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
KARATE = harness.ROOT / "examples" / "data" / "karate.el"
gcompile = suite.gcompile
cache = suite.folder / "cache"
ENVIRONMENT = {"XDG_CACHE_HOME": str(cache)}
DEGREES = "algorithm degrees(g: graph) { output degree: int[g] = v.degree; }\n"


def write(name, text):
    path = suite.folder / name
    path.write_text(text)
    return path


# ---- with the real compiler
program = write("degrees.gdsl", DEGREES)
command = [gcompile, "run", "-v", "-O0", program, KARATE, "--undirected", "--quiet", "--output", "degree=-"]
result = suite.succeeds("first run", *command, env=ENVIRONMENT, timeout=300)
suite.expect("-fopenmp" in result.err and "34 17" in result.out, "the first run compiles and answers", result)
result = suite.succeeds("second run", *command, env=ENVIRONMENT, timeout=300)
suite.expect(result.err == "" and "34 17" in result.out, "the second run does not compile", result)
write("degrees.gdsl", DEGREES.replace("v.degree", "v.degree + 1"))
result = suite.succeeds("run after a change", *command, env=ENVIRONMENT, timeout=300)
suite.expect("-fopenmp" in result.err and "34 18" in result.out, "a changed program is compiled again", result)
suite.expect(len([path for path in (cache / "gcompile").iterdir() if not path.name.startswith("headers-")]) == 2,
             "two programs are in the cache")
suite.fails("options after the program are the program's own", 2, "...--rot", gcompile, "run", "-O0", program, KARATE,
            "--rot=1", env=ENVIRONMENT, timeout=300)
result = suite.succeeds("help of a program", gcompile, "run", "-O0", program, "--help", env=ENVIRONMENT, timeout=300)
suite.expect("degree" in result.out, "the program's help lists its results", result)
# A run compiles what it needs: one width of vertex ids, and the serial form only to compare with it.
result = suite.succeeds("a run that verifies", *command, "--verify", env=ENVIRONMENT, timeout=300)
suite.expect("GCOMPILE_VERTEX_BITS=32" in result.err and "WITHOUT_SERIAL" not in result.err, "--verify compiles again",
             result)
result = suite.succeeds("a run with wide ids", *command, "--vertex-bits=64", env=ENVIRONMENT, timeout=300)
suite.expect("GCOMPILE_VERTEX_BITS=64 -DGCOMPILE_WITHOUT_SERIAL" in result.err and "34 18" in result.out,
             "--vertex-bits=64 compiles again", result)
result = suite.succeeds("narrow ids again", *command, env=ENVIRONMENT, timeout=300)
suite.expect(result.err == "" and "34 18" in result.out, "narrow ids are there", result)
narrow = suite.folder / "narrow"
suite.succeeds("a narrow program", gcompile, "-O0", program, "-o", narrow, "--cxx-flag=-DGCOMPILE_VERTEX_BITS=32",
               "--cxx-flag=-DGCOMPILE_WITHOUT_SERIAL", timeout=300)
suite.fails("wide ids in a narrow program", 2, f"...{KARATE}: needs vertex ids of 64 bits, for which this program was not compiled",
            narrow, KARATE, "--vertex-bits=64")
suite.fails("--verify without a serial form", 2, "--verify: this program was compiled without its serial form", narrow,
            KARATE, "--verify")
shutil.rmtree(cache)
suite.succeeds("after the cache is gone", *command, env=ENVIRONMENT, timeout=300)
# The damage of the executable is noticed, not run.
executable = next(path for path in cache.rglob("degrees") if path.is_file())
executable.write_bytes(executable.read_bytes()[:1000])
for _ in range(2):
    result = suite.succeeds("a truncated executable", *command, env=ENVIRONMENT, timeout=300)
    suite.expect("34 18" in result.out, "it is compiled again", result)
shutil.rmtree(cache)

# ---- precompiled headers: made when a compiler and its options are used for the second time, by no other compiler
HEADERS = cache / "gcompile"


def compiles(what, *options, makes, reads, **variables):
    """Compiles a program, which must make headers, and read them, or not."""
    result = suite.succeeds(what, gcompile, "-v", "-O0", program, "-o", narrow, *options, env={**ENVIRONMENT, **variables},
                            timeout=300)
    suite.expect(("c++-header" in result.err, "-include" in result.err) == (makes, reads), f"{what}: headers", result)


def made():
    """The precompiled headers, the oldest first."""
    return sorted(HEADERS.glob("headers-*/printed.h.gch"), key=lambda path: path.stat().st_mtime)


compiles("the first program", makes=False, reads=False)
compiles("the second program", makes=True, reads=True)
compiles("the third program", makes=False, reads=True)
suite.succeeds("a program with precompiled headers", narrow, KARATE, "--undirected", "--quiet")
compiles("another option", "--cxx-flag=-DOTHER", makes=False, reads=False)
compiles("another option again", "--cxx-flag=-DOTHER", makes=True, reads=True)
compiles("one thread", "--target=serial", makes=False, reads=False)
compiles("a small cache", makes=False, reads=False, GCOMPILE_CACHE_SIZE="100")
result = suite.succeeds("--stats", gcompile, "cache", "--stats", env=ENVIRONMENT)
suite.expect("0 programs, headers for 3 sets of options, " in result.out, "--stats", result)
# The compiler ignores a damaged one, or fails, and then the program is compiled without it.
plain = made()[0]
for damage in (b"", b"no header"):
    plain.write_bytes(damage)
    compiles("damaged headers", makes=False, reads=damage != b"")
# What was read is newer: a copy of the runtime, one header of which changes.
shutil.rmtree(cache)
runtime = suite.folder / "the runtime"
(runtime / "lib").mkdir(parents=True)
shutil.copytree(harness.ROOT / "runtime" / "include", runtime / "include")
shutil.copy(suite.runtime, runtime / "lib")
for makes in (False, True, False):
    compiles("a runtime elsewhere", f"--runtime={runtime}", makes=makes, reads=len(made()) > 0 or makes)
changed = runtime / "include" / "gcompile" / "core" / "types.h"
changed.write_text(changed.read_text() + "// changed\n")
for makes in (True, False):
    compiles("a changed runtime", f"--runtime={runtime}", makes=makes, reads=True)
# A folder in which others can write is not read from.
shutil.rmtree(cache)
HEADERS.mkdir(parents=True)
HEADERS.chmod(0o777)
for _ in range(3):
    compiles("a folder of all", makes=False, reads=False)
shutil.rmtree(cache)

# ---- with a compiler that is quick: what it makes tells the program's name and has a size of 600 KiB
calls = suite.folder / "calls"
QUICK = write("quick-cxx", f"""#!/bin/sh
echo call >> {calls}
while [ $# -gt 0 ]; do
  case "$1" in -o) out="$2"; shift;; *.cpp) in="$1";; esac
  shift
done
{{ printf '#!/bin/sh\\necho %s; exit 0\\n' "$(basename "$in")"; head -c 614400 /dev/zero; }} > "$out"
chmod +x "$out"
""")
QUICK.chmod(0o755)
for name in ("one", "two", "three"):
    write(f"{name}.gdsl", DEGREES.replace("degrees", name))


def run(name, compiles, what, **variables):
    """`gcompile run` must give the right program, and compile or not."""
    calls.write_text("")
    result = suite.succeeds(what, gcompile, "run", f"--cxx={QUICK}", f"{name}.gdsl", env={**ENVIRONMENT, **variables})
    count = calls.read_text().count("call")
    suite.expect(result.out == f"{name}.cpp\n" and result.err == "" and count == int(compiles),
                 f"{what}: compiles {count} times", result)


def entry(name):
    return next((cache / "gcompile").rglob(name))


DAMAGES = {
    "an empty executable": lambda path: path.write_bytes(b""),
    "a truncated executable": lambda path: os.truncate(path, 300000),
    "a longer executable": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "another byte": lambda path: path.write_bytes(path.read_bytes()[:-1] + b"x"),
    "no executable": lambda path: path.unlink(),
    "a folder as executable": lambda path: (path.unlink(), path.mkdir()),
    "not executable": lambda path: path.chmod(0o600),
    "no checksum": lambda path: path.with_name("one.sum").unlink(missing_ok=True),
    "an empty checksum": lambda path: path.with_name("one.sum").write_text(""),
    "a file as entry": lambda path: (shutil.rmtree(path.parent), path.parent.write_text("")),
    "an empty entry": lambda path: (shutil.rmtree(path.parent), path.parent.mkdir()),
}
run("one", True, "the first run")
run("one", False, "the second run")
for what, damage in DAMAGES.items():
    damage(entry("one"))
    run("one", True, what)
    run("one", False, f"{what}, the next run")

# ---- size
result = suite.succeeds("--stats", gcompile, "cache", "--stats", env=ENVIRONMENT)
suite.expect(result.out == f"{cache}/gcompile: 1 program, 0.6 MiB of 512 MiB\n", "--stats", result)
run("two", True, "another program", GCOMPILE_CACHE_SIZE="2")
time.sleep(0.05)
run("one", False, "the first is used")
time.sleep(0.05)
run("three", True, "a third program", GCOMPILE_CACHE_SIZE="2")
result = suite.succeeds("--stats", gcompile, "cache", "--stats", env={**ENVIRONMENT, "GCOMPILE_CACHE_SIZE": "2"})
suite.expect(result.out == f"{cache}/gcompile: 3 programs, 1.8 MiB of 2 MiB\n", "all three fit", result)
write("four.gdsl", DEGREES.replace("degrees", "four"))
run("four", True, "a fourth program", GCOMPILE_CACHE_SIZE="2")
run("one", False, "what was used stays", GCOMPILE_CACHE_SIZE="2")
run("three", False, "what is new stays", GCOMPILE_CACHE_SIZE="2")
run("two", True, "what was used longest ago has left", GCOMPILE_CACHE_SIZE="2")
run("one", False, "another size", GCOMPILE_CACHE_SIZE="0")
run("four", True, "a program that is larger than the cache", GCOMPILE_CACHE_SIZE="0")
result = suite.succeeds("--stats", gcompile, "cache", "--stats", env=ENVIRONMENT)
suite.expect(result.out == f"{cache}/gcompile: 1 program, 0.6 MiB of 512 MiB\n", "it is there alone", result)

# ---- --clear removes the programs and nothing else
(cache / "gcompile" / "note.txt").write_text("mine\n")
result = suite.succeeds("--clear", gcompile, "cache", "--clear", env=ENVIRONMENT)
suite.expect(result.out == f"{cache}/gcompile: removed 1 program, 0.6 MiB\n", "--clear", result)
suite.expect([path.name for path in (cache / "gcompile").iterdir()] == ["note.txt"], "only programs are removed")
result = suite.succeeds("--clear, again", gcompile, "cache", "--clear", env=ENVIRONMENT)
suite.expect(result.out == f"{cache}/gcompile: removed 0 programs, 0.0 MiB\n", "--clear of an empty cache", result)
run("one", True, "after --clear")
shutil.rmtree(cache)
result = suite.succeeds("--stats without a cache", gcompile, "cache", "--stats", env=ENVIRONMENT)
suite.expect(result.out == f"{cache}/gcompile: 0 programs, 0.0 MiB of 512 MiB\n" and not cache.exists(), "no cache", result)
suite.finish()
