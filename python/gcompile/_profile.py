"""What a run did: Program.profile()."""

import os
import pathlib

import numpy

from ._show import table


class Profile:
    """What a run did, by kernel and by round.

    `calls` lists each call of a kernel as the run made them: a dict with its statement, kernel, seconds, the active
    elements, the edges that it looked at, and the state and number of its round. `seconds` is how long the run took.
    """

    def __init__(self, name, data):
        self.name, self.seconds, self.calls = name, data["seconds"], data["calls"]

    def kernels(self):
        """Sums for each kernel, what took longest first: lists of statement, kernel, calls, active, edges, seconds."""
        sums = {}
        for call in self.calls:
            place = call["statement"], call["kernel"]
            row = sums.setdefault(place, [*place, 0, 0, 0, 0.0])
            for at, value in ((2, 1), (3, call["active"]), (4, call.get("edges", 0)), (5, call["seconds"])):
                row[at] += value
        return sorted(sums.values(), key=lambda row: -row[5])

    def rounds(self):
        """The calls that are rounds of a propagate, in their order."""
        return [call for call in self.calls if call.get("round")]

    def _table(self):
        rows = [[statement, kernel, str(calls), str(active), str(edges), f"{1e3 * seconds:.3f}"]
                for statement, kernel, calls, active, edges, seconds in self.kernels()]
        return ["statement", "kernel", "calls", "active", "edges", "ms"], rows

    def __repr__(self):
        head, rows = self._table()
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        lines = ["  ".join(word.ljust(width) if at < 2 else word.rjust(width)
                           for at, (word, width) in enumerate(zip(row, widths))) for row in [head, *rows]]
        return "\n".join([f"profile of {self.name}, {1e3 * self.seconds:.3f} ms:", *lines])

    def _repr_html_(self):
        head, rows = self._table()
        return table(head, rows, f"{self.name}: {1e3 * self.seconds:.3f} ms")


def _word(value, type_name):
    """A value as the command line takes it."""
    if value is None:
        return "none"
    if type_name == "bool":
        return "true" if value else "false"
    if isinstance(value, float) and value in (float("inf"), -float("inf")):
        return "inf" if value > 0 else "-inf"
    return str(value.item() if isinstance(value, numpy.generic) else value)


def argument(parameter, value, number, names, folder):
    """`--root=17` for a parameter; values for each vertex go to a file in the folder. `number`: of a vertex."""
    name, kind = parameter["name"], parameter["type"]
    if isinstance(value, (str, os.PathLike)) and (kind != "vertex" or parameter["per_vertex"]):
        return f"--{name}={os.fspath(value)}"
    if parameter["per_vertex"] and numpy.ndim(value):
        path = pathlib.Path(folder) / f"{name}.txt"
        values = [None if kind == "vertex" and each < 0 else each for each in numpy.asarray(value).tolist()]
        path.write_text("".join(f"{names[v]} {_word(each, kind)}\n" for v, each in enumerate(values)), encoding="utf-8")
        return f"--{name}=@{path}"
    if kind == "vertex set":
        path = pathlib.Path(folder) / f"{name}.txt"
        path.write_text("".join(f"{number(v)}\n" for v in value), encoding="utf-8")
        return f"--{name}=@{path}"
    if kind == "vertex" and not parameter["per_vertex"] and value is not None:
        return f"--{name}={number(value)}"
    return f"--{name}={_word(value, kind)}"
