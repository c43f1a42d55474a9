"""Reductions that a program declares: against the same in Python, what is said of others, and what --test finds."""

import math

from random_graphs import INF, Test, sample


def parameters(rng, graph):
    return {"x": {v: rng.choice([rng.randint(-60, 60), 12 * rng.randint(-2**40, 2**40)]) for v in graph.ids},
            "n": {v: rng.randrange(90) for v in graph.ids}, "S": sample(rng, graph.ids, 3)}


def oracle(graph, given):
    x, n, chosen, ids = given["x"], given["n"], given["S"], graph.ids
    into = {v: [(u, w) for u, _, w in graph.into[v]] for v in ids}
    reach, changed = dict(n), True
    while changed:
        changed = False
        for u, v, _ in graph.arcs:
            if reach[u] > reach[v]:
                reach[v], changed = reach[u], True

    def best(values):
        return max(values, key=lambda each: (each[0], -each[1]), default=(-1, -1))[1]
    nearest, frontier = {v: (0, v) for v in chosen}, set(chosen)
    while frontier:
        found = {}
        for u in frontier:
            for _, v, _ in graph.out[u]:
                if v not in nearest:
                    found[v] = min(found.get(v, (INF, INF)), (nearest[u][0] + 1, u))
        nearest.update(found)
        frontier = set(found)
    bins = {i: [v for v in ids if n[v] % 7 == i] for i in range(7)}
    sums = [sum(n[v] for v in chosen), sum(n[v] + 1 for v in chosen), len(chosen)]
    return {
        "divisor": {v: math.gcd(*[x[u] for u, _ in into[v]]) for v in ids},
        "sum": {v: min(40, sum(w for _, w in into[v])) for v in ids},
        "odd": {v: len(into[v]) % 2 == 1 for v in ids},
        "high": {v: max([-1, *(w for _, w in into[v])]) for v in ids},
        "who": {v: best([(w, n[u]) for u, w in into[v]]) for v in ids},
        "low": {v: min((x[u] for u, _ in into[v]), default=0) for v in ids},
        "width": {v: max((x[u] for u, _ in into[v]), default=0) - min((x[u] for u, _ in into[v]), default=0) for v in ids},
        "firsts": {v: max(n[u] for u, _ in into[v]) + max(w for _, w in into[v]) if into[v] else 0 for v in ids},
        "threes": {v: sum(n[u] + 2 * (n[u] + 1) + 4 for u, _ in into[v]) for v in ids},
        "alike": sum(not into[v] for v in ids), "unlike": sum(bool(into[v]) for v in ids),
        "all": math.gcd(*x.values()),
        "capped": min(40, sum(min(40, n[v] + 7) for v in ids)),
        "parity": sum(n[v] % 2 for v in ids) % 2 == 1,
        "first": best([(n[v], graph.degree(v)) for v in ids]) + sums[0] + 2 * sums[1] + 4 * sums[2],
        "last": max([3, *n.values()]),
        "bins": {i: min(40, len(of)) for i, of in bins.items()},
        "marks": {i: best([(graph.degree(v), n[v]) for v in of]) for i, of in bins.items()},
        "boxed": {v: best([(w, n[u]) for u, w in into[v]]) + len(into[v]) for v in ids},
        "reach": reach,
        "arrival": {v: min(((w, u) for u, w in into[v]), default=(INF, None)) for v in ids},
        "tallied": {v: (sum(x[u] for u, _ in into[v]), max([-1, *(n[u] for u, _ in into[v])])) for v in ids},
        "least": {v: min((u for u, _ in into[v]), default=None) for v in ids},
        "total": (sum(x.values()), max([-1, *n.values()])),
        "nearest": {v: nearest.get(v, (INF, None)) for v in ids},
        "own": {v: min(40, 3 + sum(n[u] for u, _ in into[v]) % 50) for v in ids},
        "parts": {v: (max([0, *(n[u] for u, _ in into[v])]), len(into[v])) for v in ids},
    }


SCHEDULES = {
    "omp": ["cpu edge { direction push; } cpu values { direction push; } cpu spread { direction push; } cpu tuples { direction push; } cpu hops { direction push; }",
            "cpu edge { direction pull; } cpu values { direction pull; } cpu spread { direction pull; } cpu tuples { direction pull; } cpu hops { direction pull; }"],
    "cuda": ["cuda edge { direction push; } cuda values { direction push; } cuda spread { direction push; } cuda tuples { direction push; } cuda hops { direction push; }",
             "cuda edge { direction pull; } cuda values { direction pull; } cuda spread { direction pull; } cuda tuples { direction pull; } cuda hops { direction pull; }"],
}

