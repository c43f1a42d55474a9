"""Bad input to compiled programs: one clear line that names file, line and reason, exit code 2, and no output left."""

import gzip
import lzma
import os
import shutil
import subprocess

import harness

suite = harness.Suite("bad_input")
shutil.rmtree(suite.folder)
(suite.folder / "out").mkdir(parents=True)
KARATE = harness.ROOT / "examples" / "data" / "karate.el"


def refuse(what, message, program, *arguments, inputs=None):
    """The program must refuse `arguments` with a line that holds `message`; `inputs` are files to write first."""
    for name, content in (inputs or {}).items():
        path = suite.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
    suite.fails(what, 2, "..." + message, suite.programs / program, *arguments, f"--output={OUTPUT[program]}=out/result")
    left = [path.name for path in (suite.folder / "out").iterdir()]
    suite.expect(not left, f"{what}: files are left behind: {left}")


OUTPUT = {"bfs": "depth", "sssp": "dist", "pagerank": "rank", "apsp": "dist", "kcore": "core"}
LINES = "".join(f"{u} {u + 1}\n" for u in range(5000))
PACKED = gzip.compress(LINES.encode())
ROOT = "--root=1"

# ---- files
refuse("no file", "nothing.el: no such file", "bfs", "nothing.el", ROOT)
refuse("a folder", "out: is a directory, not a file", "bfs", "out", ROOT, "--format=el")
refuse("an empty file", "empty.el: the file is empty", "bfs", "empty.el", ROOT, inputs={"empty.el": ""})
refuse("an unknown format", "'elx'", "bfs", KARATE, ROOT, "--format=elx")
refuse("the wrong format", "karate.el", "bfs", KARATE, ROOT, "--format=mtx")
refuse("text instead of numbers", "words.el:3: ", "bfs", "words.el", ROOT, inputs={"words.el": "1 2\n2 3\n3 x\n"})
refuse("half a line", "half.el:2: ", "bfs", "half.el", ROOT, inputs={"half.el": "1 2\n3\n4 5\n"})
refuse("an id too large", "large.el:2: ", "bfs", "large.el", ROOT, inputs={"large.el": "1 2\n1 99999999999999999999\n"})
refuse("an id out of range", "range.mtx:4: ", "bfs", "range.mtx", ROOT,
       inputs={"range.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n1 4\n"})
refuse("too few entries", "few.mtx", "bfs", "few.mtx", ROOT,
       inputs={"few.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n"})
refuse("an edge count that is wrong", "count.graph", "kcore", "count.graph", inputs={"count.graph": "3 5\n2\n1 3\n2\n"})

