"""Writes the fuzzers' first inputs: OUT/FORMAT/* for every reader, OUT/program/* and the words OUT/program.dict.

usage: make_seeds.py OUT [NAME...]: those of the named fuzzers, or all
"""

import gzip
import lzma
import pathlib
import re
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What the program and the user want, in the bits that reader.cpp reads.
CHOICES = {
    "plain": bytes([0, 0, 0]),
    "weights": bytes([1, 0, 0]),
    "all_columns": bytes([3, 0, 2]),
    "undirected": bytes([0x20 | 0x40 | 0x80, 8, 0]),
    "directed": bytes([0x10 | 0x40 | 0x80 | 1, 4, 1]),
    "real_nonnegative": bytes([1 | 12, 64, 0]),
    "text": bytes([2, 0x20, 0]),
}

BANNER = "%%MatrixMarket matrix coordinate "
TEXTS = {
    "el": ["1 2\n2 3\n3 1\n", "# note\n10 -7 2.5\n-7 9223372036854775807 1e3\n", "ann bob 3\nbob cid 4\n",
           "source,target,weight\n1,2,5\n2,2,6\n", '"a b";"c";1;2\n', "\ufeff1\t2\t3\r\n2\t3\t4\r\n"],
    "konect": ["% asym weighted\n% 2 2 2\n1 2 3\n2 1 4\n", "% sym unweighted\n1 2\n"],
    "mtx": [BANNER + "pattern general\n3 3 2\n1 2\n2 3\n", BANNER + "real symmetric\n% note\n3 3 2\n2 1 0.5\n3 3 1\n",
            BANNER + "integer skew-symmetric\n2 2 1\n2 1 7\n"],
    "gr": ["c note\np sp 3 2\na 1 2 5\na 2 3 -6\n", "a 10 20 5\n", "p tw 3 2\n1 2\n2 3\n", "p edge 2 1\ne 1 2\n"],
    "metis": ["3 2\n2\n1 3\n2\n", "% note\n3 2 011 2\n1 2 2 5\n3 4 1 5 3 6\n5 6 2 6\n", "2 1 100\n7 2\n8 1\n"],
    "webgraph": ["3\n1 2\n\n0\n"],
    "adjacency": ["0 1 2\n1\n5 0\n"],
    "gml": ['# c\ngraph [ directed 1\nnode [ id 1 label "a" ] node [ id 007 label "b" ]\nedge [ source 1 target 7 w 2.5 ] ]\n',
            'Creator "x"\ngraph\n[\n  edge [ source -1 target 2 weight 3 length 4 graphics [ x 1 ] ]\n'
            '  node [ id 2 ] node [ id -1 ] edge [ source 2 target 2 length 5 weight 6 ]\n]\n'],
    "graphml": ['<?xml version="1.0" encoding="UTF-8"?>\n<!-- c --><graphml xmlns="http://x">\n'
                '<key id="d" for="edge" attr.name="weight" attr.type="double"><default>1</default></key>\n'
                '<graph edgedefault="undirected"><node id="a"/><node id="b&amp;&#65;"></node>\n'
                '<edge source="a" target="b&amp;&#65;"><data key="d">2.5</data></edge><edge source="a" target="a"/>'
                '</graph></graphml>\n',
                '<g:graphml><g:key id="w" attr.type="int"/><g:graph edgedefault="directed"><g:node id="1"/>'
                '<g:edge source="1" target="2" directed="true"><g:data key="w"> 7 </g:data></g:edge><g:node id="2"/>'
                '</g:graph></g:graphml>'],
    "ldbc": ["1\n2\n3\n\0" + "1 2 0.5\n2 3 1.5\n", "ann\nbob\n\0" + "ann bob\n"],
    "generator": ["kronecker:scale=4,degree=3", "rmat:vertices=9,degree=2,a=0.5,b=0.2,c=0.2,seed=3,weights=1..9",
                  "uniform:scale=3,degree=2,directed=true", "grid:3x4,weights=0.5..1", "path:5", "star:5", "cycle:4",
                  "complete:4"],
}


def gap(weighted, directed):
    """0 -> 1 -> 2 -> 0, or its undirected form."""
    lists = [[1], [2], [0]] if directed else [[1, 2], [0, 2], [0, 1]]
    sides = [lists, [[2], [0], [1]]] if directed else [lists]
    out = struct.pack("<Bqq", directed, sum(map(len, lists)), len(lists))
    for side in sides:
        offsets = [0]
        for one in side:
            offsets.append(offsets[-1] + len(one))
        out += struct.pack(f"<{len(offsets)}q", *offsets)
        for u, one in enumerate(side):
            for v in one:
                out += struct.pack("<ii", v, u + v) if weighted else struct.pack("<i", v)
    return out


