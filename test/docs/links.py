"""Checks what documents refer to: every relative link of every .md file leads to a file and to a heading of it, every page
in docs/ is linked, and every command-line option in code exists.

usage: links.py GCOMPILE SOURCE
"""

import pathlib
import re
import subprocess
import sys

gcompile, source = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
failures, linked = [], set()
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
HEADER = re.compile(r"\balgorithm\s+\w+\s*\(([^{]*)\)\s*\{")
PASS = re.compile(r'\bPass<"([\w-]+)"')
# Options of programs that are not ours.
FOREIGN = {"cmake": {"--install", "--prefix", "--build"}, "ctest": {"--test-dir"},
           "cpack": {"--config"}, "pkg-config": {"--cflags", "--libs", "--variable"},
           "#SBATCH": {"--job-name", "--nodes", "--ntasks-per-node", "--cpus-per-task", "--time", "--signal", "--requeue"},
           "srun": {"--mpi", "--cpus-per-task"},  # and what its program has
           "mpirun": {"--oversubscribe", "--mca", "--allow-run-as-root", "--hostfile", "--bind-to", "--map-by"}}  # the same


def hidden(path):
    return any(part.startswith(".") or part == "build" for part in path.relative_to(source).parts)


def prose(text):
    return CODE.sub("", FENCE.sub("", text))


def anchors(text):
    """The anchors of a page's headings, as web pages of repositories name them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", LINK.sub(r"", heading).lower()).strip().replace(" ", "-")
        found.add(slug if slug not in found else f"{slug}-1")
    return found


def parameters(text):
    """The options that the parameters of the algorithms in a text become, and the passes that it declares."""
    return {f"--{name}" for header in HEADER.findall(text) for name in re.findall(r"(\w+)\s*:", header)} | {
        f"--{name}" for name in PASS.findall(text)}


def helped(*command, program=gcompile):
    run = subprocess.run([program, *map(str, command)], capture_output=True, text=True, check=True)
    return set(OPTION.findall(run.stdout))


examples = sorted((source / "examples").glob("*.gdsl"))
program = helped("interpret", examples[0], "--help").union(*(parameters(path.read_text()) for path in examples))
commands = {command: helped(command, "--help") for command in ["run", "interpret", "check", "convert"]}
compiler = helped("--help")
passes = helped("--help", program=pathlib.Path(gcompile).parent / "gdsl-opt")
tools = {}  # the options that are named in a script or program of the repository
for folder in ["bench", "scripts"]:
    for path in (source / folder).rglob("*"):
        if path.is_file() and path.suffix not in [".md", ".gdsl"]:
            text = path.read_text(encoding="utf-8", errors="replace")
            tools[str(path.relative_to(source))] = set(OPTION.findall(text)) | ({"--help"} if "ArgumentParser" in text else set())


def allowed(command, own):
    """The options that a command may have, which a document with the parameters `own` names."""
    words = command.split() or [""]
    if words[0] == "gcompile":
        options = commands.get(words[1], compiler) if len(words) > 1 else compiler
        return options | program | own if words[1:2] in [["run"], ["interpret"]] else options
    if words[0].startswith("./"):
        return program | own
    if words[0].rpartition("/")[2] == "gdsl-opt" or len(words) == 1 and words[0] in passes:
        return passes | own
    if words[0] in tools:
        return tools[words[0]]
    if words[0] in FOREIGN:
        return FOREIGN[words[0]] | (program | own if words[0] in ("mpirun", "srun") else set())
    return compiler.union(program, own, *commands.values(), *tools.values())


pages = [path for path in sorted(source.rglob("*.md")) if not hidden(path)]
for page in pages:
    text, name = page.read_text(encoding="utf-8"), page.relative_to(source)
    for link in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        linked.add(target)
        if not target.exists() or source not in [target, *target.parents]:
            failures.append(f"{name}: the link to {link} leads nowhere")
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            failures.append(f"{name}: {target.name} has no heading '{anchor}'")
    own = parameters(text)
    lines = [line.split(" #")[0] for kind, block in FENCE.findall(text) if kind == "sh" for line in block.splitlines()]
    for command in [" ".join(span.split()) for span in CODE.findall(FENCE.sub("", text))] + lines:
        for option in set(OPTION.findall(command)) - allowed(command, own):
            failures.append(f"{name}: there is no option {option}: {command}")
for page in pages:
    if page.is_relative_to(source / "docs") and page not in linked:
        failures.append(f"{page.relative_to(source)}: no page links to it")
print("\n".join(failures) if failures else f"{len(pages)} pages")
sys.exit(1 if failures or not pages else 0)
