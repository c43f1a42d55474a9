"""Runs for several values of a parameter on one graph: --each, whose results are those of as many separate runs, and
set_arguments of a generated class."""

import json
import math
import shutil
import statistics

import harness

suite = harness.Suite("each")
FOLDER = harness.ROOT / "test" / "e2e"
KARATE = harness.ROOT / "examples" / "data" / "karate.el"
EACH = suite.programs / "each"
shutil.rmtree(suite.folder)
suite.folder.mkdir()


def number(text):
    return math.inf if text == "inf" else float(text)


def same(wanted, found):
    """The same lines; real numbers may be rounded otherwise."""
    if wanted == found:
        return True
    pairs = [(a.split(), b.split()) for a, b in zip(wanted.splitlines(), found.splitlines(), strict=True)]
    return all(a[:-1] == b[:-1] and ("." in a[-1] or "e-" in a[-1])
               and math.isclose(number(a[-1]), number(b[-1]), rel_tol=1e-9) for a, b in pairs if a != b)


def compare(program, graph, name, values, outputs, options=(), given=None, threads=(1, 4)):
    """What --each writes against separate runs. `given`: the values as --each takes them, if not in a list."""
    for variant, env in suite.variants(threads, (1, 2)):
        what = f"{program[-1]} {graph} --each {name}={given or ','.join(values)} {variant} {env}"
        for file in suite.folder.glob("*.txt"):
            file.unlink()
        report = suite.folder / "report.json"
        result = suite.succeeds(what, *program, graph, *options, *variant, "--each", f"{name}={given or ','.join(values)}",
                                "--trials=2", "--verify", f"--report={report}",
                                *[f"--output={o}={o}-{{{name}}}.txt" for o in outputs], env=env, timeout=300)
        if result.code != 0:
            return
        lines = [line for line in result.out.splitlines() if not line.startswith("repeated arcs")]
        for i, value in enumerate(values):
            suite.expect(f", {name}={value}: " in lines[i + 1] and lines[i + 1].endswith("(median of 2 runs)"),
                         f"a line for {value}", result)
        suite.expect(f" s (median of {len(values)} values of {name})" in lines[len(values) + 1].replace("ms", "s"),
                     "a line for all", result)
        suite.expect(lines[-1].startswith("verified: ") and "for each of these values" in lines[-1], "verified", result)
        report = json.loads(report.read_text())
        suite.expect(report["each"] == name and [entry["value"] for entry in report["values"]] == list(values),
                     "the report lists the values", report)
        medians = [statistics.median(entry["trial_seconds"]) for entry in report["values"]]
        suite.expect(all(len(entry["trial_seconds"]) == 2 for entry in report["values"])
                     and all(math.isclose(entry["median_seconds"], m) for entry, m in zip(report["values"], medians))
                     and math.isclose(report["median_seconds"], statistics.median(medians))
                     and "trial_seconds" not in report and "outputs" not in report, "the times in the report", report)
        for value, entry in zip(values, report["values"]):
            alone = suite.folder / "alone.json"
            files = {o: suite.folder / f"{o}.alone" for o in outputs}
            if suite.succeeds(f"{value} alone", *program, graph, *options, *variant, f"--{name}={value}", "--quiet",
                              f"--report={alone}", *[f"--output={o}={f}" for o, f in files.items()], env=env,
                              timeout=300).code:
                return
            for output, file in files.items():
                wanted, found = file.read_text(), (suite.folder / f"{output}-{value}.txt").read_text()
                if not suite.expect(same(wanted, found), f"{what}: {output} of {value} is another one alone"):
                    return
            scalars = json.loads(alone.read_text())["outputs"]
            suite.expect(scalars == entry["outputs"], f"{what}: the scalars of {value} are others alone", entry)


def example(name):
    return [suite.programs / name]


