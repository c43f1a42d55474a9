"""Corners of the language whose meaning the generated program must keep: each case is an algorithm, a graph, and what its
outputs must be. Each also verifies itself against its serial form."""

import harness

suite = harness.Suite("language")

TRIANGLE = "0 1 1\n1 2 2\n2 0 3\n2 3 4\n"
CASES = {
    # An `int` infinity is one in every type, and a finite `long` beyond `int` is one in `int`.
    "conversions": ("""
        function longer(x: int) -> long { return long(x) + 1; }
        algorithm conversions(g: graph, root: vertex) {
            near: int[g] = inf;
            output far: long[g] = 0;
            output real: double[g] = 0;
            output back: int[g] = 0;
            output called: long[g] = 0;
            output clamped: int = 0;
            output lowest: int = 0;
            output beyond: int = 0;
            output below: int = 0;
            output within: int = 0;
            big: long = 5_000_000_000;

            near[root] = 7;
            for v in g {
                far[v] = near[v];
                real[v] = near[v];
                back[v] = int(far[v]) + 1;
                called[v] = longer(near[v]);
            }
            clamped = int(big);
            lowest = int(-big);
            // What a conversion has made infinite stays so.
            beyond = int(1e12) + 1;
            below = int(big) - 1;
            within = int(big % 2147483647) + 2147483647;
        }""", ["--root=2"],
        {"far": ["inf", "inf", "7", "inf"], "real": ["inf", "inf", "7", "inf"], "back": ["inf", "inf", "8", "inf"],
         "called": ["inf", "inf", "8", "inf"], "clamped": "inf", "lowest": "-2147483648",
         "beyond": "inf", "below": "inf", "within": str((5_000_000_000 % 2147483647 + 2147483647 + 2**31) % 2**32 - 2**31)}),
    # Sets of bits: reductions of integers, which spread until nothing changes; a sum of bits is no set that grows.
    "bits": ("""
        algorithm bits(g: graph<weight: int>, root: vertex) {
            output reached: int[g] = 0;
            output wide: long[g] = -1;
            output every: int = 0;
            output common: long = -1;
            output own: int[g] = 12;
            output counted: int[g] = 0;
            bit: int = 1;
            for v in g sequentially { reached[v] = bit; bit *= 2; }
            spread: propagate u -> v { reached[v] |= reached[u]; }
            for e: u -> v { wide[v] &= long(e.weight) + 4294967296; }
            for v in g { every |= v.out_degree * 4; common &= 4294967300 + v.degree; own[v] |= v.degree; own[v] &= 7; }
            counted[root] = 1;
            propagate u -> v at most 2 rounds { counted[v] |= counted[u] + 1; }
        }
        schedule bits { cpu spread { asynchronous; } }""", ["--root=2"],
        {"reached": ["7", "7", "7", "15"], "wide": ["4294967299", "4294967297", "4294967298", "4294967300"],
         "every": "12", "common": "4294967300", "own": ["6", "6", "7", "5"], "counted": ["2", "3", "3", "2"]}),
    # No vertex is in no set, wherever it is asked for.
    "none_in_sets": ("""
        algorithm none_in_sets(g: graph, root: vertex, nobody: vertex = none) {
            output sizes: (long, long, bool) = ({nobody}.size, {nobody, root, root}.size, {nobody}.empty);
            output alone: bool = nobody in {nobody} || nobody in g || nobody in {root, nobody};
            output kept: bool = true;
            output asked: int[g] = 0;
            output visited: int[g] = 0;
            output reached: int[g] = 0;
            link: vertex[g] = none;
            some: vertex set = {nobody, root};
            link[root] = root;
            kept = nobody in some;
            for v in g {
                if link[v] in {nobody, link[v]} { asked[v] += 1; }
                if link[v] in g { asked[v] += 2; }
                if link[v] in {w in g where w.degree > 0} { asked[v] += 4; }
                if link[v] in some + {link[v]} { asked[v] += 8; }
                for w in {link[v], nobody} { visited[v] += w.out_degree; }
            }
            for v in {nobody, root} sequentially { visited[v] += 10; }
            for v in {nobody} { visited[v] = 100; }
            propagate u -> v from {nobody} { reached[v] max= 1; }
        }""", ["--root=2"],
        {"sizes": "true", "alone": "false", "kept": "false", "asked": ["0", "0", "15", "0"], "visited": ["0", "0", "12", "0"],
         "reached": ["0", "0", "0", "0"]}),
    # Default values are constants, also computed ones.
    "defaults": ("""
        algorithm defaults(g: graph, a: int = 3 + 4 * 2, b: int = -(-5) % 3, c: double = 1 / 2 + 1_000, d: float = -1 / 4.0,
                           e: long = -inf, f: double = -inf, h: int = 2_147_483_647 + 1, i: int = int(2.9), s: vertex set = {},
                           p: double[g] = 1_000 / 2) {
            output integers: long = long(a) * 1000 + long(b) * 100 + long(i);
            output wrapped: int = h;
            output ends: bool = c == 1000 && d == -0.25 && f < -1e308 && e < -9_223_372_036_854_775_807 && s.empty;
            output given: double[g] = p[v];
            given[argmin(v in g : v.degree)] = 500;
        }""", [], {"integers": "11202", "wrapped": "-2147483648", "ends": "true", "given": ["500"] * 4}),
    # A set that is selected where it is used: asked, counted, visited, and asked again.
    "selections": ("""
        algorithm selections(g: graph, root: vertex) {
            output asked: int[g] = 0;
            output sizes: long[g] = 0;
            output visited: int[g] = 0;
            for v in g {
                let least = v.degree;
                if v in {w in g where w.degree <= least} { asked[v] = 1; }
                if root in {w in g where w.degree <= least} { asked[v] += 10; }
                sizes[v] = {w in g where w.degree < least}.size;
                for w in {x in {y in g where y.degree > 1} where x.degree < least} { visited[v] += 1; }
            }
        }""", ["--root=2"],
        {"asked": ["1", "1", "11", "1"], "sizes": ["1", "1", "3", "0"], "visited": ["0", "0", "2", "0"]}),
    # A claim of two copies in the serial form, whose winner is the one of the parallel form.
    "copied_claim": ("""
        algorithm copied_claim(g: graph, root: vertex) {
            output parent: vertex[g] = none;
            output steps: long[g] = inf;
            steps[root] = 0;
            propagate u -> v from {root} where steps[v] == inf { steps[v] = steps[u] + 2; parent[v] = u; }
        }""", ["--root=2"], {"steps": ["2", "4", "0", "2"], "parent": ["2", "0", "none", "2"]}),
    # `break` leaves the loop as it is written, not one of the loops that it becomes.
    "leaving": ("""
        algorithm leaving(g: graph) {
            output seen: int = 0;
            output turns: int = 0;
            for i, j in g sequentially where i != j {
                if i > j { break; }
                seen += 1;
            }
            repeat 10 {
                t: int = 0;
                while true { t += 1; if t == 3 { break; } }
                turns += t;
            } until t + turns > 9;
        }""", [], {"seen": "3", "turns": "9"}),
    # `until` sees what the body declares.
    "until": ("""
        algorithm until_sees(g: graph, limit: int = 3) {
            output turns: int = 0;
            output bounded: int = 0;
            total: int = 0;
            repeat {
                let step = turns + 1;
                turns += 1;
                total += step;
            } until step >= limit || any(v in g where v.out_degree > 1 : total > 100);
            repeat 2 {
                now: int = bounded + 1;
                bounded = now;
            } until now > limit;
        }""", [], {"turns": "3", "bounded": "2"}),
    # A body reads its own conditional write, and of other elements what was there before the statement.
    "own": ("""
        algorithm own(g: graph) {
            output value: int[g] = v.out_degree;
            output copy: int[g] = 0;
            for v in g {
                if v.out_degree > 1 { value[v] = 10; }
                let now = value[v];
                value[v] = now + int(sum(u -> v : value[u])) * 100;
                if now > 5 { value[v] += 1; copy[v] = value[v]; }
                copy[v] += value[v];
            }
        }""", [], {"value": ["201", "101", "111", "200"], "copy": ["201", "101", "222", "200"]}),
}


