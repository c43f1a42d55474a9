#!/usr/bin/env python3
"""Random C++ headers and calls of them, by hand: `test/random/headers.py --time 600 [--seed N]`.

Functions of several kinds, in namespaces, call each other. One of them may have an effect. gcompile has to accept a call
if and only if no function that is reached has one; the interpreter has to give what C++ gives, also of a parameter that a
function makes and of sums; and the source for a GPU has to declare what the header defines, which g++ checks without a
GPU. What is called may be a template, whose types the program may say."""
import argparse, pathlib, random, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = ["int", "std::int64_t", "double", "Pair<int>", "Place", "Way"]
EFFECTS = ["static int calls = 0; ++calls;", "counter += 1;", "if (counter > 3) return {};", "thread_local int own = 1; own += 1;",
           'std::puts("x");', "volatile int w = 1; (void)w;", "int *p = new int(1); delete p;"]
HEAD = """#pragma once
#include <gcompile/values.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
extern int counter;
template <class T> struct Pair { T a, b; };
struct Place { int x; double y; };
enum class Way : int { there, back };
constexpr int number(int x) { return x; }
constexpr int number(std::int64_t x) { return static_cast<int>(x % 1000); }
inline int number(double x) { return static_cast<int>(std::fmod(std::floor(x), 1000)); }
template <class T> int number(const Pair<T> &x) { return number(x.a) + number(x.b); }
inline int number(const Place &x) { return x.x % 1000 + number(x.y); }
constexpr int number(Way x) { return x == Way::back ? 2 : 1; }
"""


def value(rng, kind, number):
    """An expression of a type from one of int."""
    return {"int": number, "std::int64_t": f"std::int64_t({number}) * 3", "double": f"({number}) * 0.5", "Pair<int>": f"Pair<int>{{{number}, {rng.randint(0, 9)}}}",
            "Place": f"Place{{{number}, {rng.randint(0, 9)}.5}}", "Way": f"({number}) % 2 == 0 ? Way::there : Way::back"}[kind]


