"""examples/embedding as a project of its own, against an installed gcompile."""

import shutil

import harness

suite = harness.Suite("embedding")
prefix, build = suite.folder / "installed", suite.folder / "build"
for folder in (prefix, build):
    shutil.rmtree(folder, ignore_errors=True)
suite.succeeds("install", "cmake", "--install", suite.build, "--prefix", prefix)
suite.succeeds("configure", "cmake", "-S", harness.ROOT / "examples" / "embedding", "-B", build, "-G", "Ninja",
               f"-DCMAKE_PREFIX_PATH={prefix}")
result = suite.succeeds("build", "cmake", "--build", build, timeout=200)
suite.expect("warning" not in result.out + result.err, "warnings", result)
result = suite.succeeds("run", build / "embedding")
expected = [f"{v} is {hops} away" for v, hops in enumerate([0, 1, 1, 0, 1, 2, 2, 1])]
expected += ["8 is out of reach", "the far corner of the grid is 78 away", "from the middle it is 38 away",
             "the near corner behind a wall is 80 away"]
suite.expect(result.out.splitlines() == expected, "what it prints", result)
result = suite.succeeds("the installed compiler", prefix / "bin" / "gcompile", "run", harness.ROOT / "examples" / "bfs.gdsl",
                        "grid:10x10", "--root=0", timeout=120)
suite.expect("depth: from 0 to 18" in result.out, "the installed compiler's program", result)
suite.finish()
