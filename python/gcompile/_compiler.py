"""Finds gcompile, runs it, and keeps what it has compiled."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from ._errors import CompileError, ProgramError, ToolError


def find_compiler(wanted=None):
    """The path of gcompile: the wanted one, that of $GCOMPILE, the one on the PATH, or one beside this package."""
    named = wanted or os.environ.get("GCOMPILE")
    if named:
        found = shutil.which(os.fspath(named))
        if not found:
            raise ToolError(f"there is no compiler '{named}'")
        return found
    here = pathlib.Path(__file__).resolve()
    beside = [folder / "bin" / "gcompile" for up in here.parents[2:6] for folder in (up / "build", up)]
    for candidate in [shutil.which("gcompile"), *beside]:
        if candidate and os.access(candidate, os.X_OK):
            return os.fspath(candidate)
    raise ToolError("gcompile is not on the PATH; the variable GCOMPILE, or the argument compiler=, names it")


def run(compiler, *arguments):
    """Standard output of gcompile. Raises CompileError for errors in the program, ProgramError for those of a run, and
    ToolError for others."""
    try:
        done = subprocess.run([compiler, *map(os.fspath, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", check=False)
    except OSError as error:
        raise ToolError(f"{compiler}: {error.strerror}") from None
    if done.returncode == 1:
        raise CompileError(done.stderr.rstrip("\n"))
    if done.returncode == 3:
        raise ProgramError(done.stderr.rstrip("\n").removeprefix("error: "))
    if done.returncode != 0:
        raise ToolError(done.stderr.rstrip("\n").removeprefix("error: ") or f"{compiler} has failed")
    return done.stdout


def _state(path):
    """What changes when a file does."""
    try:
        status = os.stat(path)
    except OSError:
        return [os.fspath(path), "absent"]
    return [os.fspath(path), status.st_size, status.st_mtime_ns]


def _key(compiler, text, name, options):
    """A name for all that goes into a library: its text, the compilers, the runtime, and the machine."""
    compiler = pathlib.Path(compiler).resolve()
    prefix = compiler.parent.parent
    parts = [1, text, name, options, _state(compiler), os.environ.get("PATH", "")]
    parts += [_state(library) for library in sorted((prefix / "lib").glob("libgcompile_runtime*.a"))]
    parts += [_state(header) for header in sorted((prefix / "include" / "gcompile").rglob("*.h"))]
    try:
        first = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n\n", 1)[0]
        parts += [line for line in first.splitlines() if line.startswith(("model name", "flags", "Features"))]
    except OSError:
        pass
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def cache_folder():
    """The folder that `gcompile cache` shows and empties."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.environ.get("HOME", "")
        base = os.path.join(home, ".cache") if os.path.isabs(home) else tempfile.gettempdir()
    return pathlib.Path(base) / "gcompile"


def _library_in(folder):
    """The library and its name in a folder of the cache; None where it is not there."""
    manifests = list(folder.glob("*.json"))
    if len(manifests) != 1 or not (folder / "lib.so").is_file():
        return None
    return folder / "lib.so", manifests[0].stem


def imports_headers(text):
    """Whether a program imports headers of C++."""
    return re.search(r'^\s*import\s*"', text, re.MULTILINE) is not None


def _headers_in(depfile):
    """What a depfile names, a file a line, without the program itself."""
    names = depfile.read_text(encoding="utf-8", errors="surrogateescape").rstrip("\n").split(" \\\n  ")[2:]
    return [re.sub(r"\\(.)", r"\1", name).replace("$$", "$") for name in names]


def _folder_of(base, key):
    """Where the library of a program is, as the headers that it read the last time are now."""
    try:
        headers = json.loads((base / key / "headers.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return base / key
    return base / hashlib.sha256(repr([key, *map(_state, headers)]).encode()).hexdigest()[:32]


def compiled(compiler, text, name, options):
    """The path and the name of a program's library. The compiler runs unless the cache has it."""
    base, key = cache_folder(), _key(compiler, text, name, options)
    folder = _folder_of(base, key)
    found = _library_in(folder)
    if found:
        os.utime(folder)
        return found
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base, prefix="python-") as made:
        source = pathlib.Path(made) / name
        source.write_text(text, encoding="utf-8")
        built = pathlib.Path(made) / "built"
        built.mkdir()
        depfile = pathlib.Path(made) / "headers.d"
        try:
            run(compiler, "--emit=shared", *options, source, "-o", built / "lib.so", f"--MF={depfile}")
        except CompileError as error:
            raise CompileError(str(error).replace(f"{made}{os.sep}", "")) from None
        if imports_headers(text):
            (base / key).mkdir(exist_ok=True)
            listed = pathlib.Path(made) / "headers.json"
            listed.write_text(json.dumps(_headers_in(depfile)), encoding="utf-8")
            listed.replace(base / key / "headers.json")
            folder = _folder_of(base, key)
        try:
            built.rename(folder)
        except OSError:  # another process was faster, or what is there is damaged
            if not _library_in(folder):
                shutil.rmtree(folder, ignore_errors=True)
                built.rename(folder)
    return _library_in(folder)
