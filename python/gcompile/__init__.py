"""Graph programs of gcompile in Python.

    import gcompile
    bfs = gcompile.load("bfs.gdsl")           # or gcompile.program("algorithm ...")
    r = bfs("roads.gr.gz", root=17)
    r.depth                                   # a numpy array, not copied

A graph is the name of a file or of a generator, a matrix of scipy.sparse, a graph of NetworkX, or arrays of ends:
see Graph. The compiler runs once for each program text; docs/embedding.md says more.
"""

from ._errors import ArgumentError, CompileError, Error, InputError, ProgramError, ResourceError, ToolError
from ._graph import Graph
from ._program import Program, Result, load, program

__all__ = ["ArgumentError", "CompileError", "Error", "Graph", "InputError", "Program", "ProgramError", "ResourceError",
           "Result", "ToolError", "load", "program"]
