"""Every program in the documentation compiles for both targets: the fenced `gdsl` blocks of README.md and of all pages in
docs/; one marked `gdsl error` must be refused. The C++ that README.md shows is what the compiler writes. The answers of the
tutorial's programs have a test of their own, test_tutorial.py; links and options have test/docs/links.py."""

import re
import shutil

import harness

suite = harness.Suite("documentation")
shutil.rmtree(suite.folder)
suite.folder.mkdir()
FENCE = re.compile(r"^```gdsl([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)

# The pages of diagnostics have a test of their own: test/diagnostics.
documents = [path for path in sorted((harness.ROOT / "docs").glob("**/*.md")) if path.parent.name != "diagnostics"]
for document in [harness.ROOT / "README.md", *documents]:
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
            if match[1].strip() == "cpu":  # the text says why it is not for GPUs
                continue
            suite.succeeds(f"{where} should compile for GPUs", suite.gcompile, "--target=cuda", "--emit=source", path, "-o", "-")

generated = suite.run(suite.gcompile, "--emit=source", harness.ROOT / "examples" / "bfs.gdsl", "-o", "-").out
for block in re.findall(r"^```cpp\n(.*?)^```", (harness.ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S):
    suite.expect(" ".join(block.split()) in " ".join(generated.split()),
                 "README.md shows C++ that gcompile does not write for examples/bfs.gdsl", generated)
suite.finish()
