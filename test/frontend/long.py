"""A program with names, numbers and strings of thousands of characters; no line of what is said of it is long.

usage: long.py PROGRAM; long.py --check GCOMPILE PROGRAM
"""

import subprocess
import sys

LENGTH = 3000
LONGEST = 250  # of a line: the file's name, the message and the beginnings of two long words


def program():
    long = {c: c * LENGTH for c in "abcdsy9"}
    return f"""algorithm {long['a']}(g: graph) {{
  output x: int = {long['9']};
  output {long['b']}: int = {long['y']};
  x = {long['b'][:-1]};
  x = {long['c']}(3);
  x = 1.{long['9']}.3;
}}
algorithm second(g: graph) {{ x = 1 "{long['s']}"; }}
algorithm third(g: graph) {{ x = 1 "{'s s ' * LENGTH}"; }}
algorithm fourth(g: graph) {{ output x: int = 0; x {long['d']} 1; x = "{long['s']}; }}
algorithm fifth(g: graph) {{ output x: {long['d']} = 0; for u in {long['d']} {{ x.{long['d']} = 1; }} }}
algorithm sixth(g: graph) {{ output x: int = 0; x = "é{'é' * LENGTH}"; {long['d']}++; }}
"""



if sys.argv[1] != "--check":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(program())
    sys.exit()

gcompile, path = sys.argv[2:]
# Names and types are checked where the syntax is right.
for text in (program(), "".join(program().splitlines(True)[:5]) + "}\n"):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([gcompile, "check", path], capture_output=True, text=True)
    lines = run.stderr.replace(path, "PROGRAM").splitlines()
    if run.returncode != 1 or not any("error" in line for line in lines):
        sys.exit(f"exit status {run.returncode}: {run.stderr[:1000]}")
    for line in lines:
        if len(line) > LONGEST or "\ufffd" in line:
            sys.exit(f"a line of {len(line)} characters: {line[:400]}")
