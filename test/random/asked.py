"""Random statements for which machines ask each other: about one vertex, about one that is computed, about levels."""

from statements import Statements


class Asked(Statements):
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