def values(path):
    """The second column of a result, or its only one."""
    return [line.split()[-1] for line in path.read_text(encoding="utf-8").splitlines()]


graph = suite.folder / "triangle.el"
graph.write_text(TRIANGLE, encoding="utf-8")
for name, (text, arguments, expected) in CASES.items():
    program = suite.folder / f"{name}.gdsl"
    program.write_text(text, encoding="utf-8")
    executable = suite.folder / name
    if suite.succeeds(f"{name} compiles", suite.gcompile, *suite.QUICK, program, "-o", executable).code != 0:
        continue
    for what, command in {"is interpreted": [suite.gcompile, "interpret", program, graph, "--quiet"],
                          "runs alone": [executable, graph, "--verify", "--threads=1"],
                          "runs": [executable, graph, "--verify", "--threads=2"]}.items():
        outputs = {output: suite.folder / f"{name}-{output}.txt" for output in expected}
        result = suite.succeeds(f"{name} {what}", *command, *arguments, "--directed",
                                *[f"--output={output}={path}" for output, path in outputs.items()])
        if result.code != 0:
            continue
        for output, path in outputs.items():
            wanted = expected[output] if isinstance(expected[output], list) else [expected[output]]
            suite.expect(values(path) == wanted, f"{name} {what}: {output} is {values(path)}, not {wanted}")

