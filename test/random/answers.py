"""What random programs print for their outputs, a line each: program, graph, output, values."""

import pathlib


def read_answers(text):
    """The values by (program, graph, output)."""
    lines = (line.split(" ") for line in text.splitlines())
    return {(words[0], pathlib.Path(words[1]).name, words[2]): words[3:] for words in lines if len(words) > 2}


def wrong_answers(expected, got):
    """(program, what is wrong, detail) of each output that is not the interpreter's. A program's name may have a suffix
    for its schedule, a graph's for the way it is run."""
    for (name, graph, output), values in got.items():
        wanted = expected.get((name.split("_")[0], graph.rsplit(":", 1)[0], output))
        if wanted != values:
            yield name, f"{output} is wrong on {graph}", f"expected: {wanted}\ngot:      {values}"
