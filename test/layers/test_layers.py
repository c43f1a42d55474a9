"""scripts/layers accepts includes that point down, and names each one that points up or into a private folder, and OpenMP
where host code does without; the pages for readers have the same table."""
import importlib.machinery, importlib.util, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "layers"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("layers", str(SCRIPT))
rules = importlib.util.module_from_spec(importlib.util.spec_from_loader("layers", loader))
loader.exec_module(rules)
H = "runtime/include/gcompile"
GOOD = {
    f"{H}/core/graph.h": "",
    f"{H}/core/device.h": "#include <gcompile/core/graph.h>\n#include <vector>\n",
    f"{H}/program/load.h": "#include <gcompile/core/graph.h>\n",
    f"{H}/omp/sets/bitmap.h": "#include <gcompile/program/load.h>\n",
    f"{H}/cuda/sets/set_view.h": "#include <gcompile/core/graph.h>\n",
    f"{H}/cuda.h": "#include <gcompile/cuda/sets/set_view.h>\n#include <gcompile/omp/sets/bitmap.h>\n",
    "runtime/tool_support/output.h": "#include <gcompile/program/load.h>\n",
    "runtime/src/text.h": "",
    "runtime/src/text.cpp": '#pragma omp parallel\n#include "text.h"\n#include "runtime/tool_support/output.h"\n',
    "tools/main.cpp": '#include "runtime/tool_support/output.h"\n#include <gcompile/cuda.h>\n',
    "test/runtime/text.cpp": '#include "runtime/src/text.h"\n',
}
for room in rules.ROOMS:
    GOOD.setdefault(f"{room}/room.h", "")
BAD = [
    ("ir/analysis/bad.cpp", '#include "ir/exec/passes/room.h"\n', "ir/analysis may include"),
    ("ir/interpreter/bad.cpp", '#include "ir/analysis/room.h"\n', "may include ir/graph"),
    ("ir/explain/bad.cpp", '#include "ir/analysis/room.h"\n', "ir/explain may include"),
    ("codegen_cpp/bad.h", '#include "ir/analysis/room.h"\n', "codegen_cpp may include"),
    ("frontend/bad.cpp", '#include "ir/graph/room.h"\n', "frontend may include"),
    (f"{H}/core/bad.h", "#include <gcompile/cuda/sets/set_view.h>\n", "only itself"),
    (f"{H}/core/bad.h", "#include <gcompile/cuda.h>\n", "only itself"),
    (f"{H}/core/bad.h", '  #  include "../omp/sets/bitmap.h"\n', "only itself"),
    (f"{H}/program/bad.h", "#include <gcompile/omp/sets/bitmap.h>\n", f"may include {H}/core"),
    (f"{H}/cuda/bad.h", "#include <gcompile/omp/sets/bitmap.h>\n", f"may include {H}/core"),
    (f"{H}/omp/bad.h", "#include <gcompile/cuda/sets/set_view.h>\n", f"may include {H}/core"),
    ("runtime/tool_support/bad.h", '#include "runtime/src/text.h"\n', "private"),
    ("runtime/src/bad.cpp", '#include "tools/options.h"\n', f"may include {H}"),
    (f"{H}/core/bad.h", "#pragma omp parallel\n", "OpenMP"),
    (f"{H}/program/bad.h", "  # include <omp.h>\n", "OpenMP"),
    ("tools/bad.cpp", '#include "runtime/src/text.h"\n', "private"),
    ("tools/bad.cpp", '#include "../runtime/src/text.h"\n', "private"),
]


def layers(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return done.returncode, done.stdout


status, said = layers(GOOD)
assert status == 0, said
for name, text, reason in BAD:
    status, said = layers({**GOOD, name: text})
    assert status == 1 and said.startswith(f"{name}:1: ") and reason in said, (name, text, status, said)
status, said = layers({name: text for name, text in GOOD.items() if not name.startswith("runtime/src")})
assert status == 1 and "there is no folder runtime/src" in said, said


def page(name):
    """The rows "| `folder` | ... what it may include |" of a page."""
    rows = {}
    for row in re.findall(r"^\| `.*\|$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        rows[cells[0].strip("`/")] = set(re.findall(r"`([^`]+)`", cells[-1]))
    return rows


compiler = page("docs/architecture.md")
runtime = page("runtime/README.md")
for room, may in rules.ROOMS.items():
    if not room.startswith("runtime"):
        assert compiler.get(room) == set(may), f"docs/architecture.md: {room} may include {may}"
    elif room.startswith(rules.RUNTIME + "/"):
        inner = {folder.rpartition("/")[2] for folder in may}
        assert runtime.get(room.rpartition("/")[2]) == inner, f"runtime/README.md: {room} may include {may}"
listed = {room for room in compiler if (ROOT / room).is_dir()}
assert listed <= set(rules.ROOMS), f"docs/architecture.md has more rooms than scripts/layers: {listed}"