# A header, a declaration, and what is said of it.
HEADER = """#include <gcompile/values.h>
struct P { int x; bool operator==(P o) const { return x == o.x; } }; inline P p(int x) { return {x}; }
inline P add(P a, P b) { return {a.x + b.x}; } inline int sub(int a, int b) { return a - b; }
inline int plus(int a, int b) { return a + b; } inline double mean(double a, double b) { return (a + b) / 2; }
inline int left(int a, int b) { return a; } int count; inline int counted(int a, int b) { return a + b + count; }
inline int three(int a, int b, int c) { return a; } inline long wide(long a, long b) { return a + b; }
inline std::tuple<int, bool> last(std::tuple<int, bool>, std::tuple<int, bool> b) { return b; }
inline std::tuple<int, bool> both(std::tuple<int, bool> a, std::tuple<int, bool> b) { return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) || std::get<1>(b)}; }
inline gdsl::vertex low(gdsl::vertex a, gdsl::vertex b) { return b < a ? b : a; }
inline std::tuple<P, gdsl::edge> held(std::tuple<P, gdsl::edge> a, std::tuple<P, gdsl::edge> b) { return std::get<1>(b) < std::get<1>(a) ? b : a; }
struct Q { float key; short who; bool seen; };
inline Q q() { return {-1000, 0, false}; } inline Q later(Q a, Q b) { return a.key > b.key ? a : b; }
inline Q first(Q a, Q b) { return a.key > b.key || (a.key == b.key && (a.who < b.who || (a.who == b.who && a.seen >= b.seen))) ? a : b; }
"""
REFUSED = [
    ("reduction r: int = plus, commutative, neutral 0;", "the reduction 'r' needs to be declared 'associative'"),
    ("reduction r: int = plus, associative, neutral 0;", "the reduction 'r' needs to be declared 'commutative'"),
    ("reduction r: int = plus, associative, commutative;", "the reduction 'r' needs 'neutral' and the value"),
    ("reduction r: int = plus, associative, commutative, neutral 0, commutative;", "'commutative' is given twice"),
    ("reduction r: int = plus, associative, commutative, neutral 0.5;", "double does not convert to int by itself"),
    ("reduction r: int = plus, associative, commutative, neutral x;", "'x' is not declared"),
    ("reduction r: int = counted, associative, commutative, neutral 0;", "it uses 'count', which other code may change"),
    ("reduction r: int = three, associative, commutative, neutral 0;", "no imported function 'three' takes (int, int)"),
    ("reduction r: int = wide, associative, commutative, neutral 0;", "long does not convert to int by itself"),
    ("reduction r: int = nothing, associative, commutative, neutral 0;", "there is no function 'nothing'"),
    ("reduction r: int = mine, associative, commutative, neutral 0;", "and 'mine' is one of the program"),
    ("reduction r: int = plus, associative, commutative, neutral mine(1, 2);", "and 'mine' is one of the program"),
    ("reduction r: int = min, associative, commutative, neutral 0;", ""),
    ("reduction r: vertex set = plus, associative, commutative, neutral none;", "a declared reduction cannot have the type vertex set"),
    ("reduction r: vertex = plus, associative, commutative, neutral none;", "no imported function 'plus' takes (vertex, vertex)"),
    ("reduction r: (int, int) = both, associative, commutative, neutral (0, false);", "no imported function 'both' takes ((int, int), (int, int))"),
    ("reduction r: P = plus, associative, commutative, neutral p(0);", "no imported function 'plus' takes (P, P)"),
    ("reduction mine: int = plus, associative, commutative, neutral 0;", "'mine' is already declared"),
    ("reduction a: int = plus, associative, commutative, neutral 0;", "'a' is already declared"),
    ("reduction one: int = plus, associative, commutative, neutral 0;", "'one' is already declared"),
]
USES_REFUSED = [
    ("y r= 0.5;", "'r=' cannot update a value of type double"),
    ("o s= p(1);", "'s=' cannot update a value of type int"),
    ("(o, z) r= (1, 2);", "an assignment"),
    ("for v in g { z r= 1; z += 1; }", "'z' is updated in two ways"),
    ("for v in g { z r= 1; z t= 1; }", "'z' is updated in two ways"),
    ("propagate u -> v { q[v] s= q[u]; }", "in a 'propagate', a vertex goes on when its value has changed"),
    ("z r 1;", "expected"),
    ("z unknown= 1;", "expected"),
    ("if o2 == o2 { z = 1; }", "'==' cannot be called: the class defines no '==' that gives a bool"),
    ("if o2 != o2 { z = 1; }", "'!=' cannot be called: the class defines no '==' that gives a bool"),
]
LAWS = [
    ("reduction r: int = plus, associative, commutative, neutral 0;", ""),
    ("reduction r: P = add, associative, commutative, neutral p(0);", ""),
    ("reduction r: Q = first, associative, commutative, neutral q();", ""),
    ("reduction r: (int, bool) = both, associative, commutative, neutral (0, false);", ""),
    ("reduction r: vertex = low, associative, commutative, neutral none;", ""),
    ("reduction r: (int, bool) = last, associative, commutative, neutral (0, false);", "has another neutral element: for a = (-"),
    ("reduction r: (P, edge) = held, associative, commutative, neutral (p(0), none);", "is not commutative: for a = ({x = "),
    ("reduction r: int = plus, associative, commutative, neutral 1;", "the reduction 'r' has another neutral element: for a ="),
    ("reduction r: P = add, associative, commutative, neutral p(2);", "has another neutral element: for a = {x ="),
    ("reduction r: int = sub, associative, commutative, neutral 0;", "the reduction 'r' is not commutative: for a ="),
    ("reduction r: int = left, associative, commutative, neutral 0;", "is not commutative"),
    ("reduction r: double = mean, associative, commutative, neutral 0;", "is not associative: for a ="),
    ("reduction r: Q = later, associative, commutative, neutral q();", "is not commutative: for a = {key = "),
]


