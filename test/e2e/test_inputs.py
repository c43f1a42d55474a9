"""Parameters with a value for each vertex: from files and constants, with defaults, in every type; what they are used
for, against a second computation; and the files that are refused."""

import heapq
import math
import random
import shutil

import harness

suite = harness.Suite("inputs")
PROGRAM = suite.programs / "inputs"
TOLL = 3
TYPES = {"label": "vertex", "amount": "double", "closed": "bool", "cost": "int", "far": "long", "ratio": "float",
         "price": "long"}


def number(text):
    return math.inf if text == "inf" else float(text) if "." in text or "e" in text else int(text)


def draw(rng, name, kind, ids):
    """A value as text, in the form that results have."""
    if kind == "vertex":
        return rng.choice([*ids, "none"])
    if name == "price":
        return rng.choice(["0", "1", "4", "30", "inf", "5000000000"])
    if kind == "bool":
        return rng.choice(["true", "false", "false"])
    if kind in ("double", "float"):
        return rng.choice(["inf", "0.5", "-3.25", "7", "0", "1.5e-07", "1024"])
    wide = [] if kind == "int" else ["5000000000", "-9223372036854775808"]
    return rng.choice(["inf", "-2", "0", "1", "3", "17", *wide])


def write(path, values, rng, separator=" "):
    """A file of values in any order, with comments, blank lines, repeated lines and other white space."""
    lines = [f"{v}{separator}{value}" for v, value in values.items()]
    lines += lines[:2]
    rng.shuffle(lines)
    path.write_text("# a comment\n% another one\n\n" + "\n".join(f"  {line}\t" for line in lines) + "\n")


def read(path):
    return {line.split()[0]: line.split()[1] for line in path.read_text().splitlines()}


def nearest(ids, arcs, start, length):
    """The least distances, as text, by Dijkstra's algorithm."""
    dist = dict(start)
    queue = [(d, v) for v, d in dist.items() if d < math.inf]
    heapq.heapify(queue)
    out = {v: [w for u, w in arcs if u == v] for v in ids}
    while queue:
        d, u = heapq.heappop(queue)
        for v in out[u] if d == dist[u] else []:
            further = d + length(u, v)
            if further < dist[v]:
                dist[v] = further
                heapq.heappush(queue, (further, v))
    return {v: str(d) for v, d in dist.items()}


def expected(ids, arcs, given, order):
    """The results, computed anew. `order` gives the place of each vertex in the order of the language."""
    label, amount, closed, cost, far = (given[name] for name in ("label", "amount", "closed", "cost", "far"))
    result = {f"same_{name}": dict(given[name]) for name in TYPES if name != "price"}
    result["later"] = {v: str(number(cost[v]) + 1) for v in ids}
    result["at_label"] = {v: "-1" if label[v] == "none" else cost[label[v]] for v in ids}
    result["near"] = {v: sum(number(amount[u]) for u, w in arcs if w == v and closed[u] == "false") for v in ids}
    rank = lambda v: len(order) if v == "none" else order[v]
    least, changed = dict(label), True
    while changed:
        changed = False
        for u, v in arcs:
            if closed[u] == closed[v] == "false" and rank(least[u]) < rank(least[v]):
                least[v], changed = least[u], True
    result["least"] = least
    price = {v: number(given["price"][v]) for v in ids}
    result["dist"] = nearest(ids, arcs, {v: number(far[v]) for v in ids}, lambda u, v: max(number(cost[v]), 0))
    seeds = {v: 0 if label[v] == v else math.inf for v in ids}
    result["paid"] = nearest(ids, arcs, seeds, lambda u, v: price[v])
    result["paid_twice"] = nearest(ids, arcs, seeds, lambda u, v: price[u] + TOLL)
    return result


def check(what, program, ids, arcs, given, order, options, environment=None):
    names = [*expected(ids, arcs, given, order), "first"]
    files = {name: suite.folder / f"{name}.txt" for name in names}
    for file in files.values():
        file.unlink(missing_ok=True)
    if suite.succeeds(what, *program, *options, "--quiet", *[f"--output={n}={f}" for n, f in files.items()],
                      env=environment, timeout=120).code:
        return
    for name, values in expected(ids, arcs, given, order).items():
        found = read(files[name])
        for v in ids:
            good = found[v] == values[v]
            if name == "near":
                x, y = number(found[v]), values[v]
                good = x == y or abs(x - y) <= 1e-9 * max(1, abs(y))
            elif not good and TYPES.get(name.removeprefix("same_")) in ("double", "float"):
                good = number(found[v]) == number(values[v])
            if not suite.expect(good, f"{name} of {v}, {what}: expected {values[v]}, got {found[v]}"):
                break
    seeds = {v for v in ids if given["label"][v] == v}
    first, seen, front = read(files["first"]), set(seeds), list(seeds)
    while front:
        front = sorted({w for u, w in arcs if u in front and w not in seen and given["closed"][w] == "false"})
        seen |= set(front)
    for v in ids:
        parent = first[v]
        good = parent == v if v in seeds else parent == "none" if v not in seen else (parent, v) in arcs and parent in seen
        suite.expect(good, f"first of {v}, {what}: {parent}")


