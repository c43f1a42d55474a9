"""Prints programs as IR and reads it again: roundtrip.py GCOMPILE GDSL_OPT FOLDER..."""

import pathlib
import subprocess
import sys

gcompile, gdsl_opt = sys.argv[1:3]
programs = sorted(path for folder in sys.argv[3:] for path in pathlib.Path(folder).glob("*.gdsl"))
for program in programs:
    for kind in ("graph-ir", "exec-ir"):
        printed = subprocess.run([gcompile, f"--emit={kind}", "-o", "-", program], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
        again = subprocess.run([gdsl_opt], input=printed, capture_output=True, text=True)
        if again.returncode != 0 or again.stdout != printed:
            sys.exit(f"{program}: its {kind} is not read as it was printed\n{again.stderr}")
sys.exit(f"{len(programs)} programs are too few" if len(programs) < 20 else 0)