# ---- a vertex, a set, a number; the one that reaches most first
compare(example("bfs"), "kronecker:scale=8,degree=6", "root", ["1", "200", "0", "17"], ["depth"])
compare(example("bfs"), "grid:20x15", "root", ["299", "150", "0"], ["depth"], ["--vertex-bits=64"])
compare(example("sssp"), "uniform:scale=8,degree=5,weights=1..255", "source", ["7", "0", "250"], ["dist"])
compare(example("betweenness"), KARATE, "sources", ["34", "1", "5"], ["score"], ["--undirected"])
compare(example("pagerank"), "kronecker:scale=7,degree=6", "damping", ["0.85", "0.1", "0.5"], ["rank"],
        ["--rounds=12", "--tolerance=0"])
compare(example("prim"), "uniform:scale=7,degree=5,weights=1..9", "root", ["3", "90"], ["key"])

# ---- every kind of parameter, from lists and files
outputs = ["paid", "set_arguments", "rank", "guided", "members", "shared"]
ids = sorted({word for line in KARATE.read_text().splitlines() if line[0] != "#" for word in line.split()}, key=int)
for k in (1, 2, 3):
    (suite.folder / f"price{k}").write_text("".join(f"{v} {int(v) * k * 7 % 31}\n" for v in ids[k:]))
(suite.folder / "prices").write_text("@price2\n@price1 3\n\n\t@price3\n")
(suite.folder / "sets").write_text("1,2,3\nall\n34\n@few\n")
(suite.folder / "few").write_text("5 6\n7\n")
(suite.folder / "guides").write_text("none 12\nself\n")
threads = (2,)
compare([EACH], KARATE, "root", ["34", "1", "17"], outputs, ["--undirected", "--price=@price1", "--around=4"], threads=threads)
compare([EACH], KARATE, "root_", ["34", "3"], outputs, ["--undirected", "--root=12"], threads=threads)
compare([EACH], KARATE, "around", ["1,2,3", "all", "34", "@few"], outputs, ["--root=1"], "@sets", threads)
compare([EACH], KARATE, "price", ["@price2", "@price1", "3", "@price3"], outputs, ["--root=1", "--toll=2"], "@prices", threads)
compare([EACH], KARATE, "guide", ["none", "12", "self"], outputs, ["--root=1", "--undirected"], "@guides", threads)
compare([EACH], KARATE, "toll", ["5", "0", "inf"], outputs, ["--root=1"], threads=threads)
compare([EACH], KARATE, "closed", ["true", "false"], outputs, ["--root=1", "--undirected"], threads=threads)
compare([EACH], KARATE, "share", ["-0.25", "2"], outputs, ["--root=1"], threads=threads)
compare([EACH], KARATE, "back", ["true", "false"], outputs, ["--root=1"], threads=threads)
names = suite.folder / "names.el"
names.write_text("ann bob\nbob #c\n#c d:e\nd:e ann\nx bob\n")
compare([EACH], names, "root", ["#c", "x", "d:e", "ann"], outputs, threads=threads)
if suite.target == "omp":
    program = FOLDER / "each.gdsl"
    compare([suite.gcompile, "interpret", program], names, "root", ["x", "ann"], outputs, threads=threads)
    (suite.folder / "two").write_text("@price2 3")
    compare([suite.gcompile, "interpret", program], KARATE, "price", ["@price2", "3"], outputs, ["--root=1"], "@two", threads)
    result = suite.succeeds("gcompile run", suite.gcompile, "run", "-O0", FOLDER / "levels.gdsl", "grid:6x5",
                            "--each=root=3,7", "--verify", timeout=200)
    suite.expect(", root=3: " in result.out and ", root=7: " in result.out and "for each of these values" in result.out
                 and "not compared with the interpreter: --each has several runs" in result.err, "gcompile run", result)
    suite.fails("run with the interpreter", 2, "--verify=interpreter excludes --each: it compares the results of one run",
                suite.gcompile, "run", "-O0", FOLDER / "levels.gdsl", "grid:6x5", "--each=root=3", "--verify=interpreter")

