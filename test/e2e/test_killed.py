"""Runs that are ended by a signal: no file and no child stays; after SIGKILL the next run removes what is left, and only
what no process holds."""

import os
import shutil
import signal
import subprocess
import time

import harness

suite = harness.Suite("killed")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
BFS = harness.ROOT / "examples" / "bfs.gdsl"
GRAPH = "grid:300x300"
bfs = suite.programs / "bfs"
temporary, cache = suite.folder / "tmp", suite.folder / "cache"
temporary.mkdir()
ENVIRONMENT = dict(os.environ, TMPDIR=str(temporary), XDG_CACHE_HOME=str(cache))
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGPIPE)

# A compiler that has written a temporary file, and a process of its own, and does not end. `pids` tells the processes.
SLOW = suite.folder / "slow-cxx"
SLOW.write_text(f"""#!/bin/sh
echo part > "$TMPDIR/ccTemporary.s"
sleep 60 &
echo $$ $! > {suite.folder}/pids.new
mv {suite.folder}/pids.new {suite.folder}/pids
wait
""")
SLOW.chmod(0o755)
# The last result goes to a pipe that nobody reads: there the program waits, and its first result is not complete.
os.mkfifo(suite.folder / "pipe")
RESULTS = ["--quiet", "--output=depth=big.txt", "--output=parent=pipe"]
WAITING = [bfs, GRAPH, "--root=0", *RESULTS]


def left():
    """What lies in the folders beside what belongs there."""
    known = {"pipe", "slow-cxx", "tmp", "cache", "cache/gcompile"}
    return sorted(str(path.relative_to(suite.folder)) for path in suite.folder.rglob("*")
                  if str(path.relative_to(suite.folder)) not in known)


def wait_for(what, condition):
    for _ in range(6000):
        if condition():
            return True
        time.sleep(0.01)
    return suite.expect(False, f"{what} does not happen", left())


def start(command, ignored=()):
    def prepare():
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN if each in ignored else signal.SIG_DFL)

    return subprocess.Popen([str(word) for word in command], cwd=suite.folder, env=ENVIRONMENT, preexec_fn=prepare,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def unfinished():
    return [path for path in suite.folder.glob(".gcompile-*") if path.is_file() and path.stat().st_size > 100000]


def start_waiting(**options):
    process = start(WAITING, **options)
    wait_for("a file that is not complete", unfinished)
    return process


def ends(process, code, what):
    try:
        suite.expect(process.wait(timeout=60) == code, f"{what}: ends with {code}", process.returncode)
    except subprocess.TimeoutExpired:
        suite.expect(False, f"{what}: does not end")
        process.kill()
        process.wait()


# ---- a program that writes its results
for number in SIGNALS:
    process = start_waiting()
    process.send_signal(number)
    ends(process, -number, f"a program, {number.name}")
    suite.expect(left() == [], f"a program, {number.name}: files are left", left())

process = start_waiting(ignored=[signal.SIGHUP])
process.send_signal(signal.SIGHUP)
time.sleep(0.2)
suite.expect(process.poll() is None, "SIGHUP stays ignored, as nohup wants it")
process.terminate()
ends(process, -signal.SIGTERM, "and SIGTERM is not")
suite.expect(left() == [], "files are left", left())

# ---- a program that is killed, beside one that still writes
process = start_waiting()
abandoned = unfinished()
process.kill()
process.wait()
suite.expect(left() == [path.name for path in abandoned], "SIGKILL leaves one file", left())
process = start(WAITING)
wait_for("another file that is not complete", lambda: unfinished() and unfinished() != abandoned)
suite.expect(not abandoned[0].exists(), "the next run removes it", left())
held = unfinished()
suite.succeeds("a third run", bfs, GRAPH, "--root=0", "--quiet", "--output=depth=third.txt")
suite.expect(unfinished() == held, "a file of a running program stays", left())
with open(suite.folder / "pipe", "rb") as pipe:
    pipe.read()
ends(process, 0, "the program goes on")
suite.expect((suite.folder / "big.txt").read_bytes() == (suite.folder / "third.txt").read_bytes(), "its result is complete")
(suite.folder / ".gcompile-notours").write_text("")
(suite.folder / "gcompile-abcdef").mkdir()
suite.succeeds("a fourth run", bfs, GRAPH, "--root=0", "--quiet", "--output=depth=third.txt")
suite.expect(left() == [".gcompile-notours", "big.txt", "gcompile-abcdef", "third.txt"], "only files of its own are removed",
             left())
(suite.folder / "gcompile-abcdef").rmdir()
for name in (".gcompile-notours", "big.txt", "third.txt"):
    (suite.folder / name).unlink()

# ---- gcompile, while the C++ compiler runs
for command in ([suite.gcompile, BFS, f"--cxx={SLOW}", "-o", "bfs"],
                [suite.gcompile, "run", f"--cxx={SLOW}", BFS, GRAPH, "--root=0"]):
    for number in (*SIGNALS, signal.SIGKILL):
        what = f"{command[1:2]} {number.name}"
        process = start(command)
        wait_for("a compiler that runs", (suite.folder / "pids").exists)
        children = (suite.folder / "pids").read_text().split()
        (suite.folder / "pids").unlink()
        process.send_signal(number)
        ends(process, -number, what)
        if number == signal.SIGKILL:
            for child in children:
                os.kill(int(child), signal.SIGKILL)
            suite.expect(any("ccTemporary.s" in name for name in left()), f"{what}: leaves files", left())
            suite.run(*(str(word).replace(str(SLOW), "/bin/false") for word in command), env=ENVIRONMENT)
        else:
            wait_for(f"{what}: the end of the compiler", lambda: not any(map(harness.is_running, children)))
        suite.expect(left() == [], f"{what}: files are left", left())

# ---- gcompile, while the program runs that is to be verified; the "compiler" knows the program
KNOWING = suite.folder / "knowing-cxx"
KNOWING.write_text(f"""#!/bin/sh
while [ "$1" != -o ]; do shift; done
cp {bfs} "$2"
""")
KNOWING.chmod(0o755)
command = [suite.gcompile, "run", f"--cxx={KNOWING}", BFS, GRAPH, "--root=0", "--verify", "--report=pipe", "--quiet"]
suite.succeeds("compile", *command[:5], "--root=0", "--verify", env=ENVIRONMENT)
before = left()
process = start(command)
wait_for("a program that waits", lambda: list(temporary.glob(".gcompile-*/parent")))
time.sleep(0.2)
children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True,
                          check=False).stdout.split()
process.terminate()
ends(process, -signal.SIGTERM, "gcompile run --verify")
suite.expect(children and not any(map(harness.is_running, children)), "the program has ended", children)
suite.expect(left() == before, "files are left", left())
suite.finish()
