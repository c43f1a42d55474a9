"""Ids of any characters and values go through files and come back: what --output and `gcompile convert` write is read
again, and is the same."""

import csv
import math
import random
import shutil

import harness

suite = harness.Suite("round_trips")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
INPUTS = suite.programs / "inputs"
PIECES = [" ", "  ", ",", ";", "\t", '"', '""', "#", "%", "//", "'", "\\", "é", "中文", "🦉", "a", "B", "7", "-1", "1.5",
          "nan", "inf", "source", "\u00a0", "=", "@", "{", "|"]


def draw_ids(rng, count):
    ids = {"".join(rng.choice(PIECES) for _ in range(rng.randint(1, 5))) for _ in range(count)}
    return sorted(ids - {"none"}, key=lambda _: rng.random())


def draw_number(rng):
    return rng.choice(["inf", "-inf", "nan", "0", "-0", "-0.5", "1e-300", repr(rng.uniform(-9, 9)),
                       repr(rng.random() * 1e18)])


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def write_values(path, values):
    path.write_text("".join(f"{quoted(v)} {value}\n" for v, value in values.items()))


def read_values(path):
    """Lines `vertex value`, where each may stand in quotes."""
    with path.open(newline="") as file:
        return {row[0]: row[1] for row in csv.reader(file, delimiter=" ", strict=True)}


def edges_of(path):
    with path.open(newline="") as file:
        rows = list(csv.reader(file, delimiter=" ", strict=True))
    return sorted(tuple(row) for row in (rows[1:] if rows[0][:2] == ["source", "target"] else rows))


def results(graph, folder, label, amount, *options):
    folder.mkdir()
    return suite.run(INPUTS, graph, "--quiet", f"--label=@{label}", f"--amount=@{amount}",
                     f"--output=same_label={folder / 'label'}", f"--output=same_amount={folder / 'amount'}", *options)


def holds(condition, what, detail=""):
    suite.expect(condition, what, detail)
    return condition


def one(seed):
    rng = random.Random(seed)
    folder = suite.folder / str(seed)
    folder.mkdir()
    ids = draw_ids(rng, 30)
    edges = {(u, v) for v in ids for u in (rng.choice(ids), rng.choice(ids))}
    graph = folder / "graph.csv"
    with graph.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=rng.choice(",;\t"), quoting=csv.QUOTE_ALL,
                            lineterminator=rng.choice(["\n", "\r\n"]))
        writer.writerows(sorted(edges))
    labels = {v: rng.choice(ids) for v in ids}
    amounts = {v: draw_number(rng) for v in ids}
    write_values(folder / "label", {v: quoted(u) for v, u in labels.items()})
    write_values(folder / "amount", amounts)

    first = results(graph, folder / "first", folder / "label", folder / "amount", "--header=no")
    if not holds(first.code == 0, f"seed {seed}: values are read", first):
        return
    suite.expect(read_values(folder / "first" / "label") == labels, f"seed {seed}: the labels that are written")
    written = read_values(folder / "first" / "amount")
    suite.expect({v: repr(float(x)) for v, x in written.items()} == {v: repr(float(x)) for v, x in amounts.items()},
                 f"seed {seed}: the numbers that are written")
    second = results(graph, folder / "second", folder / "first" / "label", folder / "first" / "amount", "--header=no")
    same = second.code == 0 and all((folder / "first" / name).read_bytes() == (folder / "second" / name).read_bytes()
                                    for name in ("label", "amount"))
    suite.expect(same, f"seed {seed}: what was written is read, and written again", second)

    # The graph as an edge list, as a binary file, and as an edge list again.
    before, wanted = graph, sorted(edges)
    for name in ("graph.el", "graph.gcsr", "again.el"):
        header = ["--header=no"] if before == graph else []
        made = suite.run(suite.gcompile, "convert", before, folder / name, *header)
        if not holds(made.code == 0, f"seed {seed}: {name} is written", made):
            return
        if name.endswith(".el"):
            suite.expect(edges_of(folder / name) == wanted, f"seed {seed}: the edges of {name}")
        before = folder / name
        after = results(before, folder / f"of {name}", folder / "first" / "label", folder / "first" / "amount")
        suite.expect(after.code == 0 and read_values(folder / f"of {name}" / "label") == labels,
                     f"seed {seed}: {name} has the vertices of the graph", after)


