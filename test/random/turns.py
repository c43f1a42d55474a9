"""Random loops as PageRank's: what a turn begins with could be done at the end of the turn before, and copies of states
that are written whole could change places with them."""

from expressions import NUMBERS, REALS, Scope
from statements import Statements


class Turns(Statements):
    def gathered(self, source, kind, v):
        """What a vertex makes of the values at the sources of its edges; sums of reals stay exact."""
        u = self.fresh("u")
        where = f" where {u} != {v}" if self.chance(20) else ""
        if kind not in REALS:
            how = self.pick("sum", "min", "max") if kind == "long" else self.pick("min", "max")
            return f"{how}({u} -> {v}{where} : {source}[{u}])" + (" % 97" if how == "sum" else "")
        total = f"sum({u} -> {v}{where} : {source}[{u}])"
        return f"min(max(floor({total}), float(-64)), float(64))" if kind == "float" else f"min(max({total} / 8, -4096.0), 4096.0)"

    def turn_loop(self):
        """Each turn computes a term of each vertex, and then each vertex gathers those of its neighbours; or it gathers
        what it writes."""
        s = self.target("v", *NUMBERS) or self.declare(self.pick(*NUMBERS), "v")
        other = self.target("v", *NUMBERS)
        term, turn, count = s.name if self.chance(30) else self.fresh("x"), self.fresh("x"), self.rng.randrange(0, 5)
        if term != s.name:
            self.emit(f"{term}: {s.kind}[g];")
        self.emit(f"{turn}: int = 0;")

        def gather(v):
            value = self.gathered(term, s.kind, v)
            self.emit(f"{s.name}[{v}] = {self.pick(value, value, f'max({s.name}[{v}], {value})')};")
            if other and other is not s and self.chance(40):
                scope = Scope([v])
                scope.may_reduce = False
                self.emit(f"{other.name}[{v}] = {self.bounded(other.kind, scope, 0)};")

        def body():
            if term != s.name:
                v = self.fresh("v")
                scope = Scope([v])
                scope.may_reduce = self.chance(15)
                where = f" where {self.condition(scope, 0)}" if self.chance(10) else ""
                self.emit(f"for {v} in g{where} {{ {term}[{v}] = {self.bounded(s.kind, scope, 1)}; }}")
            self.emit(f"{turn} += 1;")
            v = self.fresh("v")
            self.block(f"for {v} in g", lambda: gather(v))

        head = f"repeat {count}" if self.chance(50) else f"while {turn} < {count}"
        self.block(f"{self.label(['loop'])}: {head}", body)
