"""What `gcompile check` leaves out of a pipeline refuses nothing.

usage: refusals.py ROOT
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
refusing = re.compile(r"\b(refuse|report|emitError|signalPassFailure)\(")
sources = {path.stem: path for folder in ("graph/passes", "exec/passes", "conversion") for path in (root / "ir" / folder).rglob("*.cpp")}
found = 0
for body in re.findall(r"^void build\w+\(.*?^}", (root / "ir" / "Pipelines.cpp").read_text(), re.M | re.S):
    _, marker, behind = body.partition("if (options.refusals)\n    return;")
    for name in re.findall(r"create(\w+)\(", behind if marker else ""):
        found += 1
        if refusing.search(sources[name].read_text()):
            sys.exit(f"{sources[name]} may refuse a program, but `gcompile check` does not run {name}")
if found < 20:
    sys.exit(f"{found} passes are left out: has the pipeline's text changed?")
