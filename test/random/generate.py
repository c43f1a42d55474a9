"""Random well-typed programs. Every result is determined by the language: sums of reals are exact in any order (small
multiples of powers of two), integers stay far from the limits of their types, and what depends on the winner of a claim
is neither an output nor read."""

import random
import re

from arrays import Arrays
from asked import Asked
from expressions import NUMBERS, State
from turns import Turns


# The types of what a program is given for each vertex, and the default values of these parameters (see outputs.h).
GIVEN = {"int": "v.degree", "long": "inf", "double": "0.5", "float": "-1.5", "bool": "true", "vertex": "self"}


class Program(Arrays, Asked, Turns):
    """The text of one algorithm, its graph type and the labels that a schedule may direct."""

    def __init__(self, seed, parts=None, sides=False):
        """With `parts`, "gpus" or "mpi": of statements that several GPUs, or machines, can often run. With `sides`: with
        loops and choices in each other of which each statement can run on a side of its own."""
        self.seed = seed
        self.rng = random.Random(seed)
        self.turns = random.Random(~seed)  # which patterns go against the edges
        self.repeats = random.Random(3 * seed + 1)  # which fixpoints are in loops
        self.name = f"p{seed}"
        self.lines, self.functions = [], []
        self.states, self.sets, self.inputs = [], [], []
        self.labels = []  # (label, directions that are legal)
        self.sided, self.in_loop = sides, []  # the labels in that loop
        self.count = 0
        self.depth = 1
        self.loops = 0  # sequential loops around
        self.in_function = False
        self.asks_for_edges = seed % 5 == 2  # of two vertices
        self.declare_imports(random.Random(5 * seed + 2))
        if parts:
            self.generate_for_parts(parts)
        else:
            self.generate()

    def generate(self):
        # What the program is given for each vertex, as random_programs.py writes it; some programs read it.
        if self.seed % 2 == 0:
            self.inputs = [State(f"given_{kind}", kind, "v") for kind in GIVEN]
        if self.seed % 6 == 4:  # made by a function of C++, or by one of the program
            self.inputs.append(State("made", "long", "v"))
        functions = "".join(self.function() for _ in range(self.rng.randrange(0, 2)))
        self.directedness = self.pick("", "", "directed", "undirected")
        for kind in ("int", "int", "long", "double", "bool", "vertex"):
            self.declare(kind, "v")
        for kind in ("int", "long", "double"):
            self.declare(kind, "")
        for shape in ("v", ""):
            if self.chance(40):
                self.declare("float", shape)
        if self.chance(30):
            self.declare(self.pick(*NUMBERS), "e")
        if self.chance(30):
            self.declare("tuple", "v")
        if self.chance(25):
            self.declare("int", "p")
        for _ in range(self.rng.randrange(2, 6)):
            self.statement()
        if self.seed % 3 == 0:
            self.rng = random.Random(-self.seed)  # what comes before stays as it is
            self.gather()
        if self.seed % 3 == 1:
            self.rng = random.Random(-self.seed)
            for _ in range(self.rng.randrange(1, 3)):
                self.pick(self.common, self.common, self.common_nearby, self.asking_priority, self.bounded_priority)()
        if self.seed % 4 == 2:
            self.rng = random.Random(-self.seed - 1)
            self.array_statements()
        if self.seed % 5 == 2:
            self.rng = random.Random(-self.seed - 2)
            self.handed_sums()  # last: nothing else depends on what little is left
        if self.seed % 3 == 2:
            self.rng = random.Random(-self.seed - 4)
            self.turn_loop()
        if self.sided:
            self.rng = random.Random(-self.seed - 3)
            self.sided_loop()
        self.finish(functions)

    def generate_for_parts(self, parts):
        self.directedness = self.pick("", "", "directed", "undirected")
        for kind in ("int", "long", "vertex"):
            self.declare(kind, "v")
        for _ in range(self.rng.randrange(1, 3)):
            self.pick(self.monotone, self.monotone, self.levels, self.levels, self.claim_loop)()
        if self.seed % 3 == 1:
            self.rounds(random.Random(7 * self.seed + 3))
        if self.seed % 4 == 1:
            self.asked(random.Random(11 * self.seed + 5))
        if self.seed % 6 == 5:
            self.near(random.Random(13 * self.seed + 7))
        if self.seed % 10 == 7:
            self.of_edges(random.Random(self.seed + 3))
        if parts == "mpi" and self.seed % 7 in (2, 4):  # several GPUs refuse it
            self.together(random.Random(19 * self.seed + 3))
        if self.seed % 8 == 3:
            self.rows(random.Random(17 * self.seed + 9))
        if self.seed % 6 == 1:
            self.counted(random.Random(19 * self.seed + 11))
        self.finish("")

    def together(self, rng):
        """Statements that update several states at the other ends of edges, each of which is combined by itself."""
        total, least, first, met, far = (self.fresh(name) for name in ("l", "i", "v", "b", "i"))
        u, v, w, turn = (self.fresh(name) for name in ("u", "v", "w", "l"))
        for name, kind, start in ((total, "long", 0), (least, "int", "inf"), (first, "vertex", "self"), (met, "bool", "false"), (far, "int", "inf")):
            self.emit(f"output {name}: {kind}[g] = {start};")
        for _ in range(rng.randrange(1, 3)):
            way, here, there = rng.choice([("from", u, v), ("into", v, u)])
            updates = [f"{total}[{there}] += long({here}.out_degree);", f"{least}[{there}] min= {here}.out_degree % 5;",
                       f"{first}[{there}] min= {here};", f"{met}[{there}] = true;"]
            rng.shuffle(updates)
            self.emit(f"for {u} -> {v} {way} {{{w} in g where {w}.out_degree > {rng.randrange(3)}}} {{ "
                      f"{' '.join(updates[:rng.randrange(2, 5)])} }}")
        self.emit(f"{far}[root] = 0;")
        more = rng.choice([f"{total}[{v}] += 1;", f"{least}[{v}] min= int({turn}) - 3;", f"{total}[{v}] += 1; {met}[{v}] = true;"])
        self.emit(f"propagate {u} -> {v} from {{root}} round {turn} {{ {far}[{v}] min= {far}[{u}] + 1; {more} }} until {turn} >= {rng.randrange(2, 6)};")

    def rounds(self, rng):
        """A loop in which rounds take over a set, a number of the program and values of vertices from those before."""
        value, left, peel, k, n = (self.fresh(name) for name in ("i", "set", "set", "l", "l"))
        u, v = self.fresh("u"), self.fresh("v")
        self.emit(f"output {value}: int[g] = {v}.out_degree % {rng.randrange(2, 7)};".replace(f"{v}.", "v."))
        self.emit(f"output {n}: long = {rng.randrange(5)};")
        self.emit(f"{k}: int = {rng.randrange(-3, 1)};")
        start = rng.choice(["g", f"{{{v} in g where {v}.out_degree > 0}}"])
        self.emit(f"{left}: vertex set = {start};")
        at_ends = [f"for {u} -> {v} from {peel} where {v} in {left} {{ {value}[{v}] {rng.choice(['-=', '+='])} 1; }}",
                   f"for {v} in {left} {{ {value}[{v}] += int(count({v} -> {u} where {u} in {peel})); }}",
                   f"for {v} in {left} {{ {value}[{v}] += int({n} % 3); }}"]

        def turn():
            self.emit(f"{peel}: vertex set = {{{v} in {left} where {value}[{v}] <= {k}}};")
            self.emit(f"{left} -= {peel};")
            self.emit(rng.choice(at_ends))
            self.emit(f"{n} += sum({v} in {peel} : long({value}[{v}] + {k}));")
            if rng.randrange(3) == 0:
                self.emit(f"if {n} > {rng.randrange(5, 60)} {{ break; }}")
            self.emit(f"{k} += 1;")

        self.block(rng.choice([f"repeat {rng.randrange(2, 9)}", f"while !{left}.empty && {k} < 12", f"while {k} < {rng.randrange(2, 9)}"]), turn)
        self.emit(f"for {v} in {left} {{ {value}[{v}] += 1000; }}")

    def finish(self, functions):
        graph = f"graph<{self.directedness + ', ' if self.directedness else ''}weight: int>"
        maker = f"making{self.seed}" if self.seed % 12 == 10 else f"h{self.seed}::making"
        inputs = "".join(f", made: long[g] from {maker} = (3, v.degree)" if s.name == "made" else f", {s.name}: {s.kind}[g] = {GIVEN[s.kind]}"
                         for s in self.inputs)
        if self.inputs and self.seed % 12 == 10:
            functions += f"function {maker}(x: int, y: int) -> long {{ return long(x % 31) * 2 - y % 7; }}\n"
        lines = self.renamed("\n".join(self.lines))
        self.body = self.reductions + functions, f"(g: {graph}, root: vertex, k: int = 3{inputs}) {{\n{lines}\n}}\n"

    def renamed(self, text):
        """In some programs, states have names that generated code would choose for its own variables."""
        if self.seed % 4 != 3:
            return text
        sets = list(dict.fromkeys(re.findall(r"\bset\d+\b", text)))
        names = {"i1": "value", "q6": "neighbors", "i7": "turn", "l8": "parts", **dict(zip(sets, ("members", "vertices")))}
        return re.sub(r"\b[a-z]+\d+\b", lambda name: names.get(name[0], name[0]), text)

    def schedule(self, rng, target):
        """Directives of "cpu" or "cuda" for the labelled statements, all of them legal."""
        lines = []
        for label, directions in self.labels:
            if directions == ["segments"]:
                lines.append(f"    {target} {label} {{ segments sources(KiB = {rng.choice([1, 2])}); }}")
                continue
            if directions == ["loop"]:
                # Whether the device can run it is the compiler's to say: it does where it can.
                lines += [f"    cuda {label} {{ loop host; }}"] if target == "cuda" and rng.random() < 0.5 else []
                continue
            if not directions or directions == ["ends"]:
                ways = [f"ordered buckets(delta = {rng.choice([1, 2, 5, 64])})", "asynchronous", f"asynchronous(chunk = {rng.choice([8, 21, 64])})",
                        f"ordered obim(chunk = {rng.choice([8, 13, 64])}, shift = {rng.choice([0, 1, 6])})"]
                lines.append(f"    {target} {label} {{ {rng.choice(ways if target == 'cpu' and not directions else ways[:1])}; }}")
                continue
            if directions == ["sums"]:
                options = rng.choice(["", ", levels = 1", ", levels = 16", ", chunk = 8", ", chunk = 11, levels = 5"])
                way = rng.choice([f"asynchronous(tolerance = 1e-6{options})"] * 3 + ["direction push"])
                lines.append(f"    {target} {label} {{ {way if target == 'cpu' else 'direction push'}; }}")
                continue
            direction = rng.choice([d for d in directions if target == "cpu" or d != "asynchronous"])
            if direction == "asynchronous":
                chunk = rng.choice(["", "(chunk = 8)", "(chunk = 37)"])
                lines.append(f"    {target} {label} {{ asynchronous{chunk}; }}")
                continue
            # Only the propagates can pull in some rounds and push in others.
            frontier = ""
            if target == "cpu" and "hybrid" in directions and direction != "pull":
                frontier = rng.choice(["", " frontier read;", " frontier queue(T1 = 0);", " frontier serial;",
                                       " frontier queue(T1 = 0, flush = 2);",
                                       " frontier hybrid(T1 = 1, T2 = 6, T3 = 2, alpha = 1.2, beta = 1.1);"])
                frontier += rng.choice(["", "", " status bitmap;"])
            if target == "cuda" and "hybrid" in directions:
                # Whether a list can be shared and whether there are claims is the compiler's to say.
                if direction != "pull":
                    frontier += rng.choice(["", *(f" gather {who};" for who in ("serial", "warp", "cta", "scan", "scan + warp + cta", "block_scan",
                                                                               "block_scan + warp + cta"))])
                    if "serial" not in frontier:
                        frontier += rng.choice([""] * 4 + [" phases two_phase;", " phases two_phase;", " phases contract_expand;",
                                                           f" phases hybrid(edges = {rng.choice([0, 5, 40])});"])
                    frontier += rng.choice(["", "", " status bitmap;"])
                    frontier += rng.choice(["", "", " cull warp(size = 1);", " cull history(size = 2);",
                                            " cull warp + history;"])
                frontier += rng.choice(["", "", " loop host;"])
            if direction == "hybrid":
                direction = rng.choice(["hybrid", "hybrid", "growth"])
                direction += f"(alpha = {rng.choice([1, 4, 1000])}, beta = {rng.choice([1, 4, 1000])})"
            lines.append(f"    {target} {label} {{ direction {direction};{frontier} }}")
        layout = self.layout(rng, target) if rng.random() < 0.3 else []
        return lines + layout

    def sided_loop(self):
        first = len(self.labels)
        self.loops += 1
        self.sided_statement(2, False)
        self.loops -= 1
        self.in_loop = [label for label, _ in self.labels[first:]]

    def sided_statement(self, depth, in_loop):
        if self.chance(65):
            self.sided_turns(depth)
        else:
            self.sided_choice(depth, in_loop)

    def sided_turns(self, depth):
        """A loop of each form: by a condition, some times, over numbers, over a few vertices."""
        left, n = self.fresh("l"), self.rng.randrange(1, 5)
        form = self.rng.randrange(5)
        if form == 0:
            self.emit(f"{left}: long = {n};")
            self.block(f"while {left} > 0", lambda: (self.emit(f"{left} -= 1;"), self.sided_turn(depth)))
        elif form == 1:
            self.block(f"repeat {n}", self.sided_turn, depth)
        elif form == 2:
            self.block(f"for {left} in 1 .. {n} sequentially", self.sided_turn, depth, f"{left} % 3")
        elif form == 3:
            over = self.pick("root.out_neighbors", f"{{{left} in g where {left}.out_degree > {n}}}")
            self.block(f"for {left} in {over} sequentially", self.sided_turn, min(depth, 1), f"{left}.out_degree", left)
        else:
            self.emit(f"{left}: long = 0;")
            self.block("repeat", lambda: (self.sided_turn(depth), self.emit(f"{left} += 1;")))
            self.lines[-1] += f" until {left} >= {n};"

    def sided_turn(self, depth, known="root.out_degree", vertex="root"):
        """What a turn does; `known` is a number that it knows."""
        if self.chance(40):
            self.emit(f"let {self.fresh('k')} = {known};")
            known = f"k{self.count}"
        self.pick(self.edge_loop, self.free_propagate, self.vertex_loop, self.scalar, self.set_statement)()
        if self.chance(30):
            self.emit(f"if root.out_degree > {self.rng.randrange(4)} {{ break; }}")
        if depth > 0 and self.chance(60):
            self.sided_statement(depth - 1, True)
        target = self.target("v", "int", "long")
        if target and self.chance(60):
            u, v = self.fresh("u"), self.fresh("v")
            self.emit(f"{self.label(['push'])}: for {u} -> {v} from {{{vertex}}} {{ {target.name}[{v}] += {known}; }}")
        self.edge_loop()

    def sided_choice(self, depth, in_loop=False):
        """A choice, in whose branches there may be more."""
        def branch():
            self.pick(self.edge_loop, self.free_propagate, self.scalar)()
            if depth > 0 and self.chance(40):
                self.sided_statement(depth - 1, in_loop)
            if in_loop and self.chance(30):
                self.emit("break;")

        asked = self.target("v", "int", "long")
        condition = self.pick("root.out_degree > 1", *([f"{asked.name}[root] % 3 != 1"] if asked else []))
        self.block(f"if {condition}", branch)
        if self.chance(60):
            self.lines[-1] += " else {"
            self.depth += 1
            branch()
            self.depth -= 1
            self.emit("}")

    def sides(self, rng):
        """Sides of labelled statements. Whether a statement can have one is the compiler's to say."""
        if self.in_loop and rng.random() < 0.8:
            return [f"    hybrid {label} {{ on {rng.choice(['cpu', 'gpu', 'gpu'])}; }}"
                    for label in self.in_loop if label == self.in_loop[-1] or rng.random() < 0.7]
        names = list(dict.fromkeys(label for label, _ in self.labels))
        return [f"    hybrid {label} {{ on {rng.choice(['cpu', 'gpu', 'gpu'])}; }}"
                for label in names if rng.random() < min(1, 3 / len(names))]

    def layout(self, rng, target="cpu"):
        """Packed or aligned lists, or an order of the vertices. Whether their numbers show in the results, and whether
        anything reads aligned lists, is the compiler's to say."""
        lists = "adjacency packed;"
        if target == "cuda":
            lists = f"adjacency aligned(part = {rng.choice([0.1, 0.4, 1])});"
        return ["    layout { " + rng.choice(["vertices by degree;", "vertices by bfs;", f"vertices by bfs; {lists}", lists]) + " }"]

    def text(self, name, schedule=(), functions=True):
        text = (self.body[0] if functions else "") + f"algorithm {name}" + self.body[1]
        if schedule:
            text += f"schedule {name} {{\n" + "\n".join(schedule) + "\n}\n"
        return text


if __name__ == "__main__":
    import sys
    program = Program(int(sys.argv[1]))
    print(program.text(program.name), end="")
