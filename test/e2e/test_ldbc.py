"""The validation cases of LDBC Graphalytics with their reference outputs: BFS, SSSP, PR, WCC, CDLP and LCC, directed and
undirected, each with its serial form (--verify)."""

import harness
import ldbc_data

suite = harness.Suite("ldbc")
ldbc_data.skip_without()
for algorithm in suite.cases or ldbc_data.ALGORITHMS:
    source, output, tolerance, _ = ldbc_data.ALGORITHMS[algorithm]
    # As build_programs.py names them.
    program = suite.programs / (source.stem if source.parent.name == "examples" else f"ldbc_{source.stem}")
    for case, graph, reference, options in ldbc_data.cases(suite, algorithm):
        found = suite.folder / f"{case}-{algorithm}.txt"
        for variant, environment in suite.variants([1, 2]):
            found.unlink(missing_ok=True)
            result = suite.succeeds(f"{algorithm} {case}", program, graph, *options, "--quiet", "--verify", *variant,
                                    f"--output={output}={found}", env=environment)
            if result.code == 0:
                suite.succeeds(f"compare {algorithm} {case}", suite.oracle, "compare", reference, found, tolerance)
suite.finish()
