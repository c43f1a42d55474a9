"""The package gcompile with igraph, pandas and IPython: graphs, profiles, notebooks. test_python.py runs this."""

import io
import os
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import IPython
import igraph
import networkx
import numpy
import pandas
import scipy.sparse
from IPython.core.interactiveshell import InteractiveShell

import gcompile
from gcompile import _progress, _show

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
QUICK = {"flags": ["-O0"]}
INF = numpy.iinfo(numpy.int32).max
SLOW = """algorithm slow(g: graph, rounds: int) {
    output x: double[g] = 1;
    left: int = rounds;
    while left > 0 { left += -1; for v in g { x[v] = x[v] * 0.5 + 1; } }
}
"""
CELL = """// Hops from a root.
algorithm hops(g: graph, root: vertex) {
    output far: int[g] = inf;
    output before: vertex[g] = none;
    output reached: long = 0;
    far[root] = 0;
    propagate u -> v from {root} where far[v] == inf round r { far[v] = r; before[v] = u; }
    reached = count(v in g where far[v] < inf);
}
"""


class Graphs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bfs = gcompile.load(EXAMPLES / "bfs.gdsl", **QUICK)
        cls.sssp = gcompile.load(EXAMPLES / "sssp.gdsl", **QUICK)

    def test_igraph(self):
        zachary = igraph.Graph.Famous("Zachary")
        r = self.bfs(zachary, root=16)
        self.assertEqual(r.depth.tolist(), zachary.distances(16)[0])
        self.assertEqual((r.num_vertices, r.num_edges, r.names), (34, 78, range(34)))
        directed = igraph.Graph.Erdos_Renyi(50, 0.06, directed=True)
        directed.es["weight"] = [number % 13 + 1 for number in range(directed.ecount())]
        directed.vs["name"] = [f"v{number}" for number in range(50)]
        expected = directed.distances("v3", weights="weight")[0]
        found = self.sssp(directed, source="v3").dist
        self.assertEqual([INF if each == float("inf") else each for each in expected], found.tolist())
        self.assertEqual(self.sssp(directed, source="v3").by_name("dist")["v3"], 0)
        self.assertEqual(self.bfs(igraph.Graph(3), root=1).depth.tolist(), [INF, 0, INF])
        self.assertEqual(self.bfs(gcompile.Graph(igraph.Graph([(0, 1)]), directed=True), root=1).depth.tolist(), [INF, 0])
        with self.assertRaisesRegex(gcompile.InputError, "the edges have no attribute 'weight'"):
            self.sssp(zachary, source=0)
        twins = igraph.Graph(2)
        twins.vs["name"] = ["a", "a"]
        with self.assertRaisesRegex(gcompile.ArgumentError, "two vertices have the same name"):
            self.bfs(twins, root="a")

    def test_pandas(self):
        table = pandas.DataFrame({"weight": [5, 6, 20], "target": ["b", "c", "c"], "source": ["a", "b", "a"]})
        r = self.sssp(table, source="a")
        self.assertEqual(r.by_name("dist"), {"a": 0, "b": 5, "c": 11})
        plain = pandas.DataFrame([[0, 1], [1, 2]], columns=["from", "to"])
        self.assertEqual(self.bfs(plain, root=0).depth.tolist(), [0, 1, 2])
        self.assertEqual(self.bfs(gcompile.Graph(plain, directed=False, num_vertices=4), root=2).depth.tolist(), [2, 1, 0, INF])
        self.assertEqual(self.bfs((plain["from"], plain["to"]), root=0).depth.tolist(), [0, 1, 2])
        with self.assertRaisesRegex(gcompile.InputError, "there is no array 'weight'"):
            self.sssp(plain, source=0)
        with self.assertRaisesRegex(gcompile.ArgumentError, "a column for each end"):
            self.bfs(plain[["from"]], root=0)

    def test_profile(self):
        karate = networkx.karate_club_graph()
        for graph, root in ((karate, 16), (EXAMPLES / "data" / "karate.el", 17), (scipy.sparse.eye(9, k=1, format="csr"), 0),
                            (igraph.Graph.Famous("Zachary"), 3)):
            found = self.bfs.profile(graph, root=root)
            kernels = {kernel for _, kernel, *_ in found.kernels()}
            self.assertTrue(any("propagate" in kernel for kernel in kernels), kernels)
            self.assertEqual(found.rounds()[0]["active"], 1)
            self.assertIn("propagate", repr(found))
            self.assertIn("<td>bfs.gdsl:14</td>", found._repr_html_())
        found = self.bfs.profile("grid:150x150", root=0, threads=2)
        self.assertEqual([call["round"] for call in found.rounds()], list(range(1, len(found.rounds()) + 1)))
        self.assertEqual(sum(call["active"] for call in found.rounds()), 150 * 150)  # every vertex once
        # The same arguments as those of a call.
        types = gcompile.program("""algorithm t(g: graph, some: vertex set, root: vertex = none, a: double[g] = 2,
            label: vertex[g] = self, closed: bool[g] = false, on: bool = true, big: long = 3) {
            output bad: long = 0;
            bad = count(v in g where a[v] != 0.5 + (if v in some then 1 else 0) || closed[v] || label[v] != root) + (if on
            then 7 else 0) + (if big == inf then 0 else 1);
            output check: long = 1 / (if bad == 0 then 1 else 0);
        }""", name="t.gdsl", **QUICK)
        given = {"some": [0, 2], "a": [1.5, 0.5, 1.5], "closed": False, "label": [1, 1, 1], "root": 1, "on": False,
                 "big": float("inf")}
        ends = ([0, 1], [1, 2])
        self.assertEqual(types(ends, **given).check, 1)
        self.assertGreater(types.profile(ends, **given).seconds, 0)
        given["root"] = 2
        with self.assertRaisesRegex(gcompile.ProgramError, "t.gdsl:6: division by zero"):
            types.profile(ends, **given)
        with self.assertRaisesRegex(TypeError, "needs the parameter 'root'"):
            self.bfs.profile(karate)


