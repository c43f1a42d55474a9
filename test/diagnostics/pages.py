"""Checks the pages that explain diagnostics against the registry and the compiler.

usage: pages.py GCOMPILE SOURCE

Every code of the registry has one section, headed by its code and name, with its message, a program that has exactly that
diagnostic (the first one) and programs that have none. A program fenced as `gdsl error cuda` or `gdsl mpi` is compiled for
that target.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

gcompile, source = sys.argv[1], pathlib.Path(sys.argv[2])
registry = (source / "diagnostics" / "Registry.def").read_text()
ROW = re.compile(r'^DIAG\((\w+), "([EW]\d{4})", \w+,\s*"((?:[^"\\]|\\.)*)"', re.M)
rows = {code: (name.replace("_", "-"), message) for name, code, message in ROW.findall(registry)}
failures = []

sections = {}
for page in sorted((source / "docs" / "diagnostics").glob("*.md")):
    for section in re.split(r"^## (?=[EW]\d{4} )", page.read_text(encoding="utf-8"), flags=re.M)[1:]:
        code, name = section.split("\n", 1)[0].split()
        if code in sections or code not in rows:
            failures.append(f"{page.name}: {code} is there twice or unknown")
            continue
        sections[code] = re.findall(r"^```gdsl([^\n]*)\n(.*?)^```", section, re.M | re.S)
        if name != rows[code][0] or f"\n```text\n{rows[code][1]}\n```\n" not in section:
            failures.append(f"{page.name}: {code} has another name or message in the registry")
        if len(sections[code]) < 2:
            failures.append(f"{page.name}: {code} needs a wrong and a right program")
failures += [f"{code} has no section in docs/diagnostics" for code in rows if code not in sections]

with tempfile.TemporaryDirectory() as folder:
    expected, host, others = {}, [], []
    for code, programs in sections.items():
        for number, (label, program) in enumerate(programs):
            path = pathlib.Path(folder) / f"{code}-{number}.gdsl"
            path.write_text(program, encoding="utf-8")
            expected[str(path)] = [code] if number == 0 else []
            target = [word for word in label.split() if word in ("cuda", "mpi")]
            if target:
                others.append((target[0], str(path)))
            else:
                host.append(str(path))
    found = collections.defaultdict(list)
    commands = [["check", *host], *([f"--target={target}", "--emit=source", path, "-o", "/dev/null"] for target, path in others)]
    for command in commands:
        run = subprocess.run([gcompile, *command, "--diagnostics=json"], capture_output=True, text=True)
        wrong = command[0] == "check" or any(code[0] == "E" for code in expected[command[2]])
        if run.returncode != (1 if wrong else 0):
            sys.exit(f"{command[:2]}: exit status {run.returncode}\n{run.stderr[-2000:]}")
        for line in run.stderr.splitlines():
            diagnostic = json.loads(line)
            found[diagnostic["file"]].append(diagnostic)
    for path, codes in expected.items():
        if [diagnostic["code"] for diagnostic in found[path]] != codes:
            failures.append(f"{pathlib.Path(path).name}: expected {codes}, got {found[path]}")
print("\n".join(failures) if failures else f"{len(sections)} codes, {len(expected)} programs")
sys.exit(1 if failures else 0)