# ---- compression
refuse("truncated gzip", "short.el.gz: truncated gzip data", "bfs", "short.el.gz", ROOT,
       inputs={"short.el.gz": PACKED[:len(PACKED) // 2]})
refuse("corrupt gzip", "broken.el.gz: corrupt gzip data", "bfs", "broken.el.gz", ROOT,
       inputs={"broken.el.gz": PACKED[:200] + bytes(40) + PACKED[240:]})
refuse("no gzip", "plain.el.gz: not a gzip file", "bfs", "plain.el.gz", ROOT, inputs={"plain.el.gz": LINES})
packed = lzma.compress(LINES.encode())
refuse("truncated xz", "short.el.xz: truncated xz data", "bfs", "short.el.xz", ROOT,
       inputs={"short.el.xz": packed[:len(packed) // 2]})
packed = subprocess.run(["zstd", "-q", "-c"], input=LINES.encode(), capture_output=True, check=True).stdout
refuse("truncated zstd", "short.el.zst: truncated zstd data", "bfs", "short.el.zst", ROOT,
       inputs={"short.el.zst": packed[:len(packed) // 2]})
graph = suite.folder / "whole.gcsr"
suite.succeeds("convert", suite.gcompile, "convert", KARATE, graph)
refuse("a truncated binary graph", "cut.gcsr: ", "bfs", "cut.gcsr", ROOT,
       inputs={"cut.gcsr": graph.read_bytes()[:-100]})
refuse("a corrupt binary graph", "header.gcsr: ", "bfs", "header.gcsr", ROOT,
       inputs={"header.gcsr": graph.read_bytes()[:16] + b"\xff" * 16 + graph.read_bytes()[32:]})

# ---- weights
refuse("no weights", "plain.el", "sssp", "plain.el", "--source=1", inputs={"plain.el": "1 2\n2 3\n"})
refuse("a negative weight", "negative.wel:2: ", "sssp", "negative.wel", "--source=1",
       inputs={"negative.wel": "1 2 3\n2 3 -4\n"})
result = suite.run(suite.gcompile, "interpret", harness.ROOT / "examples" / "sssp.gdsl",
                   suite.folder / "negative.wel", "--source=1")
suite.expect(result.code == 2 and "negative.wel:2: weight -4 of edge 2 3 is negative" in result.err,
             "the interpreter refuses a negative weight as well", result)
refuse("a weight too large", "heavy.wel:2: ", "sssp", "heavy.wel", "--source=1",
       inputs={"heavy.wel": "1 2 3\n2 3 3000000000\n"})
refuse("a real weight for an int", "real.wel:1: ", "sssp", "real.wel", "--source=1", inputs={"real.wel": "1 2 0.5\n"})

# ---- parameters and options
refuse("a root that does not exist", "99", "bfs", KARATE, "--root=99")
refuse("no root", "root", "bfs", KARATE)
refuse("an unknown parameter", "did you mean '--root'?", "bfs", KARATE, "--rot=1")
refuse("no number", "abc", "pagerank", KARATE, "--damping=abc")
refuse("a number too large", "rounds", "pagerank", KARATE, "--rounds=99999999999")
refuse("an unknown output", "did you mean 'depth'?", "bfs", KARATE, ROOT, "--output=dept=out/other")
refuse("an unwritable output", "no/folder/depth", "bfs", KARATE, ROOT, "--output=depth=no/folder/depth")
(suite.folder / "there").mkdir()
suite.fails("a folder as an output", 2, "there: cannot write: Is a directory", suite.programs / "bfs", KARATE, ROOT,
            "--output=depth=there")
refuse("an unwritable report", "no/report.json", "bfs", KARATE, ROOT, "--report=no/report.json")
refuse("no thread", "threads", "bfs", KARATE, ROOT, "--threads=0")
refuse("an unknown generator", "kronacker", "bfs", "kronacker:scale=4", "--root=0")
refuse("a wrong generator option", "scael", "bfs", "kronecker:scael=4", "--root=0")
refuse("a directed graph for an undirected program", "directed", "kcore", KARATE, "--directed")
refuse("too little memory", "memory", "apsp", "kronecker:scale=20,degree=1,weights=1..9")

# ---- a link stays, and the file behind it is replaced; a name of standard output is standard output
(suite.folder / "deep").mkdir()
(suite.folder / "deep" / "target").write_text("old\n")
(suite.folder / "link").symlink_to("deep/link")
(suite.folder / "deep" / "link").symlink_to("target")
suite.succeeds("a link", suite.programs / "bfs", KARATE, ROOT, "--quiet", "--output=depth=link")
read = (suite.folder / "deep" / "target").read_text()
suite.expect((suite.folder / "link").is_symlink() and read.startswith("1 0\n2 1\n"), "a link", read)
(suite.folder / "loop").symlink_to("loop")
suite.fails("a link to itself", 2, "loop: cannot write: Too many levels of symbolic links", suite.programs / "bfs", KARATE, ROOT, "--quiet",
            "--output=depth=loop")
(suite.folder / "named").symlink_to("/dev/fd/1")
for name in ["/dev/stdout", "/proc/self/fd/1", "named"]:
    with open(suite.folder / "printed", "w", encoding="utf-8") as printed:
        subprocess.run([suite.programs / "bfs", KARATE, ROOT, f"--output=depth={name}"], stdout=printed, cwd=suite.folder,
                       check=True, timeout=60)
    read = (suite.folder / "printed").read_text()
    suite.expect(read.startswith(f"{KARATE}: 34 vertices") and "\n1 0\n2 1\n" in read, f"--output=depth={name}", read)

# ---- a pipe is written, not replaced
pipe = suite.folder / "pipe"
os.mkfifo(pipe)
with subprocess.Popen(["timeout", "30", "cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
    suite.succeeds("a pipe", suite.programs / "bfs", KARATE, ROOT, "--quiet", "--output=depth=pipe")
    read = reader.communicate()[0]
suite.expect(read.startswith("1 0\n2 1\n") and read.count("\n") == 34 and pipe.is_fifo(), "a pipe", read)
suite.finish()
