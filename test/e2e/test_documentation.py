"""Every program in the documentation compiles: the fenced `gdsl` blocks of README.md and docs/*.md. A block that holds
statements only is put into an algorithm; one marked `gdsl error` must be refused."""

import re
import shutil

import harness

suite = harness.Suite("documentation")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
FENCE = re.compile(r"^```gdsl([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)

for document in [harness.ROOT / "README.md", *sorted((harness.ROOT / "docs").glob("**/*.md"))]:
    text = document.read_text(encoding="utf-8")
    for number, match in enumerate(FENCE.finditer(text), 1):
        line = text.count("\n", 0, match.start()) + 1
        path = suite.folder / f"{document.stem}-{line}.gdsl"
        path.write_text(match[2], encoding="utf-8")
        where = f"{document.relative_to(harness.ROOT)}:{line}"
        if match[1].strip() == "error":
            result = suite.run(suite.gcompile, "check", path)
            suite.expect(result.code == 1, f"{where} should be refused", result)
        else:
            suite.succeeds(f"{where} should compile", suite.gcompile, "check", path)
suite.finish()
