"""Every name of a program, wherever it may stand: none hangs the compiler, meets a macro of a header that generated code
includes, a word of C++, or another name. The macros are those that the compilers of this machine define."""

import concurrent.futures
import re
import shutil

import harness

suite = harness.Suite("names")
HEADERS = {"omp": ["omp.h", "program.h", "omp/segments.h", "omp/async/worklist.h"],
           "cuda": ["cuda.h", "program.h", "cuda/segments.h"]}
INCLUDE = f"-I{harness.ROOT / 'runtime' / 'include'}"
# Words of C++, of the runtime and of generated code, and what once hung or failed.
WORDS = """alignas and asm auto bitand bool_ catch char16_t class concept const constexpr co_await decltype delete do_
double_ enum explicit export extern friend goto inline mutable namespace new noexcept not nullptr operator or private
protected public register requires short signed sizeof static struct switch template this throw try typedef typename
typeof union unsigned using virtual void volatile wchar_t xor V gc std graph_ frontier main run outputs arguments
set_arguments witness visit part mine next active blocks parts lanes value members vertices slot arc round turn
SIGMA SIGNAL INTEREST INTERVAL UINTS FP_RATE MAP_SIZE PROT_A MADV_B M_PI M_E I N A_MAX LEAST_MIN errno offsetof
index rand y0 j1 gamma signgam environ read write open_ stat link time a_info batch_info batch_kernels names_functions
device Device Next Lanes Parts Kernels Scalars scalars graph tables counts other sum Sum""".split()


def macros():
    """All macros but those that begin with '_', which are the compiler's own."""
    found, sources = set(), {}
    for target, headers in HEADERS.items():
        sources[target] = suite.folder / f"all.{'cpp' if target == 'omp' else 'cu'}"
        sources[target].write_text("".join(f"#include <gcompile/{header}>\n" for header in headers))
    commands = [["g++", "-std=c++17", "-fopenmp"], ["clang++-19", "-std=c++17", "-fopenmp"]]
    if nvcc := shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc"):
        commands.append([nvcc, "-std=c++20", "--expt-relaxed-constexpr", "-arch=sm_90", "-Xcompiler=-fopenmp,-dM"])
    else:
        print("nvcc is not here: its macros are left out")
    for command in commands:
        device = "nvcc" in command[0]
        options = ["-E", INCLUDE, sources["cuda" if device else "omp"]] + ([] if device else ["-dM"])
        result = suite.run(*command, *options, timeout=300)
        names = set(re.findall(r"^#define ([A-Za-z]\w*)", result.out, re.M))
        suite.expect(result.code == 0 and len(names) > 300, f"{command[0]} does not list its macros", result)
        found |= names
    return found


# A program for each place where a name can stand, for some of the names.
def output(names):
    return ("algorithm batch(g: graph) {\n" + "".join(f"output {n}: int[g] = 0;\n" for n in names) +
            "for q0 in g { " + " ".join(f"{n}[q0] += 1;" for n in names) + " }\n}\n")


def scalar(names):
    return ("algorithm batch(g: graph) {\noutput q1: long[g] = 0;\n" + "".join(f"{n}: int = 1;\n" for n in names) +
            "for q0 in g { " + " ".join(f"{n} += 1; " for n in names) + "}\nfor q0 in g { " +
            " ".join(f"q1[q0] += {n};" for n in names) + " }\n}\n")


def let(names):
    return ("algorithm batch(g: graph) {\noutput q1: int[g] = 0;\nfor q0 in g {\n" +
            "".join(f"let {n} = q0.out_degree + q1[q0]; q1[q0] = {n} + {n};\n" for n in names) + "}\n}\n")


def vertex(names):
    return ("algorithm batch(g: graph) {\noutput q1: int[g] = 0;\n" +
            "".join(f"for {n} in g {{ q1[{n}] += {n}.out_degree; }}\n" for n in names[::4]) +
            "".join(f"for q0: {n} -> q2 {{ q1[{n}] += 1; }}\n" for n in names[1::4]) +
            "".join(f"for q2 in g {{ q1[q2] = sum(q0 -> q2 : count({n} in q0.neighbors)); }}\n" .replace("sum(", "int(sum(")
                    .replace("; }", "); }") for n in names[2::4]) +
            "".join(f"for {n}: q0 -> q2 where {n} != none {{ q1[q2] += 1; }}\n" for n in names[3::4]) + "}\n")


