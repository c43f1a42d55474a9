"""scripts/sizes names each file that is too long and says nothing of why, a reason that nothing needs, and long passes."""
import importlib.machinery, importlib.util, pathlib, subprocess, sys, tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "sizes"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("sizes", str(SCRIPT))
rules = importlib.util.module_from_spec(importlib.util.spec_from_loader("sizes", loader))
loader.exec_module(rules)
REASON = "// Long because it is a table.\n"
GOOD = {"ir/room.h": rules.HEADER, "ir/room.cpp": rules.SOURCE, "test/ir/room.cpp": 2 * rules.SOURCE,
        "ir/graph/passes/A.cpp": rules.MEDIAN_PASS - 1, "ir/exec/passes/cpu/B.cpp": 4}


def sizes(files, reason=()):
    with tempfile.TemporaryDirectory() as root:
        for name, lines in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((REASON if name in reason else "\n") + "\n" * (lines - 1))
        done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return done.returncode, done.stdout.strip()


assert sizes(GOOD) == (0, ""), sizes(GOOD)
assert sizes({**GOOD, "ir/room.h": rules.HEADER + 1}, {"ir/room.h"}) == (0, "")
for change, message, reason in [
        ({"ir/room.h": rules.HEADER + 1}, "ir/room.h: 351 lines, more than 350", ()),
        ({"ir/room.cpp": rules.SOURCE + 1}, "ir/room.cpp: 451 lines, more than 450", ()),
        ({"ir/room.cpp": 9}, "ir/room.cpp: 9 lines need no reason", {"ir/room.cpp"}),
        ({"ir/exec/passes/cpu/B.cpp": rules.MEDIAN_PASS + 1}, "ir/*/passes: the median file has 120 lines", ())]:
    status, said = sizes({**GOOD, **change}, reason)
    assert status == 1 and said.startswith(message) and "\n" not in said, (change, status, said)
