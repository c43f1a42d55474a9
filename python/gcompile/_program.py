"""Programs, their calls, and their results."""

import ctypes
import inspect
import json
import operator
import os
import pathlib
import signal
import tempfile
import threading

import numpy

from . import _compiler, _show
from ._errors import CANCELLED, ArgumentError
from ._graph import Graph, _converted
from ._library import ASK, Library, program_handle
from ._profile import Profile, argument
from ._progress import Progress

_loaded = {}


class _Memory:
    """An array's view of memory that a handle owns."""

    def __init__(self, handle, address, count, dtype):
        self.handle = handle
        self.__array_interface__ = {"version": 3, "shape": (count,), "typestr": dtype.str, "data": (address, True)}


class DeviceArray:
    """A result in the memory of the GPU, for libraries that know `__cuda_array_interface__`: CuPy, Numba, PyTorch. It
    keeps the memory alive, and must not be written."""

    def __init__(self, handle, address, shape, dtype, strides=None):
        self._handle = handle
        self.shape, self.dtype = shape, dtype
        self.__cuda_array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "data": (address or 0, True),
                                         "strides": strides, "stream": None}


class Result:
    """The results of one run, as attributes: numpy arrays that show the program's own memory and keep it alive.

    Values of vertices stand at the vertices' numbers; those of edges in the order of the graph's arcs; those of pairs
    in a square array; those of an array at their indices. A result of tuples is a tuple of arrays. `names` are the vertices' names, by number.
    """

    def __init__(self, program, graph, handle):
        self._program, self._graph, self._handle = program, graph, handle
        self._found, self._listed = {}, None

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name):
        """The result of that name, also where a Result has an attribute of its own that is called so."""
        if name not in self._found:
            self._found[name] = self._get(name)
        return self._found[name]

    def __dir__(self):
        return [*super().__dir__(), *self._handle.library.getters]

    def __repr__(self):
        shown = ", ".join(self._handle.library.getters)
        return f"<results of {self._program.name}: {shown}>"

    def _repr_html_(self):
        return _show.page(self, self._handle.library.manifest["results"])

    def _get(self, name):
        library = self._handle.library
        getters = library.getters.get(name)
        if getters is None:
            raise AttributeError(f"{self._program.name} has no result '{name}', only {', '.join(library.getters)}")
        about = next(result for result in library.manifest["results"] if result["name"] == name)
        found = tuple(self._value(getter, dtype, type_name, about["shape"]) for getter, dtype, type_name in getters)
        return found if "elements" in about else found[0]

    def _value(self, getter, dtype, type_name, shape):
        handle = self._handle
        if shape == "scalar":
            value = numpy.zeros(1, dtype)
            handle.check(getter(handle.pointer, value.ctypes.data))
            number = value[0].item()
            if type_name in ("vertex", "edge"):
                return None if number == numpy.iinfo(dtype).max else self._name(number, type_name)
            return bool(number) if type_name == "bool" else number
        address, count = ctypes.c_void_p(), ctypes.c_uint64()
        handle.check(getter(handle.pointer, ctypes.byref(address), ctypes.byref(count)))
        if count.value == 0:
            array = numpy.zeros(0, dtype)
        else:
            array = numpy.asarray(_Memory(handle, address.value, count.value, dtype))
        if type_name == "bool":
            array = array.view(numpy.bool_)
        if shape == "pair":
            n = self.num_vertices
            array = array.reshape(n, n)
        return array

    def on_device(self, name):
        """The result of that name where it is, in the memory of the GPU: a DeviceArray, and of tuples one for each element.
        Of a program with target="cuda", and of a result that is an array."""
        library, handle = self._handle.library, self._handle
        getters = library.device_getters.get(name)
        if getters is None:
            raise AttributeError(f"{self._program.name} has no result '{name}' in the memory of a GPU")
        about = next(result for result in library.manifest["results"] if result["name"] == name)
        found = []
        for getter, dtype in getters:
            address, count, stride = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_uint64(dtype.itemsize)
            handle.check(getter(handle.pointer, *map(ctypes.byref, (address, count, stride)[:len(getter.argtypes) - 1])))
            shape = (self.num_vertices,) * 2 if about["shape"] == "pair" else (count.value,)
            strides = (stride.value * shape[0], stride.value)[-len(shape):] if "elements" in about else None
            found.append(DeviceArray(handle, address.value, shape, dtype, strides))
        return tuple(found) if "elements" in about else found[0]

    def _name(self, number, type_name):
        return number if type_name == "edge" or self._graph.names is None else self._graph.names[number]

    @property
    def num_vertices(self):
        """The number of vertices of the graph."""
        return self._handle.library.numbers["num_vertices"](self._handle.kept[0].pointer)

    @property
    def num_edges(self):
        """The number of edges of the graph, each counted once."""
        return self._handle.library.numbers["num_edges"](self._handle.kept[0].pointer)

    @property
    def names(self):
        """The names of the vertices, by number: those of a file as strings, else those of the source, or numbers."""
        if self._listed is None:
            self._listed = self._names()
        return self._listed

    def _names(self):
        if self._graph.names is not None:
            return self._graph.names
        if not self._graph.is_file():
            return range(self.num_vertices)
        graph, library, names = self._handle.kept[0], self._handle.library, []
        length, size = ctypes.c_size_t(), 64
        buffer = ctypes.create_string_buffer(size)
        for v in range(self.num_vertices):
            graph.check(library.graph_name(graph.pointer, v, buffer, size, ctypes.byref(length)))
            if length.value >= size:
                size = length.value + 1
                buffer = ctypes.create_string_buffer(size)
                graph.check(library.graph_name(graph.pointer, v, buffer, size, ctypes.byref(length)))
            names.append(buffer.raw[:length.value].decode(errors="replace"))
        return names

    def by_name(self, name):
        """A result of the vertices as a dict by their names."""
        return dict(zip(self.names, self[name].tolist()))


