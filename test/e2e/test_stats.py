"""Vertices, edges, degrees, components and triangles of real graphs, against figures computed elsewhere."""

import csv
import sys

import harness

suite = harness.Suite("stats", shared=True)
TABLE = harness.SHARED_DATA / "stats.tsv"
if not TABLE.is_file():
    print(f"skipped: {TABLE} is not there")
    sys.exit(77)

# output of stats.gdsl: column of the table
COLUMNS = {"vertices": "n", "edges": "simple_undirected_edges", "max_degree": "max_undirected_degree",
           "components": "n_wcc", "triangles": "triangles"}

with TABLE.open(encoding="utf-8") as file:
    rows = list(csv.DictReader(file, delimiter="\t"))
for row in rows:
    if suite.cases and row["file"].split("/")[0] not in suite.cases:
        continue
    files = {output: suite.folder / f"{output}.txt" for output in COLUMNS}
    for file in files.values():
        file.unlink(missing_ok=True)
    outputs = [f"--output={output}={file}" for output, file in files.items()]
    verify = ["--verify"] if int(row["m"]) < 300000 else []
    result = suite.succeeds(row["file"], suite.programs / "stats", harness.SHARED_DATA / row["file"], "--undirected",
                            "--quiet", *verify, *outputs)
    if result.code == 0:
        for output, column in COLUMNS.items():
            found = files[output].read_text().strip()
            suite.expect(found == row[column], f"{row['file']}: {output} is {found}, not {row[column]}")
suite.finish()
