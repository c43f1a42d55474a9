"""The validation cases of LDBC Graphalytics on four ranks, with their reference outputs.

usage: test_mpi_ldbc.py --build DIR ldbc"""

import ldbc_data
from ranks import build, mpirun, suite

ldbc_data.skip_without()
# What does not run on several machines yet: clustering.
for algorithm in ("bfs", "sssp", "pr", "wcc", "cdlp"):
    source, output, tolerance, _ = ldbc_data.ALGORITHMS[algorithm]
    program = build(source, f"ldbc-{algorithm}")
    for case, graph, reference, options in ldbc_data.cases(suite, algorithm):
        found = suite.folder / f"ldbc-{case}-{algorithm}.txt"
        found.unlink(missing_ok=True)
        result = mpirun(4, program, graph, *options, "--quiet", "--verify", f"--output={output}={found}")
        if suite.expect(result.code == 0, f"{algorithm} {case}", result):
            suite.succeeds(f"compare {algorithm} {case}", suite.oracle, "compare", reference, found, tolerance)
suite.finish()
