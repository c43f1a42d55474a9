"""The examples, called from Python: their results against NetworkX and scipy. test_python.py runs this."""

import pathlib
import unittest

import networkx
import numpy
import scipy.sparse.csgraph

import gcompile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
INF = numpy.iinfo(numpy.int32).max
N = 26


def weighted(graph):
    for number, (u, v) in enumerate(graph.edges):
        graph.edges[u, v]["weight"] = number * 7 % 23 + 1
    return graph


def parts(labels):
    """The sets of equal labels."""
    found = {}
    for vertex, label in enumerate(labels):
        found.setdefault(label, set()).add(vertex)
    return sorted(map(sorted, found.values()))


class Examples(unittest.TestCase):
    """Vertices are numbered from 0, as nodes are."""

    @classmethod
    def setUpClass(cls):
        cls.undirected = weighted(networkx.gnm_random_graph(N, 70, seed=5))
        cls.sparse = weighted(networkx.gnm_random_graph(N, 24, seed=6))
        cls.directed = weighted(networkx.gnm_random_graph(N, 80, seed=7, directed=True))
        cls.ring = weighted(networkx.compose(cls.directed, networkx.cycle_graph(N, create_using=networkx.DiGraph)))

    def call(self, name, graph, **arguments):
        program = gcompile.load(EXAMPLES / f"{name}.gdsl", target="serial", flags=["-O0"])
        return program(graph, **arguments)

    def lengths(self, graph, source, weight="weight"):
        found = networkx.single_source_dijkstra_path_length(graph, source, weight=weight)
        return [found.get(v, INF) for v in range(N)]

    def widths(self, graph, source):
        """Of the widest ways: they are in a spanning tree of greatest weight."""
        tree = networkx.maximum_spanning_tree(graph)
        ways = networkx.single_source_shortest_path(tree, source)
        return {v: min(tree.edges[edge]["weight"] for edge in zip(way, way[1:])) for v, way in ways.items() if v != source}

    def test_searches(self):
        for graph in (self.directed, self.sparse):
            for source in (0, 9):
                found = self.call("bfs", graph, root=source)
                self.assertEqual(found.depth.tolist(), self.lengths(graph, source, None))
                for name in ("sssp", "sssp_vertex", "dijkstra"):
                    self.assertEqual(self.call(name, graph, source=source).dist.tolist(), self.lengths(graph, source), name)
        for target in (3, 17, 25):
            found = self.call("route", self.sparse, source=0, target=target)
            way = numpy.argsort(found.stop)[numpy.count_nonzero(found.stop < 0):].tolist()
            length = self.lengths(self.sparse, 0)[target]
            if length < INF:
                self.assertEqual((way[0], way[-1], found.length), (0, target, length))
                self.assertEqual(networkx.path_weight(self.sparse, way, "weight"), length)
            else:
                self.assertEqual((way, found.length), ([], numpy.iinfo(numpy.int64).max))

    def test_all_pairs(self):
        matrix = networkx.to_scipy_sparse_array(self.directed, nodelist=range(N), format="csr")
        expected = scipy.sparse.csgraph.shortest_path(matrix)
        for name in ("apsp", "apsp_paths"):
            found = self.call(name, self.directed)
            numpy.testing.assert_array_equal(numpy.where(found.dist == INF, numpy.inf, found.dist), expected)
        for u in range(N):
            for v in range(N):
                if u != v and found.dist[u, v] < INF:
                    before = int(found.pred[u, v])
                    self.assertEqual(found.dist[u, before] + self.directed.edges[before, v]["weight"], found.dist[u, v])
        reach = self.call("transitive_closure", self.directed).reach
        numpy.testing.assert_array_equal(reach, numpy.isfinite(expected))
        width = self.call("widest_path", self.sparse).width
        for source in range(N):
            expected = self.widths(self.sparse, source)
            self.assertEqual({v: int(width[source, v]) for v in range(N) if v != source and width[source, v] > 0}, expected)
        found = self.call("bottleneck", self.sparse, source=4).width
        self.assertEqual({v: int(found[v]) for v in range(N) if v != 4 and found[v] > 0}, self.widths(self.sparse, 4))

    def test_ranks(self):
        expected = networkx.pagerank(self.ring, alpha=0.85, tol=1e-13, max_iter=500, weight=None)
        found = self.call("pagerank", self.ring, tolerance=1e-13, rounds=500)
        numpy.testing.assert_allclose(found.rank, [expected[v] for v in range(N)], rtol=1e-8)
        interest = numpy.zeros(N)
        interest[[3, 8]] = 1, 3
        expected = networkx.pagerank(self.ring, alpha=0.85, tol=1e-13, max_iter=500, weight=None, personalization={3: 1, 8: 3})
        found = self.call("personalised_pagerank", self.ring, interest=interest, tolerance=1e-13, rounds=500)
        numpy.testing.assert_allclose(found.rank / found.rank.sum(), [expected[v] for v in range(N)], rtol=1e-8)
        hubs, authorities = networkx.hits(networkx.Graph(self.undirected.edges), max_iter=500, tol=1e-13)
        found = self.call("hits", networkx.Graph(self.undirected.edges), rounds=500)
        for values, expected in ((found.by_name("hub"), hubs), (found.by_name("authority"), authorities)):
            total = sum(values.values())
            for v, value in values.items():
                self.assertAlmostEqual(value / total, expected[v], delta=1e-6)
        expected = networkx.betweenness_centrality(self.directed, normalized=False)
        numpy.testing.assert_allclose(self.call("betweenness", self.directed).score, [expected[v] for v in range(N)], atol=1e-9)

    def test_parts(self):
        for name in ("components", "components_gas"):
            found = parts(self.call(name, self.sparse).label.tolist())
            self.assertEqual(found, sorted(map(sorted, networkx.connected_components(self.sparse))), name)
        thin = networkx.gnm_random_graph(N, 34, seed=8, directed=True)
        found = parts(self.call("scc", thin).component.tolist())
        self.assertEqual(found, sorted(map(sorted, networkx.strongly_connected_components(thin))))

    def test_trees(self):
        for graph in (self.undirected, self.sparse):
            expected = networkx.minimum_spanning_tree(graph).size("weight")
            self.assertEqual(self.call("boruvka", graph).total, expected)
            found = self.call("prim", graph, root=2)
            tree = networkx.minimum_spanning_tree(graph.subgraph(networkx.node_connected_component(graph, 2)))
            chosen = [(v, int(found.parent[v])) for v in tree if v != 2]
            self.assertEqual(sum(graph.edges[edge]["weight"] for edge in chosen), tree.size("weight"))
            self.assertTrue(networkx.is_tree(networkx.Graph(chosen)))

    def test_dense_parts(self):
        graph = self.undirected
        self.assertEqual(self.call("triangles", graph).count, sum(networkx.triangles(graph).values()) // 3)
        expected = networkx.clustering(graph)
        numpy.testing.assert_allclose(self.call("clustering", graph).coefficient, [expected[v] for v in range(N)])
        expected = networkx.core_number(graph)
        self.assertEqual(self.call("kcore", graph).core.tolist(), [expected[v] for v in range(N)])
        found = self.call("densest_subgraph", graph)
        members = graph.subgraph(numpy.flatnonzero(found.member).tolist())
        self.assertAlmostEqual(found.density, members.size() / len(members))
        self.assertGreaterEqual(found.density, graph.size() / N)
        matrix = networkx.to_scipy_sparse_array(graph, nodelist=range(N), weight=None, format="csr")
        matrix = scipy.sparse.csr_matrix(matrix)
        truss = self.call("ktruss", gcompile.Graph(matrix, directed=False)).truss
        rows = numpy.repeat(numpy.arange(N), numpy.diff(matrix.indptr))
        for k in range(2, truss.max() + 2):
            expected = {frozenset(edge) for edge in networkx.k_truss(graph, k).edges}
            self.assertEqual({frozenset((int(u), int(v))) for u, v, t in zip(rows, matrix.indices, truss) if t >= k}, expected)
        self.assertEqual(self.call("degree_histogram", graph).vertices.tolist(), networkx.degree_histogram(graph))

    def test_choices(self):
        for graph in (self.undirected, self.sparse):
            color = self.call("coloring", graph).color
            self.assertTrue(all(color[u] != color[v] for u, v in graph.edges) and color.min() >= 0)
            chosen = set(numpy.flatnonzero(self.call("mis", graph).chosen).tolist())
            self.assertTrue(networkx.is_dominating_set(graph, chosen) and graph.subgraph(chosen).size() == 0)
            found = self.call("dominating_set", graph)
            chosen = set(numpy.flatnonzero(found.chosen).tolist())
            self.assertTrue(networkx.is_dominating_set(graph, chosen) and found.size == len(chosen))
        whole = self.undirected.subgraph(max(networkx.connected_components(self.undirected), key=len))
        found = self.call("diameter", self.undirected, start=0)
        self.assertEqual(networkx.eccentricity(whole, getattr(found, "from")), found.bound)
        self.assertLessEqual(found.bound, networkx.diameter(whole))
        self.assertGreaterEqual(2 * found.bound, networkx.diameter(whole))


if __name__ == "__main__":
    unittest.main()