class Program:
    """A compiled program: a function of a graph, and of the parameters of its algorithm by name.

    program(graph, threads=N, PARAMETER=VALUE ...) runs it and gives a Result. `graph` is a Graph, or what a Graph is made
    of. A vertex is given by its number or its name, a set of vertices as "all" or a list, a parameter with a value for
    each vertex as one value or an array. What the program makes of several values, `pos: geo::point[g] from ...`, is given
    as a tuple of these, and for each vertex as an array of as many columns, a structured array, or a table of pandas.
    Another thread may run meanwhile; an interrupt (Ctrl-C) ends the run.
    """

    def __init__(self, library, compiler, text, file_name, options):
        self._library, self._compiler = library, compiler
        self._text, self._file_name, self._options = text, file_name, options
        self.manifest = library.manifest
        self.name = library.name

    def __repr__(self):
        return f"<graph program {self.name}{self.__signature__}>"

    def __call__(self, graph, *, threads=0, **arguments):
        if not isinstance(graph, Graph):
            graph = Graph(graph)
        library, arguments = self._library, self._apart(arguments)
        known = self._parameters(arguments)
        handle = program_handle(graph.handle(library))
        if threads:
            handle.check(library.threads(handle.pointer, operator.index(threads)))
        for name, value in arguments.items():
            self._set(handle, graph, known[name], value)
        self._run(handle)
        return Result(self, graph, handle)

    def _apart(self, arguments):
        """The arguments, with those taken apart that give several parameters together."""
        plain = {}
        for name, value in arguments.items():
            parts = self._library.joint.get(name)
            if parts is None:
                plain[name] = value
                continue
            for part, column in zip(parts, _columns(name, value, parts)):
                if part["name"] in arguments:
                    raise TypeError(f"{self.name}(): '{name}' gives '{part['name']}' too")
                plain[part["name"]] = column
        return plain

    def _parameters(self, arguments):
        """The parameters by name. Refuses arguments that do not fit them."""
        known = {parameter["name"]: parameter for parameter in self.manifest["parameters"]}
        for name in arguments:
            if name not in known:
                names = dict.fromkeys(parameter.get("joint", each) for each, parameter in known.items())
                raise TypeError(f"{self.name}() has no parameter '{name}'; it has {', '.join(names) or 'none'}")
        for name, parameter in known.items():
            if parameter["required"] and name not in arguments:
                raise TypeError(f"{self.name}() needs the parameter '{parameter.get('joint', name)}'")
        return known

    def profile(self, graph, *, threads=0, **arguments):
        """Runs the program once, compiled so that it measures itself, and gives a Profile: what each kernel and each round
        did. The arguments are those of a call. It runs in a process of its own, and reads the graph anew."""
        if not isinstance(graph, Graph):
            graph = Graph(graph)
        arguments = self._apart(arguments)
        known, handle = self._parameters(arguments), program_handle(graph.handle(self._library))
        result = Result(self, graph, handle)
        names = result.names if graph.is_file() else range(result.num_vertices)

        def number(name, value):
            return str(value) if graph.is_file() else self._vertex(handle, graph, name, value)

        with tempfile.TemporaryDirectory(prefix="gcompile-") as folder:
            source, found = pathlib.Path(folder) / self._file_name, pathlib.Path(folder) / "profile.json"
            source.write_text(self._text, encoding="utf-8")
            words = [argument(known[name], value, lambda v, name=name: number(name, v), names, folder)
                     for name, value in arguments.items()]
            if threads:
                words.append(f"--threads={operator.index(threads)}")
            _compiler.run(self._compiler, "run", "--profile", *self._options, source,
                          *graph.command_line(self._library, folder), *words, f"--profile={found}", "--quiet")
            return Profile(self.name, json.loads(found.read_text(encoding="utf-8")))

    def _run(self, handle):
        library, interrupts, progress = self._library, [], Progress(self.name)
        before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
        if not callable(before):
            handle.check(library.run(handle.pointer))
            return
        # No exception can leave a function that the library calls: an interrupt is noted, and handled afterwards.
        def ask(_):
            progress.step()
            return len(interrupts)

        watcher = ASK(ask)
        handle.check(library.watch(handle.pointer, watcher, None))
        signal.signal(signal.SIGINT, lambda *what: interrupts.append(what))
        try:
            status = library.run(handle.pointer)
        finally:
            signal.signal(signal.SIGINT, before)
            progress.end()
        library.watch(handle.pointer, ASK(), None)
        if interrupts:
            before(*interrupts[0])
        if status == CANCELLED:
            raise KeyboardInterrupt
        handle.check(status)

    def _set(self, handle, graph, parameter, value):
        name, library = parameter["name"], self._library
        setter = library.setters[name]
        if isinstance(value, (str, os.PathLike)) and (parameter["type"] != "vertex" or parameter["per_vertex"]):
            status = library.set(handle.pointer, name.encode(), os.fsencode(value))
        elif parameter["per_vertex"]:
            values = _converted(numpy.atleast_1d(self._plain(value, parameter)), library.dtype(parameter["type"]), name)
            status = setter(handle.pointer, values.ctypes.data, values.size)
        elif parameter["type"] == "vertex set":
            vertices = numpy.array([self._vertex(handle, graph, name, v) for v in value], library.vertex_dtype)
            status = setter(handle.pointer, vertices.ctypes.data, vertices.size)
        elif parameter["type"] == "vertex":
            status = setter(handle.pointer, self._vertex(handle, graph, name, value))
        else:
            status = setter(handle.pointer, self._number(parameter, value))
        handle.check(status)

    def _plain(self, value, parameter):
        """Values for vertices, where infinity stands for the greatest of an integer type and None for no vertex."""
        if value is None and parameter["type"] == "vertex":
            return self._library.none
        if isinstance(value, float) and value in (float("inf"), -float("inf")) and parameter["type"] in ("int", "long"):
            return self._number(parameter, value)
        return value

    def _vertex(self, handle, graph, name, value):
        if value is None:
            return self._library.none
        if graph.is_file():
            number, source = ctypes.c_uint64(), handle.kept[0]
            source.check(self._library.graph_find(source.pointer, str(value).encode(), ctypes.byref(number)))
            return number.value
        try:
            number = operator.index(graph.number(value))
        except TypeError:
            raise ArgumentError(f"{name}: {value!r} is no vertex") from None
        if not 0 <= number < self._library.none:
            raise ArgumentError(f"{name}: the graph has no vertex {number}")
        return number

    def _number(self, parameter, value):
        name, kind = parameter["name"], parameter["type"]
        if kind in ("float", "double"):
            return float(value)
        if kind == "bool":
            if value not in (0, 1):
                raise ArgumentError(f"{name}: {value!r} is not true or false")
            return int(value)
        limits = numpy.iinfo(self._library.dtype(kind))
        if isinstance(value, float) and value in (float("inf"), -float("inf")):
            return limits.max if value > 0 else limits.min
        try:
            number = operator.index(value)
        except TypeError:
            raise ArgumentError(f"{name}: {value!r} is not a whole number") from None
        if not limits.min <= number <= limits.max:
            raise ArgumentError(f"{name}: {number} does not fit {'an int' if kind == 'int' else 'a long'}")
        return number

    def _ask_compiler(self, *arguments):
        with tempfile.TemporaryDirectory(prefix="gcompile-") as folder:
            path = pathlib.Path(folder) / self._file_name
            path.write_text(self._text, encoding="utf-8")
            return _compiler.run(self._compiler, *arguments, *self._options, path, "-o", "-")

    def explain(self):
        """What the compiler knows about each statement: why it is safe in parallel, and how it is run."""
        return self._ask_compiler("--explain")

    def source(self):
        """The C++ that the compiler writes."""
        return self._ask_compiler("--emit=source")


