"""A graph without edges, and one without vertices, is a graph: in every format that can say it, for every example. A
parameter that names a vertex has no value there, which is an error."""

import shutil
import struct

import harness
from examples import EXAMPLES

suite = harness.Suite("empty")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
MTX = "%%MatrixMarket matrix coordinate "


def gap(n, width):
    return struct.pack("<?qq", True, 0, n) + 2 * struct.pack("<Q", 0) * (n + 1)


# Graphs without vertices: a name, and what the files hold.
NO_VERTICES = {
    "nothing.el": {".el": ""}, "comments.el": {".el": "# source target\n\n"}, "header.csv": {".csv": "source,target\n"},
    "mark.txt": {".txt": "\ufeff"}, "nothing.konect": {".konect": "% sym\n"}, "bytes.konect": {".konect": ""},
    "nothing.mtx": {".mtx": MTX + "pattern general\n0 0 0\n"}, "symmetric.mtx": {".mtx": MTX + "real symmetric\n0 0 0"},
    "nothing.gr": {".gr": "p sp 0 0\n"}, "nothing.metis": {".metis": "0 0\n"}, "weights.graph": {".graph": "0 0 1\n"},
    "nothing.graph-txt": {".graph-txt": "0\n"}, "nothing.adj": {".adj": ""}, "nothing.v": {".v": "", ".e": ""},
    "nothing.gml": {".gml": "graph [ ]"},
    "nothing.graphml": {".graphml": '<graphml><graph edgedefault="directed"/></graphml>'},
    "nothing.sg": {".sg": gap(0, 4)}, "nothing.wsg": {".wsg": gap(0, 8)},
}
# Three vertices that have no edges, and what they are called.
NO_EDGES = {
    "alone.mtx": ({".mtx": MTX + "integer general\n3 3 0\n"}, "123"), "alone.gr": ({".gr": "p sp 3 0\n"}, "123"),
    "alone.metis": ({".metis": "3 0\n\n\n\n"}, "123"), "alone.graph-txt": ({".graph-txt": "3\n\n\n\n"}, "012"),
    "alone.adj": ({".adj": "4\n2\n9\n"}, "249"), "alone.v": ({".v": "a\nc\nb\n", ".e": ""}, "acb"),
    "alone.gml": ({".gml": "graph [ node [ id 3 ] node [ id 1 ] node [ id 2 ] ]"}, "123"),
    "alone.graphml": ({".graphml": '<graphml><graph edgedefault="undirected"><node id="c"/><node id="a"/>'
                                   '<node id="b"/></graph></graphml>'}, "cab"),
    "alone.sg": ({".sg": gap(3, 4)}, "012"), "alone.wsg": ({".wsg": gap(3, 8)}, "012"),
}
GENERATED = {"path:0": 0, "star:0": 0, "cycle:0": 0, "complete:0": 0, "grid:0x0": 0, "grid:0x5": 0, "grid:5x0": 0,
             "uniform:vertices=0": 0, "rmat:vertices=0": 0, "path:1": 1, "complete:1": 1, "star:1": 1, "grid:1x1": 1}

# What the examples say of three vertices u, v and w without edges, where the root is u. NUMBER: of the vertices.
ALONE = {
    "apsp": {"dist": "u u 0, u v inf, u w inf, v u inf, v v 0, v w inf, w u inf, w v inf, w w 0"},
    "apsp_paths": {"dist": "u u 0, u v inf, u w inf, v u inf, v v 0, v w inf, w u inf, w v inf, w w 0",
                   "pred": "u u none, u v none, u w none, v u none, v v none, v w none, w u none, w v none, w w none"},
    "betweenness": {"score": "u 0, v 0, w 0"},
    "bfs": {"parent": "u u, v none, w none", "depth": "u 0, v inf, w inf"},
    "boruvka": {"component": "u u, v v, w w", "tail": "u none, v none, w none", "head": "u none, v none, w none",
                "total": "0"},
    "bottleneck": {"width": "u inf, v 0, w 0"},
    "clustering": {"coefficient": "u 0, v 0, w 0"},
    "coloring": {"color": "u 0, v 0, w 0"},
    "components": {"label": "u u, v v, w w"},
    "components_gas": {"label": "u u, v v, w w"},
    "degree_histogram": {"vertices": "0 NUMBER", "at_least": "0 NUMBER"},
    "densest_subgraph": {"density": "0", "member": "u true, v true, w true"},
    "diameter": {"bound": "0", "from": "u"},
    "dijkstra": {"dist": "u 0, v inf, w inf", "parent": "u none, v none, w none"},
    "dominating_set": {"chosen": "u true, v true, w true", "size": "NUMBER"},
    "hits": {"hub": "u 0, v 0, w 0", "authority": "u 0, v 0, w 0"},
    "kcore": {"core": "u 0, v 0, w 0"},
    "ktruss": {"truss": ""},
    "label_propagation": {"label": "u u, v v, w w"},
    "mis": {"chosen": "u true, v true, w true"},
    "pagerank": None,
    "personalised_pagerank": None,
    "prim": {"parent": "u none, v none, w none", "key": "u 0, v inf, w inf"},
    "residual_pagerank": None,
    "random_walks": {"visits": "u 7, v 7, w 7", "end": "u u, v v, w w"},
    "route": {"length": "0", "stop": "u 0, v -1, w -1"},
    "scc": {"component": "u u, v v, w w"},
    "sssp": {"dist": "u 0, v inf, w inf"},
    "sssp_vertex": {"dist": "u 0, v inf, w inf"},
    "transitive_closure": {"reach": "u u true, u v false, u w false, v u false, v v true, v w false, w u false, "
                                    "w v false, w w true"},
    "triangles": {"count": "0"},
    "widest_path": {"width": "u u inf, u v 0, u w 0, v u 0, v v inf, v w 0, w u 0, w v 0, w w inf"},
}
SCALARS = {"total", "count", "density", "size", "length"}
ARRAYS = {"vertices", "at_least"}  # which have one element, for the degree 0


