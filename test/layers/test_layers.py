"""scripts/layers accepts includes that point down, and names each one that points up or into a private folder, and OpenMP
where host code does without."""
import pathlib, subprocess, sys, tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "layers"
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
BAD = [
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
