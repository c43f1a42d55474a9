"""The time that gcompile takes for a program is in proportion to its length."""

import resource

import harness

suite = harness.Suite("size")
HEAD = "algorithm a(g: graph) {\n  output d: int[g] = 0;\n  output x: int = 1;\n"
FEW, TIMES = 2000, 4

# Of programs with many statements: what is repeated.
PROGRAMS = {
    "assignments": lambda i: f"  x = x + {i % 7};\n",
    "variables": lambda i: f"  x{i}: int = {f'x{i - 1}' if i else 'x'} + 1;\n",
    "loops": lambda i: f"  for v in g {{ d[v] = d[v] + {i % 7}; }}\n",
    "states": lambda i: f"  s{i}: int[g] = {i};\n  for v in g {{ d[v] += s{i}[v]; }}\n",
    "overwritten": lambda i: f"  s{i}: int[g] = {i};\n  for v in g {{ d[v] = s{i}[v]; }}\n",
    "propagates": lambda i: f"  propagate u -> v {{ d[v] min= d[u] + {i % 7}; }}\n",
    "rounds": lambda i: f"  while x < {i} {{ x += 1; for v in g {{ d[v] += 1; }} }}\n",
}


# Of loops with many statements in the body.
BODIES = {
    "updates": lambda i: f"    d[v] = d[v] + {i % 7};\n",
    "sums": lambda i: f"    y += {i % 7};\n",
    "names": lambda i: f"    let y{i} = d[v] + {i};\n    y = y + y{i};\n",
    "branches": lambda i: f"    if y > {i} {{ y = y + 1; }}\n",
}


def program(name, count):
    if name in BODIES:
        body = "".join(BODIES[name](i) for i in range(count))
        return f"{HEAD}  for v in g {{\n    y: int = 0;\n{body}    d[v] = y;\n  }}\n}}\n"
    return HEAD + "".join(PROGRAMS[name](i) for i in range(count)) + "}\n"


def seconds(name, count):
    """CPU time of a check, without what the machine does beside it; the best of two."""
    path = suite.folder / f"{name}{count}.gdsl"
    path.write_text(program(name, count))
    times = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        suite.succeeds(f"{count} {name}", suite.gcompile, "check", path, timeout=300)
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return min(times)


for name in [*PROGRAMS, *BODIES]:
    ratio = seconds(name, FEW * TIMES) / seconds(name, FEW)
    suite.expect(ratio < 2 * TIMES, f"{TIMES} times as many {name} take {ratio:.1f} times as long")
suite.finish()