def graph_of(rng, ids, edges, directed):
    arcs = {(rng.choice(ids[:-1]), rng.choice(ids[:-1])) for _ in range(edges)} | {(ids[-1], ids[0])}
    return sorted(arcs), sorted(arcs if directed else arcs | {(v, u) for u, v in arcs})


rng = random.Random(7)
KINDS = {"numbers": [str(i) for i in range(3, 40)], "sparse": [str(11 * i * i - 50) for i in range(30)],
         "names": [f"n{i}" for i in range(25)]}
for kind, ids in KINDS.items():
    for directed in (True, False):
        edges, arcs = graph_of(rng, ids, 60, directed)
        graph = suite.folder / f"{kind}.el"
        graph.write_text("".join(f"{u} {v}\n" for u, v in edges))
        present = {v for edge in edges for v in edge}
        here = [v for v in ids if v in present]
        direction = "--directed" if directed else "--undirected"
        # Names are numbered as they come.
        seen = dict.fromkeys(v for edge in edges for v in edge)
        order = {v: i for i, v in enumerate(seen if kind == "names" else here)}
        degree = {v: str(sum(u == v for u, _ in arcs) + (sum(w == v for _, w in arcs) if directed else 0)) for v in here}
        defaults = {"label": lambda v: v, "closed": lambda v: "false", "cost": degree.get, "far": lambda v: "inf",
                    "ratio": lambda v: "-1.5", "price": lambda v: "1"}
        for case in ("all", "some", "default", "constant"):
            given, options = {}, [graph, direction, f"--toll={TOLL}"]
            for name, type_name in TYPES.items():
                if case == "constant":
                    value = {"vertex": here[3], "bool": "true", "double": "2.5", "float": "inf"}.get(type_name, "7" if name == "price" else "-7")
                    given[name] = dict.fromkeys(here, value)
                    options.append(f"--{name}={value}")
                    continue
                part = here if case == "all" or name == "amount" else rng.sample(here, 8) if case == "some" else []
                drawn = {v: draw(rng, name, type_name, here) for v in part}
                given[name] = {v: drawn[v] if v in drawn else defaults[name](v) for v in here}
                if part:
                    file = suite.folder / f"{name}.in"
                    write(file, drawn, rng, rng.choice([" ", "\t", ",", "; "]))
                    options.append(f"--{name}=@{file}")
            what = f"{kind} {direction} {case}"
            runs = [([PROGRAM], [*variant, "--verify"], env) for variant, env in suite.variants([1, 4], [1, 2])]
            if suite.wide:
                runs.append(([PROGRAM], [*suite.wide, "--verify"], {}))
            if suite.target == "omp" and kind != "sparse":
                interpret = [suite.gcompile, "interpret", harness.ROOT / "test" / "e2e" / "inputs.gdsl"]
                runs.append((interpret, [], {}))
            for program, variant, environment in runs:
                check(f"{what} {variant} {environment}", program, here, arcs, given, order, [*options, *variant],
                      environment)

# ---- results are inputs
small = suite.folder / "small.el"
small.write_text("10 20\n20 30\n30 40\n40 10\n50 10\n")
suite.succeeds("the first program", PROGRAM, small, "--amount=1", "--quiet", f"--output=dist={suite.folder}/dist.txt",
               f"--output=least={suite.folder}/least.txt", f"--output=near={suite.folder}/near.txt")
suite.succeeds("the second program", PROGRAM, small, "--amount=@near.txt", "--label=@least.txt", "--far=@dist.txt", "--verify",
               "--quiet", f"--output=same_label={suite.folder}/again.txt")
suite.expect(read(suite.folder / "again.txt") == read(suite.folder / "least.txt"), "a result that is given back")

# ---- a name that begins as a comment does
named = suite.folder / "named.el"
named.write_text("a #b\na %\n")
(suite.folder / "named.in").write_text("#b 2\n% 3\n# a\na 1\n")
suite.succeeds("names like comments", PROGRAM, named, "--amount=@named.in", "--verify", "--quiet",
               f"--output=same_amount={suite.folder}/named.txt")