def messages(suite):
    program, header = suite.folder / "program.gdsl", suite.folder / "header.hpp"
    header.write_text(HEADER)

    def check(declared, statement="o = 1;", *options, more=""):
        program.write_text(f'import "header.hpp";\n{declared}\n{more}function mine(a: int, b: int) -> int {{ return a + b; }}\n'
                           f'algorithm one(g: graph) {{\n    output o: int = 0; z: int = 0; y: double = 0; w: int[g] = 0;\n'
                           f'    q: P[g]; o2: Q; {statement}\n}}\n')
        return suite.run(suite.gcompile, "check", *options, program, "-Wno-unused-variable")

    for declared, said in REFUSED:
        statement = "a: int = 0; a = 1;" if " a:" in declared else "o = 1;"
        result = check(declared, statement)
        suite.expect(result.code == 1 and said in result.err, f"{declared}: {said}", result)
    fine = "reduction r: int = plus, associative, commutative, neutral 0;"
    more = ("reduction s: P = add, associative, commutative, neutral p(0);\n"
            "reduction t: int = plus, associative, commutative, neutral 0;\n")
    for statement, said in USES_REFUSED:
        result = check(fine, statement, more=more)
        suite.expect(result.code == 1 and said in result.err, f"{statement}: {said}", result)
    # The words are names as well.
    result = check("reduction reduction2: int = plus, associative, commutative, neutral 0;",
                   "reduction: int = 1; neutral: int = 2; associative: int = reduction + neutral; reduction reduction2= associative;\n"
                   "    o = reduction;")
    suite.expect(result.code == 0, "words that are names", result)
    for declared, said in LAWS:
        result = check(declared, "o = 1;", "--test")
        if said:
            suite.expect(result.code == 1 and "program.gdsl:2:11: error: " in result.err and said in result.err,
                         f"{declared}: {said}", result)
        else:
            suite.expect(result.code == 0 and "'r': no counterexample in" in result.out, f"{declared}: holds", result)
    # Targets that combine parts of their own refuse them.
    for target in ("mpi", "gpus"):
        for statement in ("for v in g { o r= 1; }", "for u -> v { w[v] r= 1; w[u] r= 1; } for v in g { o += w[v]; }"):
            program.write_text('import "header.hpp";\nreduction r: int = plus, associative, commutative, neutral 0;\n'
                               f'algorithm one(g: graph) {{ output o: int = 0; w: int[g] = 0; {statement} }}\n')
            header.write_text("constexpr int plus(int a, int b) { return a + b; }\n")
            result = suite.run(suite.gcompile, f"--target={target}", "--emit=source", program, "-o", "-")
            suite.expect(result.code == 1 and "E0508" in result.err and "by the declared reduction 'r'" in result.err,
                         f"{target}: {statement}", result)
    # A GPU takes what is marked for it, and what a header writes for CPUs; what reads the host's memory is refused.
    for text, code in (("#ifndef __CUDACC__\n#define __host__\n#define __device__\n#endif\n"
                        "__host__ __device__ inline int plus(int a, int b) { return a + b; }\n", 0),
                       ("inline int plus(int a, int b) { return a + b; }\n", 0),
                       ("constexpr int more[] = {0, 0}; inline int plus(int a, int b) { return a + b + more[a & 1]; }\n", 1)):
        header.write_text(text)
        result = suite.run(suite.gcompile, "--target=cuda", "--emit=source", program, "-o", "-")
        suite.expect(result.code == code and (code == 0 or "it reads 'more' where that is in the host's memory" in result.err),
                     text, result)


test = Test("combiners", oracle, parameters, SCHEDULES)
header = test.source.with_suffix(".hpp")
(test.suite.folder / header.name).write_text(header.read_text())  # beside the copies with a schedule
if test.suite.target == "omp":
    messages(test.suite)
test.run()
