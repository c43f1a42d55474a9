"""The time that gcompile takes for a program is in proportion to its length; what programs have in common is not
compiled with each of them."""

import resource
import shutil

import harness

suite = harness.Suite("size")
HEAD = "algorithm a(g: graph) {\n  output d: int[g] = 0;\n  output x: int = 1;\n"
FEW, TIMES = 2000, 4
EXAMPLES = harness.ROOT / "examples"

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

def symbols(example):
    """The functions and constants that the object of an example defines."""
    made = suite.folder / f"{example}.o"
    suite.succeeds(f"{example} as an object", suite.gcompile, "--emit=object", EXAMPLES / f"{example}.gdsl", "-o", made,
                   timeout=300)
    return suite.run("nm", "-C", "--defined-only", made).out.splitlines()


if shutil.which("nm"):
    bfs, apsp = symbols("bfs"), symbols("apsp")
    # Without atomic operations, only the push has a form of its own for each width.
    alone = [line for line in bfs if "gc::detail::work_alone<" in line]
    suite.expect(len(alone) == 2 and all("propagate_push" in line for line in alone), "kernels are compiled once",
                 "\n".join(alone))
    suite.expect(any("propagate_pull" in line for line in bfs), "bfs has its kernels")
    in_library = ("gc::Frontier<", "gc::VertexSet<", "gc::Chunks::", "gc::Bitmap::", "Closure<", "std::_Rb_tree<")
    for example, lines in (("bfs", bfs), ("apsp", apsp)):
        twice = [line for line in lines if any(f" {name}" in line or f"::{name}" in line for name in in_library)
                 and "::Writer::" not in line  # which adds up degrees with what the processor has
                 and "::BitWriter::set_marked" not in line]  # which counts bits with it
        suite.expect(not twice, f"{example} does not compile what the library has", "\n".join(twice))
suite.finish()
