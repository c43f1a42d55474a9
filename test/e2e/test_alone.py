"""Small programs, each alone: what one needs of the graph, no other statement asks for. The interpreter's results; under
CUDA's emulation as well."""

import concurrent.futures

import harness

suite = harness.Suite("alone")
PROGRAMS = {
    "into_in_turn": """n: long = 0; output pos: long[g.edges] = 0;
        for e: u -> v into S sequentially { n += 1; pos[e] = n; }""",
    "weights_in_turn": """output x: long[g] = 1;
        for e: u -> v into g sequentially { x[u] = (x[u] * 3 + x[v] + e.weight) % 1000; }""",
    "both_in_turn": """n: long = 0; output pos: long[g.edges] = 0;
        for e: u -- v from S sequentially { n += 1; pos[e] += n; }""",
    "bound_in_turn": """output x: long[g] = 1;
        for v in g sequentially { for e: u -> v sequentially { x[v] = (x[v] * 3 + x[u] + e.weight) % 1000; } }""",
    "bound_by_variable": """output x: long[g] = 0; end: vertex = root;
        for u -> end where u != end { x[u] += 1; }
        end = max(u -> end : u);
        for v in g { w: vertex = v; x[v] += count(u -> w); w = end; x[v] += 10 * sum(e: w -> u : e.weight); for u -- w { x[v] += 100; } }
        for e: end -> u sequentially { end = u; x[end] += 1000 * e.weight; }""",
    "own_lists": """x: int[g] = v.degree; output y: int[g] = 0;
        for u -> v into g { y[u] |= x[v]; }""",
    "real_tuples": """output t: (float, vertex)[g] = (inf, none);
        t[root] = (0, root);
        propagate e: u -> v { t[v] min= (t[u].0 + e.weight, u); }""",
    "tuples_of_three": """output t: (double, int, vertex)[g] = (-inf, 0, none);
        for e: u -> v { t[v] max= (double(e.weight) / 2, u.degree, u); }""",
}


def build(name):
    source = suite.folder / f"{name}.gdsl"
    source.write_text(f"algorithm {name}(g: graph<weight: int>, root: vertex, S: vertex set) {{\n{PROGRAMS[name]}\n}}\n")
    return suite.build_program(source, suite.folder / name, *suite.QUICK, "-Wno-unused-parameter")


edges = ["0 1 3", "1 2 4", "2 0 1", "3 2 5", "2 1 7", "1 3 2", "0 3 9", "3 0 2", "1 1 4", "4 2 8", "5 4 6"]
graph = suite.folder / "six.el"
graph.write_text("\n".join(edges) + "\n")
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    built = dict(zip(PROGRAMS, pool.map(build, PROGRAMS)))
for name, done in built.items():
    if not suite.expect(done.code == 0 and not done.err, f"{name} does not compile, or with warnings: {done.err}"):
        continue
    result = next(word for word in ("pos", "x", "y", "t") if f"output {word}:" in PROGRAMS[name])
    for direction in ("--directed", "--undirected"):
        options = [graph, direction, "--root=1", "--S=2,1,4", "--quiet", f"--output={result}=-"]
        wanted = suite.run(suite.gcompile, "interpret", suite.folder / f"{name}.gdsl", *options)
        suite.expect(wanted.code == 0, f"{name} is not interpreted: {wanted.err}")
        for more, env in suite.variants(threads=(1, 3), seeds=(1, 2)):
            got = suite.run(suite.folder / name, *options, *more, env=env)
            suite.expect(got.code == 0 and got.out == wanted.out,
                         f"{name} {direction} {more} {env}: {got.out or got.err} for {wanted.out}")
suite.finish()
