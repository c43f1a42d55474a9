"""Functions and classes of C++ headers: which a program may use, on a CPU and on a GPU, and what is said of the others and
of headers that cannot be read."""

import json
import re

import harness
from import_headers import (ACCEPTED, CLASSES, DEVICE, FINITE, INFINITE, REFUSED, TYPES_REFUSED, UNREADABLE, USES_REFUSED)

suite = harness.Suite("import_messages")
program, header = suite.folder / "program.gdsl", suite.folder / "header.hpp"


def check(text, called):
    header.write_text(text + "\n")
    program.write_text(f'import "header.hpp";\nalgorithm a(g: graph) {{ output x: double = 0; x = {called}; }}\n')
    return suite.run(suite.gcompile, "check", program)


for text, called in ACCEPTED:
    result = check(text, called)
    suite.expect(result.code == 0 and not result.err, f"{text}: accepted", result)
# A sum of what may be inf is made in steps that know it.
sums = suite.folder / "sums.gdsl"
sums.write_text('import "header.hpp";\nalgorithm a(g: graph) { output x: int[g] = 0; for u -> v { x[v] += f(u.degree); } }\n')
for text in FINITE + INFINITE:
    header.write_text("#pragma once\n" + text.replace("int f(", "inline int f(").replace("int g(", "inline int g(") + "\n")
    result = suite.run(suite.gcompile, "--emit=source", sums, "-o", "-")
    suite.expect(result.code == 0 and ("add_inf" in result.out) == (text in INFINITE), f"{text}: {'may' if text in INFINITE else 'cannot'} give inf", result)
for text, called, said in REFUSED:
    result = check(text, called)
    suite.expect(result.code == 1 and said in result.err, f"{text}: {said}", result)
for text, name, said in TYPES_REFUSED:
    header.write_text(text + "\n")
    program.write_text(f'import "header.hpp";\nalgorithm a(g: graph) {{ x: {name}[g]; }}\n')
    result = suite.run(suite.gcompile, "check", program)
    suite.expect(result.code == 1 and said in result.err and ("header.hpp:1" in result.err or "unknown" in said or "std::" in name),
                 f"{text}: {said}", result)
header.write_text(CLASSES + "\n")
for statement, said in USES_REFUSED:
    program.write_text(f'import "header.hpp";\nalgorithm a(g: graph) {{\n    output x: int = 0;\n'
                       f'    p: P;\n    q: P[g];\n    {statement}\n}}\n')
    result = suite.run(suite.gcompile, "check", program)
    suite.expect(result.code == 1 and f"program.gdsl:6" in result.err and said in result.err, f"{statement}: {said}", result)
for text, said in (("algorithm a(g: graph, p: P) {}", "a parameter of an algorithm cannot have the type P"),
                   ("algorithm a(g: graph, p: P[g]) {}", "a parameter of an algorithm cannot have the type P[g]"),
                   ("algorithm a(g: graph<p: P>) {}", "an edge property is int, long, float or double, not P")):
    program.write_text(f'import "header.hpp";\n{text}\n')
    result = suite.run(suite.gcompile, "check", program)
    suite.expect(result.code == 1 and said in result.err, f"{text}: {said}", result)
# Two names of one class are one type; a name of a number is a number. Both sides of `into` see it.
header.write_text("#include <complex>\nnamespace a { inline namespace b { struct P { int x; }; } using Q = P; }\n"
                  "using C = std::complex<double>; using R = double; inline C c(R x) { return C(x, x); }\n"
                  "inline a::P p(int x) { return {x}; } inline int get(a::Q q) { return q.x; }\n"
                  "inline R re(C x) { return x.real(); }\n")
program.write_text('import "header.hpp";\nfunction f(p: a::P) -> a::Q { return p; }\nalgorithm a(g: graph) {\n'
                   '    output x: int = 0;\n    output y: double = 0;\n    q: a::Q = p(3);\n    z: C[g];\n    r: R = 2;\n'
                   '    x = get(f(q));\n    for v in g { z[v] = c(r); }\n    for v in g { y += re(z[v]); }\n}\n')
(suite.folder / "g.el").write_text("1 2\n")
result = suite.run(suite.gcompile, "run", program, "g.el", "--output=x=-", "--output=y=-", "--quiet")
suite.expect(result.out == "3\n4\n", "names of types", result)
for text, said, place in UNREADABLE:
    result = check(text, "f(1)")
    suite.expect(result.code == 1 and said in result.err and place in result.err, f"{text}: {said}, {place}", result)
# The note names the line that breaks the rule, also in a header that the header includes.
(suite.folder / "inner.hpp").write_text("inline int g(int x) {\n  static int n = x;\n  return n;\n}\n")
result = check('#include "inner.hpp"\ninline int f(int x) { return g(x); }', "f(1)")
suite.expect("note: inner.hpp:2: here" in result.err, "the place of what breaks the rule", result)
# Flags count, for the compiler as for what reads the header.
result = check("inline int f(int x) { return x + MORE; }", "f(1)")
suite.expect(result.code == 1 and "undeclared identifier 'MORE'" in result.err, "a macro that is not defined", result)
output = suite.folder / "more"
result = suite.run(suite.gcompile, program, "-o", output, "--cxx-flag=-DMORE=41", f"--MF={output}.d")
suite.expect(result.code == 0, "compile with -D", result)
suite.expect("header.hpp" in (suite.folder / "more.d").read_text(), "the depfile names the header")
(suite.folder / "g.el").write_text("1 2\n")
result = suite.run(output, "g.el", "--output=x=-", "--quiet", "--verify")
suite.expect(result.out == "42\n", "the value", result)
# A project says how its headers are read: the file that is most like the header counts, and the user's own flags more.
project = suite.folder / "project"
(project / "include").mkdir(parents=True, exist_ok=True)
(project / "include" / "more.hpp").write_text("constexpr int more = MORE;\n")
check('#include "more.hpp"\ninline int f(int x) { return x + more; }', "f(1)")
commands = [{"directory": str(project), "file": str(suite.folder / f"{name}.cpp"), "output": f"{name}.o",
             "arguments": ["c++", *flags, "-O2", "-c", str(suite.folder / f"{name}.cpp")]}
            for name, flags in [("header", ["-Iinclude", "-std=c++20", "-DMORE=6"]), ("other", ["-DMORE=x"])]]