def parameter(names):
    return ("algorithm batch(g: graph, " + ", ".join(f"{n}: int = 1" for n in names) + ") {\noutput q1: long[g] = 0;\n"
            "for q0 in g { " + " ".join(f"q1[q0] += {n};" for n in names) + " }\n}\n")


def function(names):
    named, taking = names[::2], names[1::2]
    return ("".join(f"function {n}(q0: int) -> int {{ return q0 + 1; }}\n" for n in named) +
            "".join(f"function q{i + 1}({n}: int) -> int {{ {n}2: int = {n}; {n}2 += 1; return {n}2; }}\n"
                    for i, n in enumerate(taking)) +
            "algorithm batch(g: graph) {\noutput q0: int[g] = 0;\nfor q in g { " +
            " ".join(f"q0[q] += {n}(1);" for n in named) +
            " ".join(f"q0[q] += q{i + 1}(1);" for i, n in enumerate(taking)) + " }\n}\n")


def members(names):
    return ("algorithm batch(g: graph) {\noutput q1: long = 0;\n" + "".join(f"{n}: vertex set = g;\n" for n in names) +
            "".join(f"{n} -= {{q0 in {n} where q0.out_degree > 3}}; q1 += {n}.size;\n" for n in names) + "}\n")


def algorithm(names):
    return "".join(f"algorithm {n}(g: graph, {n}_info: int = 1) {{ output x: int[g] = {n}_info; "
                   f"for v in g {{ x[v] += 1; }} }}\n" for n in names)


PLACES = [output, scalar, let, vertex, parameter, function, members, algorithm]
defined = macros()
names = sorted(defined | set(WORDS))


def accepted(place, batch):
    """The names that the language itself allows there: its own words and options of programs are refused, by name."""
    while True:
        source = suite.folder / f"{place.__name__}.gdsl"
        source.write_text(place(batch))
        result = suite.run(suite.gcompile, "check", "--diagnostics=json", source, timeout=60)
        if result.code == 0:
            return batch
        refused = set(re.findall(r"'(\w+)'", result.err)) & set(batch)
        suite.expect(result.code == 1 and refused, f"{place.__name__}: refused without a name", result)
        if not refused:
            return []
        batch = [n for n in batch if n not in refused]


def check(place):
    # One rule names everything: all macros stand as results, which members and locals are named after, some elsewhere.
    mine = names if place in (output, algorithm) else sorted({*names[::8], *WORDS})
    wanted = [n for start in range(0, len(mine), 200) for n in accepted(place, mine[start:start + 200])]
    suite.expect(len(wanted) > len(mine) // 2, f"{place.__name__}: only {len(wanted)} of {len(mine)} are allowed")
    for start in range(0, len(wanted), 200):
        batch = wanted[start:start + 200]
        source = suite.folder / f"{place.__name__}-{start}.gdsl"
        source.write_text(place(batch))
        for target in HEADERS:
            what = f"{place.__name__} {start} for {target}"
            printed = suite.folder / f"{place.__name__}-{start}.{'hpp' if target == 'omp' else 'cuh'}"
            result = suite.run(suite.gcompile, f"--target={target}", "--emit=library", source, "-o", printed, timeout=60)
            if not suite.expect(result.code == 0, f"{what}: not printed", result):
                continue
            # Outside of texts and comments no name is a macro, but those of the headers that are meant.
            code = re.sub(r'"[^"\n]*"|//[^\n]*|^#[^\n]*', "", printed.read_text(), flags=re.M)
            met = (set(re.findall(r"[A-Za-z_]\w*", code)) & defined) - {"GCOMPILE_HD", "GCOMPILE_CUDA_EITHER_SIDE"}
            suite.expect(not met, f"{what}: macros are met: {sorted(met)[:5]}")
            if target != suite.target:
                continue
            compiler = (harness.emulated.program_compiler(suite.build) if target == "cuda" else
                        ["clang++-19", "-std=c++17", "-fopenmp"])
            unit = printed.with_suffix(".cpp")
            unit.write_text(f'#include "{printed.name}"\n')
            compiled = suite.run(*compiler, "-c", "-Wall", "-Wextra", "-Wno-unused-parameter", INCLUDE, unit,
                                 "-o", unit.with_suffix(".o"), timeout=300)
            suite.expect(compiled.code == 0, f"{what}: not C++", compiled)


with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    for job in [pool.submit(check, place) for place in PLACES]:
        job.result()
suite.finish()
