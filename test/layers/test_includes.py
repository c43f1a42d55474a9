"""The compiler's sources are compiled with precompiled headers, and still name those that they use: a source that says a
name of one includes it, itself or through a header of its own."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["codegen_cpp", "codegen_cuda", "codegen_gpus", "codegen_host", "codegen_hybrid", "codegen_mpi", "frontend/lower", "ir", "targets"]
# Header that CMakeLists.txt has precompiled: the names for which it is included.
NAMES = {
    "ir/exec/ExecDialect.h": r"\bexec::[A-Z]\w*Op\b",
    "ir/graph/GraphDialect.h": r"\bgraph::[A-Z]\w*Op\b",
    "mlir/IR/IRMapping.h": r"\bIRMapping\b",
    "mlir/Pass/Pass.h": r"\b(Operation|Interface)Pass\b|\bPassWrapper\b|\bsignalPassFailure\b",
    "llvm/ADT/SetVector.h": r"\b(Small)?SetVector\b",
    "llvm/ADT/TypeSwitch.h": r"\bTypeSwitch\b",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def included(text, seen):
    """All that a text includes, through the project's own headers."""
    for name in INCLUDE.findall(text):
        if name not in seen:
            seen.add(name)
            if (ROOT / name).is_file():
                included((ROOT / name).read_text(), seen)
    return seen


def missing(text):
    names = included(text, set())
    return [header for header, name in NAMES.items() if header not in names and re.search(name, text)]


cmake = (ROOT / "CMakeLists.txt").read_text()
listed = re.search(r"target_precompile_headers\(\s*gcompile_ir\s+PRIVATE([^)]*)\)", cmake).group(1).split()
assert sorted(name.strip("<>") for name in listed) == sorted(NAMES), f"NAMES is not what CMakeLists.txt lists: {listed}"
bad = '#include "ir/graph/GraphDialect.h"\nbool same(exec::ParallelOp op, graph::ForOp loop, IRMapping map);\n'
assert missing(bad) == ["ir/exec/ExecDialect.h", "mlir/IR/IRMapping.h"], missing(bad)
sources = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.cpp"))
assert len(sources) > 100, sources
faults = [f"{path.relative_to(ROOT)} uses what {header} declares, and does not include it" for path in sources
          for header in missing(path.read_text())]
print("\n".join(faults))
sys.exit(1 if faults else 0)