class Terminal(io.StringIO):
    """What writes to a terminal sees."""

    def isatty(self):
        return True


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # No history, no files of the user.
        os.environ["IPYTHONDIR"] = tempfile.mkdtemp()
        cls.shell = InteractiveShell.instance(history_length=0)
        cls.shell.run_line_magic("load_ext", "gcompile")

    def cell(self, line, text=CELL):
        return self.shell.run_cell_magic("gdsl", line, text)

    def test_magic(self):
        made = self.cell("")
        self.assertEqual((made.name, self.shell.user_ns["hops"]), ("hops", made))
        self.assertIn("Hops from a root.", made.__doc__)
        self.shell.user_ns["karate"] = networkx.karate_club_graph()
        self.shell.user_ns["start"] = 16
        r = self.cell("karate, root=start")
        expected = networkx.single_source_shortest_path_length(self.shell.user_ns["karate"], 16)
        self.assertEqual(r.by_name("far"), dict(sorted(expected.items())))
        self.assertEqual(self.cell("([0, 1], [1, 2]), root=0, threads=1").reached, 3)
        self.assertNotIn("__gdsl__", self.shell.user_ns)

    def test_errors(self):
        result = self.shell.run_cell("%%gdsl\nalgorithm f(g: graph) { output x: int[g] = y; }\n", silent=True)
        self.assertIsInstance(result.error_in_exec, gcompile.Error)
        shown = "\n".join(result.error_in_exec._render_traceback_())
        self.assertRegex(shown, r"^cell\.gdsl:1:\d+: error")
        self.assertIn("^", shown)

    def test_page(self):
        ends = ([0, 0, 1, 1], [1, 2, 3, 4])
        page = self.cell("(['a', 'a', '<b>', '<b>'], ['<b>', 'c', 'd', 'e']), root='a'")._repr_html_()
        table, picture = re.fullmatch(r"(<table>.*</table>)(<svg .*</svg>)", page, re.S).groups()
        rows = [[cell.text for cell in row] for row in xml.etree.ElementTree.fromstring(table).iter("tr")]
        self.assertEqual(rows, [["vertex", "far", "before"], ["<b>", "1", "a"], ["a", "0", "none"], ["c", "1", "a"],
                                ["d", "2", "<b>"], ["e", "2", "<b>"]])
        self.assertIn("5 vertices, 4 edges; reached = 5", table)
        svg = "{http://www.w3.org/2000/svg}"
        bars = [title.text for title in xml.etree.ElementTree.fromstring(picture).iter(f"{svg}title")]
        self.assertEqual(bars, ["0: 1", "1: 2", "2: 2"])
        page = self.cell("'grid:30x30', root=0")._repr_html_()
        self.assertEqual(page.count("<tr>"), 12)
        self.assertEqual(sum(count for _, count in _show.bars(numpy.arange(100.0))), 100)
        self.assertEqual(_show.bars(numpy.array([True, False, True])), [("false", 1), ("true", 2)])
        r = gcompile.program(CELL, name="cell.gdsl")(ends, root=4)
        self.assertIn("<td>inf</td>", r._repr_html_())

    def test_progress(self):
        slow = gcompile.program(SLOW, name="slow.gdsl", **QUICK)
        graph = gcompile.Graph("grid:300x300")
        before, sys.stderr = sys.stderr, Terminal()
        after, _progress.AFTER = _progress.AFTER, 0.0
        try:
            slow(graph, rounds=200)
            shown = sys.stderr.getvalue()
            self.assertRegex(shown, r"^\rslow \[ *### *\] \d\.\d s \r")
            self.assertTrue(shown.endswith("\r\033[K"))
            sys.stderr = Terminal()
            gcompile.show_progress(False)
            slow(graph, rounds=200)
            self.assertEqual(sys.stderr.getvalue(), "")
            gcompile.show_progress(True)
            sys.stderr = io.StringIO()
            slow(graph, rounds=200)
            self.assertEqual(sys.stderr.getvalue(), "")
            # In a notebook, whose shell has a kernel, the bar is an output that is replaced.
            seen = []

            class Handle:
                def update(self, shown):
                    seen.append(shown.data)

            def display(shown, display_id):
                seen.append(shown.data)
                return Handle()

            self.shell.kernel = object()
            shows, IPython.display.display = IPython.display.display, display
            try:
                slow(graph, rounds=200)
            finally:
                IPython.display.display = shows
                del self.shell.kernel
            self.assertRegex(seen[0], r"^<progress></progress> slow: \d\.\d s$")
            self.assertEqual(seen[-1], "")
        finally:
            sys.stderr, _progress.AFTER = before, after
            gcompile.show_progress(True)


if __name__ == "__main__":
    unittest.main()
