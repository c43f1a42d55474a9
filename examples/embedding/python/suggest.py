#!/usr/bin/env python3
"""suggest.py FRIENDS.csv PERSON: whom a person may know, by the number of common friends."""

import csv
import pathlib
import sys

import numpy

import gcompile


def suggestions(suggest, graph, person, most=3):
    """The people who are no friends of a person, those with most common friends first."""
    r = suggest(graph, me=person)
    strangers = numpy.flatnonzero((r.common > 0) & ~r.is_friend)
    best = strangers[numpy.argsort(-r.common[strangers], kind="stable")][:most]
    return [(r.names[v], int(r.common[v])) for v in best]


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    graph = gcompile.Graph(([row["person"] for row in rows], [row["friend"] for row in rows]), directed=False)
    suggest = gcompile.load(pathlib.Path(__file__).parent / "suggest.gdsl")
    try:
        for name, common in suggestions(suggest, graph, sys.argv[2]):
            print(f"{name}: {common} common friend{'s' if common > 1 else ''}")
    except gcompile.ArgumentError as error:
        sys.exit(f"suggest: {error}")


if __name__ == "__main__":
    main()
