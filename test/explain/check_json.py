"""Checks the explanation of examples/bfs.gdsl, as JSON on standard input."""

import json
import sys

explanation = json.load(sys.stdin)
assert explanation["file"] == "bfs.gdsl"
(algorithm,) = explanation["algorithms"]
assert algorithm["layout"] == []
assert algorithm["name"] == "bfs" and algorithm["inEdges"] and algorithm["bytes"]["perVertex"] == 16.25
(statement,) = algorithm["statements"]
assert statement["text"] == "propagate u -> v from {root} where parent[v] == none" and statement["line"] == 14
assert [read["text"] for read in statement["reads"]] == ["parent[v]", "depth[u]"]
claim, depth = statement["writes"]
assert claim["state"] == "parent" and claim["place"] == "the target's" and claim["role"].startswith("a claim")
assert claim["push"].startswith("compare-and-set") and claim["pull"].startswith("plain")
assert depth["role"].startswith("the winner's alone")
assert not any(copy["second"] for copy in statement["copies"]) and len(statement["copies"]) == 2
assert {way["name"]: (way["legal"], way["chosen"]) for way in statement["ways"]} == {
    "push": (True, False), "pull": (True, False), "hybrid": (True, True)}
assert {freedom["name"]: freedom["legal"] for freedom in statement["freedoms"]} == {
    "early exit when pulling": True, "no deduplication needed": True, "duplicates are harmless": True,
    "asynchronous": False, "priority order": False}
