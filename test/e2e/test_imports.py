"""Functions of C++ headers: their values against the same in Python, which functions may be called, and what is said of
the others and of headers that cannot be read."""

import math

from random_graphs import INF, Test, sample


def cost(kind):
    return [3, 1, 4, 1][(-(kind + 1) if kind < 0 else kind) % 4]


def parameters(rng, graph):
    return {"x": {v: rng.choice([rng.randint(-50, 50), rng.randint(-2**40, 2**40)]) for v in graph.ids},
            "S": sample(rng, graph.ids, 4)}


def oracle(graph, given):
    x, chosen = given["x"], given["S"]
    bits = {v: (x[v] & (2**64 - 1)).bit_count() for v in graph.ids}
    dist = {v: 0 if v in chosen else INF for v in graph.ids}
    changed = True
    while changed:
        changed = False
        for u, v, w in graph.arcs:
            length = dist[u] + cost(w) + cost(w) * (2 if w > 2 else 1)
            if length < dist[v]:
                dist[v], changed = length, True
    common = {v: 0 for v in graph.ids}
    for u, v, _ in graph.arcs:
        divisor = math.gcd(x[u], x[v])
        common[v] += divisor if divisor > 1 else 0
    return {
        "doubled": {v: 2 * x[v] for v in graph.ids},
        "whole": {v: 2 * len(graph.out[v]) + bits[v] + len(graph.into[v]) // 2 + min(len(graph.out[v]), 7)
                  for v in graph.ids},
        "real": {v: 1.5 for v in graph.ids},
        "dist": dist,
        "common": common,
        "one": 10,
        "ends": sum(bits[v] for v in chosen),
    }


