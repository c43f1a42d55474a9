# lit: every .gdsl, .mlir and .test file with a RUN line is a test.
import os

import lit.formats

config.name = "gcompile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".gdsl", ".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "e2e", "oracle"]  # the last two are no lit tests

config.substitutions.append(("%FileCheck", config.filecheck))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%source", config.source_dir))
config.substitutions.append(("%build", config.build_dir))
config.substitutions.append(("%front", os.path.join(config.bin_dir, "gdsl_front")))
for tool in ["gcompile", "gdsl-opt", "page-opt"]:
    path = os.path.join(config.bin_dir, tool)
    if os.path.exists(path):
        config.available_features.add(tool)
    config.substitutions.append(("%" + tool, path))
# `not` of LLVM is not packaged everywhere: `%fails command` succeeds if the command ends with exit status 1.
config.substitutions.append(
    ("%fails", f"{config.python} {os.path.join(config.test_source_root, 'fails.py')}")
)
# The diagnostics of a program are those in its `expect` comments.
config.substitutions.append(
    (
        "%verify",
        f"{config.python} {os.path.join(config.test_source_root, 'frontend', 'verify.py')} "
        + os.path.join(config.bin_dir, "gdsl_front"),
    )
)
