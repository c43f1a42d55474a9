"""Checks the registry of diagnostics: codes are unique, messages follow the rules of wording, and each diagnostic of
the front end (E01 to E03 and the warnings) is exercised by a test.

usage: registry.py DIAGNOSTICS.DEF TESTS
"""

import pathlib
import re
import sys

registry = pathlib.Path(sys.argv[1]).read_text()
entries = re.findall(r'^DIAG\((\w+), "([EW]\d{4})", (\w+),\s*"((?:[^"\\]|\\.)*)"', registry, re.M)
declared = len(re.findall(r"^DIAG\(", registry, re.M))
failures = []
if len(entries) != declared:
    failures.append(f"{declared} entries, of which {len(entries)} were understood")
tests = ""
for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    if path.suffix in (".gdsl", ".test", ".py"):
        tests += path.read_text(errors="replace")
for codes in ([code for _, code, _, _ in entries], [name for name, _, _, _ in entries]):
    failures += [f"{code} is used twice" for code in {c for c in codes if codes.count(c) > 1}]
for name, code, severity, message in entries:
    if (code[0] == "W") != (severity == "Warning"):
        failures.append(f"{code} {name}: a {severity} has another letter")
    if message.endswith(".") or re.match(r"[A-Z][a-z]", message):
        failures.append(f"{code} {name}: a message starts in lower case and has no full stop")
    if code[:3] in ("E01", "E02", "E03", "W06") and code not in tests:
        failures.append(f"{code} {name} is not exercised by a test")
print("\n".join(failures) if failures else f"{len(entries)} diagnostics")
sys.exit(1 if failures else 0)