def _columns(name, value, parts):
    """The values of several parameters from one that gives them together."""
    names = [part["part"] for part in parts]
    if isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} takes values: texts and files are for {' and '.join(part['name'] for part in parts)}")
    labels = getattr(getattr(value, "dtype", None), "names", None) or list(getattr(value, "columns", ()))
    if labels:  # a structured array, or a table
        missing = [each for each in names if each not in labels]
        if missing:
            raise ArgumentError(f"{name}: there is no column '{missing[0]}', only {', '.join(map(str, labels))}")
        return [numpy.asarray(value[each]) for each in names]
    if isinstance(value, numpy.ndarray) and value.ndim == 2:
        columns = list(value.T)
    else:
        columns = list(value)
        if parts[0]["per_vertex"] and columns and all(isinstance(each, (tuple, list, numpy.ndarray)) for each in columns):
            columns = [list(column) for column in zip(*columns)] if len(set(map(len, columns))) == 1 else []
    if len(columns) != len(parts):
        raise ArgumentError(f"{name}: a value has {len(parts)} parts: {', '.join(names)}")
    return columns


def _described(library):
    """What help() shows of a program: its comment, its parameters and its results."""
    manifest = library.manifest
    lines = [manifest["doc"] or f"The graph program {library.name}.", ""]
    for title, key in (("Parameters", "parameters"), ("Edge properties", "edge_properties"), ("Results", "results")):
        if manifest[key]:
            lines.append(f"{title}:")
        for item in manifest[key]:
            shape = " for each vertex" if item.get("per_vertex") else \
                {"vertex": " for each vertex", "edge": " for each edge", "pair": " for each pair of vertices",
                 "array": " for each index"}.get(item.get("shape"), "")
            given = f", default {item['default']}" if "default" in item else ""
            lines.append(f"    {item['name']}: {item['type']}{shape}{given}")
            lines += [f"        {line}" for line in item["doc"].splitlines()]
    return "\n".join(lines)


