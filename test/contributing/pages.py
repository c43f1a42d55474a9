"""Checks the pages of docs/contributing against the tree: each file that a page names exists; each block of code behind
"In `FILE`:" stands in that file; and a page on a concept names every file that names its example.

usage: pages.py SOURCE
"""

import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1]).resolve()
FOLDER = source / "docs" / "contributing"
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^In `([^`]+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What a step makes, and the text beside which it adds something: neither need be a file.
STEPS = re.compile(r"^(?:Make|Add to `[^`]+`, (?:before|after)(?: each)?) `([^`]+)`:$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
# What each page adds; `scripts/concepts -v` says which files name it.
EXAMPLES = {"add-a-reduction.md": "reduction=Xor", "add-a-directive.md": "directive=Status",
            "add-a-reader.md": "reader=adjacency"}
failures = []


def squeezed(text):
    return " ".join(text.split())


def named(page, text):
    """The files and folders of the tree that a page names, as code or as a link."""
    found = {word for word in re.findall(r"`([\w./-]+)`", FENCE.sub("", text)) if "/" in word and "NAME" not in word}
    for link in LINK.findall(FENCE.sub("", text)):
        if not re.match(r"[a-z]+:", link):
            found.add(str((page.parent / link).resolve().relative_to(source)))
    return found


pages = sorted(FOLDER.glob("*.md"))
for page in pages:
    text = page.read_text(encoding="utf-8")
    for name in sorted(named(page, text) - set(STEPS.findall(text))):
        if not (source / name).exists():
            failures.append(f"{page.name}: there is no {name}")
    blocks = BLOCK.findall(text)
    for name, code in blocks:
        if (source / name).is_file() and squeezed(code) not in squeezed((source / name).read_text(encoding="utf-8")):
            failures.append(f"{page.name}: {name} has no such text: {squeezed(code)[:60]} ...")
    if page.name not in EXAMPLES:
        continue
    if not blocks:
        failures.append(f"{page.name}: shows nothing of the example")
    told = subprocess.run([source / "scripts" / "concepts", "-v", EXAMPLES[page.name]], capture_output=True, text=True,
                          check=True).stdout
    files = re.findall(r"^    (\S+)$", told, re.MULTILINE)
    if not files:
        failures.append(f"{page.name}: no file names {EXAMPLES[page.name]}")
    for name in files:
        if name not in named(page, text):
            failures.append(f"{page.name}: {name} names {EXAMPLES[page.name]}, and the page does not say why")
for name in EXAMPLES:
    if FOLDER / name not in pages:
        failures.append(f"there is no docs/contributing/{name}")
print("\n".join(failures))
sys.exit(1 if failures else 0)
