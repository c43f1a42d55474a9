"""The package gcompile with target="cuda", under the emulation of a GPU. test_python.py runs this."""

import os
import pathlib
import threading
import unittest

import networkx
import numpy

import gcompile
from gcompile._errors import CANCELLED, OK
from gcompile._library import ASK, program_handle

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = {"target": "cuda", "flags": [f"--cxx={ROOT / 'test' / 'cuda' / 'emulated_nvcc'}", "-O0"]}


class DeviceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bfs = gcompile.load(ROOT / "examples" / "bfs.gdsl", **OPTIONS)
        cls.network = networkx.gnm_random_graph(60, 150, seed=4)
        cls.graph = gcompile.Graph(cls.network)

    def depths(self, root):
        found = networkx.single_source_shortest_path_length(self.network, root)
        return [found.get(v, numpy.iinfo(numpy.int32).max) for v in range(60)]

    def test_results(self):
        result = self.bfs(self.graph, root=3)
        self.assertEqual(result.depth.tolist(), self.depths(3))
        self.assertFalse(result.depth.flags.writeable)
        self.assertEqual(self.bfs.manifest["target"], "cuda")

    def test_where_they_are(self):
        result = self.bfs(self.graph, root=5)
        there = result.on_device("depth")
        about = there.__cuda_array_interface__
        self.assertEqual((about["shape"], about["typestr"], about["version"]), ((60,), "<i4", 3))
        self.assertEqual(about["data"][0], result.on_device("depth").__cuda_array_interface__["data"][0])
        self.assertNotEqual(about["data"][0], result.depth.ctypes.data)
        with self.assertRaisesRegex(AttributeError, "bfs has no result 'deep' in the memory of a GPU"):
            result.on_device("deep")

    def test_tuples(self):
        text = """algorithm t(g: graph<undirected>) { output both: (int, vertex, double)[g] = (v.degree, v, 0.5); }"""
        result = gcompile.program(text, name="t.gdsl", **OPTIONS)(self.graph)
        there = result.on_device("both")
        about = [each.__cuda_array_interface__ for each in there]
        self.assertEqual([(each["shape"], each["typestr"], each["strides"]) for each in about],
                         [((60,), kind, (16,)) for kind in ("<i4", "<u4", "<f8")])
        first = min(each["data"][0] for each in about)
        self.assertEqual(sorted(each["data"][0] - first for each in about), [0, 8, 12])
        for each, values in zip(there, result.both):  # the emulation's device is the host's memory

            class Shown:
                __array_interface__ = {key: each.__cuda_array_interface__[key] for key in ("version", "shape", "typestr", "data", "strides")}

            self.assertEqual(numpy.asarray(Shown()).tolist(), values.tolist())

    def test_threads(self):
        found = {}

        def search(root):
            found[root] = [self.bfs(self.graph, root=root).depth.tolist() for _ in range(3)]

        threads = [threading.Thread(target=search, args=(root,)) for root in (1, 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for root in (1, 7):
            self.assertEqual(found[root], [self.depths(root)] * 3)

    def test_cancelled(self):
        library, asked = self.bfs._library, []
        handle = program_handle(gcompile.Graph("path:3000").handle(library))
        handle.check(library.setters["root"](handle.pointer, 0))
        watcher = ASK(lambda _: len(asked.append(1) or asked) == 2)  # once at the beginning, and then in the run
        handle.check(library.watch(handle.pointer, watcher, None))
        self.assertEqual(library.run(handle.pointer), CANCELLED)
        self.assertEqual(len(asked), 2)
        handle.check(library.watch(handle.pointer, ASK(), None))
        self.assertEqual(library.run(handle.pointer), OK)
        self.assertEqual(self.bfs(self.graph, root=3).depth.tolist(), self.depths(3))

    def test_errors(self):
        with self.assertRaisesRegex(gcompile.ArgumentError, "root: the graph has no vertex 60"):
            self.bfs(gcompile.Graph(self.network), root=60)
        with self.assertRaises(gcompile.CompileError):
            gcompile.program("algorithm a(g: graph) { output x: int[g] = y; }", **OPTIONS)
        os.environ["GCOMPILE_EMULATION_DEVICES"] = "0"
        try:
            with self.assertRaisesRegex(gcompile.ResourceError, "no CUDA device can be used"):
                self.bfs(gcompile.Graph(self.network), root=0)
        finally:
            del os.environ["GCOMPILE_EMULATION_DEVICES"]


if __name__ == "__main__":
    unittest.main()