suite.expect(read(suite.folder / "named.txt") == {"a": "1", "#b": "2", "%": "3"}, "names like comments")

# ---- vertices called inf and none
odd = suite.folder / "odd.el"
odd.write_text("inf a\na none\n")
(suite.folder / "odd.in").write_text("inf inf\na 2\nnone 0.5\n")
suite.succeeds("a vertex called none", PROGRAM, odd, "--amount=@odd.in", "--verify", "--quiet",
               f"--output=same_amount={suite.folder}/odd.txt")
suite.expect(read(suite.folder / "odd.txt") == {"inf": "inf", "a": "2", "none": "0.5"}, "a vertex called none")
message = "a vertex of the graph is called 'none', which"
suite.fails("a result with none", 2, f"--output: {message} in the result 'least' stands for no vertex", PROGRAM, odd,
            "--amount=1", f"--output=least={suite.folder}/odd.txt")
suite.fails("a value none", 2, f"--label: {message} stands for no vertex", PROGRAM, odd, "--amount=1", "--label=none")
(suite.folder / "odd.in").write_text("a inf\ninf none\n")
suite.fails("a line with none", 2, f"odd.in:2: label: {message} stands for no vertex", PROGRAM, odd, "--amount=1",
            "--label=@odd.in")
odd.write_text("inf a\na b\n")
(suite.folder / "odd.in").write_text("a inf\ninf none\nb b\n")
suite.succeeds("a vertex called inf", PROGRAM, odd, "--amount=1", "--label=@odd.in", "--verify", "--quiet",
               f"--output=same_label={suite.folder}/odd.txt")
suite.expect(read(suite.folder / "odd.txt") == {"inf": "none", "a": "inf", "b": "b"}, "a vertex called inf")

# ---- a file of nothing, where all have a default
(suite.folder / "nothing.in").write_text("")
suite.succeeds("an empty file", PROGRAM, small, "--amount=1", "--far=@nothing.in", "--verify", "--quiet",
               f"--output=same_far={suite.folder}/far.txt")
suite.expect(set(read(suite.folder / "far.txt").values()) == {"inf"}, "an empty file")

# ---- what is refused, before anything is written
out = suite.folder / "out"
shutil.rmtree(out, ignore_errors=True)
out.mkdir()


def refuse(what, message, *arguments, text=None):
    if text is not None:
        (suite.folder / "bad.txt").write_text(text)
    suite.fails(what, 2, message, PROGRAM, small, *arguments, f"--output=total={out}/total")
    suite.expect(not list(out.iterdir()), f"{what}: files are left behind")


refuse("nothing is given", "the parameter --amount=VALUE is missing")
refuse("no file", "nothing.txt: no such file", "--amount=@nothing.txt")
refuse("a folder", "out: is a directory, not a file", "--amount=@out")
refuse("an empty file", "bad.txt: there is no amount of vertex 10 and 4 more, and the program has no default value for "
       "it", "--amount=@bad.txt", text="")
refuse("no name of a file", "--amount: the name of a file is missing after '@'", "--amount=@")
refuse("no number", "--amount: 'x' is not a number", "--amount=x")
refuse("no such vertex", "--label: the graph has no vertex '7'", "--amount=1", "--label=7")
refuse("a rule of another parameter's", "--cost: 'v.degree' is not a whole number", "--amount=1", "--cost=v.degree")
refuse("a number too large", "--ratio: '1e39' does not fit a float", "--amount=1", "--ratio=1e39")
refuse("a vertex without a value", "bad.txt: there is no amount of vertex 10 and 2 more, and the program has no default "
       "value for it", "--amount=@bad.txt", text="20 1\n30 2\n")
refuse("one vertex without a value", "bad.txt: there is no amount of vertex 50, and the program has no default value for it",
       "--amount=@bad.txt", text="20 1\n30 2\n10 0\n40 1\n")
refuse("an unknown vertex", "bad.txt:3: the graph has no vertex '11'", "--amount=1", "--cost=@bad.txt",
       text="# x\n10 5\n11 5\n")
refuse("an unknown value", "bad.txt:1: label: the graph has no vertex '11'", "--amount=1", "--label=@bad.txt", text="10 11\n")
refuse("another value", "bad.txt:4: vertex 10 has another value of cost in a line before", "--amount=1", "--cost=@bad.txt",
       text="10 5\n20 5\n10 5\n10 6\n")
