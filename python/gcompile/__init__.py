"""Graph programs of gcompile in Python.

    import gcompile
    bfs = gcompile.load("bfs.gdsl")           # or gcompile.program("algorithm ...")
    r = bfs("roads.gr.gz", root=17)
    r.depth                                   # a numpy array, not copied

A graph is the name of a file or of a generator, a matrix of scipy.sparse, a graph of NetworkX or igraph, a table of
pandas, or arrays of ends: see Graph. The compiler runs once for each program text; docs/embedding.md says more. In
notebooks, `%load_ext gcompile` brings the magic %%gdsl.
"""

from ._errors import ArgumentError, CompileError, Error, InputError, ProgramError, ResourceError, ToolError
from ._graph import Graph
from ._notebook import load_ipython_extension
from ._profile import Profile
from ._program import DeviceArray, Program, Result, load, program
from ._progress import show_progress

__all__ = ["ArgumentError", "CompileError", "DeviceArray", "Error", "Graph", "InputError", "Profile", "Program", "ProgramError",
           "ResourceError", "Result", "ToolError", "load", "load_ipython_extension", "program", "show_progress"]
