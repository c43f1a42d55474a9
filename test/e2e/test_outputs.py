"""The files that gcompile and compiled programs write: links, hard links and modes stay, pipes and devices are written to
and never replaced, standard output has several names."""

import os
import shutil
import stat
import subprocess

import harness

suite = harness.Suite("outputs")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
EXAMPLES = harness.ROOT / "examples"
KARATE = EXAMPLES / "data" / "karate.el"
BFS = EXAMPLES / "bfs.gdsl"
# A compiler that is quick: what it "compiles" is the source with another first line.
QUICK = suite.folder / "quick-cxx"
QUICK.write_text("""#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in -o) out="$2"; shift;; *.cpp) in="$1";; esac
  shift
done
{ echo '#!/bin/sh'; cat "$in"; } > "$out"
""")
QUICK.chmod(0o755)

bfs = suite.programs / "bfs"
WRITERS = {
    "a result": lambda path: [bfs, KARATE, "--root=1", "--quiet", f"--output=depth={path}"],
    "a report": lambda path: [bfs, KARATE, "--root=1", "--quiet", f"--report={path}"],
    "source": lambda path: [suite.gcompile, "--emit=source", BFS, "-o", path],
    "an explanation": lambda path: [suite.gcompile, "--explain", BFS, "-o", path],
    "a depfile": lambda path: [suite.gcompile, "--emit=source", BFS, "-o", "bfs.cpp", "--MF", path],
    "an executable": lambda path: [suite.gcompile, BFS, f"--cxx={QUICK}", "-o", path],
    "an object": lambda path: [suite.gcompile, "--emit=object", BFS, f"--cxx={QUICK}", "-o", path],
    "a binary graph": lambda path: [suite.gcompile, "convert", KARATE, path],
}


def folder_for(what):
    folder = suite.folder / what.replace(" ", "_")
    folder.mkdir(exist_ok=True)
    return folder


def normal(data):
    """Without what differs from run to run, the times of a report."""
    return b"report" if data.startswith(b'{\n  "program"') and data.endswith(b"}\n") else data


def check(what, command):
    folder = folder_for(what)
    name = "file.gcsr" if "graph" in what else "file"

    def write(case, path, code=0):
        result = suite.run(*command(path), cwd=folder)
        return suite.expect(result.code == code, f"{what}, {case}: exit {code}", result)

    def holds(case, path):
        return suite.expect(path.is_file() and normal(path.read_bytes()) == expected, f"{what}, {case}: what is written")

    new = folder / name
    write("a new file", name)
    expected = normal(new.read_bytes())
    suite.expect(expected, f"{what}: something is written")
    executable = what == "an executable"
    mask = os.umask(0)
    os.umask(mask)
    suite.expect(stat.S_IMODE(new.stat().st_mode) == (0o777 if executable else 0o666) & ~mask, f"{what}: the mode of a new file",
                 oct(new.stat().st_mode))

    new.write_text("old\n")
    new.chmod(0o640)
    write("a file with a mode", name)
    holds("a file with a mode", new)
    suite.expect(stat.S_IMODE(new.stat().st_mode) == (0o750 if executable else 0o640), f"{what}: the mode stays",
                 oct(new.stat().st_mode))

    new.write_text("old, and longer than what is new" * 10000)
    other = folder / ("other " + name)
    os.link(new, other)
    node = new.stat().st_ino
    write("a hard link", name)
    holds("a hard link", other)
    suite.expect(new.stat().st_ino == other.stat().st_ino == node, f"{what}: hard links stay")
    other.unlink()

    (folder / "deep").mkdir()
    target = folder / "deep" / "target"
    target.write_text("old\n")
    (folder / "deep" / "second").symlink_to("target")
    link = folder / ("link " + name)
    link.symlink_to("deep/second")
    write("a link", link.name)
    holds("a link", target)
    suite.expect(link.is_symlink() and (folder / "deep" / "second").is_symlink(), f"{what}: links stay")
    target.unlink()
    write("a link to a new file", link.name)
    holds("a link to a new file", target)

    pipe = folder / ("pipe " + name)
    os.mkfifo(pipe)
    with subprocess.Popen(["timeout", "60", "cat", pipe], stdout=subprocess.PIPE) as reader:
        write("a pipe", pipe.name)
        suite.expect(normal(reader.communicate()[0]) == expected and pipe.is_fifo(), f"{what}: a pipe is written to")

    # The device of /dev/full under another name, in a folder of this test.
    device = folder / ("device " + name)
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.stat("/dev/full").st_rdev)
        os.close(os.open(device, os.O_WRONLY))
    except OSError as error:
        print(f"no devices are tried here: {error}")
    else:
        write("a full device", device.name, code=2)
        suite.expect(stat.S_ISCHR(device.lstat().st_mode), f"{what}: a device stays")
    suite.expect(not list(folder.rglob(".gcompile-*")), f"{what}: nothing is left behind")
    shutil.rmtree(folder)


for what, command in WRITERS.items():
    check(what, command)

# ---- names of standard output
(suite.folder / "named").symlink_to("/dev/fd/1")
for name in ["-", "/dev/stdout", "/proc/self/fd/1", "named"]:
    with open(suite.folder / "printed", "w", encoding="utf-8") as printed:
        subprocess.run([bfs, KARATE, "--root=1", f"--output=depth={name}"], stdout=printed, cwd=suite.folder, check=True,
                       timeout=60)
    read = (suite.folder / "printed").read_text()
    suite.expect(read.startswith(f"{KARATE}: 34 vertices") and "\n1 0\n2 1\n" in read, f"--output=depth={name}", read)
    with open(suite.folder / "printed", "w", encoding="utf-8") as printed:
        subprocess.run([suite.gcompile, "--emit=source", BFS, "-o", name], stdout=printed, cwd=suite.folder, check=True,
                       timeout=60)
    read = (suite.folder / "printed").read_text()
    suite.expect(read.startswith("// Generated by gcompile from bfs.gdsl.\n"), f"-o {name}", read)

# ---- names that are long, or hold a line break
long = "x" * 250 + ".gdsl"
shutil.copy(BFS, suite.folder / long)
suite.succeeds("a long name", suite.gcompile, f"--cxx={QUICK}", long)
suite.succeeds("a long name of a result", bfs, KARATE, "--root=1", f"--output=depth={'y' * 255}")
suite.expect((suite.folder / long[:-5]).exists() and (suite.folder / ("y" * 255)).exists(), "long names")
shutil.copy(BFS, suite.folder / "line\nbreak.gdsl")
result = suite.succeeds("a line break", suite.gcompile, "--emit=source", "line\nbreak.gdsl", "-o", "-")
suite.expect(result.out.startswith("// Generated by gcompile from line?break.gdsl.\n"), "a line break", result)
result = suite.succeeds("a program of that name", suite.gcompile, "-O0", "line\nbreak.gdsl", "-o", "broken", timeout=300)
suite.succeeds("it runs", "./broken", KARATE, "--root=1", "--quiet")
suite.finish()
