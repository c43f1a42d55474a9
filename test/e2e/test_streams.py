"""Graphs from standard input and from pipes: the answers are those of the file, the errors name the input and its line."""

import gzip
import os
import shutil
import subprocess
import threading

import harness

suite = harness.Suite("streams")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
BFS = suite.programs / "bfs"
KARATE = harness.ROOT / "examples" / "data" / "karate.el"


def with_input(data, *command):
    """A command whose standard input is a pipe with these bytes, or an open file."""
    options = {"input": data} if isinstance(data, bytes) else {"stdin": data}
    process = subprocess.run([str(word) for word in command], cwd=suite.folder, capture_output=True, timeout=300,
                             check=False, env=dict(os.environ, XDG_CACHE_HOME=str(suite.build / "e2e" / "kept")),
                             **options)
    process.stdout, process.stderr = process.stdout.decode(), process.stderr.decode(errors="replace")
    return harness.Result(command, process)


def through_pipe(data, name, *command):
    """A command that reads the named pipe, into which these bytes are written."""
    path = suite.folder / name
    os.mkfifo(path)

    def write():
        try:
            path.write_bytes(data)
        except BrokenPipeError:
            pass  # the reader has seen enough

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    result = suite.run(*command)
    writer.join(timeout=60)
    suite.expect(not writer.is_alive(), f"{name}: somebody reads the pipe", result)
    path.unlink()
    return result


text = KARATE.read_bytes()
ANSWER = ("--undirected", "--root=1", "--quiet", "--output=depth=-")
wanted = suite.run(BFS, KARATE, *ANSWER).out
suite.expect(len(wanted.splitlines()) == 34, "the answer on the file")


def same(what, result):
    suite.expect(result.code == 0 and result.out == wanted, f"{what}: the answer of the file", result)


for form, data in {"plain": text, "mark": b"\xef\xbb\xbf" + text, "gzip": gzip.compress(text)}.items():
    same(form, with_input(data, BFS, "-", "--format=el", *ANSWER))
    same(f"{form}, named", with_input(data, BFS, "/dev/stdin", "--format=el", *ANSWER))
    same(f"{form}, pipe", through_pipe(data, f"{form}.el", BFS, f"{form}.el", *ANSWER))
for tool in ("xz", "zstd"):
    if shutil.which(tool):
        data = subprocess.run([tool, "-c"], input=text, capture_output=True, check=True).stdout
        same(tool, with_input(data, BFS, "-", "--format=el", *ANSWER))
same("pipe.el.gz", through_pipe(gzip.compress(text), "pipe.el.gz", BFS, "pipe.el.gz", *ANSWER))
with KARATE.open("rb") as file:
    same("a file", with_input(file, BFS, "-", "--format=el", *ANSWER))
with KARATE.open("rb") as file:  # its first line, a comment, is read already
    file.seek(text.index(b"\n") + 1)
    os.lseek(file.fileno(), text.index(b"\n") + 1, os.SEEK_SET)
    same("the rest of a file", with_input(file, BFS, "-", "--format=el", *ANSWER))
same("run", with_input(text, suite.gcompile, "run", harness.ROOT / "examples" / "bfs.gdsl", "-", "--format=el", *ANSWER))

# Binary formats, and what is larger than a pipe.
made = suite.run(suite.gcompile, "convert", "kronecker:scale=12", "large.gcsr")
suite.expect(made.code == 0, "a large graph", made)
large = suite.run(BFS, "large.gcsr", "--root=1", "--quiet", "--output=depth=-").out
for what, result in {
        "binary": with_input((suite.folder / "large.gcsr").read_bytes(), BFS, "-", "--format=gcsr", "--root=1", "--quiet",
                             "--output=depth=-"),
        "binary, pipe": through_pipe((suite.folder / "large.gcsr").read_bytes(), "pipe.gcsr", BFS, "pipe.gcsr",
                                     "--root=1", "--quiet", "--output=depth=-")}.items():
    suite.expect(result.code == 0 and result.out == large != "", f"{what}: the answer of the file", result)
converted = with_input((suite.folder / "large.gcsr").read_bytes(), suite.gcompile, "convert", "-", "large.el",
                       "--format=gcsr")
suite.expect(converted.code == 0 and suite.run(BFS, "large.el", "--undirected", "--root=1", "--quiet",
                                               "--output=depth=-").code == 0, "converted", converted)

# What is wrong.
for data, arguments, line in [
        (text, ("-",), "error: standard input: the name does not tell the format; give --format=NAME with one of "),
        (b"", ("-", "--format=mtx"), "error: standard input: the file is empty"),
        (b"", ("-", "--format=el"), "error: --root: the graph has no vertices"),
        (b"1 2\n2 x\n", ("-", "--format=el"), "error: standard input:2: expected a vertex id, found 'x'"),
        (b"1 2\n2 x\n", ("/dev/stdin", "--format=el"), "error: /dev/stdin:2: expected a vertex id, found 'x'"),
        (gzip.compress(text)[:40], ("-", "--format=el"), "error: standard input: truncated gzip data"),
        (text, ("-", "--format=ldbc"), "error: standard input: an LDBC graph is named by its .v or .e file"),
        (text, ("-", "--format=gcsr"), "error: standard input: not a .gcsr file")]:
    result = with_input(data, BFS, *arguments, "--root=1")
    suite.expect(result.code == 2 and result.err.startswith(line) and result.err.count("\n") == 1,
                 f"{arguments}: expected '{line}'", result)
result = with_input(text, suite.gcompile, "run", harness.ROOT / "examples" / "bfs.gdsl", "-", "--format=el", *ANSWER,
                    "--verify=interpreter")
suite.expect(result.code == 2 and "cannot be standard input" in result.err, "--verify=interpreter", result)
result = with_input(text, suite.gcompile, "run", harness.ROOT / "examples" / "bfs.gdsl", "-", "--format=el", *ANSWER,
                    "--verify")
suite.expect(result.code == 0 and "the graph can be read only once" in result.err, "--verify", result)
suite.finish()