def write(files, stem):
    for ending, text in files.items():
        if isinstance(text, str):
            (suite.folder / f"{stem}{ending}").write_text(text, encoding="utf-8")
        else:
            (suite.folder / f"{stem}{ending}").write_bytes(text)


def run(name, graph, root, values, *options, env=None):
    """The exit code, standard error and the outputs of an example."""
    outputs, parameters, _, weighted = EXAMPLES[name]
    spec = graph + ((",weights=1..9" if ":" in graph else "?weights=1..9") if weighted else "")
    given = [f"--{key}={ {'ROOT': root, 'LAST': root, 'VALUES': '@' + values}.get(value, value)}" for key, value in parameters.items()]
    for output in outputs:
        (suite.folder / f"{name}.{output}").unlink(missing_ok=True)
    result = suite.run(suite.programs / name, spec, "--quiet", "--verify", *given, *options,
                       *[f"--output={output}={name}.{output}" for output in outputs], env=env)
    files = {output: suite.folder / f"{name}.{output}" for output in outputs}
    return result, {output: file.read_text() if file.exists() else None for output, file in files.items()}


def without_vertices(name, graph, *options, env=None):
    outputs, parameters, _, _ = EXAMPLES[name]
    result, found = run(name, graph, "1", "nothing.el", *options, env=env)
    needs = [key for key, value in parameters.items() if value == "ROOT"]
    if needs:
        suite.expect(result.code == 2 and result.err == f"error: --{needs[0]}: the graph has no vertices\n" and
                     set(found.values()) == {None}, f"{name} {graph} {options}: there is no vertex to begin at", result)
    else:
        suite.expect(result.code == 0 and found == {o: "0\n" if o in SCALARS else "0 0\n" if o in ARRAYS else "" for o in outputs},
                     f"{name} {graph} {options}: empty outputs, not {found}", result)


def without_edges(name, graph, vertices, *options, env=None):
    (suite.folder / "values").write_text("".join(f"{v} 1\n" for v in vertices))
    result, found = run(name, graph, vertices[0], "values", *options, env=env)
    expected = {output: "".join(line + "\n" for line in text.split(", ") if line) for output, text in (ALONE[name] or {}).items()}
    if len(vertices) < 3:
        expected = {o: "".join(line for line in text.splitlines(True) if not {"v", "w"} & set(line.split()[:2]))
                    for o, text in expected.items()}
    spell = {**dict(zip("uvw", vertices)), "NUMBER": str(len(vertices))}
    expected = {o: "".join(" ".join(spell.get(word, word) for word in line.split()) + "\n" for line in text.splitlines())
                for o, text in expected.items()}
    if ALONE[name] is None: # ranks are equal, and what the damping leaves
        ranks = [float(line.split()[1]) for line in (found["rank"] or "").splitlines()]
        good = len(ranks) == len(vertices) and all(rank == ranks[0] and 0 < rank < 1 for rank in ranks)
    else:
        good = found == expected
    suite.expect(result.code == 0 and good, f"{name} {graph} {options}: {expected}, not {found}", result)


for files, stem in [(files, name.partition(".")[0]) for name, files in NO_VERTICES.items()]:
    write(files, stem)
for name, (files, _) in NO_EDGES.items():
    write(files, name.partition(".")[0])
for name in ("nothing", "alone"):
    suite.succeeds(f"convert {name}", suite.gcompile, "convert", f"{name}.graph-txt", f"{name}.gcsr")

few = ["nothing.el", "nothing.gcsr", "path:0"]
for name, (_, _, directions, _) in EXAMPLES.items():
    for options, env in suite.variants([1, 4]):
        for direction in directions:
            for graph in few:
                without_vertices(name, graph, direction, *options, env=env)
            without_edges(name, "alone.graph-txt", "012", direction, *options, env=env)
        if suite.wide:
            without_vertices(name, "nothing.el", *suite.wide, *options, env=env)
        without_edges(name, "path:1", "0", *options, env=env)
for name in ("components", "bfs", "mis", "sssp"):
    for graph in [*NO_VERTICES, *(spec for spec, n in GENERATED.items() if n == 0)]:
        without_vertices(name, graph)
    for graph, vertices in [*((graph, ids) for graph, (_, ids) in NO_EDGES.items()), ("alone.gcsr", "012"),
                            *((spec, "0") for spec, n in GENERATED.items() if n == 1)]:
        without_edges(name, graph, vertices)

# The interpreter, and edge lists that are written.
for name in ("components", "pagerank", "triangles"):
    suite.succeeds(f"interpret {name}", suite.gcompile, "interpret", harness.ROOT / "examples" / f"{name}.gdsl",
                   "nothing.el", "--quiet")
for graph in ("nothing.gcsr", "alone.gcsr", "path:0"):
    result = suite.succeeds(f"convert {graph}", suite.gcompile, "convert", graph, "-")
    suite.expect(result.out == "", f"{graph} has no edges to write", result)
suite.finish()
