"""Deeply nested and very long programs: refused with an error (E0107) or accepted, without a crash and without waiting.

usage: nesting.py FRONT
"""

import subprocess
import sys

front = sys.argv[1]
failures = []


def check(name, body, deep):
    text = "algorithm a(g: graph) {\n output x: int = 0;\n" + body + "\n}\n"
    try:
        run = subprocess.run([front, "-"], input=text, capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        failures.append(f"{name}: no answer within 30 seconds")
        return
    good = "E0107" in run.stdout if deep else "E0107" not in run.stdout
    if run.returncode not in (0, 1) or not good:
        failures.append(f"{name}: exit status {run.returncode}\n{run.stdout[:300]}{run.stderr[:300]}")


for n, deep in ((150, False), (10000, True)):
    check(f"{n} parentheses", "x = " + "(" * n + "1" + ")" * n + ";", deep)
    check(f"{n} open parentheses", "x = " + "(" * n, deep)
    check(f"{n} minus signs", "x = " + "- " * n + "1;", deep)
    check(f"{n} terms", "x = " + "x + " * n + "1;", deep)
    check(f"{n} else if", "if x < 1 {} " + "else if x < 1 {} " * n, deep)
    check(f"{n} blocks", "{" * n + "}" * n, deep)
    check(f"{n} calls", "x = " + "abs(v in " * n + "1" + ")" * n + ";", deep)
    check(f"{n} reductions", "x = " + "min(v in g : " * n + "1" + ")" * n + ";", deep)
    check(f"{n} filters", "s: vertex set = " + "{v in " * n + "g" + "}" * n + ";", deep)
    check(f"{n} members", "x = x" + ".a" * n + ";", deep)
    check(f"{n} indices", "x = x" + "[x]" * n + ";", deep)
    check(f"{n} members of a target", "x" + ".a" * n + " = 1;", deep)
    check(f"{n} conditionals", "x = " + "if x < 1 then 2 else " * n + "1;", deep)
    check(f"{n} tuples", "let t = " + "(1, " * n + "1" + ")" * n + ";", deep)
    check(f"{n} tuple types", "t: " + "(int, " * n + "int" + ")" * n + ";", deep)
    check(f"{n} loops", "for v in g { " * n, deep)
    check(f"{n} statements", "x = x + 1;\n" * n, False)
    check(f"{n} arguments", "x = min(" + "1, " * n + "1);", False)
check("a long name", "x = " + "y" * 1000000 + ";", False)
check("odd bytes", "x = \0\x7f \u00e9\U0001f600;", False)

print("\n".join(failures) if failures else "no failures")
sys.exit(1 if failures else 0)
