"""Runs a command and succeeds if it ends with exit status 1: an error it reported, not a crash."""

import subprocess
import sys

status = subprocess.run(sys.argv[1:]).returncode
if status != 1:
    print(f"expected exit status 1, got {status}", file=sys.stderr)
sys.exit(0 if status == 1 else 1)