refuse("a value out of range", "bad.txt:1: cost 5000000000 does not fit an int (overflow)", "--amount=1",
       "--cost=@bad.txt", text="10 5000000000\n")
refuse("a float out of range", "bad.txt:1: ratio 1e39 does not fit a float (overflow)", "--amount=1", "--ratio=@bad.txt",
       text="10 1e39\n")
refuse("a fraction", "bad.txt:1: real value 5.5 where the program wants cost to be an int", "--amount=1", "--cost=@bad.txt",
       text="10 5.5\n")
refuse("no value", "bad.txt:2: expected cost, found the end of the line", "--amount=1", "--cost=@bad.txt", text="20 1\n10\n")
refuse("two values", "bad.txt:1: expected the end of the line, found '6'", "--amount=1", "--cost=@bad.txt", text="10 5 6\n")
refuse("no flag", "bad.txt:1: expected closed to be true or false, found '5'", "--amount=1", "--closed=@bad.txt", text="10 5\n")
refuse("a parameter twice", "--toll is given twice: '1' and '2'", "--amount=1", "--toll=1", "--toll", "2")
refuse("a negative price", "bad.txt:3: price -4 of vertex 20 is negative, which the program does not allow", "--amount=1",
       "--price=@bad.txt", text="10 5\n# -1\n 20 -4\n30 -5\n")
refuse("a negative price for all", "--price: -4 is negative, which the program does not allow", "--amount=1", "--price=-4")
refuse("a negative number", "--toll: -1 is negative, which the program does not allow", "--amount=1", "--toll=-1")
if suite.target == "omp":
    interpret = [suite.gcompile, "interpret", harness.ROOT / "test" / "e2e" / "inputs.gdsl"]
    (suite.folder / "bad.txt").write_text("10 -1\n")
    suite.fails("the interpreter, a negative price", 2, "bad.txt:1: price -1 of vertex 10 is negative, which the program does "
                "not allow", *interpret, small, "--amount=1", "--price=@bad.txt")
    suite.fails("the interpreter, a negative number", 2, "--toll: -1 is negative, which the program does not allow",
                *interpret, small, "--amount=1", "--toll=-1")
refuse("no id", "bad.txt:1: expected a vertex id, found 'a'", "--amount=@bad.txt", text="a 1\n")

result = suite.succeeds("help", PROGRAM, "--help")
suite.expect("--cost=VALUE                  int for each vertex: a value for all, or @FILE, default v.degree" in result.out,
             "help names the default", result)

# ---- vertices that the layout numbers anew keep their values, which may be vertices
if suite.target == "omp":
    text = """algorithm moved(g: graph, label: vertex[g] = self, cost: int[g] = v.out_degree, amount: double[g] = 0.5) {
    output next: vertex[g] = none;
    output c: int[g] = 0;
    output a: double[g] = 0;
    for v in g { next[v] = label[v]; c[v] = cost[v] + sum(u -> v : int(1)); a[v] = sum(u -> v : amount[u]); }
}
schedule moved { layout { vertices by ORDER; } }
""".replace("sum(u -> v : int(1))", "v.in_degree")
    star = suite.folder / "star.el"
    star.write_text("1 2\n3 2\n4 1\n4 2\n4 3\n5 4\n")
    (suite.folder / "l.in").write_text("1 4\n2 none\n4 5\n")
    (suite.folder / "a.in").write_text("4 10\n5 2\n")
    files = [f"--output={name}={suite.folder}/{name}.out" for name in ("next", "c", "a")]
    programs = []
    for order in ("degree", "bfs"):
        layout = suite.folder / f"{order}.gdsl"
        layout.write_text(text.replace("ORDER", order))
        suite.succeeds("compile", suite.gcompile, layout, "-O1", "-o", suite.folder / order, timeout=120)
        programs += [[suite.folder / order], [suite.gcompile, "run", layout]]
    for program in programs:
        suite.succeeds("a layout", *program, star, "--label=@l.in", "--amount=@a.in", "--verify", "--quiet", *files, timeout=120)
        suite.expect(read(suite.folder / "next.out") == {"1": "4", "2": "none", "3": "3", "4": "5", "5": "5"}, "labels")
        suite.expect(read(suite.folder / "c.out") == {"1": "2", "2": "3", "3": "2", "4": "4", "5": "1"}, "costs")
        suite.expect({v: float(x) for v, x in read(suite.folder / "a.out").items()}
                     == {"1": 10, "2": 11, "3": 10, "4": 2, "5": 0}, "amounts")
suite.finish()
