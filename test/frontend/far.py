"""What a pass reports has the right place, however far that is: locations pack places that are near (ir/graph/Places.h).

usage: far.py GCOMPILE PROGRAM
"""

import json
import subprocess
import sys

gcompile, path = sys.argv[1:]


def check(before, inside, column):
    """A loop that cannot have its schedule: behind `before` lines, in `column`, with `inside` lines in its block."""
    loop = "for u -> v from g {\n" + "\n" * inside + " " * (column - 1) + "x[v] += 1; }"
    head = "algorithm a(g: graph) {\n  output x: int[g] = 0;\n" + "\n" * before
    text = head + " " * (column - 4) + "l: " + loop + "\n}\nschedule a { cpu l { asynchronous; } }\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([gcompile, "check", "--diagnostics=json", path], capture_output=True, text=True)
    note = json.loads(run.stderr.splitlines()[0])["notes"][0]
    line = head.count("\n") + 1
    end = column + len("x[v] += 1; }") - 1
    expected = (line, column - 3, line + inside + 1, end + 1)
    if expected != (note["line"], note["column"], note["endLine"], note["endColumn"]):
        sys.exit(f"not at {expected}: {run.stderr[:1000]}")


for column in (9, 2**14 - 12, 2**14 - 11, 2**14 - 10, 2**14, 2**16):
    check(3, 0, column)
for inside in (2**12 - 3, 2**12 - 2, 2**12 - 1, 2**12, 2**13):
    check(3, inside, 9)
check(2**17, 0, 9)
