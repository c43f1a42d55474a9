"""Feeds damaged programs to the front end: each must be accepted, or refused with an error; never a crash or a hang.

usage: mutate.py FRONT SEED COUNT PROGRAM...
"""

import random
import re
import subprocess
import sys

front, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
texts = []
for path in sys.argv[4:]:
    with open(path) as file:
        texts.append(re.sub(r"//[^\n]*", "", file.read()))
random.seed(seed)
pieces = [re.findall(r"\s+|[A-Za-z_]\w*|[0-9][\w.]*|->|--|[<>=!+*|&-]=|&&|\|\||.", text) for text in texts]
vocabulary = sorted({piece for program in pieces for piece in program if piece.strip()})

failures = 0
for number in range(count):
    program = list(random.choice(pieces))
    for _ in range(random.randint(1, 4)):
        places = [i for i, piece in enumerate(program) if piece.strip()]
        place = random.choice(places)
        kind = random.randrange(5)
        if kind == 0:
            del program[place]
        elif kind == 1:
            program.insert(place, program[place] + " ")
        elif kind == 2:
            other = random.choice(places)
            program[place], program[other] = program[other], program[place]
        elif kind == 3:
            program[place] = random.choice(vocabulary)
        else:
            program.insert(place, " " + random.choice(vocabulary) + " ")
    text = "".join(program)
    try:
        run = subprocess.run([front, "-", "--ast"], input=text, capture_output=True, text=True, timeout=20)
        good = run.returncode == 0 or (run.returncode == 1 and ": error" in run.stdout)
        reason = f"exit status {run.returncode}: {run.stderr[:2000]}"
    except subprocess.TimeoutExpired:
        good, reason = False, "no answer within 20 seconds"
    if not good:
        failures += 1
        print(f"mutation {number}: {reason}\n{text}\n")
print(f"{count} programs, {failures} failures")
sys.exit(1 if failures else 0)
