"""Random statements for which machines ask each other: about one vertex, about one that is computed, about levels."""

from statements import Statements


class Asked(Statements):
    def near(self, rng):
        """What a statement looks at beyond the neighbours of its vertex: their lists, and whom these lead to."""
        x, y, z = (self.fresh("i"), self.fresh("l"), self.fresh("q"))
        self.emit(f"output {x}: int[g] = v.out_degree % {rng.randrange(2, 7)};")
        self.emit(f"output {y}: long[g] = 0;")
        self.emit(f"output {z}: vertex[g] = none;")

        def names():
            return (self.fresh(name) for name in ("v", "u", "w"))

        def pattern(a, b, edge=""):
            return edge + rng.choice([f"{a} -> {b}", f"{b} -> {a}", f"{a} -- {b}"])

        def sums():
            v, u, w = names()
            inner = rng.choice([f"sum({pattern(u, w)} where {w} != {v} : long({x}[{w}]))", f"count({pattern(u, w)} where {x}[{w}] > {x}[{v}])",
                                f"sum({pattern(u, w, 'e: ')} : long(e.weight % 50))"])
            self.emit(f"for {v} in g {{ {y}[{v}] += sum({pattern(v, u)} : {inner}); }}")

        def common():
            v, u, w = names()
            mine, theirs = (rng.choice([f"{a}.neighbors", f"{a}.in_neighbors", f"({a}.neighbors {rng.choice('+&-')} {a}.in_neighbors)"]) for a in (v, u))
            where = rng.choice(["", f" where {w} != {v}", f" where edge({u}, {w}) == none", f" where edge({v}, {w}) != none && {w} > {u}"])
            self.emit(f"for {v} in g {{ {y}[{v}] += sum({pattern(v, u)} : count({w} in {mine} {rng.choice('&&-')} {theirs}{where})); }}")

        def onward():
            v, u, w = names()
            update = rng.choice([f"{y}[{w}] += long({x}[{v}] + 1)", f"{y}[{w}] max= long({x}[{u}])"])
            self.block(f"for {v} in g", lambda: self.block(f"for {pattern(v, u)}", lambda: self.emit(f"for {pattern(u, w)} {{ {update}; }}")))

        def one_after():
            v, u, w = names()
            self.block(f"for {v} in g where {v}.out_degree > 0", lambda: (
                self.emit(f"let {u} = {v}.neighbors[hash({v}) % {v}.out_degree];"),
                self.emit(f"{z}[{v}] = {u};"),
                self.emit(f"if {u}.out_degree > 0 {{ {z}[{v}] = {u}.neighbors[{u}.out_degree - 1]; }}")))

        def chosen():
            v, u, w = names()
            set_ = rng.choice([f"{{{u} in {v}.neighbors where {x}[{u}] > 0}}", f"{{{u} in g where {x}[{u}] == {x}[{v}]}}", "g"])
            self.emit(f"for {v} in g {{ {y}[{v}] += count({w} in {set_} where {x}[{w}] < {x}[{v}] + 2); }}")

        for form in rng.sample([sums, common, onward, one_after, chosen], 3):
            form()

    def of_edges(self, rng):
        """Values of edges: at own ones, back, into a vertex, at those between neighbours, and at one that is chosen."""
        x, y, z, far, via, n = (self.fresh(name) for name in "ibllql")
        self.emit(f"output {x}: int[g.edges] = {rng.choice(['e.weight', 'e.target.out_degree', '3'])};")
        self.emit(f"output {y}: bool[g.edges] = false;")
        self.emit(f"output {z}: long[g.edges] = 0;")
        self.emit(f"output {far}: long[g] = 0;")
        self.emit(f"output {n}: long = 0;")
        self.emit(f"{via}: edge[g] = none;")
        u, v, w, e = (self.fresh(name) for name in ("u", "v", "w", "e"))
        self.emit(f"for {v} in g {{ {via}[{v}] = argmin({e}: {v} -> {u} : {e}.weight); }}")
        between = rng.choice([f"edge({v}, {u})", f"edge(min({u}, {v}), max({u}, {v}))"])
        bound = rng.randrange(1, 9)

        def own():
            self.emit(f"for {e}: {u} -> {v} where {e}.weight > {bound} {{ {x}[{e}] {rng.choice(['+=', 'min=', '='])} {rng.randrange(9)}; }}")

        def back():
            update = rng.choice([f"{x}[{between}] += {e}.weight % 5", f"{x}[{between}] max= {u}.out_degree", f"{y}[{between}] |= {e}.weight < {bound}",
                                 f"{y}[{between}] = true"])
            self.emit(f"for {e}: {u} -> {v} where {between} != none {{ {update}; }}")

        def reads_back():
            self.emit(f"for {e}: {u} -> {v} where {between} != none {{ {z}[{e}] += {x}[{between}] + (if {y}[{between}] then 2 else 1); }}")

        def around():
            pattern = rng.choice([f"{u} -> {v}", f"{v} -> {u}", f"{u} -- {v}"])
            self.emit(f"for {v} in g {{ {far}[{v}] += sum({e}: {pattern} : {z}[{e}] + {x}[{e}]); }}")

        def third():
            self.emit(f"for {e}: {u} -> {v} where {e}.weight < {bound} {{ for {w} in {u}.neighbors & {v}.neighbors where edge({v}, {w}) != none "
                      f"{{ {z}[edge({v}, {w})] += {x}[{e}]; {far}[{w}] += 1; }} }}")

        def chosen():
            self.emit(f"for {e}: {u} -> {v} where {via}[{v}] != none {{ {rng.choice([f'{z}[{via}[{v}]] += 1', f'{far}[{u}] += {x}[{via}[{v}]]'])}; }}")

        def whole():
            self.emit(f"{n} += sum({e}: {u} -> {v} : {z}[{e}] % 11) + long(max({e}: {u} -> {v} : long({x}[{e}])) % 7);")

        def single():
            """At one edge, which the program chooses outside of statements, and back."""
            one, opposite = self.fresh("e"), rng.choice(["edge({0}.target, {0}.source)", "edge({0}.source, {0}.target)"])
            opposite = opposite.format(one)
            self.emit(f"let {one} = {rng.choice(['argmin', 'argmax'])}({e}: {u} -> {v} where {e}.weight > {bound} : {x}[{e}]);")

            def at_one():
                self.emit(f"{n} += {x}[{one}] + {one}.weight;")
                self.emit(f"{z}[{one}] += {n} % 9;")
                self.emit(f"if {opposite} != none && {x}[{opposite}] < 100 {{ {x}[{opposite}] = {rng.randrange(20)}; }}")
                self.emit(f"{far}[{one}.target] += {one}.source.out_degree;")

            self.block(f"if {one} != none", at_one)

        def turns():
            self.block(f"repeat {rng.randrange(2, 5)}", lambda: [form() for form in rng.sample([own, back, reads_back, around, third, chosen, single], 3)])

        for form in rng.sample([own, back, reads_back, around, third, chosen, single, whole, turns, turns], 7):
            form()

    def counted(self, rng):
        """Arrays, to which every part contributes, and what is read of them afterwards."""
        kind, form = rng.choice([("long", "+= {}"), ("long", "-= {}"), ("int", "min= {}"), ("int", "max= {}"), ("int", "^= {}"),
                                 ("bool", "|= {} > 2"), ("bool", "&= {} > 1"), ("double", "+= 0.5 * {}"), ("double", "max= 0.5 * {}")])
        a, y, n = self.fresh("y"), self.fresh("l"), self.fresh("l")
        length = rng.choice(["k + 2", "7", "g.num_vertices + 1"])
        self.emit(f"output {a}: {kind}[{length}]{rng.choice(['', '', ' = true' if kind == 'bool' else ' = 3'])};")
        self.emit(f"output {y}: long[g] = 0;")
        self.emit(f"{n}: long = {rng.randrange(3)};")
        v, u = self.fresh("v"), self.fresh("u")

        def place(vertex):
            return f"{a}[(hash({vertex}) + {n}) % long({length})]"

        def of_vertices():
            self.emit(f"for {v} in {rng.choice(['g', f'{{{u} in g where {u}.out_degree > 1}}'])} {{ {place(v)} {form.format(f'({v}.out_degree % 9)')}; }}")

        def of_edges():
            self.emit(f"for {u} {rng.choice(['->', '--'])} {v} {{ {place(u)} {form.format(f'({v}.out_degree % 5)')}; }}")

        def one():
            self.emit(f"{place('root')} {form.format('3')};")

        def read():
            value = f"(if {place(v)} then 5 else 1)" if kind == "bool" else f"long({place(v)}) % 100"
            self.emit(f"for {v} in g {{ {y}[{v}] += {value}; }}")

        def turns():
            self.block(f"repeat {rng.randrange(2, 4)}", lambda: (rng.choice([of_vertices, of_edges])(), self.emit(f"{n} += 1;"), read()))

        for _ in range(rng.randrange(2, 5)):
            rng.choice([of_vertices, of_edges, one, turns])()
        read()

    def rows(self, rng):
        """Pairs of vertices: machines have the rows of their own."""
        d, y, n = self.fresh("i"), self.fresh("l"), self.fresh("l")
        self.emit(f"output {d}: int[g, g] = {rng.choice(['inf', '5', '0'])};")
        self.emit(f"output {y}: long[g] = 0;")
        self.emit(f"output {n}: long = 0;")
        i, j, k = (self.fresh("v") for _ in range(3))

        def diagonal():
            self.emit(f"for {i} in g {{ {d}[{i}, {i}] = {rng.randrange(3)}; }}")

        def along():
            self.emit(f"for {i} -> {j} {{ {d}[{i}, {j}] {rng.choice(['min=', 'max='])} {i}.out_degree % 5; }}")

        def closing():
            value = rng.choice([f"min({d}[{i}, {k}] + {d}[{k}, {j}], 90)", f"max(min({d}[{i}, {k}], 9), min({d}[{k}, {j}], 9))"])
            self.block(f"for {k} in g sequentially", lambda: self.emit(f"for {i}, {j} in g {{ {d}[{i}, {j}] {rng.choice(['min=', '='])} {value}; }}"))

        def one_row():
            self.emit(f"for {i} in g {{ {y}[{i}] += long(min({d}[root, {i}], 50)); }}")
            self.emit(f"for {i}, {j} in g where {d}[{i}, {j}] > {d}[root, {j}] {{ {d}[{i}, {j}] = min({d}[{i}, {j}], 40) % 7; }}")

        def one_pair():
            self.emit(f"{d}[root, root] = {rng.randrange(9)};")
            self.emit(f"{n} += long(min({d}[root, root], 30));")

        def sums():
            self.emit(f"{n} += sum({i}, {j} in g where {d}[{i}, {j}] < 20 : long({d}[{i}, {j}]) * 3 + {i}.out_degree);")
            self.emit(f"for {i} in g {{ {y}[{i}] += sum({j} in g : long(min({d}[{i}, {j}], 50)) * ({y}[{i}] % 3 + 1)); }}")

        def rounds():
            self.block("repeat 3", lambda: (self.emit(f"for {i}, {j} in g {{ {d}[{i}, {j}] = (min({d}[{i}, {j}], 30) * 3 + {j}.out_degree) % 31; }}"),
                                            self.emit(f"{n} += {d}[root, root];")))

        for form in rng.sample([diagonal, along, closing, one_row, one_pair, sums, rounds], 4):
            form()

    def asked(self, rng):
        """Some of these forms, in any order. All results are whole numbers that no order changes."""
        x, up, n, u, v, w = (self.fresh(name) for name in ("i", "q", "l", "u", "v", "w"))
        self.emit(f"output {x}: int[g] = v.out_degree % {rng.randrange(2, 7)};")
        self.emit(f"output {n}: long = {rng.randrange(5)};")
        self.emit(f"{up}: vertex[g] = self;")
        self.emit(f"for {u} -> {v} {{ {up}[{v}] min= {u}; }}")
        some = f"{{{w} in g where {x}[{w}] > {rng.randrange(3)}}}"

        def one_vertex():
            self.emit(f"{n} += long({x}[root]) * {rng.randrange(1, 4)};")
            if rng.randrange(2):
                self.emit(f"{x}[root] += {rng.randrange(1, 5)};")
            self.emit(f"for root -> {v} {{ {x}[{v}] {rng.choice(['+=', 'max=', 'min='])} {rng.randrange(2, 9)}; }}")

        def one_by_one():
            done, best, least, near = self.fresh("b"), self.fresh("c"), self.fresh("i"), self.fresh("q")
            self.emit(f"{done}: bool[g] = false;")
            self.emit(f"output {least}: int[g] = inf;")
            self.emit(f"output {near}: vertex[g] = none;")
            self.emit(f"{least}[root] = 0;")

            def turn():
                self.emit(f"let {best} = argmin({v} in g where !{done}[{v}] && {least}[{v}] < inf : {least}[{v}]);")
                self.emit(f"if {best} == none {{ break; }}")
                self.emit(f"{done}[{best}] = true;")
                self.emit(f"for {best} -> {v} where !{done}[{v}] {{ ({least}[{v}], {near}[{v}]) min= ({least}[{best}] + {best}.out_degree % 3, {best}); }}")

            self.block("repeat", turn)

        def same_value():
            flag = self.fresh("b")
            self.emit(f"output {flag}: bool[g] = false;")
            self.emit(f"for {u} {rng.choice(['->', '--'])} {v} from {some} {{ {flag}[{v}] = true; }}")

        def computed():
            forms = [f"{x}[{up}[{v}]] += 1;", f"{x}[{up}[{v}]] max= {v}.out_degree % 5;"]
            self.emit(f"for {v} in {rng.choice(['g', some])} {{ {rng.choice(forms)} }}")
            y = self.fresh("i")
            self.emit(f"output {y}: int[g] = 0;")
            self.emit(f"for {v} in {rng.choice(['g', some])} {{ {y}[{v}] = {x}[{up}[{up}[{v}]]] * 2 + {x}[{v}]; }}")

        def activating_sum():
            left = self.fresh("l")
            self.emit(f"output {left}: long[g] = count({u} -> {v} where {u} != {v});")
            self.emit(f"propagate {u} -> {v} from {{{w} in g where {left}[{w}] == 0}} where {left}[{u}] == 0 && {u} != {v} {{ {left}[{v}] -= 1; }}")

        def array():
            place = self.fresh("y")
            self.emit(f"output {place}: {rng.choice(['int', 'long'])}[{rng.choice(['7', '9', 'g.num_vertices + 1'])}];")
            self.emit(f"for {v} in {rng.choice(['g', some])} {{ {place}[hash({v}) % 2] {rng.choice(['+=', 'max='])} {x}[{v}] % 11; }}")
            self.emit(f"{n} += long({place}[1]);")

        def in_turn():
            self.emit(f"for {v} in {rng.choice(['g', some])} sequentially {{ {n} = ({n} * 3 + long({x}[{v}])) % 1009; }}")

        def flags():
            seen, low = self.fresh("b"), rng.randrange(2)
            self.emit(f"output {seen}: bool[g] = false;")
            self.emit(f"propagate {u} -> {v} from {{root}} where !{seen}[{v}] && {x}[{v}] >= {low} {{ {seen}[{v}] = true; }}")

        def levels():
            depth, paths, level, below = self.fresh("i"), self.fresh("l"), self.fresh("set"), self.fresh("l")
            self.emit(f"output {depth}: int[g] = inf;")
            self.emit(f"output {paths}: long[g] = 0;")
            self.emit(f"output {below}: long[g] = 0;")
            self.emit(f"{depth}[root] = 0;")
            self.emit(f"{paths}[root] = 1;")
            kept = rng.choice([" keep levels", ""])
            self.emit(f"propagate {u} -> {v} from {{root}}{kept} round r where {depth}[{v}] == inf {{ {depth}[{v}] = r; {paths}[{v}] += {paths}[{u}] % 1000; }}")
            if kept:
                body = f"{below}[{u}] += {below}[{v}] % 1000 + 1;"
                self.block(f"for {level} in levels reversed sequentially",
                           lambda: self.emit(f"for {u} -> {v} from {level} where {depth}[{v}] == {depth}[{u}] + 1 {{ {body} }}"))

        forms = [one_vertex, one_by_one, same_value, computed, activating_sum, array, in_turn, flags, levels]
        for form in rng.sample(forms, 3):
            form()
