"""What random programs print for their outputs, a line each: program, graph, output, values."""

import math
import pathlib


def read_answers(text):
    """The values by (program, graph, output)."""
    lines = (line.split(" ") for line in text.splitlines())
    return {(words[0], pathlib.Path(words[1]).name, words[2]): words[3:] for words in lines if len(words) > 2}


def same(output, a, b):
    """Whether two lists of an output's values agree. Sums that are handed on, whose names begin with "near", may be
    rounded in another order, and leave a little behind."""
    if not output.startswith("near") or None in (a, b):
        return a == b
    return len(a) == len(b) and all(math.isclose(float(x), float(y), rel_tol=1e-5) for x, y in zip(a, b))


def wrong_answers(expected, got):
    """(program, what is wrong, detail) of each output that is not the interpreter's. A program's name may have a suffix
    for its schedule, a graph's for the way it is run."""
    for (name, graph, output), values in got.items():
        wanted = expected.get((name.split("_")[0], graph.rsplit(":", 1)[0], output))
        if not same(output, wanted, values):
            yield name, f"{output} is wrong on {graph}", f"expected: {wanted}\ngot:      {values}"
