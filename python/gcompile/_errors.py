"""What can go wrong, as exceptions."""


class Error(Exception):
    """The base of all errors of gcompile. The text is the one line that the command line would show."""


class InputError(Error, ValueError):
    """A graph is missing, malformed, or does not fit the program."""


class ArgumentError(Error, ValueError):
    """An argument is wrong, or missing."""


class ResourceError(Error, MemoryError):
    """Too little memory, or too few threads."""


class ProgramError(Error, RuntimeError):
    """The program itself failed: a division by zero, an index out of range."""


class CompileError(Error, SyntaxError):
    """Errors in a program: the text is what the compiler prints, with the place and a caret."""

    def __init__(self, text):
        super().__init__(text)
        self.text_of_compiler = text

    def __str__(self):
        return self.text_of_compiler


class ToolError(Error, RuntimeError):
    """gcompile or the C++ compiler is missing, or has failed."""


OK, CANCELLED = 0, 5
_CLASSES = {1: InputError, 2: ArgumentError, 3: ResourceError, 4: ProgramError}


def raise_status(status, message):
    """The exception of a status other than OK of the C interface."""
    raise _CLASSES.get(status, Error)(message)
