"""Graphs from the objects that Python programs have."""

import ctypes
import os

import numpy

from ._errors import ArgumentError, InputError
from ._library import graph_handle


def _converted(values, dtype, what):
    """The values in the type that a program reads: themselves where they have it. Refuses what would change them."""
    values = numpy.ascontiguousarray(values)
    dtype = numpy.dtype(dtype)
    if values.dtype == dtype:
        return values
    if values.dtype.kind in "iu" and dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        if values.size and (int(values.min()) < limits.min or int(values.max()) > limits.max):
            raise ArgumentError(f"{what}: a value does not fit the type {dtype}")
        if values.dtype.itemsize == dtype.itemsize:
            return values.view(dtype)  # of another sign only, and the values fit both
        return values.astype(dtype)
    if values.dtype.kind not in "biuf":
        raise ArgumentError(f"{what}: values of type {values.dtype} are no numbers")
    with numpy.errstate(invalid="ignore", over="ignore"):
        result = values.astype(dtype)
    if dtype.kind in "iu" and not numpy.array_equal(result, values):
        raise ArgumentError(f"{what}: the program reads whole numbers of type {dtype}, and these are none")
    return result


class _File:
    """A file or a generator, which the library reads."""

    names = None

    def __init__(self, source, directed, options):
        self.source = os.fspath(source)
        self.options = list(options) + ([] if directed is None else ["--directed" if directed else "--undirected"])

    def fill(self, library, handle):
        words = (ctypes.c_char_p * (len(self.options) + 1))(*[os.fsencode(word) for word in self.options], None)
        handle.check(library.graph_load(handle.pointer, os.fsencode(self.source), words))
        return ()


class _Edges:
    """Arrays of ends, and of values: each edge is listed once."""

    def __init__(self, sources, targets, values, num_vertices, directed, names=None):
        self.sources, self.targets, self.values = sources, targets, values
        self.num_vertices, self.directed, self.names = num_vertices, directed, names

    def fill(self, library, handle):
        given = library.edges()
        sources = _converted(self.sources, library.vertex_dtype, "sources")
        targets = _converted(self.targets, library.vertex_dtype, "targets")
        given.num_vertices, given.num_edges, given.is_directed = self.num_vertices, len(sources), self.directed
        given.sources, given.targets = sources.ctypes.data, targets.ctypes.data
        kept = [sources, targets]
        for column in library.manifest["edge_properties"]:
            values = _converted(self.values(column["name"]), library.dtype(column["type"]), column["name"])
            if values.shape != sources.shape:
                raise ArgumentError(f"{column['name']}: {values.size} values, and there are {sources.size} edges")
            kept.append(values)
            setattr(given, "edge_" + column["name"], values.ctypes.data)
        handle.check(library.graph_build(handle.pointer, ctypes.byref(given)))
        return ()  # built: nothing of it is needed


class _Matrix:
    """A matrix of scipy.sparse. Its indices are not copied where they are 32 bits wide and sorted."""

    names = None

    def __init__(self, matrix, directed):
        if matrix.shape[0] != matrix.shape[1]:
            raise ArgumentError(f"the matrix of a graph is square, and this one is {matrix.shape[0]} x {matrix.shape[1]}")
        matrix = matrix.tocsr()
        if not matrix.has_sorted_indices:
            matrix = matrix.sorted_indices()
        self.matrix, self.directed = matrix, directed

    def values(self, name):
        """The entries of the matrix, which are the one property of its edges."""
        return self.matrix.data

    def fill(self, library, handle):
        matrix, columns = self.matrix, library.manifest["edge_properties"]
        if len(columns) > 1:
            raise ArgumentError(f"the program reads {len(columns)} edge properties, and a matrix has one")
        must = library.manifest["directedness"]
        directed = self.directed if self.directed is not None else must != "undirected"
        given = library.arrays()
        kept = [_converted(matrix.indptr, numpy.uint64, "indptr"),
                _converted(matrix.indices, library.vertex_dtype, "indices")]
        given.num_vertices, given.is_directed = matrix.shape[0], directed
        given.offsets, given.targets = kept[0].ctypes.data, kept[1].ctypes.data
        for column in columns:
            kept.append(_converted(self.values(column["name"]), library.dtype(column["type"]), column["name"]))
            setattr(given, "edge_" + column["name"], kept[-1].ctypes.data)
        try:
            handle.check(library.graph_refer(handle.pointer, ctypes.byref(given)))
            return kept
        except ArgumentError as error:
            if directed or "not symmetric" not in str(error):
                raise
        # Each entry is an edge, which then runs both ways.
        rows = numpy.repeat(numpy.arange(matrix.shape[0], dtype=matrix.indices.dtype), numpy.diff(matrix.indptr))
        return _Edges(rows, matrix.indices, self.values, matrix.shape[0], False).fill(library, handle)


