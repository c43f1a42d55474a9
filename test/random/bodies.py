"""Random declarations, and the bodies of data-parallel statements."""

from expressions import NUMBERS, REALS, Scope, State
from imports import Imports


class Bodies(Imports):
    """What one iteration does."""

    def declare(self, kind, shape, claimed=False):
        name = self.fresh({"int": "i", "long": "l", "double": "d", "float": "z", "bool": "b", "vertex": "q", "tuple": "t"}[kind])
        suffix = {"": "", "v": "[g]", "e": "[g.edges]", "p": "[g, g]"}[shape]
        spelt = "(int, vertex)" if kind == "tuple" else kind
        initial = ""
        inner = Scope(["self"]) if shape == "v" else Scope()
        inner.may_reduce = False
        if kind in NUMBERS and self.chance(70):
            options = [self.number(kind, inner, 1)]
            if kind in ("int", "long") and self.chance(50):
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

    def target(self, shape, *kinds):
        options = self.of(shape, *kinds)
        return self.rng.choice(options) if options else None

    def update(self, place, kind, scope, assign=True):
        """An update of one element that any iteration may make (`assign`: or that this one owns)."""
        if kind == "bool":
            op = self.pick("|=", "&=", "=") if assign else self.pick("|=", "&=")
            return f"{place} {op} {self.condition(scope)};"
        if kind == "vertex":
            return f"{place} {self.pick('min=', 'max=', *(['='] if assign else []))} {self.vertex(scope)};"
        bits = ["|=", "&=", "^=", "*="] if kind in ("int", "long") and self.chance(12) else []
        op = self.pick(*(bits or ["+=", "min=", "max=", *(["=", "=", "-="] if assign else [])]))
        return f"{place} {self.combiner(op, kind)} {self.bounded(kind, scope)};"

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
                self.emit(f"let {name} = {self.number(kind, scope)};" if kind not in REALS else f"let {name} = {kind}({self.number(kind, scope)});")
                if kind in REALS:
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

    def edge_body(self, places, scope, size=None):
        """Statements of an iteration that is an edge: reductions at `places`, and the same value from all."""
        for _ in range(size or self.rng.randrange(1, 4)):
            place = self.rng.choice(places)
            form = self.rng.randrange(13)
            if form < 5:
                s = self.target("v", *NUMBERS, "bool", "vertex")
                if s:
                    self.emit(self.update(f"{s.name}[{place}]", s.kind, scope, assign=False))
            elif form == 5:
                s = self.target("", *NUMBERS)
                if s:
                    self.emit(self.update(s.name, s.kind, scope, assign=False))
            elif form == 6:
                inner = Scope(scope.vertices, scope.edge, scope.round, scope.variables)
                self.block(f"if {self.condition(scope)}", self.edge_body, places, inner, 1)
            elif form == 7:
                s = self.target("v", *NUMBERS, "bool")
                if s:
                    outside = Scope(round_name=scope.round)
                    outside.may_reduce = False
                    value = self.condition(outside, 0) if s.kind == "bool" else self.number(s.kind, outside, 0)
                    self.emit(f"{s.name}[{place}] = {value};")
            elif form == 8 and scope.edge:
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
            elif form == 12:
                s = self.target("p", "int")
                if s:
                    other = self.pick("root", *scope.vertices)
                    self.emit(self.update(f"{s.name}[{place}, {other}]", s.kind, scope, assign=False))
            elif form == 11:
                s = self.target("v", "tuple")
                if s:
                    self.emit(f"{s.name}[{place}] {self.pick('min=', 'max=')} ({self.bounded('int', scope)}, {self.vertex(scope)});")
