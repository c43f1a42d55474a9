"""Functions of C++ headers: their values against the same in Python, which functions may be called, and what is said of
the others and of headers that cannot be read."""

import json
import math
import re

from random_graphs import INF, Test, sample


def cost(kind):
    return [3, 1, 4, 1][(-(kind + 1) if kind < 0 else kind) % 4]


def middle(a, b):
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def apart(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def parameters(rng, graph):
    return {"x": {v: rng.choice([rng.randint(-50, 50), rng.randint(-2**40, 2**40)]) for v in graph.ids},
            "S": sample(rng, graph.ids, 4),
            "site": {v: (rng.randint(-9, 9) / 2, rng.randint(-9, 9) / 4) for v in graph.ids},
            **({"next": {v: (rng.choice([None, *graph.ids]), rng.randint(0, 9)) for v in graph.ids}} if rng.random() < 0.6 else {}),
            **({"home_x": 3} if rng.random() < 0.5 else {})}


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
    place = {v: (len(graph.out[v]), 1) for v in graph.ids}
    first = {v: min((w for _, w, _ in graph.out[v]), default=None) for v in graph.ids}
    place = {v: place[v] if first[v] is None else middle(place[v], place[first[v]]) for v in graph.ids}
    centre = (0, 0)
    for v in sorted(chosen):
        centre = middle(centre, place[v])

    def moved(v):
        by = len(graph.into[v])
        return middle(place[v], (by, -by)) if by > 0 else place[v]
    rounds, active, r = {v: 0 for v in chosen}, set(chosen), 0
    while active:
        r += 1
        active = {v for u in active for _, v, _ in graph.out[u] if v not in rounds}
        rounds.update({v: r for v in active})
    bins = [sum(len(graph.out[v]) % 5 == i for v in graph.ids) for i in range(5)]
    def far(d):
        def third(x):
            return math.floor(abs(x) / 3)
        x, y = d + d, 1 + third(d)  # shifted((d, 2)) is d
        return (x - 2, y + third(x))  # shifted((1, 3)) is 2
    degree = {v: len(graph.out[v]) for v in graph.ids}
    to = {v: first[v] if first[v] is not None and degree[v] < 3 else v for v in graph.ids}
    length = {v: degree[v] if first[v] is not None and degree[v] < 3 else 3 for v in graph.ids}
    following = given.get("next", {v: (v, 4) for v in graph.ids})

    def entering(v, f):
        return sum(f(degree[u]) for u, *_ in graph.into[v])
    return {
        "tripled": {v: 4.5 * math.fmod(x[v], 100) + degree[v] + 0.25 for v in graph.ids},
        "strayed": {v: apart(given["site"][v], (given.get("home_x", 1), -2.5)) for v in graph.ids},
        "onward": {v: following[v][0] for v in graph.ids},
        "paces": {v: 2 * following[v][1] for v in graph.ids},
        "marks": {v: 2 * graph.degree(v) for v in graph.ids},
        "opened": {v: entering(v, lambda d: INF if d > 2 else d) for v in graph.ids},
        "shut": {v: entering(v, lambda d: 7 if d > 2 else d) for v in graph.ids},
        "far": {v: apart(far(degree[v]), (0, 0)) for v in graph.ids},
        "shifted": {v: int(degree[v] != 3) for v in graph.ids},
        "latest": {v: max(v, v if first[v] is None else first[v]) for v in graph.ids},
        "quotient": {v: (degree[v] + 10) // 3 for v in graph.ids},
        "rest": {v: (degree[v] + 10) % 3 for v in graph.ids},
        "to": to,
        "length": length,
        "spent": {v: sum(w for _, _, w in graph.into[v]) for v in graph.ids},
        "after": first,
        "twofold": {v: 2.0 * length[v] for v in graph.ids},
        "away": {v: apart(moved(v), centre if len(graph.out[v]) > 2 else (0, 0)) for v in graph.ids},
        "near": {v: min((apart(place[u], place[v]) for u, *_ in graph.into[v]), default=INF) for v in graph.ids},
        "reached": {v: rounds[v] + 2 if rounds.get(v) else 0 for v in graph.ids},
        "spans": {v: sum(w + 1 for _, _, w in graph.into[v]) for v in graph.ids},
        "degrees": {i: i + bins[i] for i in range(5)},
        "paired": {v: 3 * len(graph.ids) + 4 * (len(graph.ids) - v) + 1 for v in graph.ids},
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
    ("#include <gcompile/values.h>\ninline int f(std::tuple<double, int> x) { return std::get<1>(x); }", "f((1, 2))"),
    ("#include <gcompile/values.h>\ninline int f(gdsl::vertex x) { return x == gdsl::vertex() ? 1 : 2; }", "f(none)"),
    ("#include <gcompile/values.h>\nstruct S { gdsl::edge e; double x; }; inline double f(S s) { return s.x; }", "f((none, 3))"),
    ("#include <tuple>\ninline int f(const std::tuple<int, std::tuple<bool, long>> &x) { return std::get<0>(std::get<1>(x)) ? 1 : 2; }",
     "f((1, (true, 2)))"),
    ("#include <tuple>\ninline int f(int a) { auto t = std::make_tuple(a, 2.5); return std::get<0>(t); }", "f(1)"),
    ("inline int f(int x) { return x + 1; }", "f(1)"),
    ("static int f(int x) { return x; }", "f(1)"),
    ("#include <cmath>", "std::hypot(1.0, 2.0)"),
    ("#include <cmath>", "std::sin(std::fabs(2.0))"),
    ("#include <cmath>", "std::lround(2.5)"),
    ("#include <cstdint>\ninline std::int64_t f(std::int64_t x) { return x; }", "f(2)"),
    ("namespace a { namespace b { inline int f() { return 1; } } namespace c = b; }", "a::c::f()"),
    ("namespace a { inline int f() { return 1; } } using a::f;", "f()"),
    ("struct S { static int f(int x) { return x; } };", "S::f(1)"),
    ("template <class T> T f(T x) { return x; }", "f(2)"),
    ("template <class T, class U> constexpr auto f(const T &x, U y) { return x + y; }", "f(2, 2.5)"),
    ("namespace a { template <class T> struct P { T x; }; using Q = P<double>; inline Q q(int x) { return {1.0 * x}; }"
     " template <class T> T of(const P<T> &p) { return p.x; } }", "a::of(a::q(2))"),
    ("#include <numeric>", "std::gcd(12, 18)"),
    ("template <class T> int f(T x) { static_assert(sizeof(T) == 8); return 1; }", "f(2.5)"),
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
    ("inline int f(int x) { static const int t[2] = {1, 2}; return t[x & 1]; }", "f(1)"),
    ("inline int f(int x) { struct L { int y; } l{x}; const int &y = l.y; return y; }", "f(1)"),
    ("namespace a { inline namespace b { inline int f(int x) { return x; } } namespace c { inline int f(int x) { return 1; } } }",
     "a::f(1)"),
]
# What functions give besides what they are given: the first never inf, the second perhaps.
FINITE = [
    "int f(int x) { return (x ^ (x << 7)) + 3 * (x & 255); }", "int f(int x) { return x > 536870910 ? 536870911 : -x; }",
    "#include <cstdlib>\nint f(int x) { return std::abs(x) % 100; }", "int f(int x) { return int((long(x) * x) % 1009); }",
    "int f(int x) { static constexpr int t[2] = {4, 5}; return t[x & 1]; }", "#include <algorithm>\nint f(int x) { return std::max(x, 3); }",
    "int f(int x) { return int(static_cast<unsigned>(x) * 3u); }", "struct S { int n = 3; }; int f(int x) { S s; return s.n + x; }",
    "int g(int x) { return x + 1; } int f(int x) { for (int i = 0; i < 3; ++i) x = g(x); return x; }",
]
INFINITE = [
    "#include <climits>\nint f(int x) { return x > 2 ? INT_MAX : x; }", "#include <limits>\nint f(int x) { return x > 2 ? std::numeric_limits<int>::max() : x; }",
    "int f(int x) { return x > 2 ? int(~0u >> 1) : x; }", "int f(int x) { return 1 + (x > 2 ? 2147483646 : x); }", "int f(int x) { double y = x; return int(y * 1e9); }",
    "int f(int x) { long y = x; return int(y * y); }", "constexpr int t[2] = {4, 2147483647}; int f(int x) { return t[x & 1]; }",
    "int g(int x, int y = 2147483647) { return x > 2 ? x : y; } int f(int x) { return g(x); }", "[[gnu::const]] int f(int x);",
    "struct S { int n = 2147483647; }; int f(int x) { S s; return s.n; }", "struct S { int n; S() : n(1073741824) {} }; int f(int x) { S s; return s.n + x; }",
    "enum E : int { far = 2147483647 }; int f(int x) { E e = x > 2 ? far : E(x); return e; }",
]
REFUSED = [
    ("#include <gcompile/values.h>\ninline int f(gdsl::vertex x) { return 1; }", "f(1)", "no imported function 'f' takes (int)"),
    ("#include <gcompile/values.h>\ninline bool f(int x) { return gdsl::detail::Access::as<gdsl::vertex>(7UL) == gdsl::vertex(); }", "f(1)",
     "it makes a vertex or an edge of a number"),
    ("#include <tuple>\ninline int f(std::tuple<int &, int> x) { return 1; }", "f((1, 2))", "which cannot be called"),
    ("#include <tuple>\ninline int f(std::tuple<int, short> x) { return 1; }", "f((1, 2))", "which cannot be called"),
    ("struct S { int x; short y; }; inline int f(S s) { return s.x; }", "f((1, 2))", "no imported function 'f' takes ((int, int))"),
    ("struct S { int x, y, z; }; inline int f(S s) { return s.x; }", "f((1, 2))", "no imported function 'f' takes ((int, int))"),
    ("class S { int x, y; public: S() = default; }; inline int f(S s) { return 1; }", "f((1, 2))", "no imported function 'f' takes ((int, int))"),
    ("struct S { int x, y; }; struct T { int x, y; }; inline int f(S s) { return 1; } inline int f(T t) { return 2; }", "f((1, 2))",
     "several imported functions 'f' take ((int, int)) equally well"),
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
    ("inline int f(int x) { again: if (x > 3) { x -= 1; goto again; } return x; }", "f(1)", "it contains a LabelStmt"),
    ("struct S { int a; int b; }; inline int f(int x) { int S::*p = &S::a; S s{x, 1}; return s.*p; }", "f(1)",
     "it uses a pointer to a member"),
    ("inline int f(int x) { float y = x; return *(int *)&y; }", "f(1)", "it casts a pointer"),
    ("struct S { int x; ~S() {} }; inline int f(int x) { return S{x}.x; }", "f(1)",
     "it makes an object whose destructor does something"),
    ("inline int f(int x) { volatile int *p = nullptr; return p ? *p : x; }", "f(1)", "it uses something volatile"),
    ("inline int g(int n, ...) { return n; } inline int f(int x) { return g(x, 1); }", "f(1)",
     "it calls 'g': it takes any number of arguments"),
    ("inline int f(int x) { extern int n; return x + n; }", "f(1)", "it keeps 'n' from call to call"),
    ("inline int f(int x) { int &y = x; y = 2; return x; }", "f(1)", "it changes 'y', a reference"),
    ("#include <iostream>\ninline int f(int x) { std::cout << x; return x; }", "f(1)", "it changes 'std::cout'"),
    ("#include <ctime>\ninline int f(int x) { return std::time(nullptr) > x; }", "f(1)", "it calls 'time': its body is not visible"),
    ("#include <atomic>\nstd::atomic<int> n; inline int f(int x) { return n.load() + x; }", "f(1)", "AtomicExpr"),
    ("#include <mutex>\nstd::mutex m; inline int f(int x) { m.lock(); m.unlock(); return x; }", "f(1)", "it changes 'm'"),
    ("#include <stdexcept>\ninline int f(int x) { if (x) throw std::runtime_error(\"x\"); return x; }", "f(1)", "it throws"),
    ("#define f(x) (x + 1)", "f(1)", "there is no function 'f'"),
    ("template <class T> T f(int x) { return T(x); }", "f(1)", "it is a template"),
    ("template <class T> T f(T x, T y) { return x + y; }", "f(1, true)", "header.hpp:1: template T f(T, T)"),
    ("template <class T> T f(T x) { return x.y; }", "f(1)", "it is a template"),
    ("template <class T> T f(T x) { static T n = x; return n; }", "f(1)", "it keeps 'n' from call to call"),
    ("template <class... T> int f(T... x) { return sizeof...(x); }", "f(1, 2)", "it is a template"),
    ("template <class T> int f(T x) { return 1; } template <class T> int f(const T &x) { return 2; }", "f(1)",
     "several imported functions 'f' take (int) equally well"),
    ("#include <algorithm>", "std::max(1, 2)", "it is a template"),
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
# A declaration and a class of it that is no type of a program.
TYPES_REFUSED = [
    ("struct S;", "S", "it is declared, but not defined"),
    ("union S { int a; float b; };", "S", "it is a union"),
    ("struct S { virtual int f() { return 1; } };", "S", "it has virtual functions"),
    ("struct S { ~S() {} };", "S", "it is not trivially copyable"),
    ("struct S { S() {} S(const S &) {} };", "S", "it is not trivially copyable"),
    ("#include <string>", "std::string", "it is not trivially copyable"),
    ("struct S { int *p; };", "S", "its member 'S::p' leads to other memory"),
    ("struct B { int (*f)(); }; struct S { B b[2]; };", "S", "its member 'B::f' leads to other memory"),
    ("struct S { mutable int n; };", "S", "its member 'S::n' is mutable"),
    ("struct S { volatile int n; };", "S", "its member 'S::n' is volatile"),
    ("struct S { S(int x) : x(x) {} int x; };", "S", "it has no default constructor"),
    ("struct S { S() = delete; int x; };", "S", "it has no default constructor"),
    ("struct S { S(); int x; };", "S", "its default constructor cannot be called: its body is not visible"),
    ("int n; struct S { S() : x(n) {} int x; };", "S", "its default constructor cannot be called: it uses 'n'"),
    ("struct S { S() : x(1) {} int x; };", "S", "its default constructor is not constexpr"),
    ("struct S { const int x = 1; };", "S", "it cannot be assigned"),
    ("struct S { int x; S &operator=(const S &) = delete; };", "S", "it cannot be assigned"),
    ("struct S { int x; S() = default; S(const S &) = delete; S(S &&) = default; S &operator=(const S &) = default; };", "S",
     "it cannot be copied"),
    ("class S { struct T { int x; }; };", "S::T", "it is not public"),
    ("namespace { struct L { int x; }; } using S = L;", "S", "it has no name that other code can use"),
    ("inline auto f() { struct L { int x; }; return L(); } using S = decltype(f());", "S", "it has no name that other code can use"),
    ("template <class T> struct S { T x; };", "S", "it is a template"),
    ("enum S { one };", "S", "it is neither a class nor a type of the language"),
    ("using S = unsigned;", "S", "it is neither a class nor a type of the language"),
    ("struct alignas(32) S { int x; };", "S", "it is aligned to more than 16 bytes"),
    ("struct S { int x; private: int y; };", "S", "it has no standard layout"),
    ("struct A { int x; }; struct S : A { int y; };", "S", "it has no standard layout"),
    ("namespace a { struct S { int x; }; }", "S", "unknown type 'S'"),
    ("inline int S() { return 1; }", "S", "unknown type 'S'"),
]
# What a program may not do with values of a class.
CLASSES = """struct P { int x; }; inline P make(int x) { return {x}; } inline int get(P p) { return p.x; }
struct Q { int x; }; inline Q other(int x) { return {x}; }"""
USES_REFUSED = [
    ("p = make(1) + make(2);", "'+' cannot be applied to P and P"),
    ("if p == make(1) { x = 1; }", "'==' cannot be called: the class defines no '==' that gives a bool"),
    ("if p { x = 1; }", "a condition must be bool, not P"),
    ("p += make(1);", "P"),
    ("p min= make(1);", "P"),
    ("p = other(1);", "expected P, found Q"),
    ("p = 1;", "expected P, found int"),
    ("p = none;", "'none' is not a value of type P"),
    ("x = p;", "expected int, found P"),
    ("x = p.x;", "a value of type P has no member 'x'"),
    ("x = p.0;", "a value of type P has no member"),
    ("x = get(other(1));", "no imported function 'get' takes (Q)"),
    ("x = P(1);", "no imported function 'P' takes (int)"),
    ("x = int(p);", "'int' cannot be applied to P"),
    ("x = hash(p);", "'hash' cannot be applied to P"),
    ("p = min(p, make(1));", "'min' cannot be applied to P"),
    ("p = max(v in g : make(1));", "P"),
    ("x = sum(v in g : make(1));", "P"),
    ("p = mode(v in g : make(1));", "P"),
    ("x = int(count(v in g : make(1)));", "P"),
    ("let u = argmin(v in g : make(1));", "P"),
    ("p = if x == 1 then p else other(1);", "the two sides have the types P and Q"),
    ("t: (P, int); t min= (p, 1);", "'min=' cannot update a value of type (P, int)"),
    ("t: (P, int); if t == t { x = 1; }", "'==' cannot be applied to (P, int) and (P, int)"),
    ("t: (P, int); t = (other(1), 1);", "expected P, found Q"),
    ("t: (P, int); for v in g { t = (p, 1); }", "several iterations may assign 't'"),
    ("output t: (P, int)[g];", "an output cannot be a tuple with a value of the C++ type P"),
    ("x = int(mode(v in g : (p, 1)).1);", "P"),
    ("x = hash((p, 1));", "P"),
    ("t: P set;", "P"),
    ("output t: P[g];", "an output cannot be a value of the C++ type P"),
    ("for v in g { p = make(1); }", "several iterations may assign 'p'"),
    ("for u -> v { q[v] = make(1); }", "several iterations may assign the same element of 'q'"),
    ("for u -> v { q[v] = p; }", "several iterations may assign the same element of 'q'"),
    ("propagate u -> v { q[u] = make(1); }", "several iterations may assign the same element of 'q'"),
]
# What a GPU does with functions that are written for CPUs; None: it has a form for the device.
DEVICE = [
    ("inline int f(int x) { return x; }", None),
    ("namespace { int g(int x) { return x; } } static int h(int x) { return g(x); } inline int f(int x) { return h(x); }", None),
    ('extern "C" { inline int g(int x) { return x; } } inline int f(int x, int y = 3) noexcept; inline int f(int x, int y) noexcept { return y; }'
     " inline int f(int x) { return g(x); }", None),
    ("namespace a { inline namespace b { template <class T, int n> struct P { T x; }; template <class T, int n>"
     " T g(const P<T, n> &p) { return p.x + n; } } } inline int f(int x) { return g(a::P<int, 3>{x}); }", None),
    ("enum class E : short { one }; inline E g(E e) { return e; } inline int f(int x) { return g(E::one) == E::one ? x : 1; }", None),
    ("inline auto g(int x) { return x; } inline int f(int x) { return g(x); }", None),
    ("inline int g(int (&x)[2], const int *y) { return x[0] + y[0]; } inline int f(int x) { int y[2] = {x, x}; return g(y, y); }", None),
    ("#include <complex>\ninline double g(std::complex<double> x) { return x.real(); } inline int f(int x) { return g({1, 2}) > 1 ? x : 2; }", None),
    ("#include <cmath>\ninline double f(double x) { return std::cbrt(x) + std::hypot(x, 2) + std::sin(float(x)) + std::abs(x); }", None),
    ("struct S { int x; int get() const { return x; } }; inline int f(int x) { S s{x}; return s.get(); }",
     "it needs 'S::get': it is neither constexpr nor '__host__ __device__', and C++ has no second declaration of a method"),
    ("struct S { static int f(int x) { return x; } }; inline int f(int x) { return S::f(x); }", "C++ has no second declaration of a method"),
    ("#include <numeric>\ninline int f(int x) { int a[2] = {x, x}; return std::accumulate(a, a + 2, 0); }", "is the system's"),
    ("template <class T> T g(T x) { return x; } template <> int g<int>(int x) { return x + 1; } inline int f(int x) { return g(x); }",
     "a template has it as a special case"),
    ("enum E { one }; inline E g(E e) { return e; } inline int f(int x) { return g(one) == one ? x : 1; }", "the compiler cannot declare it again"),
    ("struct A { struct B { int x; }; }; inline int g(A::B b) { return b.x; } inline int f(int x) { return g({x}); }", "the compiler cannot declare it again"),
    ("#include <type_traits>\ntemplate <class T> std::enable_if_t<(sizeof(T) > 1), T> g(T x) { return x; } inline int f(int x) { return g(x); }",
     "the compiler cannot declare it again"),
    ("[[gnu::abi_tag(\"x\")]] inline int f(int x) { return x; }", "the compiler cannot declare it again"),
    ("[[gnu::const]] int f(int x);", "its body is not visible"),
    ("#include <cstdlib>\ninline int f(int x) { return std::div(x, 2).quot; }", "it needs 'div': its body is not visible"),
    ("#ifndef A\n#define A\n#endif\nstruct S { int x; }; inline int g(struct S s) { return s.x; } inline int f(int x) { return g({x}); }", None),
    ("const int table[2] = {4, 5}; inline int f(int x) { return table[x & 1]; }", "in the host's memory"),
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


test = Test("imports", oracle, parameters)
if test.suite.target == "omp":
    messages(test.suite)
test.run()
