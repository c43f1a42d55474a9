"""Checks the IR in docs/architecture.md: the lines of each block stand in this order in what gcompile prints for
examples/bfs.gdsl, in the form that the last `--emit` before the block names. "..." stands for any text in a line.

usage: excerpts.py GCOMPILE SOURCE
"""

import pathlib
import re
import subprocess
import sys

gcompile, source = sys.argv[1], pathlib.Path(sys.argv[2])
page = source / "docs" / "architecture.md"
failures, form, blocks = [], None, 0
for emit, block in re.findall(r"`gcompile --emit=([\w-]+)`|^```mlir\n(.*?)^```", page.read_text(encoding="utf-8"),
                              re.MULTILINE | re.DOTALL):
    if emit:
        form = emit
        continue
    blocks += 1
    printed = subprocess.run([gcompile, f"--emit={form}", "-o", "-", source / "examples" / "bfs.gdsl"],
                             capture_output=True, text=True, check=True).stdout.splitlines()
    rest = iter(line.strip() for line in printed)
    for line in (line.strip() for line in block.splitlines()):
        pattern = re.compile(".*".join(map(re.escape, re.split(r" ?\.\.\. ?", line))))
        if not any(pattern.fullmatch(other) for other in rest):
            failures.append(f"{page.name}: {form} has no line '{line}' there")
            break
if blocks < 2:
    failures.append(f"{page.name} shows {blocks} blocks of IR")
print("\n".join(failures))
sys.exit(1 if failures else 0)
