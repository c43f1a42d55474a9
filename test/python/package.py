"""The package gcompile, against NetworkX and scipy. test_python.py runs this."""

import gc
import inspect
import os
import pathlib
import pydoc
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import networkx
import numpy
import scipy.sparse
import scipy.sparse.csgraph

import gcompile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
QUICK = {"flags": ["-O0"]}
INF = numpy.iinfo(numpy.int32).max
ALL = """// All types.
algorithm types(g: graph<weight: double>, root: vertex = none, some: vertex set = g, a: double[g] = 2,
                label: vertex[g] = self,
                closed: bool[g] = false,  // which vertices are closed
                on: bool = true, k: int = 5, big: long = inf, x: float = 0.5) {
    output copied: double[g] = a[v];
    output shut: bool[g] = closed[v];
    output named: vertex[g] = label[v];
    output loads: double[g.edges] = 0;
    output square: long[g, g] = 0;
    output both: (long, vertex)[g] = (inf, none);
    output total: double = sum(v in some : a[v]);
    output first: vertex = root;
    output is_on: bool = on;
    output turns: int = k;
    output most: long = big;
    output part: float = x;
    output pair: (int, double) = (k, 1.5);

    for e: u -> v { loads[e] = e.weight * 2; square[u, v] += 1; }
    for v in g { both[v] = (v.out_degree, label[v]); }
}
"""
AWAY = """function place(x: double, y: double) -> (double, double) { return (x, y); }
algorithm away(g: graph, pos: (double, double)[g] from place, home: (double, double) from place = (0, 0.5)) {
    output far: double[g] = 0;
    for v in g { far[v] = sqrt(pow(pos[v].0 - home.0, 2) + pow(pos[v].1 - home.1, 2)); }
}
"""
SLOW = """algorithm slow(g: graph, rounds: int) {
    output x: double[g] = 1;
    left: int = rounds;
    while left > 0 { left += -1; for v in g { x[v] = x[v] * 0.5 + 1; } }
}
"""


