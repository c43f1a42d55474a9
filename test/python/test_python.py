"""The Python package, and examples/embedding/python: run by an interpreter that has what they read."""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import harness  # noqa: E402

suite = harness.Suite("python")


def interpreter():
    """Debian's Python has Debian's numpy; another one may stand before it on the PATH."""
    for python in (sys.executable, "/usr/bin/python3", shutil.which("python3")):
        if python and subprocess.run([python, "-c", "import numpy, scipy.sparse, networkx, igraph, pandas, IPython"],
                                     capture_output=True, check=False).returncode == 0:
            return python
    print("there is no Python with numpy, scipy, NetworkX, igraph, pandas and IPython")
    sys.exit(77)


cache = suite.folder / "cache"
shutil.rmtree(cache, ignore_errors=True)
environment = {"PYTHONPATH": str(harness.ROOT / "python"), "GCOMPILE": str(suite.gcompile), "XDG_CACHE_HOME": str(cache),
               "PYTHONDONTWRITEBYTECODE": "1"}
for cases in ("device.py",) if suite.target == "cuda" else ("package.py", "tables.py", "examples.py"):
    warnings = ["-W", "error"] if cases in ("package.py", "device.py") else ["-W", "error:::gcompile"]
    result = suite.succeeds(cases, interpreter(), *warnings, HERE / cases, env=environment, timeout=600)
    suite.expect("\nOK\n" in result.err and "skipped" not in result.err, f"all cases of {cases}", result)

if suite.target == "cuda":
    suite.finish()

# The libraries are in the cache that gcompile knows.
result = suite.succeeds("cache", suite.gcompile, "cache", "--stats", env=environment)
suite.expect(str(cache) in result.out and ": 0 programs" not in result.out, "the cache", result)

example = harness.ROOT / "examples" / "embedding" / "python"
result = suite.succeeds("the example", interpreter(), example / "suggest.py", example / "friends.csv", "Ada",
                        env=environment, timeout=300)
suite.expect(result.out == "Eva: 3 common friends\nFinn: 2 common friends\n", "suggestions", result)
result = suite.run(interpreter(), example / "suggest.py", example / "friends.csv", "Zoe", env=environment)
suite.expect(result.code == 1 and result.err == "suggest: the graph has no vertex 'Zoe'\n", "an unknown name", result)
suite.finish()