def header(rng):
    """The text, whether the function to call has no effect, and how it is called."""
    text, functions = HEAD, []
    guilty = rng.randrange(10) if rng.random() < 0.5 else -1
    for i in range(rng.randint(2, 8)):
        spaces = [rng.choice(["namespace a{}_{}", "inline namespace b{}_{}", "namespace"]).format(i, depth) for depth in range(rng.randint(0, 2))]
        kinds = [rng.choice(TYPES) for _ in range(rng.randint(0, 2))]
        result = rng.choice(TYPES)
        template = rng.random() < 0.15
        parameters = "".join(f", {'const ' * ref}{kind} {'&' * ref}p{k}" for k, kind in enumerate(kinds) for ref in [rng.random() < 0.4])
        calls, pure = [], i != guilty
        for other in rng.sample(functions, min(len(functions), rng.randint(0, 2))):
            calls.append("number({}({}))".format(other["name"], ", ".join(["n % 50"] + [value(rng, kind, "n") for kind in other["kinds"]])))
            pure &= other["pure"]
        terms = ["n"] + [f"number(p{k})" for k in range(len(kinds))] + calls
        effect = rng.choice(EFFECTS) if i == guilty else ""
        total = "(" + " + ".join(terms) + ") % 1000"
        form = rng.choice(["inline ", "static ", "static inline ", "[[nodiscard]] inline "]) + rng.choice(["", "", "constexpr "] if not effect and not calls and not kinds else [""])
        if template:
            form = "template <class T> " + ("static " if "static" in form else "")
        body = f"{effect} const int m = {total}; return {value(rng, result, 'm')};"
        declared = f"{form}{result} f{i}({'T' if template else 'int'} n{parameters}){rng.choice(['', ' noexcept'])} {{ {body} }}"
        text += " ".join(space + " {" for space in spaces) + declared + " }" * len(spaces) + "\n"
        named = [space.split()[1] for space in spaces if space != "namespace" and not space.startswith("inline")]
        functions.append({"name": "::".join(named + [f"f{i}"]), "kinds": kinds, "pure": pure, "result": result})
    last = functions[-1]
    arguments = ", ".join(["n"] + [value(rng, kind, "n") for kind in last["kinds"]])
    # What may be inf: the greatest int, or what is given.
    text += f"inline int open(int n) {{ return n % {rng.randint(2, 3)} == 0 ? {rng.choice(['2147483647', '7', 'n', '1 << 29'])} : {rng.choice(['n', '2 * n', '3'])}; }}\n"
    text += rng.choice(["inline Place placed(int x, double y)", "constexpr Place placed(const int &x, double y)",
                        "Place placed(int, double); inline Place placed(int x, double y)"]) + " { return {x, y}; }\n"
    head, kind = rng.choice([("inline", "int"), ("template <class T>", "T"), ("template <class T> inline", "const T &")])
    callee = rng.choice(["called", "called<int>"]) if "template" in head else "called"
    return text + f"{head} int called({kind} n) {{ return number({last['name']}({arguments})); }}\n", last["pure"], callee


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def attempt(rng, folder, gcompile, runtime):
    """What is wrong with one header; nothing is."""
    text, pure, callee = header(rng)
    (folder / "header.hpp").write_text(text)
    program = folder / "program.gdsl"
    program.write_text('import "header.hpp";\nalgorithm a(g: graph, p: Place[g] from placed = (3, 2)) {\n    output x: int = 0;\n'
                       "    output y: int = 0;\n    output z: long = 0;\n"
                       f"    x = {callee}(7);\n"
                       "    for v in g sequentially { y = number(p[v]); }\n    z = sum(u -> v : open(u.degree)) + sum(u -> v : open(u.degree + 1));\n}\n")
    checked = run(gcompile, "check", program)
    if checked.returncode != (0 if pure else 1) or (not pure and "E0249" not in checked.stderr):
        return f"check: {'no' if pure else 'an'} effect, and exit {checked.returncode}\n{checked.stderr}"
    if not pure:
        return None
    (folder / "main.cpp").write_text('#include "header.hpp"\nint counter = 0;\nint main() {\n'
                                     '  const long a = open(1), b = open(2), inf = 2147483647;\n'
                                     f'  std::printf("%d\\n%d\\n", {callee}(7), number(placed(5, 2.5)));\n'
                                     '  if (a == inf || b == inf) std::puts("inf"); else std::printf("%ld\\n", 2 * (a + b));\n}\n')
    built = run("g++", "-std=c++17", "-I", runtime, folder / "main.cpp", "-o", folder / "main")
    if built.returncode != 0:
        return f"the fuzzer's header is wrong\n{built.stderr}"
    (folder / "g.el").write_text("1 2\n")
    interpreted = run(gcompile, "interpret", program, folder / "g.el", "--undirected", "--p=5,2.5", "--output=x=-", "--output=y=-", "--output=z=-", "--quiet")
    if interpreted.stdout != run(folder / "main").stdout:
        return f"interpret: {interpreted.stdout} {interpreted.stderr}"
    printed = run(gcompile, "--target=cuda", "--emit=source", program, "-o", "-")
    if printed.returncode != 0:
        return f"for a GPU: {printed.stderr}"
    lines = printed.stdout.split('#include "header.hpp"')[0].splitlines()
    forms = [line for line in lines if not line.startswith("#include <gcompile")]
    (folder / "forms.cpp").write_text("\n".join(forms) + '\n#include "header.hpp"\nint use() { return ' + callee + '(7); }\n')
    fits = run("g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-D__host__=", "-D__device__=", "-I", runtime,
               folder / "forms.cpp")
    return f"forms for the device: {fits.stderr}" if fits.returncode != 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--time", type=float, default=60, help="seconds")
    parser.add_argument("--seed", type=int, default=1, help="of the first header")
    options = parser.parse_args()
    end, seed = time.monotonic() + options.time, options.seed
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < end:
            wrong = attempt(random.Random(seed), pathlib.Path(name), options.build / "bin" / "gcompile", ROOT / "runtime" / "include")
            if wrong:
                sys.exit(f"seed {seed}: {wrong}\n{(pathlib.Path(name) / 'header.hpp').read_text()}")
            seed += 1
    print(f"{seed - options.seed} headers, nothing wrong")


main()