def matrix(n=60, density=0.08, seed=3):
    """A random matrix with whole weights, as scipy has them."""
    found = scipy.sparse.random(n, n, density, "csr", random_state=seed,
                                data_rvs=lambda count: numpy.random.default_rng(seed).integers(1, 50, count).astype(float))
    found = (found - scipy.sparse.diags(found.diagonal())).tocsr()
    found.eliminate_zeros()
    found.sort_indices()
    return found


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bfs = gcompile.load(EXAMPLES / "bfs.gdsl", **QUICK)
        cls.sssp = gcompile.load(EXAMPLES / "sssp.gdsl", **QUICK)
        cls.types = gcompile.program(ALL, name="types.gdsl", **QUICK)

    def depths(self, graph, root):
        found = networkx.single_source_shortest_path_length(graph, root)
        return {v: found.get(v, INF) for v in graph}

    def test_matrices(self):
        a = matrix()
        distances = scipy.sparse.csgraph.shortest_path(a, indices=0)
        r = self.sssp(a, source=0)
        self.assertEqual(r.dist.dtype, numpy.int32)
        numpy.testing.assert_array_equal(numpy.where(r.dist == INF, numpy.inf, r.dist), distances)
        hops = scipy.sparse.csgraph.shortest_path(a, indices=5, unweighted=True)
        for other in (a, a.tocoo(), a.tocsc(), a.astype(numpy.float32)):
            r = self.bfs(other, root=5)
            numpy.testing.assert_array_equal(numpy.where(r.depth == INF, numpy.inf, r.depth), hops)

    def test_no_copy_of_a_matrix(self):
        a = matrix()
        graph = gcompile.Graph(a)
        r = self.bfs(graph, root=0)
        library = r._handle.library
        targets = library.function("graph_targets", library.new.restype, library.new.restype)
        self.assertEqual(targets(r._handle.kept[0].pointer), a.indices.ctypes.data)

    def test_undirected_matrices(self):
        components = gcompile.load(EXAMPLES / "components.gdsl", **QUICK)
        a = matrix(density=0.015)
        count, labels = scipy.sparse.csgraph.connected_components(a, directed=False)
        for graph in (a, a + a.T, gcompile.Graph(a, directed=False)):
            r = components(graph)
            found = next(values for values in (r[each] for each in dir(r) if each in components._library.getters)
                         if getattr(values, "shape", ()) == (60,))
            self.assertEqual(len(set(zip(labels.tolist(), found.tolist()))), count)
            self.assertEqual(len(set(found.tolist())), count)

    def test_networkx(self):
        karate = networkx.karate_club_graph()
        r = self.bfs(karate, root=16)
        self.assertEqual(r.by_name("depth"), self.depths(karate, 16))
        self.assertEqual((r.num_vertices, r.num_edges), (34, 78))
        florence = networkx.florentine_families_graph()
        r = self.bfs(florence, root="Medici")
        self.assertEqual(r.by_name("depth"), self.depths(florence, "Medici"))
        self.assertEqual(r.names, list(florence))
        weighted = networkx.gnp_random_graph(40, 0.1, seed=2, directed=True)
        for number, (u, v) in enumerate(weighted.edges):
            weighted.edges[u, v]["weight"] = number % 17 + 1
        expected = networkx.single_source_dijkstra_path_length(weighted, 0)
        self.assertEqual(self.sssp(weighted, source=0).by_name("dist"), {v: expected.get(v, INF) for v in weighted})
        with self.assertRaisesRegex(gcompile.InputError, "an edge has no attribute 'weight'"):
            self.sssp(networkx.path_graph(3), source=0)

    def test_arrays(self):
        r = self.sssp(([0, 1, 0], [1, 2, 2], [5, 6, 20]), source=0)
        self.assertEqual(r.dist.tolist(), [0, 5, 11])
        named = gcompile.Graph((["b", "a"], ["a", "c"], {"weight": [1, 2], "other": [0, 0]}))
        self.assertEqual(self.sssp(named, source="b").by_name("dist"), {"a": 1, "b": 0, "c": 3})
        self.assertEqual(self.bfs(named, root="a").depth.tolist(), [0, INF, 1])
        self.assertEqual(self.bfs(gcompile.Graph(([0], [1]), num_vertices=4), root=0).depth.tolist(), [0, 1, INF, INF])
        self.assertEqual(self.bfs(gcompile.Graph(([0], [1]), directed=False), root=1).depth.tolist(), [1, 0])
        self.assertEqual(self.bfs(gcompile.Graph(([], []), num_vertices=2), root=1).depth.tolist(), [INF, 0])

    def test_files(self):
        karate = EXAMPLES / "data" / "karate.el"
        r = self.bfs(karate, root=1)
        found = r.by_name("depth")
        self.assertEqual((len(found), found["1"], found["2"]), (34, 0, 1))
        self.assertEqual(self.bfs("grid:30x20", root=0).depth.max(), 48)
        r = self.sssp(gcompile.Graph("grid:30x20", options=["--weights=2..2"]), source=0)
        self.assertEqual(r.dist.max(), 2 * 48)
        with self.assertRaisesRegex(gcompile.Error, "absent.el"):
            self.bfs("absent.el", root=1)
        with self.assertRaisesRegex(gcompile.ArgumentError, "the graph has no vertex '99'"):
            self.bfs(karate, root=99)

    def test_arguments_and_results(self):
        ends = ([0, 1], [1, 2], [1.5, 2.5])
        r = self.types(ends)
        self.assertEqual(r.copied.tolist(), [2, 2, 2])
        self.assertEqual(r.named.tolist(), [0, 1, 2])
        self.assertEqual(r.named.dtype, numpy.uint32)
        self.assertEqual((r.shut.dtype, r.shut.tolist()), (numpy.bool_, [False] * 3))
        self.assertEqual(r.loads.tolist(), [3, 5])
        self.assertEqual(r.square.tolist(), [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
        self.assertEqual([part.tolist() for part in r.both], [[1, 1, 0], [0, 1, 2]])
        self.assertEqual((r.total, r.first, r.is_on, r.turns, r.part), (6.0, None, True, 5, 0.5))
        self.assertEqual((r.most, r.pair), (2**63 - 1, (5, 1.5)))
        self.assertIs(type(r.is_on), bool)
        r = self.types(ends, root=2, some=[2, 0], a=[1, 2, 4], label=numpy.array([2, 2, 0]), closed=[True, False, True],
                       on=False, k=-1, big=float("-inf"), x=2)
        self.assertEqual((r.total, r.first, r.is_on, r.turns, r.part), (5.0, 2, False, -1, 2.0))
        self.assertEqual((r.named.tolist(), r.shut.tolist(), r.most), ([2, 2, 0], [True, False, True], -2**63))
        r = self.types(ends, some="all", a=3, label=None)
        self.assertEqual((r.total, r.named.tolist()), (9.0, [2**32 - 1] * 3))
        with self.assertRaises(AttributeError):
            r.absent
        with self.assertRaises(ValueError):
            r.copied[0] = 1

    def test_parts(self):
        """Values that the program makes of several."""
        away = gcompile.program(AWAY, name="away.gdsl", **QUICK)
        ends = ([0, 1], [1, 2])
        table = numpy.array([(0, 0.5, 1), (3, 4.5, 1), (0, 0.5, 2)], [("x", "i4"), ("y", "f8"), ("at", "i8")])
        for pos in (numpy.array([[0, 0.5], [3, 4.5], [0, 0.5]]), table, [(0, 0.5), (3, 4.5), (0, 0.5)], scipy.sparse.csr_matrix(
                [[0, 0.5], [3, 4.5], [0, 0.5]]).toarray(order="F")):
            self.assertEqual(away(ends, pos=pos).far.tolist(), [0, 5, 0])
        self.assertEqual(away(ends, pos=(3, 4.5)).far.tolist(), [5, 5, 5])
        self.assertEqual(away(ends, pos=(3, [0.5, 4.5, 4.5]), home=[3, 4.5]).far.tolist(), [4, 0, 0])
        self.assertEqual(away(ends, pos_x=3, pos_y=4.5, home_x=3).far.tolist(), [4, 4, 4])
        self.assertEqual(str(inspect.signature(away)), "(graph, *, threads=0, pos, home=('0', '0.5'))")
        self.assertGreater(away.profile(ends, pos=table).seconds, 0)
        for error, text, arguments in (
                (TypeError, "needs the parameter 'pos'", {}), (TypeError, "it has pos, home", {"pos": (1, 2), "other": 1}),
                (gcompile.ArgumentError, "pos: a value has 2 parts: x, y", {"pos": numpy.zeros((3, 3))}),
                (gcompile.ArgumentError, "pos: a value has 2 parts: x, y", {"pos": [(1, 2), (3, 4, 5), (6, 7)]}),
                (gcompile.ArgumentError, "pos: there is no column 'y', only x, at", {"pos": table[["x", "at"]]}),
                (gcompile.ArgumentError, "2 values, and the graph has 3 vertices", {"pos": numpy.zeros((2, 2))}),
                (TypeError, "'pos' gives 'pos_x' too", {"pos": (1, 2), "pos_x": 3}),
                (TypeError, "pos takes values", {"pos": "@places.txt"})):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                away(ends, **arguments)

    def test_headers(self):
        """Headers of C++ beside a program are found, and followed."""
        with tempfile.TemporaryDirectory(suffix=" with blanks") as folder:
            path, header, inner = (pathlib.Path(folder) / name for name in ("add.gdsl", "more.hpp", "in ner.hpp"))
            path.write_text('import "more.hpp";\nalgorithm add(g: graph) { output n: int[g] = more::of(v.degree); }\n')
            header.write_text('#pragma once\n#include "in ner.hpp"\nnamespace more { inline int of(int x) { return x + extra; } }\n')
            for more in (3, 40):
                inner.write_text(f"constexpr int extra = {more};\n")
                program = gcompile.load(path, **QUICK)
                self.assertIs(program._library, gcompile.program(path.read_text(), name=path.name, folder=folder, **QUICK)._library)
                self.assertEqual(program(([0], [1])).n.tolist(), [more + 1] * 2)
            self.assertIn("more::of (proved", program.explain())
            self.assertGreater(program.profile(([0], [1])).seconds, 0)
            header.unlink()
            with self.assertRaisesRegex(gcompile.CompileError, r"^add\.gdsl:1:1: error.*more\.hpp"):
                gcompile.load(path, **QUICK)

    def test_mistakes(self):
        ends = ([0, 1], [1, 2], [1.5, 2.5])
        for error, text, arguments in (
                (TypeError, "has no parameter 'kk'; it has root, some", {"kk": 1}),
                (gcompile.ArgumentError, "the graph has no vertex 3", {"root": 3}),
                (gcompile.ArgumentError, "the graph has no vertex 7", {"some": [7]}),
                (gcompile.ArgumentError, "2 values, and the graph has 3 vertices", {"a": [1, 2]}),
                (gcompile.ArgumentError, "3000000000 does not fit an int", {"k": 3000000000}),
                (gcompile.ArgumentError, "1.5 is not a whole number", {"k": 1.5}),
                (gcompile.ArgumentError, "label: a value does not fit", {"label": [0, -1, 2]}),
                (gcompile.ArgumentError, "closed: the program reads whole numbers", {"closed": [0.5, 1, 1]}),
                (gcompile.ArgumentError, "'two' is no vertex", {"root": "two"}),
                (gcompile.ArgumentError, "on: 2 is not true or false", {"on": 2})):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                self.types(ends, **arguments)
        with self.assertRaisesRegex(TypeError, "needs the parameter 'root'"):
            self.bfs(ends)
        with self.assertRaisesRegex(gcompile.ArgumentError, "the program reads whole numbers"):
            self.sssp(ends, source=0)
        with self.assertRaisesRegex(gcompile.InputError, "weight -4 of edge 0 1 is negative"):
            self.sssp(([0], [1], [-4]), source=0)
        with self.assertRaisesRegex(gcompile.ArgumentError, "a vertex has a negative number"):
            self.bfs(([0], [-1]), root=0)
        with self.assertRaisesRegex(gcompile.ArgumentError, "square"):
            self.bfs(scipy.sparse.csr_matrix((2, 3)), root=0)
        with self.assertRaises(TypeError):
            self.bfs(17, root=0)
        fails = gcompile.program("algorithm f(g: graph, d: int) { output x: int[g] = 7 / d; }", name="f.gdsl", **QUICK)
        with self.assertRaisesRegex(gcompile.ProgramError, "f.gdsl:1: division by zero"):
            fails("grid:200x200", d=0)
        self.assertEqual(fails("grid:2x2", d=2).x.tolist(), [3] * 4)

    def test_compile_errors(self):
        with self.assertRaises(gcompile.CompileError) as caught:
            gcompile.program("algorithm f(g: graph) {\n    output x: int[g] = y;\n}\n", name="f.gdsl")
        text = str(caught.exception)
        self.assertRegex(text, r"^f\.gdsl:2:\d+: error")
        self.assertIn("output x: int[g] = y;", text)
        self.assertIn("^", text)
        with self.assertRaises(gcompile.ToolError):
            gcompile.program("algorithm f(g: graph) { }", compiler="/no/compiler")
        with self.assertRaisesRegex(gcompile.ToolError, "unknown target 'gpu'"):
            gcompile.program("algorithm f(g: graph) { output x: int = 1; }", target="gpu")

    def test_second_call_compiles_nothing(self):
        text = "algorithm once(g: graph) { output n: long = count(v in g); }"
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            logged = pathlib.Path(folder) / "gcompile"
            logged.write_text(f"#!/bin/sh\necho called >> {log}\nexec {os.environ['GCOMPILE']} \"$@\"\n", encoding="utf-8")
            logged.chmod(logged.stat().st_mode | stat.S_IXUSR)
            call = ("import gcompile; p = gcompile.program(%r, compiler=%r, flags=['-O0', '--runtime=%s']); "
                    "q = gcompile.program(%r, compiler=%r, flags=['-O0', '--runtime=%s']); "
                    "assert p._library is q._library; print(p('grid:3x3').n)")
            runtime = pathlib.Path(os.environ["GCOMPILE"]).parents[1]
            call %= (text, str(logged), runtime) * 2
            for _ in range(2):
                done = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout, "9\n")
            self.assertEqual(log.read_text(encoding="utf-8"), "called\n")

    def test_results_live(self):
        graph = gcompile.Graph("grid:100x100")
        first = self.bfs(graph, root=0).depth
        second = self.bfs(graph, root=9999).depth
        del graph
        gc.collect()
        self.assertEqual((first[9999], second[0], first[0], second[9999]), (198, 198, 0, 0))

    def test_description(self):
        self.assertEqual(str(inspect.signature(self.types))[:40], "(graph, *, threads=0, root='none', some="[:40])
        text = pydoc.render_doc(self.types)
        for part in ("All types.", "closed: bool for each vertex, default false", "which vertices are closed",
                     "both: (long, vertex) for each vertex"):
            self.assertIn(part, text)
        self.assertIn("class Bfs", self.bfs.source())
        self.assertIn("bfs", self.bfs.explain())

    def test_threads(self):
        grid = gcompile.Graph("grid:100x100")
        grid.handle(self.bfs._library)
        wrong = []

        def search(root):
            for _ in range(20):
                r = self.bfs(grid, root=root, threads=2)
                if r.depth[root] != 0 or r.depth.max() < 99:
                    wrong.append(root)

        threads = [threading.Thread(target=search, args=(root,)) for root in (0, 5000, 9999)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_interrupt(self):
        slow = gcompile.program(SLOW, name="slow.gdsl", **QUICK)
        seen = []

        def interrupt():
            time.sleep(0.5)
            seen.append(time.monotonic())  # the interpreter goes on while the program runs
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            slow("grid:300x300", rounds=1000000)
        self.assertLess(time.monotonic() - seen[0], 20)
        thread.join()
        self.assertEqual(slow("grid:3x3", rounds=1).x.tolist(), [1.5] * 9)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_one_thread(self):
        serial = gcompile.load(EXAMPLES / "bfs.gdsl", target="serial", **QUICK)
        self.assertEqual(serial("grid:30x20", root=0).depth.max(), 48)
        with self.assertRaises(gcompile.ArgumentError):
            serial("grid:30x20", root=0, threads=2)
        wide = gcompile.load(EXAMPLES / "bfs.gdsl", vertex_bits=64, target="serial", **QUICK)
        r = wide(matrix(), root=5)
        self.assertEqual(r.parent.dtype, numpy.uint64)
        numpy.testing.assert_array_equal(r.depth, self.bfs(matrix(), root=5).depth)


if __name__ == "__main__":
    unittest.main()
