"""Bad input to gcompile and to compiled programs, row by row: one clear line that names file, line and reason, the exit
code, and nothing left behind."""

import hashlib
import os
import re
import shutil

import bad_input_files
import bad_inputs
import harness

suite = harness.Suite("bad_input")
shutil.rmtree(suite.folder)
folder, temporary = suite.folder / "work", suite.folder / "tmp"
temporary.mkdir(parents=True)

COMMANDS = {"gcompile": suite.gcompile,
            **{name: suite.programs / name for name in ("bfs", "sssp", "pagerank", "apsp", "kcore")}}
SHELL = "".join(f'{name}() {{ "{path}" "$@"; }}\n' for name, path in COMMANDS.items())
ENVIRONMENT = dict(os.environ, TMPDIR=str(temporary), XDG_CACHE_HOME=str(suite.folder / "cache"))


def fill():
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    bad_input_files.write(folder, suite.gcompile)


def contents():
    """Every file of the folder, with what it is and holds."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        text = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_nlink, text)
    return found


def matches(pattern, line):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("..."))), line)


def check(command, code, line, left=()):
    result = suite.run("bash", "-c", SHELL + command, cwd=folder, env=ENVIRONMENT, timeout=300)
    lines = result.err.splitlines() or [""]
    suite.expect(result.code == code and matches(line, lines[0]), f"{command}: expected exit {code} with '{line}'", result)
    suite.expect(code != 2 or len(lines) == 1, f"{command}: expected one line", result)
    after = contents()
    found = sorted(set(after) - set(before)) + sorted(os.listdir(temporary))
    suite.expect(len(found) == len(left) and all(map(matches, left, found)), f"{command}: files are left: {found}")
    suite.expect(all(after.get(name) == was for name, was in before.items()), f"{command}: files are changed")
    if after != before:
        fill()
    for path in temporary.iterdir():
        shutil.rmtree(path)


fill()
before = contents()
suite.expect(len(bad_inputs.ROWS) >= 250 and len({row[0] for row in bad_inputs.ROWS}) == len(bad_inputs.ROWS), "the rows")
for row in bad_inputs.ROWS:
    check(*row)
suite.finish()
