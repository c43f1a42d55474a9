"""The programs of docs/tutorial.md give the answers that the page shows, compiled and in the interpreter. Each `gdsl` block
is a file, named after its algorithm; each `sh` block is run beside them, and prints the `text` block that follows."""

import math
import os
import re
import shutil

import harness

suite = harness.Suite("tutorial")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
shutil.copy(harness.ROOT / "examples" / "data" / "karate.el", suite.folder)
BLOCK = re.compile(r"^```(gdsl|sh|text)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAMS = 10


def same(shown, printed):
    """Whether two texts have the same words in the same lines; the last digits of real numbers may differ."""

    def agree(a, b):
        if a == b:
            return True
        return "." in a and re.fullmatch(r"-?[\d.e+-]+", b) and math.isclose(float(a), float(b), rel_tol=1e-9)

    left, right = ([line.split() for line in text.splitlines()] for text in (shown, printed))
    return [len(line) for line in left] == [len(line) for line in right] and all(
        agree(a, b) for line, other in zip(left, right) for a, b in zip(line, other))


blocks = BLOCK.findall((harness.ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8"))
path = f"{suite.gcompile.parent}{os.pathsep}{os.environ['PATH']}"
programs = 0
for (kind, text), (following, command), (_, shown) in zip(blocks, blocks[1:], blocks[2:]):
    if kind != "gdsl":
        continue
    name = re.search(r"^algorithm (\w+)", text, re.MULTILINE)[1]
    (suite.folder / f"{name}.gdsl").write_text(text, encoding="utf-8")
    suite.expect(following == "sh" and f" {name}.gdsl" in command, f"a command uses {name}.gdsl", command)
    runs = command.startswith("gcompile run ")
    programs += runs
    for line in [command, command.replace(" run ", " interpret ", 1)] if runs else [command]:
        result = suite.run("bash", "-c", f"exec 2>&1\n{line}", env={"PATH": path})
        suite.expect(same(shown, result.out), f"the tutorial shows what this prints: {line.strip()}", result)
suite.expect(programs == PROGRAMS, f"the tutorial runs {PROGRAMS} programs, not {programs}")
suite.finish()
