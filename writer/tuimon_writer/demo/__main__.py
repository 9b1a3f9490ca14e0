"""Run the demo's trainings: each in a process of its own, one of them killed half-way and resumed.

Usage: ``python -m tuimon_writer.demo DIR [--seconds 120] [--case NAME]``
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

from tuimon_writer.demo.cases.base import case_names, log_case
from tuimon_writer.demo.training import Settings, checkpoint, train

TRAININGS = {
    "lr-0.005": Settings(lr=0.005),
    "lr-0.02": Settings(lr=0.02),
    "lr-0.1": Settings(lr=0.1),
    "lr-2-diverges": Settings(lr=2.0, warmup=0.8),
    "lr-0.05-resumed": Settings(lr=0.05, seed=1),
}
RESUMED = "lr-0.05-resumed"
KILLED_AT = 0.35
"""Share of the time after which the training that is to be resumed is killed."""


def main() -> int:
    """Train one run, or all of them.

    Returns:
        Exit status: 0 when everything went as planned.
    """
    parser = argparse.ArgumentParser(prog="python -m tuimon_writer.demo", description=__doc__.partition("\n")[0])
    parser.add_argument("directory", type=Path, metavar="DIR", help="where to log")
    parser.add_argument("--seconds", type=float, default=120, help="how long the trainings take (default: 120)")
    parser.add_argument("--run", choices=TRAININGS, help="train only this run, in this process")
    parser.add_argument("--case", choices=case_names(), help="train what goes wrong in one way, and the same put right")
    parser.add_argument("--resume", action="store_true", help="go on from the run's checkpoint")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end when standard input closes")
    args = parser.parse_args()
    if args.until_stdin_closes:
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    if args.case:
        with np.errstate(all="ignore"):
            log_case(args.case, args.directory, seconds=args.seconds)
        return 0
    if args.run is None:
        return _conduct(args)
    train(args.directory / args.run, TRAININGS[args.run], seconds=args.seconds, resume=args.resume)
    return 0


def _end_with_stdin() -> None:
    # Each process of the demo holds the same pipe: it closes when the monitor ends, in whatever way.
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _conduct(args: argparse.Namespace) -> int:
    def start(name: str, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tuimon_writer.demo", str(args.directory), "--seconds", str(args.seconds)]
        if args.until_stdin_closes:
            more = (*more, "--until-stdin-closes")
        return subprocess.Popen([*command, "--run", name, *more])

    running = {name: start(name) for name in TRAININGS}
    time.sleep(args.seconds * KILLED_AT)
    while running[RESUMED].poll() is None and not checkpoint(args.directory / RESUMED).exists():
        time.sleep(0.05)
    running[RESUMED].kill()
    running[RESUMED].wait()
    running[RESUMED] = start(RESUMED, "--resume")
    statuses = {name: process.wait() for name, process in running.items()}
    expected = {name for name in TRAININGS if name.endswith("diverges")}
    return 0 if {name for name, status in statuses.items() if status} == expected else 1


if __name__ == "__main__":
    sys.exit(main())