# The neighbours of a repeated edge are one set, but the edge is met as often as it is there.
program = suite.folder / "repeated.gdsl"
program.write_text("""
    algorithm repeated(g: graph<undirected>) {
        output count: long = sum(u -> v where u < v : count(w in u.neighbors & v.neighbors where v < w));
    }""", encoding="utf-8")
edges = suite.folder / "repeated.el"
edges.write_text("0 1\n0 1\n1 2\n2 0\n2 0\n2 0\n", encoding="utf-8")
executable = suite.folder / "repeated"
compiled = suite.succeeds("repeated compiles", suite.gcompile, *suite.QUICK, program, "-o", executable)
for duplicates, count in (("keep", "2"), ("drop", "1")) if compiled.code == 0 else ():
    path = suite.folder / "repeated.txt"
    suite.succeeds("repeated runs", executable, edges, f"--duplicates={duplicates}", "--verify", f"--output=count={path}")
    suite.expect(values(path) == [count], f"with --duplicates={duplicates} the count is {values(path)}, not {count}")

# Edges are written as their ends, whatever their numbers are: in other orders of vertices and of neighbours, and with
# several edges from one vertex to another.
text = """
    algorithm edges(g: graph<weight: int>) {
        output lightest: edge = argmin(e: u -> v : e.weight);
        output into: edge[g] = none;
        output pair: (edge, int)[g.edges] = (e, e.weight);
        for e: u -> v where e.weight == 2 && into[v] == none { into[v] = e; }
    }"""
for layout in ("", "schedule edges { layout { neighbors by degree; } }", "schedule edges { layout { vertices by degree; } }",
               "schedule edges { layout { vertices by bfs; } }", "schedule edges { layout { adjacency packed; } }"):
    program = suite.folder / "edges.gdsl"
    # The first of several least edges depends on their order.
    program.write_text(text.replace("argmin(e: u -> v : e.weight)", "none" if layout else "argmin(e: u -> v : e.weight)")
                       + layout, encoding="utf-8")
    edges = suite.folder / "edges.el"
    edges.write_text("7 8 1\n8 9 2\n9 7 3\n9 5 2\n9 5 3\n", encoding="utf-8")
    executable = suite.folder / "edges"
    if suite.succeeds(f"edges {layout} compiles", suite.gcompile, *suite.SHARED, program, "-o", executable).code != 0:
        continue
    for bits in ("32", "64"):
        for duplicates in ("drop", "keep"):
            files = {name: suite.folder / f"edges-{name}.txt" for name in ("lightest", "into", "pair")}
            suite.succeeds(f"edges {layout}", executable, edges, f"--duplicates={duplicates}", "--verify",
                           f"--vertex-bits={bits}", *[f"--output={name}={file}" for name, file in files.items()],
                           timeout=120)
            got = {name: sorted(file.read_text(encoding="utf-8").splitlines()) for name, file in files.items()}
            pairs = ["7 8 7 8 1", "8 9 8 9 2", "9 5 9 5 2", *(["9 5 9 5 3"] if duplicates == "keep" else []), "9 7 9 7 3"]
            suite.expect(got["lightest"] == ["none none" if layout else "7 8"], f"an edge: {got['lightest']}")
            suite.expect(got["into"] == ["5 9 5", "7 none none", "8 none none", "9 8 9"], f"edges of vertices: {got['into']}")
            suite.expect(got["pair"] == pairs, f"edges and values: {got['pair']}, not {pairs}")
suite.finish()
