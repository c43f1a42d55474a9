"""Loops that go on in segments of the edges' sources from their third round on: the same integers as without threads.

Whether they do depends on the second-level cache: 2^19 sources of 8 bytes exceed one of up to 2 MiB."""

import os

import harness

suite = harness.Suite("segments")
program = suite.folder / "waves.gdsl"
program.write_text("""algorithm waves(g: graph, rounds: int) {
    output most: long[g] = 0;
    output paths: long[g] = 1;
    before: long[g];
    for v in g { most[v] = hash(v) % 1000000; }
    repeat rounds {
        for v in g { before[v] = paths[v] % 1000003; }
        for v in g {
            paths[v] = sum(u -> v : before[u]);
            let most_of_all = max(u -> v : before[u] + 1);
            if most_of_all > most[v] { most[v] = most_of_all; }
        }
    }
}
""")
suite.succeeds("compile", suite.gcompile, program, "--profile", "-O2", "-o", suite.folder / "waves", timeout=120)
graph = suite.folder / "scattered.gcsr"
suite.succeeds("convert", suite.gcompile, "convert", "kronecker:scale=19,degree=4", graph)
for threads in (1, 2, 3):
    suite.succeeds(f"{threads} threads", suite.folder / "waves", graph, "--rounds=5", f"--threads={threads}", "--trials=2",
                          "--verify", "--quiet", f"--profile={suite.folder / 'profile.json'}")
    by_segments = "gather_" in (suite.folder / "profile.json").read_text()
    cache = os.sysconf(191)  # _SC_LEVEL2_CACHE_SIZE of glibc
    if 0 < cache <= 2 << 20:
        suite.expect(by_segments, f"{threads} threads: in segments")
    else:
        print(f"not tested that segments are chosen: the second-level cache has {cache} bytes")
suite.finish()
