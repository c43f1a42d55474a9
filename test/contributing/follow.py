"""Follows a page of docs/contributing, as a reader would.

follow.py apply PAGE SOURCE TREE   carries out the page's steps on copies of the files, in TREE
follow.py run PAGE TREE TOOL FILECHECK [FOLDER]   runs the tests that the page makes in FOLDER, with TOOL as gdsl-opt

A step is a line such as "Add to `FILE`, after `TEXT`:" or "Make `FILE`:", with a block of code behind it.
"""

import pathlib
import re
import subprocess
import sys

STEP = re.compile(
    r"^(?:(?P<make>Make) `(?P<made>[^`]+)`"
    r"|Add to `(?P<file>[^`]+)`, (?P<where>before|after) (?P<each>each )?`(?P<anchor>[^`]+)`):\n\n"
    r"```\w+\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL)


def fail(*words):
    sys.exit(" ".join(map(str, words)))


def steps(page):
    found = list(STEP.finditer(page.read_text(encoding="utf-8")))
    if not found:
        fail(page, "has no steps")
    return found


def apply(page, source, tree):
    """Each anchor stands in one line of its file, or with "each" in at least one."""
    texts = {}
    for step in steps(page):
        if step["make"]:
            if (source / step["made"]).exists():
                fail(page.name, "makes", step["made"] + ", which there is already")
            if not (source / step["made"]).parent.is_dir():
                fail(page.name, "makes", step["made"] + ", but there is no such folder")
            texts[step["made"]] = step["code"]
            continue
        name = step["file"]
        if name not in texts:
            if not (source / name).is_file():
                fail(page.name, "changes", name + ", which there is not")
            texts[name] = (source / name).read_text(encoding="utf-8")
        lines = texts[name].splitlines(keepends=True)
        places = [i for i, line in enumerate(lines) if line.strip() == step["anchor"]]
        if not places or (len(places) > 1 and not step["each"]):
            fail(page.name, "adds to", name, step["where"], f"'{step['anchor']}', which stands in {len(places)} lines")
        for place in reversed(places):
            lines.insert(place + (step["where"] == "after"), step["code"])
        texts[name] = "".join(lines)
    for name, text in texts.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(page, tree, tool, filecheck):
    tests = [step["made"] for step in steps(page) if step["make"] and step["made"].startswith("test/")]
    if not tests:
        fail(page.name, "makes no test")
    for name in tests:
        path = tree / name
        commands = re.findall(r"^// RUN: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        if not commands:
            fail(name, "has no RUN line")
        for command in commands:
            for word, value in {"%gdsl-opt": tool, "%FileCheck": filecheck, "%s": path}.items():
                command = command.replace(word, str(value))
            done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
            if done.returncode:
                fail(name, "fails:", command, "\n" + done.stdout + done.stderr)


if sys.argv[1] == "apply":
    apply(*map(pathlib.Path, sys.argv[2:]))
else:
    run(*map(pathlib.Path, sys.argv[2:]))
