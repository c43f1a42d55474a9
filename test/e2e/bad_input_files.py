"""The files that the rows of bad_inputs.py name, written into a folder."""

import gzip
import lzma
import os
import shutil
import subprocess

import harness

EXAMPLES = harness.ROOT / "examples"
LINES = "".join(f"{u} {u + 1}\n" for u in range(5000)).encode()
TRIANGLES = "%%MatrixMarket matrix coordinate "

TEXTS = {
    # graphs
    "empty.el": "",
    "empty.mtx": "",
    "empty.el.gz": "",
    "words.el": "1 2\n2 3\n3 x\n",
    "half.el": "1 2\n3\n4 5\n",
    "large.el": "1 2\n1 99999999999999999999\n",
    "plain.el": "1 2\n2 3\n",
    "real.el": "1.5 2\n",
    "end.csv": "a,\n",
    "open.csv": "a,b\n\"New\nYork\",c\n",
    "returns.csv": "a,b\rb,c\r",
    "range.mtx": TRIANGLES + "pattern general\n3 3 2\n1 2\n1 4\n",
    "few.mtx": TRIANGLES + "pattern general\n3 3 3\n1 2\n2 3\n",
    "many.mtx": TRIANGLES + "pattern general\n3 3 1\n1 2\n2 3\n",
    "sizes.mtx": TRIANGLES + "pattern general\n3 3\n",
    "kind.mtx": "%%MatrixMarket matrix array real general\n3 3\n",
    "count.graph": "3 5\n2\n1 3\n2\n",
    "lines.graph": "3 2\n2\n1 3\n",
    "end.graph": "3 2\n2\n1 4\n2\n",
    "arc.gr": "p sp 3 2\na 1 2 1\na 1 4 1\n",
    "short.gr": "p sp 3 2\na 1 2 1\n",
    "tail.gr": "p sp 3 1\na 1 2\n",
    "edge.gml": "graph [\n  node [ id 1 ]\n\n  edge [ source 1 target 9 ]\n]\n",
    "label.gml": "graph [\n  node [ id 1 label \"a\" ]\n  node [ id 2 ]\n]\n",
    "open.gml": "graph [\n  node [ id 1 ]\n",
    "tags.graphml": '<graphml><graph edgedefault="directed">\n<node id="a">\n</graph></graphml>\n',
    "latin.graphml": '<?xml version="1.0" encoding="ISO-8859-1"?>\n<graphml/>\n',
    "real.graphml": '<graphml>\n<key id="w" attr.name="weight" attr.type="double"/>\n<graph edgedefault="directed">\n'
                    '<node id="a"/>\n<edge source="a" target="a"><data key="w">2.5</data></edge>\n</graph></graphml>\n',
    "negative.wel": "1 2 3\n2 3 -4\n",
    "heavy.wel": "1 2 3\n2 3 3000000000\n",
    "real.wel": "1 2 0.5\n",
    "unequal.wel": "1 2 3\n2 3\n",
    "nan.wel": "1 2 nan\n",
    "plain.el.gz": "1 2\n2 3\n",
    "no.gcsr": "this is no binary graph, but it is long enough for a header and more of it " * 4,
    "values.txt": "0\n1\n",
    # programs
    "wrong.gdsl": "algorithm wrong(g: graph) { output depth: int[g] = 0; for v in g { dept[v] = 1; } }\n",
    "either.gdsl": "algorithm a(g: graph, r: vertex) { output n: int[g] = inf; n[r] = 0;\n"
                   "    propagate u -> v from {r} { n[v] min= n[u] + 1; } }\n"
                   "schedule a { cpu { direction push | pull; } }\n",
    "alpha.gdsl": "algorithm a(g: graph, r: vertex) { output n: int[g] = inf; n[r] = 0;\n"
                  "    propagate u -> v from {r} { n[v] min= n[u] + 1; } }\n"
                  "schedule a { cpu { direction push(alpha = 3); } }\n",
    "cut.gdsl": "algorithm cut(g: graph) {\n",
    "two.gdsl": "algorithm one(g: graph) { output a: int[g] = v.degree; }\n"
                "algorithm two(g: graph) { output b: int[g] = v.degree; }\n",
    "none.gdsl": "\n// nothing\n",
    "warned.gdsl": "algorithm warned(g: graph) { let unused = 1; output a: int[g] = v.degree; }\n",
    "unseen.gdsl": "algorithm unseen(g: graph, threads: int) { output a: int[g] = threads; }\n",
}
SCRIPTS = {
    "full-cxx": "echo '/tmp/x.s: fatal error: error writing: No space left on device' >&2; exit 1",
    "silent-cxx": "exit 3",
    "killed-cxx": "kill -9 $$",
    "lazy-cxx": "exit 0",
    "old-nvcc": "echo \"nvcc fatal   : Unsupported gpu architecture 'sm_1'\" >&2; exit 1",
    "bare-cxx": "echo '/usr/bin/ld: cannot find -lomp: No such file or directory' >&2; exit 1",
    # Compiles the small program and not the one generated.
    "picky-cxx": 'case "$*" in *small*) exec g++ "$@";; esac\necho "bfs.cpp:1: error: picky" >&2; exit 1',
}


def write(folder, gcompile):
    """Fills an empty folder."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    for name, text in SCRIPTS.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    for path in (EXAMPLES / "bfs.gdsl", EXAMPLES / "sssp.gdsl", EXAMPLES / "data" / "karate.el"):
        shutil.copy(path, folder)
    packed = gzip.compress(LINES)
    (folder / "short.el.gz").write_bytes(packed[:len(packed) // 2])
    (folder / "broken.el.gz").write_bytes(packed[:200] + bytes(40) + packed[240:])
    packed = lzma.compress(LINES)
    (folder / "short.el.xz").write_bytes(packed[:len(packed) // 2])
    packed = subprocess.run(["zstd", "-q", "-c"], input=LINES, capture_output=True, check=True).stdout
    (folder / "short.el.zst").write_bytes(packed[:len(packed) // 2])
    (folder / "zeros.el").write_bytes(b"1 2\n\0\0\0\0\n")
    (folder / "binary.gdsl").write_bytes(b"algorithm a(g: graph) {\n  // \xff\xfe\n}\n")
    (folder / "zero.gdsl").write_bytes(b"algorithm a(g: graph) {\0}\n")
    subprocess.run([gcompile, "convert", "karate.el", "whole.gcsr"], cwd=folder, check=True)
    whole = (folder / "whole.gcsr").read_bytes()
    (folder / "cut.gcsr").write_bytes(whole[:-100])
    (folder / "header.gcsr").write_bytes(whole[:16] + b"\xff" * 16 + whole[32:])
    (folder / "folder").mkdir()
    (folder / "folder.el").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "link.el").symlink_to("missing.el")
    shutil.copy(folder / "wrong.gdsl", folder / "line\nbreak.gdsl")
    os.link(folder / "karate.el", folder / "same.el")