# A declaration, a call, and what is said: None where the call is right.
ACCEPTED = [
    ("inline int f(int x) { return x + 1; }", "f(1)"),
    ("static int f(int x) { return x; }", "f(1)"),
    ("#include <cmath>", "std::hypot(1.0, 2.0)"),
    ("#include <cmath>", "std::sin(std::fabs(2.0))"),
    ("#include <cmath>", "std::lround(2.5)"),
    ("#include <cstdint>\ninline std::int64_t f(std::int64_t x) { return x; }", "f(2)"),
    ("namespace a { namespace b { inline int f() { return 1; } } namespace c = b; }", "a::c::f()"),
    ("namespace a { inline int f() { return 1; } } using a::f;", "f()"),
    ("struct S { static int f(int x) { return x; } };", "S::f(1)"),
    ("inline int f(int x) { int y[3] = {1, 2, 3}; y[x % 3] += x; return y[0]; }", "f(1)"),
    ("inline int f(int x) { int s = 0; int y[3] = {x, x, x}; for (int e : y) s += e; return s; }", "f(1)"),
    ("enum E { one = 1 }; inline int f(int x) { switch (x) { case one: return 2; default: return x; } }", "f(1)"),
    ("const int table[2] = {4, 5}; inline int f(int x) { return table[x & 1]; }", "f(1)"),
    ("constexpr double scale = 2.5; inline double f(double x) { return scale * x; }", "f(1)"),
    ("#define TWO 2\ninline int f(int x) { return TWO * x; }", "f(1)"),
    ("#include <algorithm>\ninline int f(int x) { return std::max(x, std::clamp(x, 2, 5)); }", "f(1)"),
    ("#include <utility>\ninline int f(int x) { auto p = std::make_pair(x, 1); return p.first + p.second; }", "f(1)"),
    ("template <class T> T g(T x) { return x; } inline int f(int x) { return g(x); }", "f(1)"),
    ("inline int odd(int); inline int even(int x) { return x == 0 ? 1 : odd(x - 1); }"
     " inline int odd(int x) { return x == 0 ? 0 : even(x - 1); }", "even(4)"),
    ("struct P { int x; P operator+(P o) const { return {x + o.x}; } };"
     " inline int f(int x) { P a{x}, b{1}; a = a + b; return a.x; }", "f(1)"),
    ("inline float f(float x) { return x; } inline double f(double x) { return x; }", "f(2.5)"),
    ("inline int f(int x, int y = 3) { return x + y; }", "f(1, 2)"),
]
REFUSED = [
    ("int n; inline int f(int x) { return n + x; }", "f(1)", "it uses 'n', which other code may change"),
    ("int n; inline int f(int x) { n = x; return x; }", "f(1)", "it changes 'n', which outlives the call"),
    ("int n; inline int f(int x) { return *&n; }", "f(1)", "it uses 'n', which other code may change"),
    ("extern const int n; inline int f(int x) { return n; }", "f(1)", "it uses 'n', which other code may change"),
    ("int n; int *const p = &n; inline int f(int x) { return *p; }", "f(1)", "it uses 'p', which other code may change"),
    ("inline int f(int x) { static int n = 0; return ++n; }", "f(1)", "it keeps 'n' from call to call"),
    ("thread_local int n; inline int f(int x) { return n; }", "f(1)", "it uses 'n', which other code may change"),
    ("inline int f(int x) { thread_local int n = 0; return n; }", "f(1)", "it has the thread-local variable 'n'"),
    ("inline int f(int x) { volatile int y = x; return 1; }", "f(1)", "'y' is volatile"),
    ("inline int f(int x) { int *p = new int(x); return *p; }", "f(1)", "it allocates memory"),
    ("inline int f(int x) { if (x < 0) throw x; return x; }", "f(1)", "it throws"),
    ("inline int f(int x) { try { return x; } catch (...) { return 1; } }", "f(1)", "it catches exceptions"),
    ("#include <cstdio>\ninline int f(int x) { std::puts(\"x\"); return x; }", "f(1)", "it calls 'puts': its body is not visible"),
    ("#include <cstdlib>", "std::rand()", "its body is not visible"),
    ("#include <cerrno>\ninline int f(int x) { return errno; }", "f(1)", "it gives a pointer or a reference"),
    ("inline int f(int x) { asm volatile(\"\"); return x; }", "f(1)", "it contains assembly"),
    ("inline int f(int x) { int (*p)(int) = f; return p(x); }", "f(1)", "it calls a function through a pointer"),
    ("struct B { virtual int g() { return 1; } }; inline int f(int x) { B b; return b.g(); }", "f(1)", "virtual"),
    ("inline void set(int &y) { y = 1; } inline int f(int x) { set(x); return x; }", "f(1)", "it changes 'y', a reference"),
    ("inline int f(int x) { int *p = &x; *p = 2; return x; }", "f(1)", "it writes through a pointer or a reference"),
    ("inline int f(int x) { auto g = [](int y) { return y; }; return g(x); }", "f(1)", "lambda"),
    ("inline int f(int x) { return *reinterpret_cast<int *>(x); }", "f(1)", "it casts what the compiler cannot follow"),
    ("#include <string>\ninline int f(int x) { return std::to_string(x).size(); }", "f(1)", "cannot be called"),
    ("#include <vector>\ninline int f(int x) { std::vector<int> v(x); return v.size(); }", "f(1)", "cannot be called"),
    ("struct S { mutable int n = 0; int g() const { return ++n; } }; inline int f(int x) { S s; return s.g(); }", "f(1)",
     "it changes 'S::n'"),
    ("struct S { int n = 0; void g(int x) { n = x; } }; S s; inline int f(int x) { s.g(x); return x; }", "f(1)",
     "it changes 's', which outlives the call"),
    ("struct S { static int n; }; inline int f(int x) { return S::n; }", "f(1)", "which other code may change"),
    ("struct S { ~S() {} }; inline int f(int x) { S s; return x; }", "f(1)", "a destructor that does something"),
    ("inline int g(int x); inline int f(int x) { return g(x); } int n; inline int g(int x) { return x ? n : f(x); }", "f(1)",
     "it calls 'g': it uses 'n', which other code may change"),
    ("template <class T> T f(T x) { return x; }", "f(1)", "it is a template"),
    ("inline unsigned f(int x) { return x; }", "f(1)", "the language has no type for its value"),
    ("inline int f(unsigned x) { return x; }", "f(1)", "the language has no type for its parameter 1"),
    ("inline int f(int *x) { return 1; }", "f(1)", "the language has no type for its parameter 1"),
    ("inline int f(int &x) { return 1; }", "f(1)", "the language has no type for its parameter 1"),
    ("inline int f(int x, ...) { return x; }", "f(1)", "it takes any number of arguments"),
    ("struct S { int f(int x) { return x; } };", "S::f(1)", "it needs an object"),
    ("class S { static int f(int x) { return x; } };", "S::f(1)", "it is not public"),
    ("inline int f(int x) = delete;", "f(1)", "it is deleted"),
    ("inline int f(int x) { return x; }", "f(1, 2)", "no imported function 'f' takes (int, int)"),
    ("inline int f(int x) { return x; }", "f(2.5)", "no imported function 'f' takes (double)"),
    ("inline int f(int x) { return x; }", "g(2)", "there is no function 'g'"),
    ("inline float f(float x, double y) { return x; } inline float f(double x, float y) { return y; }", "f(float(1), float(2))",
     "several imported functions 'f' take (float, float) equally well"),
]
UNREADABLE = [
    ("inline int f(int x) { return y; }", "it has an error", "header.hpp:1: use of undeclared identifier 'y'"),
    ("\n#include \"missing.hpp\"", "it has an error", "header.hpp:2: 'missing.hpp' file not found"),
    ("#error not today", "it has an error", "header.hpp:1: not today"),
]


def messages(suite):
    program, header = suite.folder / "program.gdsl", suite.folder / "header.hpp"

    def check(text, called):
        header.write_text(text + "\n")
        program.write_text(f'import "header.hpp";\nalgorithm a(g: graph) {{ output x: double = 0; x = {called}; }}\n')
        return suite.run(suite.gcompile, "check", program)

    for text, called in ACCEPTED:
        result = check(text, called)
        suite.expect(result.code == 0 and not result.err, f"{text}: accepted", result)
    for text, called, said in REFUSED:
        result = check(text, called)
        suite.expect(result.code == 1 and said in result.err, f"{text}: {said}", result)
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
    suite.expect(result.code == 2 and "the interpreter cannot call" in result.err, "interpreted", result)
    check("inline int f(int x) { return x; }", "f(1)")
    result = suite.run(suite.gcompile, "--target=cuda", "--emit=source", program, "-o", "-")
    suite.expect(result.code == 1 and "a GPU cannot run 'f': it is not constexpr" in result.err, "not constexpr", result)
    check("#include <cmath>\nconstexpr double g(double x) { return std::cbrt(x); } constexpr double f(double x) { return g(x); }", "f(1)")
    result = suite.run(suite.gcompile, "--target=cuda", "--emit=source", program, "-o", "-")
    suite.expect(result.code == 1 and "it needs 'cbrt': its body is not visible" in result.err, "cbrt", result)


test = Test("imports", oracle, parameters, interpreted=False)
if test.suite.target == "omp":
    messages(test.suite)
test.run()
