"""Functions of C++ that random programs import: a namespace for each program in a header beside it."""

from expressions import Expressions

TYPES = {"int": "int", "long": "std::int64_t", "double": "double", "float": "float"}
# What a function of two values does. None of them gives great numbers, or fractions that sums would round.
WHOLE = ["x % 31 + (y & 7)", "(x ^ y) % 50", "x < y ? y % 40 : x % 40", "looked_up(x & 3) + (y > 0 ? 1 : 0)", "bits(x) - bits(y)",
         "x == y ? 3 : half(x % 64)"]
REAL = ["x < y ? x : y", "x > y ? y : x", "x > 0 ? x : 0 * y - x", "x < 4 ? x : 4 + 0 * y", "x == y ? 1 : x"]
# The declared reductions that may stand for an update, with their neutral elements.
REDUCTIONS = {"min=": ("x < y ? x : y", "greatest"), "max=": ("x < y ? y : x", "lowest"), "|=": ("x | y", "0"),
              "&=": ("x & y", "-1"), "^=": ("x ^ y", "0")}


class Imports(Expressions):
    """Draws the functions and reductions, calls and uses them. Has random numbers of its own, so that all else in a
    program stays as it is without them."""

    def declare_imports(self, rng):
        self.foreign = rng
        self.imported, self.combiners = {}, {}
        self.header, self.reductions = "", ""
        if self.seed % 3 != 1:
            return
        space, lines = f"h{self.seed}", ["constexpr std::int64_t making(int x, const int &y) { return x % 31 * 2 - y % 7; }"]
        for kind, spelt in TYPES.items():
            if kind in ("int", "long"):
                # A table of the function's own: the GPU cannot read one of the host.
                lines += [f"constexpr {spelt} looked_up({spelt} i) {{ constexpr {spelt} table[4] = {{5, 0, -7, 11}}; return table[i]; }}",
                          f"constexpr {spelt} half({spelt} x) {{ return x / 2; }}",
                          f"constexpr int bits({spelt} x) {{ int n = 0; for (; x > 0; x /= 2) n += x % 2; return n; }}"]
            for i in range(rng.randrange(1, 3)):
                name = f"{kind}_{i}"
                form = rng.choice(WHOLE if kind in ("int", "long") else REAL)
                lines.append(f"constexpr {spelt} {name}({rng.choice(['', 'const '])}{spelt} x, {spelt} y) {{ return static_cast<{spelt}>({form}); }}")
                self.imported.setdefault(kind, []).append(f"{space}::{name}")
        for token, (form, neutral) in REDUCTIONS.items():
            for kind in ("int", "long"):
                if rng.randrange(3) == 0:
                    continue
                name, spelt = f"r{self.seed}{kind[0]}{len(self.combiners)}x", TYPES[kind]
                lines.append(f"constexpr {spelt} of_{name}({spelt} x, {spelt} y) {{ return {form}; }}")
                if neutral in ("greatest", "lowest"):
                    limit = ("INT64_" if kind == "long" else "INT32_") + ("MAX" if neutral == "greatest" else "MIN")
                    lines.append(f"constexpr {spelt} neutral_{name}() {{ return {limit}; }}")
                    neutral = f"{space}::neutral_{name}()"
                self.reductions += (f"reduction {name}: {kind} = {space}::of_{name}, associative, commutative, "
                                    f"neutral {neutral};\n")
                self.combiners[token, kind] = name
        self.header = f"namespace {space} {{\n" + "\n".join(lines) + "\n}\n"

    def through_import(self, kind, text):
        if kind not in self.imported or self.foreign.randrange(100) >= 12:
            return text
        second = self.foreign.randrange(9)
        given = {"int": second, "long": f"long({second})", "double": second / 2, "float": f"float({second})"}[kind]
        return f"{self.foreign.choice(self.imported[kind])}({text}, {given})"

    def combiner(self, op, kind):
        """The operator, or a declared reduction that does the same."""
        name = self.combiners.get((op, kind))
        return f"{name}=" if name and self.foreign.randrange(2) == 0 else op