def _of_networkx(graph, directed):
    """The edges of a graph of NetworkX; its nodes are the names, in their order."""
    names = list(graph)
    numbers = {name: v for v, name in enumerate(names)}
    edges = list(graph.edges(data=True))
    count = len(edges)

    def values(name):
        try:
            return numpy.array([attributes[name] for _, _, attributes in edges]) if edges else numpy.zeros(0, numpy.int64)
        except KeyError:
            raise InputError(f"an edge has no attribute '{name}', which the program reads") from None

    sources = numpy.fromiter((numbers[u] for u, _, _ in edges), numpy.int64, count)
    targets = numpy.fromiter((numbers[v] for _, v, _ in edges), numpy.int64, count)
    is_directed = graph.is_directed() if directed is None else directed
    whole = all(type(name) is int and name == v for v, name in enumerate(names))
    return _Edges(sources, targets, values, len(names), is_directed, None if whole else names)


def _of_igraph(graph, directed):
    """The edges of a graph of igraph; vertices with the attribute `name` are known by it."""
    ends = numpy.array(graph.get_edgelist(), numpy.int64).reshape(-1, 2)
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None

    def values(name):
        if name not in graph.es.attributes():
            raise InputError(f"the edges have no attribute '{name}', which the program reads")
        return numpy.array(graph.es[name])

    if names is not None and len(set(names)) != len(names):
        raise ArgumentError("two vertices have the same name")
    return _Edges(ends[:, 0], ends[:, 1], values, graph.vcount(), graph.is_directed() if directed is None else directed,
                  names)


def _of_pandas(frame, directed, num_vertices):
    """A row for each edge: its ends in the columns `source` and `target`, else in the first two; others are properties."""
    columns = list(frame.columns)
    ends = ["source", "target"] if {"source", "target"} <= set(columns) else columns[:2]
    if len(ends) < 2:
        raise ArgumentError("a table of edges has a column for each end")
    weights = {name: frame[name].to_numpy() for name in columns if name not in ends}
    return _of_arrays((frame[ends[0]].to_numpy(), frame[ends[1]].to_numpy(), weights), directed, num_vertices)


def _of_arrays(ends, directed, num_vertices):
    """Arrays (sources, targets), and a third one of weights or a dict of arrays by name. Ends that are no integers are
    names."""
    if len(ends) not in (2, 3):
        raise ArgumentError("a graph of arrays is (sources, targets) or (sources, targets, weights)")
    sources, targets = numpy.asarray(ends[0]), numpy.asarray(ends[1])
    if sources.ndim != 1 or sources.shape != targets.shape:
        raise ArgumentError("sources and targets are arrays of one dimension and one length")
    names = None
    if sources.size and (sources.dtype.kind not in "iu" or targets.dtype.kind not in "iu"):
        found, numbers = numpy.unique(numpy.concatenate([sources, targets]), return_inverse=True)
        names, count = found.tolist(), len(found)
        sources, targets = numbers[:len(sources)], numbers[len(sources):]
    else:
        sources, targets = (array if array.size else array.astype(numpy.int64) for array in (sources, targets))
        count = int(max(sources.max(), targets.max())) + 1 if sources.size else 0
        if sources.size and min(int(sources.min()), int(targets.min())) < 0:
            raise ArgumentError("a vertex has a negative number")
    if num_vertices is not None:
        if num_vertices < count:
            raise ArgumentError(f"there are {count} vertices, more than num_vertices={num_vertices}")
        if names is not None and num_vertices != count:
            raise ArgumentError("num_vertices is for vertices that are numbers")
        count = num_vertices
    given = ends[2] if len(ends) == 3 else {}

    def values(name):
        if not isinstance(given, dict):
            return given
        if name not in given:
            raise InputError(f"there is no array '{name}', which the program reads")
        return given[name]

    return _Edges(sources, targets, values, count, True if directed is None else directed, names)


