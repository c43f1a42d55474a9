"""The magic %%gdsl of IPython and Jupyter: `%load_ext gcompile`."""

from ._errors import CompileError, Error
from ._program import program


class CellError(Error):
    """A cell with errors: notebooks show the compiler's messages, and not the way to them."""

    def _render_traceback_(self):
        return str(self).splitlines()


def gdsl(line, cell, names, **options):
    """%%gdsl [GRAPH, PARAMETER=VALUE, ...]: compiles the cell, and calls it with what the line says, as in Python.

    The program gets the name of its algorithm among the notebook's names. Without a graph it is only compiled.
    """
    try:
        made = program(cell, name="cell.gdsl", **options)
    except CompileError as error:
        raise CellError(str(error)) from None
    names[made.name] = made
    if not line.strip():
        return made
    return eval(compile(f"__gdsl__({line})", "%%gdsl", "eval"), dict(names, __gdsl__=made))


def load_ipython_extension(shell):
    """Called by `%load_ext gcompile`."""
    def magic(line, cell):
        return gdsl(line, cell, shell.user_ns)

    magic.__doc__ = gdsl.__doc__
    shell.register_magic_function(magic, magic_kind="cell", magic_name="gdsl")
