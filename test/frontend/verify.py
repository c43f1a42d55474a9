"""Checks the diagnostics of a program against the `expect` comments in it.

usage: verify.py FRONT PROGRAM

`// expect: E0201 'x' is not declared` asks for that diagnostic on that line, with that text in its message; several are
separated by ` ;; `, and `expect@-1:` speaks of the line above. Notes and suggestions are written after `>>`. Every
diagnostic must be expected and every expectation met.
"""

import json
import re
import subprocess
import sys

front, path = sys.argv[1:3]
with open(path, encoding="utf-8", errors="replace") as file:
    lines = file.read().split("\n")
expected = []
for number, line in enumerate(lines, 1):
    for offset, text in re.findall(r"// expect(?:@([+-]\d+))?: (.*)", line):
        for item in text.split(" ;; "):
            code, _, message = item.strip().partition(" ")
            expected.append((number + int(offset or 0), code, message.strip()))

run = subprocess.run([front, path, "--json"], capture_output=True, text=True)
if run.returncode not in (0, 1):
    sys.exit(f"exit status {run.returncode}\n{run.stderr}")
failures = []
for d in map(json.loads, run.stdout.splitlines()):
    message = d["message"]
    details = [note["message"] for note in d["notes"]]
    if "suggestion" in d:
        details.append(d["suggestion"])
    for item in expected:
        wanted, _, detail = item[2].partition(" >> ")
        same = (d["line"], d["code"]) == item[:2] and wanted in message
        if same and (not detail or any(detail in x for x in details)):
            expected.remove(item)
            break
    else:
        failures.append(f"{d['line']}:{d['column']}: unexpected {d['code']} {message} {details}")
failures += [f"{line}: missing {code} {message}" for line, code, message in expected]
print("\n".join(failures) if failures else f"{path}: as expected")
sys.exit(1 if failures else 0)