# ---- what is refused, before the graph is loaded or anything is written
out = suite.folder / "out"
out.mkdir()


def refuse(what, message, *arguments, graph=KARATE, program=EACH):
    suite.fails(what, 2, message, program, graph, *arguments)
    suite.expect(not list(out.iterdir()), f"{what}: files are left behind")


# A graph that cannot be loaded shows what is said without it.
missing = suite.folder / "missing.el"
(suite.folder / "empty").write_text(" \n")
for what, message, arguments in [
    ("no values", "--each needs NAME=VALUES, not 'root='", ["--each=root="]),
    ("no name", "--each needs NAME=VALUES, not '=1'", ["--each==1"]),
    ("no list", "--each needs NAME=VALUES, not 'root'", ["--each", "root"]),
    ("an empty file", "--each: there is no value in '@empty'", ["--each=root=@empty"]),
    ("no file", "--each: cannot read 'nothing'", ["--each=root=@nothing"]),
    ("no name of a file", "--each: the name of a file is missing after '@'", ["--each=root=@"]),
    ("a folder", "--each: cannot read 'out'", ["--each=root=@out"]),
    ("an empty value", "--each: a value is missing in '1,,2'", ["--each=root=1,,2"]),
    ("an empty value at the end", "--each: a value is missing in '1,'", ["--each=root=1,"]),
    ("twice", "--each is given twice: 'root=1' and 'toll=2'", ["--each=root=1", "--each=toll=2"]),
    ("an unknown parameter", "--each: there is no parameter 'rot', the parameters are: root, around, root_, toll, price, closed, "
     "guide, damping, share, back, _unused; did you mean 'root'?", ["--each=rot=1"]),
    ("a value beside", "--each: --root=3 gives the parameter 'root' a value already", ["--root=3", "--each=root=1"]),
    ("a profile", "--each: it excludes --profile, which shows a single run", ["--each=root=1", "--profile"]),
    ("one file for all", "--output: 'out/x' needs {root}, where the value of --each stands",
     ["--each=root=1", "--output=paid=out/x"]),
    ("a folder in a value", "--output: '1/2', a value of --each, cannot be in the name of a file",
     ["--each=root=1/2", "--output=paid=out/{root}"]),
    ("a folder as a value", "--output: '..', a value of --each, cannot be in the name of a file",
     ["--each=root=..", "--output=paid=out/{root}"]),
    ("a value twice", "'out/1' would be written twice, with paid of 1 and paid of 1",
     ["--each=root=1,2,1", "--output=paid=out/{root}"]),
    ("a file twice", "'./out//1' would be written twice, with paid of 1 and rank of 1",
     ["--each=root=1", "--output=paid=out/{root}", "--output=rank=./out//{root}"]),
    ("a report in its place", "'out/1' would be written twice, with paid of 1 and the report",
     ["--each=root=1", "--output=paid=out/{root}", "--report=out/1"]),
    ("a file twice without --each", "'out/1' would be written twice, with paid and rank",
     ["--root=1", "--output=paid=out/1", "--output=rank=out/1"]),
    ("a missing parameter", "the parameter --root=VALUE is missing", ["--each=toll=1,2"]),
]:
    refuse(what, message, *arguments, graph=missing)
refuse("no parameters", "--each: the program has no parameters", "--each=root=1", program=suite.programs / "components")
good = "--output=paid=out/{root}"
refuse("no such vertex", "--root: the graph has no vertex '99'", "--each=root=1,99,2", good)
refuse("a folder as a set", "--around: cannot read 'out'", "--root=1", "--around=@out")
refuse("a set without a name", "--around: the name of a file is missing after '@'", "--root=1", "--around=@")
refuse("no number", "--toll: 'x' is not a whole number", "--root=1", "--each=toll=1,x", "--output=paid=out/{toll}")
refuse("a negative number", "--toll: -1 is negative, which the program does not allow", "--root=1", "--each=toll=1,-1",
       "--output=paid=out/{toll}")
