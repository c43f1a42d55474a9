"""Random well-typed programs. Every result is determined by the language: sums of reals are exact in any order (small
multiples of powers of two), integers stay far from the limits of their types, and what depends on the winner of a claim
is neither an output nor read."""

import random

NUMBERS = ["int", "long", "double"]


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


class Program:
    """The text of one algorithm, its graph type and the labels that a schedule may direct."""

    def __init__(self, seed):
        self.seed = seed
        self.rng = random.Random(seed)
        self.name = f"p{seed}"
        self.lines, self.functions = [], []
        self.states, self.sets = [], []
        self.labels = []  # (label, directions that are legal)
        self.count = 0
        self.depth = 1
        self.loops = 0  # sequential loops around
        self.in_function = False
        self.generate()

    # ---- small helpers ----

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

    # ---- expressions ----

    def number(self, kind, scope, depth=2):
        """An expression of a number type."""
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
        if form == 11 and kind != "double":
            return f"({sub()} / {rng.randrange(1, 6)})"
        if form == 12 and kind == "int":
            tuples = self.of("v", "tuple")
            if tuples and scope.vertices:
                return f"{rng.choice(tuples).name}[{rng.choice(scope.vertices)}].0"
        return f"abs({sub()})"

    def atom(self, kind, scope):
        rng = self.rng
        options = [str(rng.randrange(10)) if kind != "double" else self.pick("0.5", "1.25", "2.0", "7.0")] * 2
        options += [s.name for s in self.of("", kind)]
        for v in scope.vertices:
            options += [f"{s.name}[{v}]" for s in self.of("v", kind)]
            for q in self.of("v", "vertex"):
                options += [f"(if {q.name}[{v}] != none then {s.name}[{q.name}[{v}]] else 1)"
                            for s in self.of("v", kind)][:1]
            if kind == "int":
                options += [f"{v}.{self.pick('out_degree', 'in_degree', 'degree')}"]
        if scope.edge:
            options += [f"{s.name}[{scope.edge}]" for s in self.of("e", kind)]
            if kind == "int":
                options += [f"{scope.edge}.weight"] * 2
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
        options += [f"{s.name}[{v}]" for s in self.of("v", "vertex") for v in scope.vertices]
        return self.rng.choice(options)

    def condition(self, scope, depth=2):
        rng = self.rng
        form = rng.randrange(10)
        if depth > 0 and form < 2:
            return f"({self.condition(scope, depth - 1)} {self.pick('&&', '||')} {self.condition(scope, depth - 1)})"
        if form == 2 and depth > 0:
            return f"!({self.condition(scope, depth - 1)})"
        flags = self.of("v", "bool")
        if form == 3 and flags and scope.vertices:
            return f"{rng.choice(flags).name}[{rng.choice(scope.vertices)}]"
        if form == 4 and self.sets and scope.vertices:
            return f"{rng.choice(scope.vertices)} in {rng.choice(self.sets)}"
        if form == 5 and scope.vertices:
            return f"{self.vertex(scope)} {self.pick('==', '!=', '<', '<=', '>')} {self.vertex(scope)}"
        claims = self.of("v", "vertex", claimed=True)
        if form == 6 and claims and scope.vertices:
            return f"{rng.choice(claims).name}[{rng.choice(scope.vertices)}] {self.pick('==', '!=')} none"
        if form == 7 and scope.may_reduce and scope.vertices:
            w = self.fresh("w")
            pattern, inner = self.inner_pattern(scope, w)
            return f"{self.pick('any', 'all')}({pattern} : {self.condition(inner, 0)})"
        kind = self.pick(*NUMBERS)
        return f"{self.number(kind, scope, min(depth, 1))} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.number(kind, scope, 0)}"

    def inner_pattern(self, scope, w):
        """A pattern inside an expression or a body, and the scope in it."""
        v = self.rng.choice(scope.vertices)
        form = self.rng.randrange(7)
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
        if kind == "int" and self.chance(50):
            a = f"argmin({w} in g : {self.number('int', scope.plus([w]), 1)})"
            return f"{self.pick('min', 'max')}(3, min({pattern} : {self.number('int', inner, 1)}))" if self.chance(70) else f"int(hash({a}) % 9)"
        if kind == "int":
            return f"int(count({pattern}))"
        return f"sum({pattern} : {self.number('double', inner, 1)})"

    def set_name(self):
        return self.rng.choice(["g", "g"] + self.sets)

    def bounded(self, kind, scope):
        """A value that may be assigned again and again without growing."""
        text = self.number(kind, scope)
        return f"min(max({text}, -4096.0), 4096.0)" if kind == "double" else f"{text} % 97"

    def positive(self, kind, scope):
        text = self.bounded(kind, scope)
        return f"1 + abs({text})"

    # ---- declarations ----

    def declare(self, kind, shape, claimed=False):
        name = self.fresh({"int": "i", "long": "l", "double": "d", "bool": "b", "vertex": "q", "tuple": "t"}[kind])
        suffix = {"": "", "v": "[g]", "e": "[g.edges]", "p": "[g, g]"}[shape]
        spelt = "(int, vertex)" if kind == "tuple" else kind
        initial = ""
        inner = Scope(["self"]) if shape == "v" else Scope()
        inner.may_reduce = False
        if kind in NUMBERS and self.chance(70):
            options = [self.number(kind, inner, 1)]
            if kind != "double" and self.chance(50):
                options = ["inf"]
            initial = f" = {options[0]}"
        elif kind == "vertex":
            initial = " = none" if claimed or shape != "v" else self.pick(" = none", " = self", " = root")
        elif kind == "bool":
            initial = self.pick("", " = true", f" = {self.condition(inner, 0)}")
        elif kind == "tuple":
            initial = self.pick(" = (inf, none)", " = (5, root)")
        output = "" if claimed else "output " if self.loops == 0 else ""
        self.emit(f"{output}{name}: {spelt}{suffix}{initial};")
        self.states.append(State(name, kind, shape, claimed))
        return self.states[-1]

    def function(self):
        name = f"f{self.seed}_{len(self.functions)}"
        scope = Scope(variables=[("x", "int"), ("y", "int")])
        scope.may_reduce = False
        saved, self.states, sets, self.sets = self.states, [], self.sets, []
        self.in_function = True
        text = lambda: self.number("int", scope, 2)
        loop = ("    n: int = x % 5;\n    while n > 0 { n -= 1; if n == y { break; } }\n" if self.chance(40) else "")
        lines = f"function {name}(x: int, y: int) -> int {{\n{loop}    if {text()} < {text()} {{ return {text()} % 97; }}\n    return {text()} % 97;\n}}\n"
        self.states, self.sets = saved, sets
        self.in_function = False
        self.functions.append(name)
        return lines

    # ---- bodies ----

    def target(self, shape, *kinds):
        options = self.of(shape, *kinds)
        return self.rng.choice(options) if options else None

    def update(self, place, kind, scope, grows=False, assign=True):
        """An update of one element that any iteration may make (`assign`: or that this one owns)."""
        if kind == "bool":
            op = self.pick("|=", "&=", "=") if assign else self.pick("|=", "&=")
            return f"{place} {op} {self.condition(scope)};"
        if kind == "vertex":
            return f"{place} {self.pick('min=', 'max=', *(['='] if assign else []))} {self.vertex(scope)};"
        op = self.pick("+=", "min=", "max=", *(["=", "=", "-="] if assign else []))
        value = self.positive(kind, scope) if grows and op == "+=" else self.bounded(kind, scope)
        return f"{place} {op} {value};"

    def owned_body(self, v, scope, size=None):
        """Statements of an iteration that owns vertex v."""
        for _ in range(size or self.rng.randrange(1, 4)):
            form = self.rng.randrange(14)
            if form < 4:
                s = self.target("v", *NUMBERS, "bool", "vertex")
                if s:
                    self.emit(self.update(f"{s.name}[{v}]", s.kind, scope))
            elif form == 4:
                s = self.target("", *NUMBERS)
                if s:
                    self.emit(self.update(s.name, s.kind, scope, assign=False))
            elif form == 5:
                name, kind = self.fresh("c"), self.pick(*NUMBERS)
                self.emit(f"let {name} = {self.number(kind, scope)};" if kind != "double" else f"let {name} = 1.0 * {self.number(kind, scope)};")
                if kind == "double":
                    scope.variables = scope.variables + [(name, kind)]
            elif form == 6:
                name, kind = self.fresh("x"), self.pick(*NUMBERS)
                self.emit(f"{name}: {kind} = {self.number(kind, scope)};")
                scope.variables = scope.variables + [(name, kind)]
                self.emit(self.update(name, kind, scope))
            elif form == 7:
                inner = Scope(scope.vertices, scope.edge, scope.round, scope.variables)
                self.block(f"if {self.condition(scope)}", self.owned_body, v, inner, 1)
                if self.chance(40):
                    self.lines[-1] += " else {"
                    self.depth += 1
                    self.owned_body(v, Scope(scope.vertices, scope.edge, scope.round, scope.variables), 1)
                    self.depth -= 1
                    self.emit("}")
            elif form in (8, 9) and scope.may_reduce:
                w = self.fresh("w")
                pattern, inner = self.inner_pattern(scope, w)
                where = f" where {self.condition(inner, 1)}" if self.chance(50) else ""
                self.block(f"for {pattern}{where}", self.nested_body, v, w, inner)
            elif form == 10:
                s = self.target("v", "tuple")
                if s:
                    self.emit(f"{s.name}[{v}] min= ({self.bounded('int', scope)}, {self.vertex(scope)});")
            elif form == 11:
                s = self.target("v", *NUMBERS)
                if s and self.chance(50):
                    self.emit(self.update(f"{s.name}[root]", s.kind, scope, assign=False))
            elif form == 12:
                x = self.fresh("x")
                self.emit(f"{x}: int = 0;")
                scope.variables = scope.variables + [(x, "int")]
                self.emit(f"while {x} < {self.rng.randrange(1, 4)} {{ {x} += 1; {'if ' + self.condition(scope, 0) + ' { break; }' if self.chance(50) else ''} }}")
            elif form == 13 and len(self.of("v", "int")) > 1:
                a, b = self.rng.sample(self.of("v", "int"), 2)
                self.emit(f"({a.name}[{v}], {b.name}[{v}]) {self.pick('min=', 'max=', '=')} ({self.bounded('int', scope)}, {self.bounded('int', scope)});")

    def nested_body(self, v, w, scope):
        """A loop inside a body: its iterations are one after the other."""
        for _ in range(self.rng.randrange(1, 3)):
            form = self.rng.randrange(6)
            local = [(name, kind) for name, kind in scope.variables if name.startswith("x")]
            if form == 0 and local:
                name, kind = self.rng.choice(local)
                self.emit(self.update(name, kind, scope, assign=self.chance(30)))
            elif form in (1, 2):
                s = self.target("v", *NUMBERS, "bool")
                if s:
                    self.emit(self.update(f"{s.name}[{v}]", s.kind, scope, assign=self.chance(30)))
            elif form in (3, 4):
                s = self.target("v", *NUMBERS, "bool")
                if s:
                    self.emit(self.update(f"{s.name}[{w}]", s.kind, scope, assign=False))
            else:
                s = self.target("", *NUMBERS)
                if s:
                    self.emit(self.update(s.name, s.kind, scope, assign=False))

    def edge_body(self, places, scope, grows, size=None):
        """Statements of an iteration that is an edge: reductions at `places`, and the same value from all."""
        for _ in range(size or self.rng.randrange(1, 4)):
            place = self.rng.choice(places)
            form = self.rng.randrange(12)
            if form < 5:
                s = self.target("v", *NUMBERS, "bool", "vertex")
                if s:
                    self.emit(self.update(f"{s.name}[{place}]", s.kind, scope, grows, assign=False))
            elif form == 5 and not grows:
                s = self.target("", *NUMBERS)
                if s:
                    self.emit(self.update(s.name, s.kind, scope, assign=False))
            elif form == 6:
                inner = Scope(scope.vertices, scope.edge, scope.round, scope.variables)
                self.block(f"if {self.condition(scope)}", self.edge_body, places, inner, grows, 1)
            elif form == 7:
                s = self.target("v", *NUMBERS, "bool")
                if s:
                    outside = Scope(round_name=scope.round)
                    outside.may_reduce = False
                    value = self.condition(outside, 0) if s.kind == "bool" else self.number(s.kind, outside, 0)
                    self.emit(f"{s.name}[{place}] = {value};")
            elif form == 8 and scope.edge and not grows:
                s = self.target("e", *NUMBERS)
                if s:
                    self.emit(self.update(f"{s.name}[{scope.edge}]", s.kind, scope))
            elif form == 9:
                ints, vertices = self.of("v", "int"), self.of("v", "vertex")
                if ints and vertices:
                    self.emit(f"({self.rng.choice(ints).name}[{place}], {self.rng.choice(vertices).name}[{place}]) {self.pick('min=', 'max=')} ({self.bounded('int', scope)}, {self.vertex(scope)});")
            elif form == 10:
                name, kind = self.fresh("x"), self.pick(*NUMBERS)
                self.emit(f"{name}: {kind} = {self.number(kind, scope)};")
                scope.variables = scope.variables + [(name, kind)]
            elif form == 11:
                s = self.target("v", "tuple")
                if s:
                    self.emit(f"{s.name}[{place}] {self.pick('min=', 'max=')} ({self.bounded('int', scope)}, {self.vertex(scope)});")

    # ---- statements ----

    def label(self, directions):
        name = self.fresh("s")
        self.labels.append((name, directions))
        return name

    def vertex_loop(self):
        v = self.fresh("v")
        scope = Scope([v])
        where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
        self.block(f"for {v} in {self.set_name()}{where}", self.owned_body, v, scope)

    def edge_loop(self):
        u, v, e = self.fresh("u"), self.fresh("v"), self.fresh("e") if self.chance(40) else None
        scope = Scope([u, v], e)
        scope.may_reduce = self.chance(20)
        source = f" from {self.rng.choice(self.sets)}" if self.sets and self.chance(30) else ""
        where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
        arrow = self.pick("->", "->", "--")
        places = self.pick([u], [v], [v], [u, v])
        legal = ["push"] + (["pull"] if not e and not source else [])
        named = f"{e}: " if e else ""
        self.block(f"{self.label(legal)}: for {named}{u} {arrow} {v}{source}{where}", self.edge_body, places, scope, False)

    def claim_loop(self):
        """An edge loop in which each vertex belongs to the first edge that comes."""
        claims = self.of("v", "vertex", claimed=True)
        owner = self.rng.choice(claims) if claims and self.chance(60) else self.declare("vertex", "v", claimed=True)
        u, v = self.fresh("u"), self.fresh("v")
        place, other = self.pick((u, v), (v, u))
        extra = f" && {self.condition(Scope([u, v]).plus(), 0)}" if self.chance(50) else ""
        guard, condition = f"{owner.name}[{place}] == none", ""
        if self.chance(30):
            condition, guard = f" where {self.condition(Scope([u, v]).plus(), 0)}", guard
            head, inner = f"for {u} -> {v}{condition}", f"if {guard}{extra}"
        else:
            head, inner = f"for {u} -> {v} where {guard}{extra}", None
        legal = ["push", "pull"]

        def winner():
            self.emit(f"{owner.name}[{place}] = {other};")
            scope = Scope([place])
            scope.may_reduce = False
            for _ in range(self.rng.randrange(0, 3)):
                s = self.target(self.pick("v", ""), *NUMBERS)
                if s and s.shape:
                    self.emit(f"{s.name}[{place}] = {self.bounded(s.kind, scope)};")
                elif s:
                    self.emit(f"{s.name} += {self.bounded(s.kind, scope)};")

        if inner:
            self.block(f"{self.label(legal)}: {head}", lambda: self.block(inner, winner))
        else:
            self.block(f"{self.label(legal)}: {head}", winner)

    def propagate_tail(self, monotone):
        tail = ""
        if not monotone or self.chance(20):
            tail += f" at most {self.rng.randrange(1, 4)} rounds"
        until = ""
        if self.chance(15):
            scope = Scope()
            scope.may_reduce = False
            until = f" until {self.condition(scope, 0)}"
        return tail, until

    def monotone(self):
        """A fixpoint: shortest or widest paths, reachability, the least vertex."""
        kind = self.pick("int", "int", "long", "double", "bool", "vertex", "pair")
        u, v, e = self.fresh("u"), self.fresh("v"), self.fresh("e")
        arrow = self.pick("->", "->", "--")
        source = self.pick("g", "{root}", *self.sets)
        scope = Scope([u, v])
        scope.may_reduce = False
        ordered, uses_edge, where = "", False, ""
        if kind in NUMBERS:
            s = self.declare(kind, "v")
            self.emit(f"for {self.fresh('v')} in g {{ {s.name}[v{self.count}] = inf; }}" if self.chance(60) else f"{s.name}[root] min= 2;")
            self.emit(f"{s.name}[root] = 0;")
            form = self.rng.randrange(4)
            uses_edge = form in (0, 1)
            value = [f"{s.name}[{u}] + {e}.weight", f"min({s.name}[{u}] + {e}.weight, 40)", f"{s.name}[{u}] + 1",
                     f"max({s.name}[{u}], 3)"][form]
            if form in (0, 2) and self.chance(50):
                ordered = f" ordered by {s.name}"
            body = f"{s.name}[{v}] min= {value};"
            if self.chance(25) and not ordered:
                t = self.declare("int", "v")
                self.emit(f"for {self.fresh('v')} in g {{ {t.name}[v{self.count}] = v{self.count}.out_degree; }}")
                body += f" {t.name}[{v}] min= {t.name}[{u}];"
        elif kind == "bool":
            s = self.declare("bool", "v")
            body = f"{s.name}[{v}] {self.pick('|=', '&=')} {s.name}[{u}];"
        elif kind == "vertex":
            s = self.declare("vertex", "v")
            body = f"{s.name}[{v}] {self.pick('min=', 'max=')} {s.name}[{u}];"
            if "max" in body or self.chance(30):
                self.emit(f"for {self.fresh('v')} in g {{ {s.name}[v{self.count}] = v{self.count}; }}")
        else:
            s, t = self.declare("int", "v"), self.declare("vertex", "v")
            self.emit(f"for {self.fresh('v')} in g {{ {s.name}[v{self.count}] = inf; {t.name}[v{self.count}] = none; }}")
            self.emit(f"{s.name}[root] = 0;")
            body = f"({s.name}[{v}], {t.name}[{v}]) min= ({s.name}[{u}] + 1, {u});"
        if self.chance(30):
            where = f" where {self.condition(scope, 1)}"
        tail, until = self.propagate_tail(True) if not ordered else ("", "")
        named = f"{e}: " if uses_edge or self.chance(20) else ""
        legal = ["push"] if uses_edge else ["push", "pull", "hybrid"]
        if not (where or tail or until):
            legal += ["asynchronous"] * 3
        label = self.label([] if ordered else legal)
        self.emit(f"{label}: propagate {named}{u} {arrow} {v} from {source}{ordered}{where}{tail}{until} {{ {body} }}")

    def levels(self):
        """A traversal by rounds, with what one may do beside it, and its levels."""
        u, v, r = self.fresh("u"), self.fresh("v"), self.fresh("r")
        depth = self.declare("int", "v")
        start = self.pick("{root}", *self.sets)
        self.emit(f"for {self.fresh('v')} in g {{ {depth.name}[v{self.count}] = inf; }}")
        if start == "{root}":
            self.emit(f"{depth.name}[root] = 0;")
        else:
            self.emit(f"for {self.fresh('v')} in {start} {{ {depth.name}[v{self.count}] = 0; }}")
        keep = self.fresh("levels") if self.loops == 0 and self.chance(50) else None
        bound = f" at most {self.rng.randrange(0, 4)} rounds" if self.chance(30) else ""
        claimed = self.chance(40)
        guard = f"{depth.name}[{v}] == inf"
        lines = []
        if claimed:
            parent = self.declare("vertex", "v", claimed=True)
            guard = f"{parent.name}[{v}] == none"
            if start == "{root}":
                self.emit(f"{parent.name}[root] = root;")
            else:
                self.emit(f"for {self.fresh('v')} in {start} {{ {parent.name}[v{self.count}] = v{self.count}; }}")
            lines = [f"{parent.name}[{v}] = {u};", f"{depth.name}[{v}] = {self.pick(f'{depth.name}[{u}] + 1', r)};"]
        else:
            lines = [f"{depth.name}[{v}] = {r};"]
            if self.chance(60):
                paths = self.declare(self.pick("int", "double", "long"), "v")
                self.emit(f"for {self.fresh('v')} in g {{ {paths.name}[v{self.count}] = 1; }}")
                lines.append(f"{paths.name}[{v}] += {self.pick(f'{paths.name}[{u}]', '2', f'{paths.name}[{u}]')};")
        counter = self.target("", "long")
        if counter and self.chance(40):
            lines.append(f"{counter.name} += 1;")
        if self.chance(30):
            self.rng.shuffle(lines)
        arrow = self.pick("->", "->", "--")
        if claimed and self.chance(20) and start == "{root}":
            guard += f" && {depth.name}[{u}] < 3"
        kept = f" keep levels {keep}" if keep else ""
        until = f" until {depth.name}[root] > 0" if self.chance(10) else ""
        label = self.label(["push", "pull", "hybrid"])
        self.emit(f"{label}: propagate {u} {arrow} {v} from {start} round {r}{kept} where {guard}{bound}{until} {{ {' '.join(lines)} }}")
        if keep:
            self.loops += 1
            level = self.fresh("level")
            saved = list(self.sets)
            self.sets.append(level)

            def visit():
                s = self.target("", "long")
                if s:
                    self.emit(f"{s.name} += {level}.size;")
                self.statement()

            self.block(f"for {level} in {keep}{self.pick('', ' reversed')} sequentially", visit)
            self.sets = saved
            self.loops -= 1

    def free_propagate(self):
        """A few rounds of a statement that is no fixpoint."""
        u, v, r = self.fresh("u"), self.fresh("v"), self.fresh("r")
        e = self.fresh("e") if self.chance(30) else None
        scope = Scope([u, v], e, r)
        scope.may_reduce = self.chance(15)
        where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
        source = self.pick("g", "{root}", *self.sets)
        arrow = self.pick("->", "->", "--")
        places = self.pick([v], [v], [v], [u], [u, v])
        legal = ["push"] + (["pull", "hybrid"] if not e and places == [v] else [])
        named = f"{e}: " if e else ""
        tail, until = self.propagate_tail(False)
        label = self.label(legal)
        self.block(f"{label}: propagate {named}{u} {arrow} {v} from {source} round {r}{where}{tail}{until}", self.edge_body, places, scope, True)

    def pairs(self):
        dense = self.of("p", "int")
        d = self.rng.choice(dense) if dense and self.chance(70) else self.declare("int", "p")
        form = self.rng.randrange(4)
        i, j = self.fresh("v"), self.fresh("v")
        scope = Scope([i, j])
        scope.may_reduce = False
        if form == 0:
            m = self.fresh("v")
            self.block(f"for {m} in {self.rng.choice(self.sets) if self.sets else 'g'} sequentially", lambda: self.emit(
                f"for {i}, {j} in g {{ {d.name}[{i}, {j}] {self.pick('min=', '=')} ({d.name}[{i}, {m}] + {d.name}[{m}, {j}]) % 97; }}"))
        elif form == 1:
            self.emit(f"for {i} -> {j} {{ {d.name}[{i}, {j}] min= {self.bounded('int', scope)}; }}")
        else:
            where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
            read = self.pick(f"{d.name}[{j}, {i}]", f"{d.name}[{i}, {j}]", f"{d.name}[root, {j}]")
            self.emit(f"for {i}, {j} in g{where} {{ {d.name}[{i}, {j}] {self.pick('=', '+=', 'max=')} ({read} + {self.number('int', scope, 1)}) % 97; }}")

    def set_statement(self):
        v = self.fresh("v")
        scope = Scope([v])
        scope.may_reduce = self.chance(30)
        name = self.fresh("set")
        chosen = f"{{{v} in {self.set_name()} where {self.condition(scope)}}}"
        mutable = [s for s in self.sets if s.startswith("set")]
        if mutable and self.chance(50):
            value = self.pick(chosen, self.set_name(), "{root}", "root.out_neighbors", "root.neighbors")
            self.emit(f"{self.rng.choice(mutable)} {self.pick('=', '+=', '-=', '&=')} {value};")
            return
        if self.loops:
            return
        value = self.pick(chosen, chosen, "{root}", f"g - {chosen}", f"{chosen} + {{root}}", f"{chosen} & root.out_neighbors")
        self.emit(f"{name}: vertex set = {value};")
        self.sets.append(name)

    def scalar(self):
        s = self.target("", *NUMBERS)
        if not s:
            s = self.declare(self.pick(*NUMBERS), "")
        scope = Scope()
        form = self.rng.randrange(5)
        if form < 3:
            w, kind = self.fresh("w"), s.kind
            inner = Scope([w])
            inner.may_reduce = self.chance(30)
            pattern = f"{w} in {self.set_name()}"
            if self.chance(40):
                x, e = self.fresh("w"), self.fresh("e")
                pattern, inner = f"{e}: {w} {self.pick('->', '--')} {x}{self.pick('', ' from ' + self.set_name())}", Scope([w, x], e)
                inner.may_reduce = False
            if self.chance(40):
                pattern += f" where {self.condition(inner, 1)}"
            what = self.pick("sum", "count") if kind == "long" else "sum" if kind == "double" else self.pick("min", "max")
            value = "" if what == "count" else f" : {self.number('int' if kind == 'long' else kind, inner, 1)}"
            self.emit(f"{s.name} = {what}({pattern}{value}){'' if kind == 'double' else ' % 97'};")
        elif form == 3:
            w = self.fresh("w")
            inner = Scope([w])
            inner.may_reduce = False
            vertex = self.fresh("m")
            self.emit(f"let {vertex} = {self.pick('argmin', 'argmax')}({w} in {self.set_name()} where {self.condition(inner, 0)} : {self.number(self.pick(*NUMBERS), inner, 1)});")
            t = self.target("v", *NUMBERS)
            if t:
                after = Scope([vertex])
                after.may_reduce = False
                self.emit(f"if {vertex} != none {{ {self.update(f'{t.name}[{vertex}]', t.kind, after)} }}")
        else:
            self.emit(f"{s.name} = {self.bounded(s.kind, scope)};")

    def point(self):
        s = self.target("v", *NUMBERS)
        if s:
            scope = Scope(["root"])
            self.emit(self.update(f"{s.name}[root]", s.kind, scope))

    def bound_edges(self):
        """The edges of one vertex, outside of a data-parallel statement."""
        w, e = self.fresh("w"), self.fresh("e")
        scope = Scope(["root", w], e)
        scope.may_reduce = False
        pattern = self.pick(f"{e}: root -> {w}", f"{e}: {w} -> root", f"{e}: root -- {w}")
        where = f" where {self.condition(scope, 0)}" if self.chance(40) else ""
        self.block(f"for {pattern}{where}", self.edge_body, self.pick([w], [w, "root"]), scope, False)

    def sequential(self):
        self.loops += 1
        saved_states, saved_sets = list(self.states), list(self.sets)
        form = self.rng.randrange(4)
        body = lambda: [self.statement() for _ in range(self.rng.randrange(1, 3))]
        if form == 0:
            self.block(f"repeat {self.rng.randrange(0, 4)}", body)
        elif form == 1:
            self.block(f"if {self.condition(Scope(['root']), 1)}", body)
        elif form == 2:
            v = self.fresh("v")

            def visit():
                s = self.target("v", *NUMBERS)
                if s:
                    self.emit(self.update(f"{s.name}[{v}]", s.kind, Scope([v])))
                self.emit(f"if {self.condition(Scope([v]), 0)} {{ break; }}" if self.chance(30) else f"let c{v} = {v}.degree;")

            scope = Scope([v])
            scope.may_reduce = False
            self.block(f"for {v} in {self.set_name()} sequentially", visit)
        else:
            turn = self.fresh("x")
            self.emit(f"{turn}: int = 0;")
            self.block(f"repeat", lambda: (body(), self.emit(f"{turn} += 1;")))
            self.lines[-1] += f" until {turn} >= {self.rng.randrange(1, 3)};"
        self.states, self.sets = saved_states, saved_sets
        self.loops -= 1

    def statement(self):
        options = [self.vertex_loop] * 5 + [self.edge_loop] * 4 + [self.free_propagate] * 3 + [self.monotone] * 2
        options += [self.levels] * 2 + [self.claim_loop] * 2 + [self.set_statement] * 2 + [self.scalar] * 2
        options += [self.point, self.bound_edges]
        if self.loops < 2:
            options += [self.sequential] * 2
        if self.loops == 0 and self.chance(40):
            options += [self.pairs]
        # What declares state stays outside of loops.
        if self.loops:
            options = [o for o in options if o not in (self.monotone, self.levels, self.claim_loop)]
        self.rng.choice(options)()

    def generate(self):
        functions = "".join(self.function() for _ in range(self.rng.randrange(0, 2)))
        self.directedness = self.pick("", "", "directed", "undirected")
        for kind in ("int", "int", "long", "double", "bool", "vertex"):
            self.declare(kind, "v")
        for kind in ("int", "long", "double"):
            self.declare(kind, "")
        if self.chance(30):
            self.declare(self.pick(*NUMBERS), "e")
        if self.chance(30):
            self.declare("tuple", "v")
        for _ in range(self.rng.randrange(2, 6)):
            self.statement()
        graph = f"graph<{self.directedness + ', ' if self.directedness else ''}weight: int>"
        self.body = functions, f"(g: {graph}, root: vertex, k: int = 3) {{\n" + "\n".join(self.lines) + "\n}\n"

    def schedule(self, rng):
        """Directives for the labelled statements, all of them legal."""
        lines = []
        for label, directions in self.labels:
            if not directions:
                way = rng.choice([f"ordered buckets(delta = {rng.choice([1, 2, 5, 64])})", "asynchronous",
                                  f"ordered obim(chunk = {rng.choice([8, 13, 64])}, shift = {rng.choice([0, 1, 6])})"])
                lines.append(f"    cpu {label} {{ {way}; }}")
                continue
            direction = rng.choice(directions)
            if direction == "asynchronous":
                lines.append(f"    cpu {label} {{ asynchronous; }}")
                continue
            if direction == "hybrid":
                direction += f"(alpha = {rng.choice([1, 4, 1000])}, beta = {rng.choice([1, 4, 1000])})"
            lines.append(f"    cpu {label} {{ direction {direction}; }}")
        return lines

    def text(self, name, schedule=(), functions=True):
        text = (self.body[0] if functions else "") + f"algorithm {name}" + self.body[1]
        if schedule:
            text += f"schedule {name} {{\n" + "\n".join(schedule) + "\n}\n"
        return text


if __name__ == "__main__":
    import sys
    program = Program(int(sys.argv[1]))
    print(program.text(program.name), end="")
