"""Random expressions over the state and the names around."""

NUMBERS = ["int", "long", "double", "float"]
REALS = ["double", "float"]


class State:
    """A declared state: scalar, per vertex ("v"), per edge ("e") or per pair ("p")."""

    def __init__(self, name, kind, shape, claimed=False):
        self.name, self.kind, self.shape, self.claimed = name, kind, shape, claimed


class Scope:
    """What an expression may name: vertices and edges of the patterns around it, the round, variables."""

    def __init__(self, vertices=(), edge=None, round_name=None, variables=()):
        self.vertices, self.edge, self.round = list(vertices), edge, round_name
        self.variables = list(variables)
        self.may_reduce = True

    def plus(self, vertices=(), edge=None):
        inner = Scope(self.vertices + list(vertices), edge or self.edge, self.round, self.variables)
        inner.may_reduce = False
        return inner


class Expressions:
    """What a program is written with: random choices, lines, and expressions of each type."""

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, line):
        self.lines.append("    " * self.depth + line)

    def block(self, head, body, *arguments):
        self.emit(head + " {")
        self.depth += 1
        body(*arguments)
        self.depth -= 1
        self.emit("}")

    def of(self, shape, *kinds, claimed=False):
        return [s for s in self.states if s.shape == shape and s.kind in kinds and s.claimed == claimed]

    def readable(self, shape, *kinds):
        """State, and what the program is given for each vertex."""
        return self.of(shape, *kinds) + [s for s in self.inputs if shape == "v" and s.kind in kinds and not self.in_function]

    def number(self, kind, scope, depth=2):
        """An expression of a number type, sometimes what a function of C++ makes of one."""
        return self.through_import(kind, self.own_number(kind, scope, depth))

    def own_number(self, kind, scope, depth):
        rng = self.rng
        if depth == 0 or self.chance(25):
            return self.atom(kind, scope)
        form = rng.randrange(13)
        sub = lambda: self.number(kind, scope, depth - 1)
        if form < 3:
            return f"({sub()} + {sub()})"
        if form == 3:
            return f"({sub()} - {sub()})"
        if form == 4:
            if kind == "double":
                return f"({sub()} * 0.5)"
            if kind == "float":  # few digits, so that sums stay exact
                return f"floor({sub()} * 0.5)"
            if self.seed % 4 == 1:  # as wide as before: sums of sums must not become too great
                return self.pick(f"({sub()} & 15 | {sub()} & 3 << 2)", f"({sub()} % 9 ^ popcount(~{sub()}))",
                                 f"(~{sub()} >> {rng.randrange(-1, 70)})", f"({sub()} % 8 << {rng.randrange(4)})")
            return f"({sub()} % 10 * ({sub()} % 10))"
        if form == 5:
            return f"{self.pick('min', 'max')}({sub()}, {sub()})"
        if form == 6:
            return f"(if {self.condition(scope, depth - 1)} then {sub()} else {sub()})"
        if form == 7 and scope.may_reduce:
            return self.reduction(kind, scope)
        if form == 8 and kind == "int" and self.functions:
            return f"{rng.choice(self.functions)}({sub()}, {sub()})"
        if form == 9 and kind == "long":
            return f"hash({self.number('int', scope, depth - 1)}) % 50"
        if form == 10 and kind != "int":
            return f"{kind}({self.number(self.pick('int', 'long'), scope, depth - 1)} % 1000)"
        if form == 11 and kind not in REALS:
            return f"({sub()} / {rng.randrange(1, 6)})"
        if form == 12 and kind == "int":
            tuples = self.of("v", "tuple")
            if tuples and scope.vertices:
                return f"{rng.choice(tuples).name}[{rng.choice(scope.vertices)}].0"
        return f"abs({sub()})"

    def atom(self, kind, scope):
        rng = self.rng
        options = [str(rng.randrange(10)) if kind not in REALS else self.pick("0.5", "1.25", "2.0", "7.0")] * 2
        if kind == "long" and int(options[0]) % 2 == 1:  # a literal of this type
            options = [f"long({options[0]})"] * 2
        if kind == "float":
            options = [f"float({options[0]})"] * 2
        options += [s.name for s in self.of("", kind)]
        for v in scope.vertices:
            options += [f"{s.name}[{v}]" for s in self.readable("v", kind)]
            for q in self.readable("v", "vertex"):
                options += [f"(if {q.name}[{v}] != none then {s.name}[{q.name}[{v}]] else 1)"
                            for s in self.readable("v", kind)][:1]
            if kind == "int":
                options += [f"{v}.{self.pick('out_degree', 'in_degree', 'degree')}"]
        if scope.edge:
            options += [f"{s.name}[{scope.edge}]" for s in self.of("e", kind)]
            if kind == "int":
                options += [f"{scope.edge}.weight"] * 2
        if self.asks_for_edges and not self.in_function:
            ends = f"edge({self.vertex(scope)}, {self.vertex(scope)})"
            options += [f"(if {ends} != none then {s.name}[{ends}] else 1)" for s in self.of("e", kind)]
            if kind == "int":
                options += [f"(if {ends} != none then {ends}.weight else 2)"] * 2
        if len(scope.vertices) > 1:
            a, b = rng.sample(scope.vertices, 2)
            options += [f"{s.name}[{a}, {b}]" for s in self.of("p", kind)]
        options += [name for name, t in scope.variables if t == kind] * 2
        if kind == "int" and not self.in_function:
            options += ["k"] + ([scope.round] * 2 if scope.round else [])
        if kind == "long" and not self.in_function:
            options += ["g.num_vertices", "g.num_edges"]
        return rng.choice(options)

    def vertex(self, scope):
        options = list(scope.vertices) * 3 + ["root"]
        options += [f"{s.name}[{v}]" for s in self.readable("v", "vertex") for v in scope.vertices]
        states = self.readable("v", "vertex")
        if states and scope.may_reduce and scope.vertices and self.chance(15):
            w = self.fresh("w")
            pattern, _ = self.inner_pattern(scope, w)
            return f"mode({pattern} : {self.rng.choice(states).name}[{w}])"
        return self.rng.choice(options)

    def condition(self, scope, depth=2):
        rng = self.rng
        form = rng.randrange(10)
        if depth > 0 and form < 2:
            return f"({self.condition(scope, depth - 1)} {self.pick('&&', '||')} {self.condition(scope, depth - 1)})"
        if form == 2 and depth > 0:
            return f"!({self.condition(scope, depth - 1)})"
        flags = self.readable("v", "bool")
        if form == 3 and flags and scope.vertices:
            return f"{rng.choice(flags).name}[{rng.choice(scope.vertices)}]"
        if form == 4 and self.sets and scope.vertices:
            return f"{rng.choice(scope.vertices)} in {rng.choice(self.sets)}"
        if form == 8 and depth > 0 and scope.vertices:
            return f"{rng.choice(scope.vertices)} in {self.selection(scope)}"
        if form == 5 and scope.vertices:
            return f"{self.vertex(scope)} {self.pick('==', '!=', '<', '<=', '>')} {self.vertex(scope)}"
        claims = self.of("v", "vertex", claimed=True)
        if form == 6 and claims and scope.vertices:
            return f"{rng.choice(claims).name}[{rng.choice(scope.vertices)}] {self.pick('==', '!=')} none"
        if form == 7 and scope.may_reduce and scope.vertices:
            w = self.fresh("w")
            pattern, inner = self.inner_pattern(scope, w)
            return f"{self.pick('any', 'all')}({pattern} : {self.condition(inner, 0)})"
        if form == 9 and self.asks_for_edges and not self.in_function:
            return f"edge({self.vertex(scope)}, {self.vertex(scope)}) {self.pick('==', '!=')} none"
        kind = self.pick(*NUMBERS)
        return f"{self.number(kind, scope, min(depth, 1))} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.number(kind, scope, 0)}"

    def selection(self, scope):
        """The vertices of a set that satisfy a condition."""
        x = self.fresh("w")
        return f"{{{x} in {self.set_name()} where {self.condition(scope.plus([x]), 0)}}}"

    def inner_pattern(self, scope, w):
        """A pattern inside an expression or a body, and the scope in it."""
        v = self.rng.choice(scope.vertices)
        form = self.rng.randrange(8)
        if form == 7 and self.chance(50):
            return f"{w} in {self.selection(scope)}", scope.plus([w])
        if form == 0:
            return f"{w} in {v}.{self.pick('out_neighbors', 'in_neighbors', 'neighbors')}", scope.plus([w])
        if form == 1 and len(scope.vertices) > 1:
            u = self.rng.choice(scope.vertices)
            return f"{w} in {v}.out_neighbors & {u}.in_neighbors", scope.plus([w])
        e = self.fresh("e")
        arrow = self.pick("->", "->", "--")
        pattern = f"{e}: {v} {arrow} {w}" if self.chance(60) or arrow == "--" else f"{e}: {w} -> {v}"
        return pattern, scope.plus([w], e)

    def reduction(self, kind, scope):
        w = self.fresh("w")
        if scope.vertices and self.chance(85):
            pattern, inner = self.inner_pattern(scope, w)
        else:
            pattern, inner = f"{w} in {self.set_name()}", scope.plus([w])
        if self.chance(40):
            pattern += f" where {self.condition(inner, 0)}"
        if kind == "long" and self.chance(40):
            return f"count({pattern})"
        if kind == "long":
            return f"sum({pattern} : {self.number('int', inner, 1)})"
        if kind == "int" and self.chance(15):
            return f"mode({pattern} : {self.number('int', inner, 1)} % 10)"
        if kind == "int" and self.chance(50):
            a = f"argmin({w} in g : {self.number('int', scope.plus([w]), 1)})"
            return f"{self.pick('min', 'max')}(3, min({pattern} : {self.number('int', inner, 1)}))" if self.chance(70) else f"int(hash({a}) % 9)"
        if kind == "int":
            return f"int(count({pattern}))"
        return f"sum({pattern} : {self.number(kind, inner, 1)})"

    def set_name(self):
        return self.rng.choice(["g", "g"] + self.sets)

    def bounded(self, kind, scope, depth=2):
        """A value that may be assigned again and again without growing."""
        text = self.number(kind, scope, depth)
        if kind == "float":
            return f"min(max(floor({text}), float(-64)), float(64))"
        return f"min(max({text}, -4096.0), 4096.0)" if kind == "double" else f"{text} % 97"