(project / "compile_commands.json").write_text(json.dumps(commands))
result = suite.run(suite.gcompile, "check", program)
suite.expect(result.code == 1 and "'more.hpp' file not found" in result.err, "without the project's flags", result)
result = suite.run(suite.gcompile, "check", program, "-p", project)
suite.expect(result.code == 0, "check with -p", result)
result = suite.run(suite.gcompile, "run", "-p", project, program, "g.el", "--output=x=-", "--quiet")
suite.expect(result.out == "7\n", "run with -p", result)
result = suite.run(suite.gcompile, program, "-o", output, "-p", project, "--cxx-flag=-UMORE", "--cxx-flag=-DMORE=1",
                   f"--MF={output}.d")
suite.expect(result.code == 0, "compile with -p", result)
suite.expect("compile_commands.json" in (suite.folder / "more.d").read_text(), "the depfile names the project's")
result = suite.run(output, "g.el", "--output=x=-", "--quiet")
suite.expect(result.out == "2\n", "the user's own flags count more", result)
(project / "compile_commands.json").write_text("[{]")
result = suite.run(suite.gcompile, "check", program, "-p", project)
suite.expect(result.code == 1 and "compile_commands.json: " in result.err, "no JSON", result)
result = suite.run(suite.gcompile, "check", program, "-p", suite.folder / "nowhere")
suite.expect(result.code == 2 and "there is no" in result.err, "no file", result)
# A header that changes is compiled anew.
for number in (1, 2):
    check(f"inline int f(int x) {{ return {number}; }}", "f(1)")
    result = suite.run(suite.gcompile, "run", program, "g.el", "--output=x=-", "--quiet")
    suite.expect(result.out == f"{number}\n", "run after a change of the header", result)
# What is declared and believed has to be defined somewhere.
check("[[gnu::const]] int f(int x);", "f(1)")
result = suite.run(suite.gcompile, program, "-o", output)
suite.expect(result.code == 2 and "declared, but defined nowhere" in result.err, "no definition", result)
result = suite.run(suite.gcompile, "interpret", program, "g.el")
suite.expect(result.code == 2 and "declared, but defined nowhere" in result.err, "interpreted, without a definition", result)
# The interpreter calls the same functions: its results are those of the compiled program, or --verify says so.
check("inline int f(int x) { return x + MORE; }", "f(1)")
for command in (["interpret", program, "g.el", "--verify"], ["run", program, "g.el", "--verify"]):
    result = suite.run(suite.gcompile, command[0], "--cxx-flag=-DMORE=2", *command[1:], "--output=x=-", "--quiet")
    suite.expect(result.code == 0 and result.out == "3\n", f"{command[0]} --verify", result)
check("#ifdef __clang__\ninline int f(int x) { return x; }\n#endif", "f(1)")
result = suite.run(suite.gcompile, "interpret", program, "g.el", "--cxx=g++")
suite.expect(result.code == 2 and "does not compile the imported functions" in result.err, "another header", result)
for text, said in DEVICE:
    check(text, "f(1)")
    result = suite.run(suite.gcompile, "--target=cuda", "--emit=source", program, "-o", "-")
    if said is None:
        suite.expect(result.code == 0 and "__host__ __device__ " in result.out, f"{text}: a form for the device", result)
    else:
        suite.expect(result.code == 1 and "a GPU cannot run 'f': " in result.err and said in result.err
                     and re.search(r"\(\S+:\d+\)", result.err), f"{text}: {said}", result)
# CUDA's compiler would say nothing, and the kernel would end with a trap.
for what, text, refused in (
        ("a table", "constexpr int t[4] = {5, 0, -7, 11}; constexpr int f(int x) { return t[x & 3]; }", True),
        ("a table that another function reads", "constexpr int t[2] = {5, 0}; constexpr int at(int i) { return t[i]; } constexpr int f(int x) { return at(x & 1); }", True),
        ("a reference", "#include <algorithm>\nconstexpr int k = 5; constexpr int f(int x) { return std::max(x, k); }", True),
        ("a member", "struct S { static constexpr int t[2] = {1, 2}; }; constexpr int f(int x) { return S::t[x & 1]; }", True),
        ("a value", "constexpr int k = 5; constexpr int f(int x) { return x + k; }", False),
        ("a field", "struct P { int a, b; }; constexpr P p = {3, 4}; constexpr int f(int x) { return x + p.b; }", False),
        ("a table of its own", "constexpr int f(int x) { constexpr int t[4] = {5, 0, -7, 11}; return t[x & 3]; }", False)):
    (suite.folder / "memory.hpp").write_text("#pragma once\n" + text + "\n")
    program = suite.folder / "memory.gdsl"
    program.write_text('import "memory.hpp";\nalgorithm a(g: graph) { output x: int[g] = f(self.degree); }\n')
    result = suite.run(suite.gcompile, "--target=cuda", "--emit=source", "-o", "-", program)
    suite.expect(result.code == (1 if refused else 0) and (not refused or "in the host's memory" in result.err),
                 f"{what}: {'refused' if refused else 'taken'} for a GPU", result)

suite.finish()
