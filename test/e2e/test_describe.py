"""`gcompile describe`: the manual page and the completions say what --help says, and shells take them."""

import re
import shutil

import harness

suite = harness.Suite("describe")
COMMANDS = ("", "run", "interpret", "check", "convert", "cache", "describe")


def printed(form):
    result = suite.succeeds(form, suite.gcompile, "describe", form)
    file = suite.folder / f"gcompile.{form}"
    file.write_text(result.out, encoding="utf-8")
    return file, result.out


# Each option of each --help.
options = {}
for command in COMMANDS:
    text = suite.succeeds(f"{command} --help", suite.gcompile, *command.split(), "--help").out
    options[command] = re.findall(r"^  (-[\w-]+)(?:,(--[\w-]+))?", text, re.M)
    options[command] = [name for names in options[command] for name in names if name]
suite.expect(len(options[""]) > 20 and "--target" in options["run"] and "--clear" in options["cache"], "--help", options)

page, text = printed("man")
for command, names in options.items():
    section = text.split(f".SH OPTIONS OF 'gcompile {command}")[1].split("\n.SH")[0] if command else text
    for name in names:
        suite.expect(f"\\fB{name}\\fR".replace("-", "\\-") in section, f"the page: {command} {name}", section)
if shutil.which("man"):
    shown = suite.run("man", "--warnings", "-l", page, env={"LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
    plain = re.sub(".\b", "", shown.out)
    suite.expect(shown.code == 0 and shown.err == "" and "--self-loops=keep|drop" in plain and "EXIT STATUS" in plain,
                 "man", shown)

# Bash itself completes.
script, _ = printed("bash")
(suite.folder / "files").mkdir(exist_ok=True)
(suite.folder / "files" / "inner").mkdir(exist_ok=True)
for name in ("bfs.gdsl", "roads.el"):
    (suite.folder / "files" / name).write_text("", encoding="utf-8")


def completed(line):
    """The words that bash offers for the last word of a line, which it splits at "=" too."""
    words = [word for word in re.split(r"(=)| ", line) if word is not None]
    words = words[:-1] if words[-1] == "" and words[-2:-1] == ["="] else [word for word in words[:-1] if word] + words[-1:]
    quoted = " ".join(f"'{word}'" for word in words)
    result = suite.run("bash", "--norc", "-c", f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
                       "_gcompile; printf '%s\\n' \"${COMPREPLY[@]}\"", cwd=suite.folder / "files")
    suite.expect(result.err == "", f"completion of {line}", result)
    return sorted(set(result.out.split()))


kinds = ["ast", "exe", "exec-ir", "graph-ir", "library", "object", "shared", "source"]
for line, expected in (("gcompile --tar", ["--target="]),
                       ("gcompile --target=", ["cuda", "gpus", "hybrid", "mpi", "omp", "serial"]),
                       ("gcompile --target ", ["cuda", "gpus", "hybrid", "mpi", "omp", "serial"]),
                       ("gcompile --target=s", ["serial"]),
                       ("gcompile --emit=", kinds),
                       ("gcompile --emit=ex", ["exe", "exec-ir"]),
                       ("gcompile --explain", ["--explain", "--explain="]),
                       ("gcompile --explain=", ["json", "short", "text"]),
                       ("gcompile --explain ", ["bfs.gdsl", "inner"]),
                       ("gcompile ", ["bfs.gdsl", "cache", "check", "convert", "describe", "inner", "interpret", "run"]),
                       ("gcompile ru", ["run"]),
                       ("gcompile run ", ["bfs.gdsl", "inner"]),
                       ("gcompile run --target=c", ["cuda"]),
                       ("gcompile run bfs.gdsl ", ["bfs.gdsl", "inner", "roads.el"]),
                       ("gcompile run bfs.gdsl --o", []),
                       ("gcompile cache --", ["--clear", "--help", "--stats", "--version"]),
                       ("gcompile convert --self-loops=", ["drop", "keep"]),
                       ("gcompile convert ", ["bfs.gdsl", "inner", "roads.el"]),
                       ("gcompile describe ", ["bash", "fish", "man", "zsh"]),
                       ("gcompile --runtime=", ["inner"]),
                       ("gcompile --arch=", []),
                       ("gcompile check --emit", [])):
    found = completed(line)
    suite.expect(found == expected, f"bash: {line}", found)

# The other shells, where they are installed.
script, _ = printed("fish")
if shutil.which("fish"):
    for line, expected in (("gcompile --target=", ["cuda", "gpus", "hybrid", "mpi", "omp", "serial"]), ("gcompile run --target s", ["serial"]),
                           ("gcompile convert --dupl", ["--duplicates"]), ("gcompile describe z", ["zsh"])):
        result = suite.run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'", env={"HOME": suite.folder})
        found = sorted(each.split("\t")[0].split("=")[-1] for each in result.out.splitlines())
        suite.expect(result.err == "" and found == expected, f"fish: {line}", result)
else:
    print("fish is not installed: its completions were not tried")
script, text = printed("zsh")
for command, names in options.items():
    for name in names:
        suite.expect(f"'*{name}" in text, f"zsh: {command} {name}")
if shutil.which("zsh"):
    suite.succeeds("zsh reads its completions", "zsh", "-n", script)
else:
    print("zsh is not installed: its completions were not tried")
suite.fails("another shell", 2, "'csh' is no form of a description; did you mean 'zsh'?; there are man, bash, zsh and fish",
            suite.gcompile, "describe", "csh")
suite.fails("no form", 2, "write 'gcompile describe man', or another form: man, bash, zsh or fish", suite.gcompile, "describe")
suite.finish()