for seed in range(12):
    one(seed)

# A set of vertices and a list of values, from files of ids between white space.
seeds = sorted(draw_ids(random.Random(5), 12))
(suite.folder / "path.csv").write_text("".join(f"{quoted(u)},{quoted(v)}\n" for u, v in zip(seeds, seeds[1:])))
(suite.folder / "seeds").write_text("\n".join(map(quoted, seeds[:3])) + "  " + quoted(seeds[3]))
reached = suite.run(suite.programs / "seeds", "path.csv", "--header=no", "--quiet", "--weights=1..1",
                    "--seeds=@seeds", "--output=origin=origin")
suite.expect(reached.code == 0 and read_values(suite.folder / "origin") ==
             {v: seeds[min(i, 3)] for i, v in enumerate(seeds)}, "a set of vertices is read", reached)
(suite.folder / "seeds").write_text('"a')
refused = suite.run(suite.programs / "seeds", "path.csv", "--header=no", "--quiet", "--weights=1..1", "--seeds=@seeds")
suite.expect(refused.code == 2 and refused.err.endswith("error: seeds: a quoted word has no end\n"), "a quote is open",
             refused)

# What is no number is written, and refused by name where it is read.
(suite.folder / "two.el").write_text("a b\n")
(suite.folder / "amount").write_text("a inf\nb -inf\n")
made = suite.run(INPUTS, "two.el", "--undirected", "--quiet", "--amount=@amount", "--output=total=total")
suite.expect(made.code == 0 and math.isnan(float((suite.folder / "total").read_text())), "a sum that is no number", made)
total = suite.run(INPUTS, "two.el", "--undirected", "--quiet", "--amount=@amount", "--verify", "--output=same_amount=same",
                  "--output=near=near")
suite.expect(total.code == 0 and (suite.folder / "near").read_text() == "a -inf\nb inf\n", "infinite sums", total)
(suite.folder / "near").write_text("a nan\nb -nan\na NaN\n")  # a line that says the same again
again = suite.run(INPUTS, "two.el", "--undirected", "--quiet", "--amount=@near", "--verify", "--output=same_amount=same")
suite.expect(again.code == 0 and (suite.folder / "same").read_text() == "a nan\nb nan\n", "what is not a number", again)
refused = suite.run(INPUTS, "two.el", "--quiet", "--amount=nan")
suite.expect(refused.code == 2 and refused.err == "error: --amount: 'nan' is not a number\n", "a word", refused)

# Columns of edges: the bits come back.
VALUES = ["nan", "inf", "-inf", "-0", "0", "0.1", "5e-324", "-1.7976931348623157e+308", "16777216"]
for first in range(len(VALUES)):
    values = VALUES[first:] + VALUES[:first]
    lines = [f"{i} {i + 1} {value} {i}" for i, value in enumerate(values)]
    (suite.folder / "values.el").write_text("\n".join(lines) + "\n")
    for names in (["two.el", "three.el"], ["two.gcsr", "three.el"]):
        before = "values.el"
        for name in names:
            suite.succeeds(f"convert {before}", suite.gcompile, "convert", before, name, "--directed")
            before = name
        found = [line.split()[2] for line in (suite.folder / before).read_text().splitlines()]
        suite.expect([repr(float(x)) for x in found] == [repr(float(x)) for x in values], f"{names}: {values}: {found}")
(suite.folder / "whole.el").write_text("1 2 0\n2 3 -0\n")
suite.expect(suite.run(suite.gcompile, "convert", "whole.el", "-").out == "1 2 0\n2 3 -0\n", "-0 is no integer")
suite.finish()
