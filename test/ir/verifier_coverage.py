"""Checks that every message of the dialects' verifiers has a case in a test.

usage: verifier_coverage.py (VERIFIERS.cpp | TEST.mlir)...

A message is what follows emitOpError in a C++ file. It needs an expected-error that is the whole message, with the
operation where the verifier is that of one operation: `'exec.relax' op is outside of the push of exec.ordered`. A part
that the program computes matches any text; of `condition ? "a" : "b"` both are needed.
"""

import itertools
import pathlib
import re
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|<<|::|//[^\n]*|\w+|\S')
FUNCTION = re.compile(r"^(?:static )?LogicalResult (?:(\w+)Op::)?verify\w*\(", re.MULTILINE)
EXPECTED = re.compile(r"expected-error\s*(?:@[+-]\d+)?\s*\{\{(.*?)\}\}")


def operation(dialect, name):
    return dialect + "." + re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def parts(text):
    """The tokens of what is streamed into the error: those of emitOpError's argument, then those of each operand."""
    found, depth = [[]], 0
    for token in TOKEN.findall(text):
        if token.startswith("//"):
            continue
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
        if depth < 0 or (depth == 0 and token in (";", ":", ",", "?")):
            break
        if depth == 0 and token == "<<":
            found.append([])
        else:
            found[-1].append(token)
    return found


def alternatives(tokens):
    """The regular expressions for one part."""
    texts = [re.escape(token[1:-1]) for token in tokens if token.startswith('"')]
    if not texts:
        return [".+"]
    return texts if "?" in tokens else ["".join(texts)]


def messages(path):
    """(line, operation, regular expression) of each message; the operation is empty where several share it."""
    text, dialect = path.read_text(encoding="utf-8"), path.parent.name
    starts = [(match.start(), match.group(1)) for match in FUNCTION.finditer(text)]
    for match in re.finditer(r"\bemitOpError(?=\()", text):
        name = [name for start, name in starts if start < match.start()][-1]
        line = text.count("\n", 0, match.start()) + 1
        for choice in itertools.product(*map(alternatives, parts(text[match.end() :]))):
            yield line, operation(dialect, name) if name else "", "".join(choice)


def shown(pattern):
    return pattern.pattern.replace("\\", "")


files = [pathlib.Path(name) for name in sys.argv[1:]]
expected = [text for file in files if file.suffix == ".mlir" for text in EXPECTED.findall(file.read_text("utf-8"))]
failures = []
for file in (file for file in files if file.suffix == ".cpp"):
    found = list(messages(file))
    if not found:
        failures.append(f"{file}: no message found")
    for line, op, pattern in found:
        whole = re.compile(f"'{re.escape(op) if op else file.parent.name + r'[.][a-z_]+'}' op {pattern}")
        if not any(whole.fullmatch(text) for text in expected):
            failures.append(f"{file}:{line}: no test expects: {shown(whole)}")
print(*failures, sep="\n")
sys.exit(1 if failures else 0)
