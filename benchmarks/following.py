"""What it costs to find and follow logs, without the screen: first load, processor time while idle, and delay of news.

Usage: ``python benchmarks/following.py [seconds to be idle]``
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from probe import table

from tuimon.ingest import Ingest
from tuimon.watch import watch_files


def make(folder: Path, runs: int, silent: float) -> None:
    """Write runs of ten steps that were last changed so many seconds ago."""
    text = "".join(f'{{"step": {step}, "loss": {step / 2}}}\n' for step in range(10))
    then = time.time() - silent
    for number in range(runs):
        log = folder / f"run{number}" / "log.jsonl"
        log.parent.mkdir(parents=True)
        log.write_text(text)
        os.utime(log, (then, then))
        os.utime(log.parent, (then, then))


def cpu() -> float:
    """Processor seconds of this process."""
    return time.process_time()


def no_events(_paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """A watcher on a drive that raises no events."""
    stop.wait()
    yield []


def idle(seconds: float) -> None:
    """Load and then watch files to which nothing happens."""
    rows = []
    for runs, silent in ((20, 60), (1000, 300), (1000, 7200), (5000, 7200)):
        for name, watcher in (("events", watch_files), ("sizes only", no_events)):
            with tempfile.TemporaryDirectory() as folder:
                make(Path(folder), runs, silent)
                ingest = Ingest([folder], watcher=watcher)
                began = time.perf_counter()
                ingest.start()
                assert ingest.wait_until_loaded(120)
                load = time.perf_counter() - began
                time.sleep(4)
                began, before = time.perf_counter(), cpu()
                time.sleep(seconds)
                share = 100 * (cpu() - before) / (time.perf_counter() - began)
                ingest.stop()
                rows.append([runs, silent, name, load, share])
    table(f"Idle for {seconds:g} s", ["runs", "silent for s", "noticed by", "load s", "CPU % of a core"], rows)


def news() -> None:
    """Append a line now and then, and wait for the callback."""
    rows = []
    for name, watcher in (("events", watch_files), ("sizes only", no_events)):
        for pause in (0.5, 3.0):
            with tempfile.TemporaryDirectory() as folder:
                make(Path(folder), 20, 0)
                told = threading.Event()
                ingest = Ingest([folder], on_change=lambda _, told=told: told.set(), watcher=watcher)
                ingest.start()
                assert ingest.wait_until_loaded(60)
                log = Path(folder) / "run7" / "log.jsonl"
                delays = []
                for step in range(20 if pause < 1 else 8):
                    time.sleep(pause + 0.037 * (step % 5))
                    told.clear()
                    began = time.perf_counter()
                    with log.open("a") as file:
                        file.write(f'{{"step": {step + 10}, "loss": 1}}\n')
                    assert told.wait(10)
                    delays.append(1000 * (time.perf_counter() - began))
                ingest.stop()
                rows.append([name, pause, statistics.median(delays), max(delays)])
    table("From a written line to the callback", ["noticed by", "every s", "p50 ms", "max ms"], rows)


def main(seconds: float) -> None:
    news()
    idle(seconds)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
