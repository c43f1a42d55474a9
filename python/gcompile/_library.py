"""The C interface of one program, through ctypes. The functions release the interpreter's lock while they run."""

import ctypes
import json

import numpy

from ._errors import OK, ToolError, raise_status

ABI_VERSION = 1

_P = ctypes.c_void_p
_SCALARS = {"bool": ctypes.c_int, "int": ctypes.c_int32, "long": ctypes.c_int64, "float": ctypes.c_float,
            "double": ctypes.c_double}
_DTYPES = {"bool": numpy.uint8, "int": numpy.int32, "long": numpy.int64, "float": numpy.float32,
           "double": numpy.float64, "edge": numpy.uint64}
ASK = ctypes.CFUNCTYPE(ctypes.c_int, _P)


class Library:
    """A loaded library: its manifest, and its functions without the prefix of the program's name."""

    def __init__(self, path, name):
        self.name = name
        self._library = ctypes.CDLL(str(path))
        self.manifest = json.loads(self.function("manifest", ctypes.c_char_p)().decode())
        if self.manifest["abi_version"] != ABI_VERSION:
            raise ToolError(f"{path}: the library has version {self.manifest['abi_version']} of the interface, and this "
                            f"package reads {ABI_VERSION}")
        self.bits = self.manifest["vertex_bits"]
        self.vertex_dtype = numpy.dtype(f"uint{self.bits}")
        self.vertex_type = ctypes.c_uint32 if self.bits == 32 else ctypes.c_uint64
        self.none = (1 << self.bits) - 1
        self._declare()

    def function(self, name, result=ctypes.c_int, *arguments):
        """A function, with its types."""
        found = getattr(self._library, f"{self.name}_{name}")
        found.restype, found.argtypes = result, arguments
        return found

    def dtype(self, type_name):
        """Of the values of a type of the language, in memory."""
        return self.vertex_dtype if type_name in ("vertex", "vertex set") else numpy.dtype(_DTYPES[type_name])

    def _declare(self):
        text, u64, size = ctypes.c_char_p, ctypes.c_uint64, ctypes.c_size_t
        self.graph_new = self.function("graph_new", _P, u64)
        self.graph_free = self.function("graph_free", None, _P)
        self.graph_message = self.function("graph_message", text, _P)
        self.graph_load = self.function("graph_load", ctypes.c_int, _P, text, ctypes.POINTER(text))
        self.graph_refer = self.function("graph_refer", ctypes.c_int, _P, _P)
        self.graph_build = self.function("graph_build", ctypes.c_int, _P, _P)
        self.graph_find = self.function("graph_find", ctypes.c_int, _P, text, ctypes.POINTER(u64))
        self.graph_name = self.function("graph_name", ctypes.c_int, _P, u64, text, size, ctypes.POINTER(size))
        self.graph_save = self.function("graph_save", ctypes.c_int, _P, text)
        self.numbers = {what: self.function("graph_" + what, result, _P)
                        for what, result in (("num_vertices", u64), ("num_edges", u64), ("num_arcs", u64),
                                             ("is_directed", ctypes.c_int))}
        self.new = self.function("new", _P, _P)
        self.free = self.function("free", None, _P)
        self.message = self.function("message", text, _P)
        self.set = self.function("set", ctypes.c_int, _P, text, text)
        self.threads = self.function("threads", ctypes.c_int, _P, ctypes.c_int)
        self.watch = self.function("watch", ctypes.c_int, _P, ASK, _P)
        self.run = self.function("run", ctypes.c_int, _P)
        self.setters = {parameter["name"]: self._setter(parameter) for parameter in self.manifest["parameters"]}
        self.joint = {}  # what gives several parameters together, by name
        for parameter in self.manifest["parameters"]:
            if "joint" in parameter:
                self.joint.setdefault(parameter["joint"], []).append(parameter)
        self.getters, self.device_getters = {}, {}
        for result in self.manifest["results"]:
            elements = result.get("elements", [result["type"]])
            names = [result["name"]] if "elements" not in result else [f"{result['name']}__{k}"
                                                                      for k in range(len(elements))]
            self.getters[result["name"]] = [self._getter(name, element, result["shape"] == "scalar")
                                            for name, element in zip(names, elements)]
            if self.manifest["target"] == "cuda" and result["shape"] != "scalar":
                strides = [ctypes.POINTER(u64)] if "elements" in result else []
                self.device_getters[result["name"]] = [
                    (self.function("device_" + name, ctypes.c_int, _P, ctypes.POINTER(_P), ctypes.POINTER(u64), *strides),
                     self.dtype(element)) for name, element in zip(names, elements)]
        columns = [("edge_" + column["name"], _P) for column in self.manifest["edge_properties"]]
        self.arrays = type("Arrays", (ctypes.Structure,), {"_fields_": [
            ("num_vertices", u64), ("is_directed", ctypes.c_int32), ("offsets", _P), ("targets", _P), *columns]})
        self.edges = type("Edges", (ctypes.Structure,), {"_fields_": [
            ("num_vertices", u64), ("num_edges", u64), ("is_directed", ctypes.c_int32), ("sources", _P), ("targets", _P),
            *columns]})

    def _setter(self, parameter):
        name = "set_" + parameter["name"]
        if parameter["per_vertex"] or parameter["type"] == "vertex set":
            return self.function(name, ctypes.c_int, _P, _P, ctypes.c_uint64)
        value = self.vertex_type if parameter["type"] == "vertex" else _SCALARS[parameter["type"]]
        return self.function(name, ctypes.c_int, _P, value)

    def _getter(self, name, type_name, scalar):
        arguments = [_P] if scalar else [ctypes.POINTER(_P), ctypes.POINTER(ctypes.c_uint64)]
        return self.function("get_" + name, ctypes.c_int, _P, *arguments), self.dtype(type_name), type_name


class Handle:
    """A handle of the library, freed with the object. `kept`: what must live as long."""

    def __init__(self, library, pointer, free, message, kept=()):
        if not pointer:
            raise MemoryError(f"{library.name}: no handle")
        self.library, self.pointer, self.kept = library, pointer, kept
        self._free, self._message = free, message

    def __del__(self):
        if getattr(self, "pointer", None):
            self._free(self.pointer)

    def check(self, status):
        """Raises the exception of a status."""
        if status != OK:
            raise_status(status, self._message(self.pointer).decode(errors="replace"))


def graph_handle(library):
    """A handle without a graph."""
    return Handle(library, library.graph_new(int(library.manifest["interface"], 16)), library.graph_free,
                  library.graph_message)


def program_handle(graph):
    """The program on a graph handle."""
    library = graph.library
    return Handle(library, library.new(graph.pointer), library.free, library.message, (graph,))
