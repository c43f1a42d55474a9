"""Random statements: loops over vertices and edges, propagation, sequential control."""

from bodies import Bodies
from expressions import NUMBERS, REALS, Scope


class Statements(Bodies):
    """What a program does."""

    def label(self, directions):
        name = self.fresh("s")
        self.labels.append((name, directions))
        return name

    def between(self, u, arrow, v, source):
        """An edge pattern that starts at u, in `source`, and its clause: from where its edges go, or come to."""
        if arrow == "->" and source and self.turns.randrange(100) < 35:
            return f"{v} -> {u}", f" into {source}"
        return f"{u} {arrow} {v}", f" from {source}" if source else ""

    def vertex_loop(self):
        v = self.fresh("v")
        scope = Scope([v])
        where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
        self.block(f"for {v} in {self.set_name()}{where}", self.owned_body, v, scope)

    def edge_loop(self):
        u, v, e = self.fresh("u"), self.fresh("v"), self.fresh("e") if self.chance(40) else None
        scope = Scope([u, v], e)
        scope.may_reduce = self.chance(20)
        source = self.rng.choice(self.sets) if self.sets and self.chance(30) else ""
        where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
        arrow = self.pick("->", "->", "--")
        pattern, clause = self.between(u, arrow, v, source)
        places = self.pick([u], [v], [v], [u, v])
        legal = ["push"] + (["pull"] if not source and (arrow == "->" or not e) else [])
        named = f"{e}: " if e else ""
        self.block(f"{self.label(legal)}: for {named}{pattern}{clause}{where}", self.edge_body, places, scope)

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

    def ending(self, priority):
        """In some programs, an end of a propagate in the order of a priority."""
        if self.turns.random() >= 0.4:
            return ""
        names = ["root"]
        for _ in range(self.turns.randrange(3)):
            names.append(self.fresh("x"))
            w = self.fresh("v")
            self.emit(f"let {names[-1]} = argmax({w} in g : hash({w}, {self.turns.randrange(9)}) % 97);")
        asked = [f"{priority.name}[{x}] {self.turns.choice(['< inf', '!= inf'])}" for x in names[len(names) > 1:]]
        return f" until {self.turns.choice([' && ', ' || ']).join(asked)}"

    def again(self, start, number):
        """Puts what has been printed since `start` into a loop, in some programs: but for declarations, and with a change
        of the number of each vertex after each turn."""
        if self.loops or self.repeats.randrange(100) >= 40:
            return
        lines = self.lines[start:]
        self.lines[start:] = [line for line in lines if line.lstrip().startswith("output ")]
        v = self.fresh("v")

        def turn():
            self.lines += ["    " + line for line in lines if not line.lstrip().startswith("output ")]
            if number:
                self.emit(f"for {v} in g where {number.name}[{v}] < 1000 {{ {number.name}[{v}] += {v}.degree; }}")

        self.block(f"{self.label(['loop'])}: repeat {self.repeats.randrange(1, 4)}", turn)

    def monotone(self):
        """A fixpoint: shortest or widest paths, reachability, the least vertex."""
        start = len(self.lines)
        kind = self.pick("int", "int", "long", "double", "float", "bool", "vertex", "pair")
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
                if self.inputs and self.seed % 4 == 0:  # a price of vertices, of which some are negative
                    value += f" + max(given_int[{self.turns.choice([u, v])}], 0)"
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
            carries = self.turns.random() < 0.5  # what the second value was at the other end
            s, t = self.declare("long" if carries else "int", "v"), self.declare("vertex", "v")
            self.emit(f"for {self.fresh('v')} in g {{ {s.name}[v{self.count}] = inf; {t.name}[v{self.count}] = none; }}")
            self.emit(f"{s.name}[root] = 0;")
            if carries:
                self.emit(f"for {self.fresh('v')} in g where {t.name}[v{self.count}] == none {{ {t.name}[v{self.count}] = v{self.count}; }}")
            uses_edge = self.chance(40)
            body = f"({s.name}[{v}], {t.name}[{v}]) min= ({s.name}[{u}] + {f'{e}.weight' if uses_edge else '1'}, {f'{t.name}[{u}]' if carries else u});"
            if self.chance(50):
                ordered = f" ordered by {s.name}"
        if self.chance(30):
            where = f" where {self.condition(scope, 1)}"
        tail, until = self.propagate_tail(True) if not ordered else ("", self.ending(s))
        named = f"{e}: " if uses_edge or self.chance(20) else ""
        legal = ["push", "pull", "hybrid"]
        if not (where or tail or until):
            legal += ["asynchronous"] * 3
        label = self.label(["ends"] if ordered and until else [] if ordered else legal)
        pattern, clause = self.between(u, arrow, v, source)
        self.emit(f"{label}: propagate {named}{pattern}{clause}{ordered}{where}{tail}{until} {{ {body} }}")
        self.again(start, s if kind in NUMBERS or kind == "pair" else None)

    def handed_sums(self):
        """Sums of what has not been handed on yet: what a vertex keeps is less than what answers may differ by."""
        u, v, x, y = (self.fresh(start) for start in ("u", "v", "near", "near"))
        real = self.pick("double", "double", "float")
        self.emit(f"output {x}: {real}[g] = {self.pick('1', '2.5', 'v.degree + 1')};")
        self.emit(f"output {y}: {real}[g];")
        pattern, clause = self.between(u, self.pick("->", "->", "--"), v, self.pick("g", "g", *self.sets))
        difference = f"({x}[{u}] - {y}[{u}])"
        share = self.pick(f"0.5 * {difference} / {u}.degree", f"{difference} / (4 * {real}({u}.degree))")
        lines = [f"{x}[{v}] += {self.pick(share, f'{real}({share})')};", f"{y}[{u}] max= {x}[{u}];"]
        bound = f"{difference} > {'1e-9' if real == 'double' else '1e-6'}"
        only = f" && {u}.degree {self.pick('> 1', '< 5')}" if self.chance(30) else ""
        self.emit(f"{self.label(['sums'])}: propagate {pattern}{clause} where {bound}{only} "
                  f"{{ {' '.join(lines if self.chance(50) else lines[::-1])} }}")

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
            value = f"{parent.name}[{u}]" if self.turns.random() < 0.3 else u  # the start's vertex, or the one before
            lines = [f"{parent.name}[{v}] = {value};", f"{depth.name}[{v}] = {self.pick(f'{depth.name}[{u}] + 1', r)};"]
        else:
            lines = [f"{depth.name}[{v}] = {r};"]
            if self.chance(60):
                paths = self.declare(self.pick("int", "double", "long", "float"), "v")
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
        pattern, clause = self.between(u, arrow, v, start)
        self.emit(f"{label}: propagate {pattern}{clause} round {r}{kept} where {guard}{bound}{until} {{ {' '.join(lines)} }}")
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
        label, start = self.label(legal), len(self.lines)
        pattern, clause = self.between(u, arrow, v, source)
        self.block(f"{label}: propagate {named}{pattern}{clause} round {r}{where}{tail}{until}", self.edge_body, places, scope)
        # What is written for a pair of vertices is not the target's alone.
        if any(f"{pair.name}[" in line for pair in self.of("p", "int") for line in self.lines[start:]):
            self.labels[-1] = (label, ["push"])

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

    def gather(self):
        """What the sources of the edges into each vertex make, alone: a loop that can take them in segments."""
        s = self.target("v", *NUMBERS)
        if not s:
            s = self.declare(self.pick(*NUMBERS), "v")
        u, v = self.fresh("u"), self.fresh("v")
        scope = Scope([u])
        scope.may_reduce = False
        # What is the same for all edges would be asked in front of the loop over them, which segments refuse.
        where = f" where {self.condition(scope, 0)} || {u} == root" if self.chance(40) else ""
        if s.kind in REALS:
            value = f"sum({u} -> {v}{where} : {self.bounded(s.kind, scope, 1)})"
        elif s.kind == "long" and self.chance(30):
            value = f"count({u} -> {v}{where})"
        elif s.kind == "long":
            value = f"sum({u} -> {v}{where} : {self.number('int', scope, 1)}) % 97"
        else:
            value = f"{self.pick('min', 'max')}({u} -> {v}{where} : {self.number(s.kind, scope, 1)})"
        self.emit(f"{self.label(['segments'])}: for {v} in g {{ {s.name}[{v}] = {value}; }}")

    def many(self):
        """A pattern over a set, or over the edges of many vertices, and what it binds."""
        w, x = self.fresh("w"), self.fresh("w")
        form = self.rng.randrange(5)
        if form < 2:
            return f"{w} in {self.set_name()}", Scope([w])
        if form == 2:
            return f"{w}, {x} in g", Scope([w, x])
        e = self.fresh("e")
        ends, clause = self.between(w, self.pick("->", "--"), x, self.pick("", self.set_name()))
        return f"{e}: {ends}{clause}", Scope([w, x], e)

    def common(self):
        """The most frequent value of a whole graph, or of a set."""
        kind = self.pick("int", "long", "vertex")
        s = self.declare(kind, "")
        pattern, inner = self.many()
        inner.may_reduce = self.chance(30)
        where = f" where {self.condition(inner, 1)}" if self.chance(40) else ""
        # Some have few values, and others more than a first table may hold.
        value = self.vertex(inner) if kind == "vertex" else self.number(kind, inner, 1) + self.pick("", " % 7", " % 3 - 2")
        self.emit(f"{s.name} = mode({pattern}{where} : {value});")

    def common_nearby(self):
        """The most frequent value of more than a vertex's neighbours, for each vertex."""
        s = self.declare("int", "v")
        v = self.fresh("v")
        pattern, inner = self.many()
        inner.may_reduce = False
        where = f" where {self.condition(inner.plus([v]), 1)}" if self.chance(60) else ""
        self.emit(f"for {v} in {self.set_name()} {{ {s.name}[{v}] = mode({pattern}{where} : {self.number('int', inner.plus([v]), 1)} % 9); }}")

    def asking_priority(self):
        """Least distances over edges whose ends are asked about their neighbours, or are compared."""
        start = len(self.lines)
        s = self.declare(self.pick("int", "long"), "v")
        u, v, e = self.fresh("u"), self.fresh("v"), self.fresh("e")
        self.emit(f"for {self.fresh('v')} in g {{ {s.name}[v{self.count}] = inf; }}")
        self.emit(f"{s.name}[root] = 0;")
        readable = [state for state in self.states if state is not s]
        saved, self.states = self.states, readable
        inner = Scope([self.pick(u, v)])
        w = self.fresh("w")
        pattern, scope = self.inner_pattern(inner, w)
        asked = self.pick(f"any({pattern} : {self.condition(scope, 0)})", f"{u} {self.pick('<', '>')} {v}",
                          f"count({pattern}) > {self.rng.randrange(3)}")
        self.states = saved
        source = self.pick("{root}", "{root}", "g", *self.sets)
        pattern, clause = self.between(u, self.pick("->", "->", "--"), v, source)
        length = self.pick(f"{e}.weight", f"{u}.out_degree", "1")
        until = self.ending(s)
        self.emit(f"{self.label(['ends'] if until else [])}: propagate {e}: {pattern}{clause} ordered by {s.name} where {asked}{until} "
                  f"{{ {s.name}[{v}] min= {s.name}[{u}] + {length}; }}")
        self.again(start, s)

    def bounded_priority(self):
        """The widest paths, the greatest first, or the least heights; edges or vertices bound them."""
        start = len(self.lines)
        s = self.declare(self.pick(*NUMBERS), "v")
        u, v, e = self.fresh("u"), self.fresh("v"), self.fresh("e")
        least = self.chance(30)
        first, bounded, update, nothing = ("0", "max", "min=", "inf") if least else (self.pick("inf", "40"), "min", "max=", self.pick("-inf", "-9", "0"))
        self.emit(f"for {self.fresh('v')} in g {{ {s.name}[v{self.count}] = {nothing}; }}")
        self.emit(f"{s.name}[root] = {first};")
        sides = [f"{s.name}[{u}]", self.pick(f"{e}.weight", f"{e}.weight - 4", f"{v}.in_degree", f"{u}.out_degree + {e}.weight", "7")]
        self.rng.shuffle(sides)
        value = f"{bounded}({sides[0]}, {sides[1]})" + (self.pick("", " + 1", f" + {e}.weight") if least else "")
        if self.chance(30):
            value = f"{bounded}(int(hash({v}, 3) % 19), {value})"
        saved, self.states = self.states, [state for state in self.states if state is not s]
        scope = Scope([u, v])
        scope.may_reduce = False
        where = f" where {self.condition(scope, 1)}" if self.chance(40) else ""
        self.states = saved
        pattern, clause = self.between(u, self.pick("->", "->", "--"), v, self.pick("{root}", "{root}", "g", *self.sets))
        self.emit(f"{self.label([])}: propagate {e}: {pattern}{clause} ordered by {s.name}{where} {{ {s.name}[{v}] {update} {value}; }}")
        self.again(start, s)

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
                arrow, source = self.pick("->", "--"), self.set_name()
                ends, clause = self.between(w, arrow, x, self.pick("", source))
                pattern, inner = f"{e}: {ends}{clause}", Scope([w, x], e)
                inner.may_reduce = False
            if self.chance(40):
                pattern += f" where {self.condition(inner, 1)}"
            what = self.pick("sum", "count") if kind == "long" else "sum" if kind in REALS else self.pick("min", "max")
            term = self.bounded if kind in REALS else self.number
            value = "" if what == "count" else f" : {term('int' if kind == 'long' else kind, inner, 1)}"
            self.emit(f"{s.name} = {what}({pattern}{value}){'' if kind in REALS else ' % 97'};")
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
        self.block(f"for {pattern}{where}", self.edge_body, self.pick([w], [w, "root"]), scope)

    def sequential(self):
        self.loops += 1
        saved_states, saved_sets = list(self.states), list(self.sets)
        form = self.rng.randrange(4)
        body = lambda: [self.statement() for _ in range(self.rng.randrange(1, 3))]
        if form == 0:
            count, first = self.rng.randrange(0, 4), self.repeats.randrange(-2, 9)
            counted = f"for {self.fresh('i')} in {first} .. {first + count} sequentially"
            self.block(f"{self.label(['loop'])}: {self.repeats.choice([f'repeat {count}', counted])}", body)
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
            self.block(f"{self.label(['loop'])}: repeat", lambda: (body(), self.emit(f"{turn} += 1;")))
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
