"""Examples on ranks beside one machine, for the tests of programs for several machines."""

import examples
import harness
from ranks import QUICK, build, mpirun, same, suite, threads, write

EXAMPLES = harness.ROOT / "examples"


def compare(name, same_outputs, counts, options_of):
    """On graphs of several shapes, on so many ranks for each: `same_outputs` are those of one machine, and all outputs
    are right. `options_of(ranks)`: further options of a run."""
    outputs, _, directions, reads_weights = examples.EXAMPLES[name]
    program = build(EXAMPLES / f"{name}.gdsl", name)
    line = write(f"{name}-line.wel", [(0, 1, 3), (1, 2, 3)])  # fewer vertices than ranks
    for shape, graph, weighted in [*examples.graphs(suite), ("line", line, True)]:
        if shape not in counts or (reads_weights and not weighted):
            continue
        given = examples.given(suite, name, graph)
        for direction in directions:
            one = {output: suite.folder / f"{name}-{output}.one" for output in outputs}
            suite.succeeds(f"{name} on one machine", suite.gcompile, "run", "--target=serial", *QUICK, EXAMPLES / f"{name}.gdsl",
                           graph, direction, *given, "--quiet", *[f"--output={o}={file}" for o, file in one.items()])
            for ranks in counts[shape]:
                options = [threads(ranks), *options_of(ranks)]
                what = f"{name} {shape} {direction} on {ranks} ranks with {' '.join(options)}"
                files = {output: suite.folder / f"{name}-{output}.parts" for output in outputs}
                for file in files.values():
                    file.unlink(missing_ok=True)
                result = mpirun(ranks, program, graph, direction, *given, *options, "--trials=2",
                                *[f"--output={o}={file}" for o, file in files.items()])
                if not suite.expect(result.code == 0 and ("--verify" not in options or "verified" in result.out), what, result):
                    continue
                suite.succeeds(f"check {what}", suite.oracle, "check", examples.SAME_AS.get(name, name), graph, direction,
                               *given, *[f"{o}={file}" for o, file in files.items()])
                for output in same_outputs:
                    suite.expect(same(one[output].read_text(), files[output].read_text()), f"{what}: the same {output}")