(suite.folder / "negative").write_text("1 4\n2 -4\n")
(suite.folder / "list").write_text("@price1 @negative")
refuse("a negative value of a vertex", "negative:2: price -4 of vertex 2 is negative, which the program does not allow",
       "--root=1", "--each=price=@list", "--output=paid=out/{price}")
refuse("no folder", "none/1: cannot be written: there is no folder none", "--each=root=1", good, "--output=rank=none/{root}")
(out / "2").mkdir()
suite.fails("a folder is there", 2, "out/2: cannot be written: it is a folder", EACH, KARATE, "--each=root=1,2", good)
(out / "2").rmdir()
suite.expect(not list(out.iterdir()), "a folder is there: files are left behind")
result = suite.succeeds("repeated values that nothing is written for", EACH, KARATE, "--each=root=1,1")
suite.expect("median of 2 values of root" in result.out, "repeated values", result)
suite.succeeds("braces without --each", EACH, KARATE, "--root=1", "--quiet", good)
suite.expect([file.name for file in out.iterdir()] == ["{root}"], "braces stay as they are without --each")
(out / "{root}").unlink()
result = suite.succeeds("quiet", EACH, KARATE, "--each=root=1,2", "--quiet", "--verify")
suite.expect(result.out + result.err == "", "--quiet prints nothing", result)
result = suite.succeeds("help", EACH, "--help")
suite.expect("--each=NAME=VALUES            run for each value of a parameter, A,B,C or @FILE; not with --profile" in result.out,
             "help", result)


# ---- a program of the user's, and one that is wrong for one of the values
def compile_for_target(source, output, *options):
    if suite.target == "omp":
        flags, libraries = ["-std=c++17", "-fwrapv", "-isystem", suite.build / "include"], []
    else:
        flags = [*harness.emulated.FLAGS, "-std=c++20", f"-I{harness.ROOT / 'runtime' / 'include'}"]
        libraries = [suite.emulation, "-lboost_context"]
    suite.succeeds(f"compile {source}", "g++", *flags, "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", *options, "-c",
                   source, "-o", f"{output}.o", timeout=300)
    suite.succeeds(f"link {source}", "g++", "-fopenmp", f"{output}.o", suite.runtime, *libraries, "-lz", "-lzstd", "-llzma", "-o",
                   output)


suite.succeeds("a library", suite.gcompile, f"--target={suite.target}", "--emit=library", FOLDER / "each.gdsl", "-o", "each.hpp")
compile_for_target(FOLDER / "each.cpp", suite.folder / "user", "-I.")
result = suite.succeeds("set_arguments", suite.folder / "user", "grid:9x7", "uniform:scale=6,degree=4", timeout=200)
suite.expect(result.out == "110 checks\n", "set_arguments", result)

suite.succeeds("a source", suite.gcompile, f"--target={suite.target}", "--emit=source", FOLDER / "each.gdsl", "-o", "wrong.cpp")
text = (suite.folder / "wrong.cpp").read_text()
right, wrong = 'toll_(std::int32_t(arguments.integer("toll")))', 'toll_(arguments.integer("toll") == 2 ? 7 : 1)'
suite.expect(text.count(right) == 1, "the serial form takes its toll from texts")
(suite.folder / "wrong.cpp").write_text(text.replace(right, wrong))
compile_for_target(suite.folder / "wrong.cpp", suite.folder / "wrong")
result = suite.run(suite.folder / "wrong", KARATE, "--root=1", "--each=toll=1,2", "--verify", "--output=paid=out/{toll}",
                   "--report=out/report")
errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
suite.expect(result.code == 1 and errors and all(line.startswith("error: verification failed: toll=2: ") for line in errors)
             and "verified" not in result.out, "the value that fails is named", result)
suite.expect([file.name for file in out.iterdir()] == ["1"], "what is right is written", sorted(out.iterdir()))
suite.finish()
