"""Checking a program of four times as many statements takes at most eight times as long, whatever holds them.

usage: growth.py GCOMPILE PROGRAM
"""

import resource
import subprocess
import sys

gcompile, path = sys.argv[1:]
FEW = 6000


def straight(count):
    return "s += 7;\n" * count


def loop(count):
    return "while s < 10 {\n" + "s += 7;\n" * count + "}\n"


def kernel(count):
    return "for v in g {\n" + "x[v] += 7;\n" * count + "}\n"


def warnings(count):
    return "".join(f"let t{i} = s;\n" for i in range(2 * count))


def states(count):
    return "".join(f"t{i}: int[g] = {i};\n" for i in range(count))


def seconds(statements):
    """The processor time that checking them takes."""
    text = "algorithm a(g: graph) {\noutput s: int = 0;\noutput x: int[g] = 0;\n" + statements + "}\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([gcompile, "check", path], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


for shape in (straight, loop, kernel, warnings, states):
    few, many = (min(seconds(shape(count)) for _ in range(2)) for count in (FEW, 4 * FEW))
    if many > 8 * few:
        sys.exit(f"{shape.__name__}: {FEW} statements take {few:.2f} s, {4 * FEW} {many:.2f} s")
