"""Ranks that hang or are killed: the run ends, and names them.

usage: test_mpi_faults.py --build DIR (stall | killed | stall_petsc)"""

import os
import random
import signal
import subprocess
import sys
import time

import harness
from ranks import ENVIRONMENT, KARATE, QUICK, START, build, run as run_cases, same, suite

USUAL_END = {"OMPI_MCA_odls_base_sigkill_timeout": "1"}  # what users have: ranks that are left are given a second


class Started:
    """A run whose ranks are known by their processes."""

    def __init__(self, what, ranks, *command):
        self.what = what
        for file in suite.folder.glob("pid.*"):
            file.unlink()
        note = f'echo $$ > {suite.folder}/new.$OMPI_COMM_WORLD_RANK; mv {suite.folder}/new.$OMPI_COMM_WORLD_RANK ' \
               f'{suite.folder}/pid.$OMPI_COMM_WORLD_RANK; exec "$@"'
        self.process = subprocess.Popen([*START, str(ranks), "sh", "-c", note, "sh", *map(str, command)],
                                        env={**os.environ, **ENVIRONMENT, **USUAL_END}, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.pids = []
        for rank in range(ranks):
            file = suite.folder / f"pid.{rank}"
            for _ in range(3000):
                if file.exists():
                    break
                time.sleep(0.01)
            self.pids.append(int(file.read_text()))

    def work(self, rank, seconds):
        """Waits until a rank has used so much time of a processor."""
        for _ in range(6000):
            with open(f"/proc/{self.pids[rank]}/stat", encoding="ascii") as status:
                fields = status.read().rsplit(")", 1)[1].split()
            if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") >= seconds:
                break
            time.sleep(0.01)

    def end(self, code, seconds):
        """What it says on standard error, where it ends so soon, and no rank goes on."""
        begin = time.monotonic()
        try:
            _, err = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            suite.expect(False, f"{self.what}: does not end")
            return ""
        took = time.monotonic() - begin
        suite.expect(self.process.returncode == code, f"{self.what}: ends with {self.process.returncode}, not {code}", err)
        suite.expect(took < seconds, f"{self.what}: took {took} seconds to end")
        for _ in range(300):
            if not any(map(harness.is_running, self.pids)):
                break
            time.sleep(0.01)
        suite.expect(not any(map(harness.is_running, self.pids)), f"{self.what}: a rank goes on")
        return err


ENDLESS = ["--tolerance=0", "--rounds=100000000"]


def stops(program, runs):
    """A rank that is stopped ends the run, and is named: for each of these numbers of ranks, ranks stopped and options."""
    for ranks, stopped, options in runs:
        run = Started(f"{stopped} of {ranks} stopped, {options}", ranks, program, KARATE, *ENDLESS, "--stall-timeout=2", *options)
        for rank in stopped:
            run.work(rank, random.uniform(0.5, 1))  # all have started
        for rank in stopped:
            os.kill(run.pids[rank], signal.SIGSTOP)
        err = run.end(2, 2 + 5)
        named = ", ".join(f"rank {rank} of {ranks} (process {run.pids[rank]} on {os.uname().nodename})" for rank in stopped)
        wanted = f"error: the others have waited 2 seconds for {named}"
        suite.expect([line for line in err.splitlines() if "error:" in line] == [wanted], wanted, err)


def stall_petsc():
    """The same where messages go by star forests of PETSc; and a rank that is killed."""
    if subprocess.run(["pkg-config", "--exists", "petsc"], check=False).returncode != 0:
        print("skipped: there is no PETSc here; scripts/setup installs petsc-dev")
        sys.exit(77)
    program = build(harness.ROOT / "examples" / "pagerank.gdsl", "stall-petsc", *QUICK, "--exchange=petsc")
    stops(program, ((2, [1], []), (3, [0], []), (4, [1, 3], ["--partition=grid"])))
    kills(program, 3)


def stall():
    """A rank that is stopped ends the run, and is named; one that is only busy on what is its own does not."""
    program = build(harness.ROOT / "examples" / "pagerank.gdsl", "stall-pagerank")
    direct, grid = ["--routes=direct"], ["--routes=grid"]
    stops(program, ((2, [1], direct), (3, [0], grid), (3, [1], direct), (4, [1, 3], grid)))
    # Stopped for less than the limit: the run goes on, and is right.
    wanted = suite.folder / "stall-one"
    suite.succeeds("one machine", suite.gcompile, "run", "--target=serial", *QUICK, harness.ROOT / "examples" / "pagerank.gdsl",
                   KARATE, "--tolerance=0", "--rounds=3000", f"--output=rank={wanted}")
    found = suite.folder / "stall-found"
    run = Started("stopped for a moment", 3, program, KARATE, "--tolerance=0", "--rounds=3000", "--trials=3", "--stall-timeout=20",
                  f"--output=rank={found}")
    os.kill(run.pids[2], signal.SIGSTOP)
    time.sleep(1)
    os.kill(run.pids[2], signal.SIGCONT)
    run.end(0, 60)
    suite.expect(same(wanted.read_text(), found.read_text()), "stopped for a moment: the result")
    # What rank 0 does alone has no limit: its result goes to a pipe that nobody reads yet.
    pipe = suite.folder / "stall-pipe"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    run = Started("rank 0 writes slowly", 3, program, "kronecker:scale=14,degree=4", "--rounds=2", "--stall-timeout=1",
                  f"--output=rank={pipe}")
    time.sleep(4)
    suite.expect(run.process.poll() is None, "rank 0 writes slowly: the run goes on")
    with pipe.open(encoding="ascii") as reader:
        suite.expect(len(reader.read().splitlines()) > 1000, "rank 0 writes slowly: the result")
    run.end(0, 30)
    alone = suite.succeeds("a program of one machine", suite.gcompile, "run", "--target=serial", *QUICK,
                           harness.ROOT / "examples" / "pagerank.gdsl", KARATE, "--quiet")
    suite.fails("a limit on one machine", 2, "...--stall-timeout: this program runs in one process", *alone.command[:-1],
                "--stall-timeout=3")


def kills(program, turns):
    result = suite.folder / "killed-result"
    for turn in range(turns):
        ranks, rank = 3, turn % 3
        run = Started(f"rank {rank} of {ranks} is killed, turn {turn}", ranks, program, "kronecker:scale=14,degree=8", *ENDLESS,
                      f"--output=rank={result}")
        run.work(rank, random.uniform(0.2, 0.7))  # while it loads and runs; before that it is mpirun's
        os.kill(run.pids[rank], signal.SIGKILL)
        err = run.end(128 + signal.SIGKILL, 5)
        suite.expect(f"process rank {rank} with PID" in err, f"{run.what}: is named", err)
        suite.expect(not result.exists(), f"{run.what}: no result")


def killed():
    """A rank that is killed at any moment ends the run, which is not taken for a whole one."""
    kills(build(harness.ROOT / "examples" / "pagerank.gdsl", "killed-pagerank"), 10)


run_cases({"stall": stall, "killed": killed, "stall_petsc": stall_petsc})
