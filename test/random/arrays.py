"""Random statements about arrays and about tuples of numbers."""

from expressions import Scope
from statements import Statements


class Arrays(Statements):
    """What is found by a computed index, and what is updated element by element."""

    def declare_array(self):
        kind = self.pick("int", "long", "double", "bool", "vertex", "tuple")
        length = self.pick("k", "k + 2", "7", "g.num_vertices", "2 * k")
        name = self.fresh("y")
        spelt, initial = {
            "tuple": ("(long, double)", self.pick("", " = (1, 0.5)")), "vertex": ("vertex", self.pick("", " = root")),
            "bool": ("bool", self.pick("", " = true"))}.get(kind, (kind, self.pick("", " = 3", " = k" if kind != "bool" else "")))
        self.emit(f"output {name}: {spelt}[{length}]{initial};")
        self.arrays.append((name, kind, length))

    def index(self, length, scope):
        """A place in an array of that length."""
        return f"hash({self.number('int', scope, 1)}) % long({length})"

    def pair_update(self, place, scope):
        """Updates of a tuple of a long and a double: of both elements, or of each by itself."""
        first, second = self.bounded("int", scope), f"({self.pick('0.5', '1.25', '-2.0')})"
        if self.chance(40):
            self.emit(f"{place} {self.pick('+=', '-=')} ({first}, {second});")
            return
        self.emit(f"{place}.0 {self.pick('+=', '-=', 'min=', 'max=')} {first};")
        self.emit(f"{place}.1 {self.pick('+=', 'min=', 'max=')} {self.bounded('double', scope)};")

    def array_update(self, scope):
        name, kind, length = self.rng.choice(self.arrays)
        if self.chance(25):  # an element that another statement has left
            other, other_kind, other_length = self.rng.choice(self.arrays)
            if other_kind == "int":
                x = self.fresh("c")
                self.emit(f"let {x} = {other}[{self.index(other_length, scope)}] % 97;")
                scope.variables = scope.variables + [(x, "int")]
        place = f"{name}[{self.index(length, scope)}]"
        if kind == "tuple":
            x = self.fresh("c")
            self.emit(f"let {x} = {self.index(length, scope)};")
            self.pair_update(f"{name}[{x}]", scope)
        else:
            self.emit(self.update(place, kind, scope, assign=False))

    def array_body(self, own, scope):
        for _ in range(self.rng.randrange(1, 4)):
            form = self.rng.randrange(5)
            if form < 3:
                self.array_update(scope)
            elif form == 3:
                self.pair_update(f"{self.pairs_of_numbers}[{self.rng.choice(scope.vertices)}]", scope)
            elif own and scope.may_reduce:
                w = self.fresh("w")
                pattern, inner = self.inner_pattern(scope, w)
                self.emit(f"{self.pairs_of_numbers}[{own}] += sum({pattern} : ({self.number('int', inner, 1)} % 97, 0.5));")

    def array_statements(self):
        """Declarations, and statements about them, at the end of a program."""
        self.arrays = []
        self.pairs_of_numbers = self.fresh("t")
        self.emit(f"output {self.pairs_of_numbers}: (long, double)[g] = ({self.pick('0', '5', 'v.degree')}, {self.pick('0', '0.5')});")
        for _ in range(self.rng.randrange(1, 4)):
            self.declare_array()
        for _ in range(self.rng.randrange(1, 4)):
            form = self.rng.randrange(4)
            if form == 0:
                v = self.fresh("v")
                self.block(f"for {v} in {self.set_name()}", self.array_body, v, Scope([v]))
            elif form == 1:
                u, v = self.fresh("u"), self.fresh("v")
                scope = Scope([u, v])
                scope.may_reduce = False
                self.block(f"for {u} {self.pick('->', '--')} {v}", self.array_body, None, scope)
            elif form == 2:
                scope = Scope(["root"])
                scope.may_reduce = False
                self.array_update(scope)
                self.emit(f"{self.pairs_of_numbers}[root].0 = {self.bounded('int', scope)};")
            else:
                name, kind, length = self.rng.choice(self.arrays)
                i = self.fresh("i")
                scope = Scope(["root"], variables=[] if length == "g.num_vertices" else [(i, "int")])
                scope.may_reduce = False
                bounds = f"{i} in 0 .. {length} sequentially"
                if kind in ("int", "long", "double"):
                    self.block(f"for {bounds}", lambda: self.emit(self.update(f"{name}[{i}]", kind, scope)))
                elif kind == "tuple":
                    self.block(f"for {bounds}", lambda: self.pair_update(f"{name}[{i}]", scope))