class Graph:
    """A graph for any number of programs and runs.

    source: the name of a file or a generator ("kronecker:scale=16"); a matrix of scipy.sparse, whose entry (u, v) is an
    edge from u to v; a graph of NetworkX or igraph; a table of pandas with a row for each edge, whose ends are the columns
    `source` and `target`, else the first two; or arrays (sources, targets) or (sources, targets, weights), where weights
    may be a dict of arrays by the names that programs read. Vertices are numbered from 0.
    directed: whether edges have a direction. By default files, generators, NetworkX and igraph say so, and matrices,
    tables and arrays are directed, unless the program is for undirected graphs. An undirected edge is listed once in
    arrays and tables; a matrix has both entries, or is copied.
    num_vertices: of arrays and tables, where the last vertices have no edge.
    options: of files and generators, as on the command line of a program: ["--weights=1..255"].

    The arrays of a matrix are used where they are: do not change them while the graph is in use.
    """

    def __init__(self, source, *, directed=None, num_vertices=None, options=()):
        is_file = isinstance(source, (str, os.PathLike))
        if options and not is_file:
            raise ArgumentError("options are for files and generators")
        is_table = hasattr(source, "columns") and hasattr(source, "to_numpy")
        if num_vertices is not None and not (is_table or isinstance(source, (tuple, list))):
            raise ArgumentError("num_vertices is for arrays")
        if is_file:
            self._source = _File(source, directed, options)
        elif hasattr(source, "tocsr"):
            self._source = _Matrix(source, directed)
        elif hasattr(source, "adj") and hasattr(source, "is_directed"):
            self._source = _of_networkx(source, directed)
        elif hasattr(source, "get_edgelist") and hasattr(source, "vs"):
            self._source = _of_igraph(source, directed)
        elif is_table:
            self._source = _of_pandas(source, directed, num_vertices)
        elif isinstance(source, (tuple, list)):
            self._source = _of_arrays(source, directed, num_vertices)
        else:
            raise TypeError(f"a graph is no {type(source).__name__}: see help(gcompile.Graph)")
        self._handles = {}
        self._numbers = None

    def handle(self, library):
        """The graph as a program's library has it; made at the first use."""
        handle = self._handles.get(library)
        if handle is None:
            handle = graph_handle(library)
            handle.kept = self._source.fill(library, handle)
            self._handles[library] = handle
        return handle

    @property
    def names(self):
        """The names of the vertices, by number; None where they have none, or a file has them."""
        return self._source.names

    def is_file(self):
        """Whether a library reads the graph, and knows the names."""
        return isinstance(self._source, _File)

    def command_line(self, library, folder):
        """The words with which a program reads this graph; one in memory is written to the folder."""
        if self.is_file():
            return [self._source.source, *self._source.options]
        handle, path = self.handle(library), os.path.join(folder, "graph.gcsr")
        handle.check(library.graph_save(handle.pointer, os.fsencode(path)))
        return [path]

    def number(self, vertex):
        """The number of a vertex that has a name here."""
        if self.names is None:
            return vertex
        if self._numbers is None:
            self._numbers = {name: v for v, name in enumerate(self.names)}
        try:
            return self._numbers[vertex]
        except (KeyError, TypeError):
            raise ArgumentError(f"the graph has no vertex {vertex!r}") from None