def binary(bits, kind, column, packed=False):
    """The same triangle in the .gcsr form. The fuzzer mends magic number, size and checksums."""
    def padded(data):
        return data + bytes(-len(data) % 64)

    names = b"abbccc"
    columns = [] if column is None else [column]
    header = struct.pack("<QIIII", 0, 3 if packed else 1, bits, 1, len(columns)) + struct.pack("<QQq", 3, 3, 3)
    header += struct.pack("<IIqQQ", kind, 0, 5, len(names) if kind == 2 else 0, 0)
    header += struct.pack("<16I", *(columns + [0] * 16)[:16]) + b"weight".ljust(40, b"\0") + bytes(15 * 40)
    header += bytes(8)
    if packed:
        # One group: fields of 2 bits from the first word on, and where the lists begin and the last one ends.
        group = 2 << 40 | sum(min(i, 3) << 83 + 13 * i for i in range(33))
        out = padded(header + struct.pack("<5Q", 0, 2, 0, 0, 0)) + group.to_bytes(64, "little")
        out += padded(struct.pack("<2Q", 1 | 2 << 2 | 0 << 4, 0))
    else:
        out = padded(header) + padded(struct.pack("<4Q", 0, 1, 2, 3))
        out += padded(struct.pack("<3I" if bits == 32 else "<3Q", 1, 2, 0))
    if column is not None:
        out += padded(struct.pack(("<3i", "<3q", "<3f", "<3d")[column], 4, 5, 6))
    if kind == 1:
        out += padded(struct.pack("<3q", -3, 0, 8))
    if kind == 2:
        out += padded(struct.pack("<3Q", 1, 3, 6)) + padded(names)
    return out


def main():
    out = pathlib.Path(sys.argv[1])
    seeds = {name: [(choice, bits + text.encode()) for text in texts for choice, bits in CHOICES.items()]
             for name, texts in TEXTS.items()}
    binaries = {"sg": [gap(False, False), gap(False, True)], "wsg": [gap(True, False), gap(True, True)],
                "gcsr": [binary(32, 0, None), binary(64, 1, 1), binary(32, 2, 0), binary(32, 0, 3), binary(64, 0, 2),
                         binary(32, 0, None, packed=True), binary(64, 2, 0, packed=True)]}
    for name, files in binaries.items():
        seeds[name] = [(choice, bits + data) for data in files for choice, bits in CHOICES.items()]
    plain = b"1 2 3\n2 3 4\n"
    zstd = subprocess.run(["zstd", "-q"], input=plain, capture_output=True, check=True).stdout
    packed = {"gzip": (64, gzip.compress(plain, mtime=0)), "zstd": (128, zstd), "xz": (0, lzma.compress(plain))}
    seeds["compressed"] = [(name, bytes([1, 0, mark]) + data) for name, (mark, data) in packed.items()]

    values = {0: "1 true\n2 false\n30 true\n", 1: "1 5\n2 inf\n30 -7\n", 2: "# x\n1 5000000000\n2, 3\n30\tinf\n",
              3: "1 0.5\n2 1e30\n30 inf\n", 4: "1 -2.5e-3\n% x\n2 7\n2 7\n30 0\n", 5: "1 2\n2 none\n30 30\n"}
    numbered = {kind: text.encode() for kind, text in values.items()}
    named = {kind: re.sub(r"^30", "c", re.sub(r"^2", "#b", re.sub(r"^1", "a", text, flags=re.M), flags=re.M), flags=re.M)
             for kind, text in values.items()}
    seeds["values"] = [(f"{form}-{kind}", bytes([form | required, kind, 0]) + text) for required in (0, 2)
                       for form, texts in ((0, numbered), (1, {k: t.encode() for k, t in named.items()}))
                       for kind, text in texts.items()]

    programs = [path.read_bytes() for part in ("examples", "test") for path in sorted((ROOT / part).rglob("*.gdsl"))]
    for page in sorted((ROOT / "docs").glob("*.md")):
        programs += [text.encode() for text in re.findall(r"```gdsl.*?\n(.*?)```", page.read_text(encoding="utf-8"), re.S)]
    # To compile all takes a fuzzer minutes, before it changes any: for a short run, few of the shorter ones.
    few = sorted(programs, key=len)[:len(programs) * 3 // 4][::8]
    seeds["program"] = [("program", text) for text in (few if "--few" in sys.argv[2:] else programs)]
    for name in [name for name in sys.argv[2:] if name != "--few"] or seeds:
        if name not in seeds:
            sys.exit(f"error: there is no fuzzer '{name}', only {', '.join(seeds)}")
        folder = out / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for number, (kind, data) in enumerate(seeds[name]):
            (folder / f"{number}-{kind}").write_bytes(data)
        if name == "program":
            grammar = (ROOT / "grammar" / "Gdsl.g4").read_text(encoding="utf-8")
            words = set(re.findall(r"'([^'\\]+)'", grammar)) | {"count", "sum", "argmin", "mode", "degree", "levels"}
            (out / "program.dict").write_text("".join(f'"{word}"\n' for word in sorted(words) if '"' not in word),
                                              encoding="utf-8")


if __name__ == "__main__":
    main()