def _signature(library):
    keyword, either = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("graph", either), inspect.Parameter("threads", keyword, default=0)]
    for parameter in library.manifest["parameters"]:
        parts = library.joint.get(parameter.get("joint"), [parameter])
        if parameter is not parts[0]:
            continue
        defaults = [inspect.Parameter.empty if part["required"] else part["default"] for part in parts]
        default = defaults[0] if len(defaults) == 1 or inspect.Parameter.empty in defaults else tuple(defaults)
        default = inspect.Parameter.empty if any(part["required"] for part in parts) else default
        parameters.append(inspect.Parameter(parameter.get("joint", parameter["name"]), keyword, default=default))
    return inspect.Signature(parameters)


def program(text, *, name="program.gdsl", algorithm=None, target="omp", vertex_bits=32, compiler=None, flags=(), folder="."):
    """A program from its text, compiled unless that has been done before.

    name: of the file, in messages. algorithm: where the text has several. target: "omp", "serial" for one thread, or "cuda" for a GPU.
    vertex_bits: 64 for graphs of more than four billion vertices. compiler: the path of gcompile; flags: further options
    of it; folder: where the headers of C++ are that the program imports. Raises CompileError with the compiler's messages.
    """
    options = [f"--target={target}", *flags] + ([f"--algorithm={algorithm}"] if algorithm else [])
    compiler, imports = _compiler.find_compiler(compiler), _compiler.imports_headers(text)
    if imports:
        options.append(f"--cxx-flag=-I{pathlib.Path(folder).resolve()}")
    shared = [*options, f"--vertex-bits={vertex_bits}"]
    key = (compiler, text, name, tuple(shared))
    if imports:  # a header may have changed
        key = _compiler.compiled(*key)
    library = _loaded.get(key)
    if library is None:
        library = _loaded[key] = Library(*(key if imports else _compiler.compiled(compiler, text, name, shared)))
    kind = type(library.name, (Program,), {"__doc__": _described(library), "__signature__": _signature(library)})
    return kind(library, compiler, text, name, options)


def load(path, **options):
    """A program from its file; the options are those of program()."""
    path = pathlib.Path(path)
    return program(path.read_text(encoding="utf-8"), name=path.name, **{"folder": path.parent, **options})
