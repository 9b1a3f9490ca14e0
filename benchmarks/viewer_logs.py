"""The same runs as each viewer wants them (event files, `.wandb` files, tuimon's own log), whole or at a steady pace.

Usage: ``python benchmarks/viewer_logs.py KIND DIRECTORY RUNS TAGS STEPS [HERTZ] [mark]``

Without HERTZ the runs end after STEPS steps. With it each run then goes on so many steps a second until the process is
ended. With ``mark`` the first tag counts up in sevens, and each of its values is printed when it has been logged.
"""

from __future__ import annotations

import random
import struct
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from events import frame, number
from wandb_files import Log, item, message, varint

ROWS_AT_ONCE = 500


class Writer(Protocol):
    """A log of one run that grows."""

    def row(self, step: int, at: float, values: Mapping[str, float]) -> None:
        """Log the values of a step."""

    def flush(self) -> None:
        """Hand over to the system what was logged."""

    def finish(self) -> None:
        """Say that the run is over."""


class EventFile:
    """An event file, one event a step."""

    def __init__(self, directory: Path, run: int, began: float) -> None:
        folder = directory / f"run-{run:03}"
        folder.mkdir(parents=True)
        self._file = (folder / f"events.out.tfevents.{int(began)}.bench.{run}").open("wb")
        self._file.write(frame(b"\x09" + struct.pack("<d", began) + b"\x1a\x0dbrain.Event:2"))

    def row(self, step: int, at: float, values: Mapping[str, float]) -> None:
        """Log the values of a step."""
        summary = b""
        for tag, value in values.items():
            name = tag.encode()
            inner = b"\x0a" + number(len(name)) + name + b"\x15" + struct.pack("<f", value)
            summary += b"\x0a" + number(len(inner)) + inner
        when = b"\x09" + struct.pack("<d", at) + (b"\x10" + number(step) if step else b"")
        self._file.write(frame(when + b"\x2a" + number(len(summary)) + summary))

    def flush(self) -> None:
        """Hand over to the system what was logged."""
        self._file.flush()

    def finish(self) -> None:
        """Say that the run is over."""
        self._file.close()


class WandbFile:
    """A `.wandb` file: a summary and a row of the history a step."""

    def __init__(self, directory: Path, run: int, began: float) -> None:
        when = time.strftime("%Y%m%d_%H%M%S", time.gmtime(began + run))
        folder = directory / "wandb" / f"run-{when}-bench{run:03}"
        folder.mkdir(parents=True)
        self._began = began
        self._log = Log(folder / f"run-bench{run:03}.wandb")
        name = f"bench{run:03}".encode()
        self._log.add(message(17, message(1, name), message(3, b"p"), message(17, b"\x08" + varint(int(began)))))

    def row(self, step: int, at: float, values: Mapping[str, float]) -> None:
        """Log the values of a step."""
        row = {**values, "_step": step, "_timestamp": at, "_runtime": at - self._began}
        items = [item(key, value) for key, value in row.items()]
        self._log.add(message(3, *items))
        self._log.add(message(2, *items, message(2, b"\x08" + varint(step) if step else b"")))

    def flush(self) -> None:
        """Hand over to the system what was logged."""
        self._log.flush()

    def finish(self) -> None:
        """Say that the run is over."""
        self._log.add(message(18))
        self._log.flush()


class LinesFile:
    """tuimon's own log."""

    def __init__(self, directory: Path, run: int, began: float) -> None:
        folder = directory / f"run-{run:03}"
        folder.mkdir(parents=True)
        self._file = (folder / "log.jsonl").open("w")
        self._file.write(f'{{"tuimon":1,"run":{{"name":"run-{run:03}","started":{began}}},"config":{{"lr":{run}}}}}\n')

    def row(self, step: int, at: float, values: Mapping[str, float]) -> None:
        """Log the values of a step."""
        scalars = ",".join(f'"{tag}":{value!r}' for tag, value in values.items())
        self._file.write(f'{{"step":{step},"time":{at:.3f},"scalars":{{{scalars}}}}}\n')

    def flush(self) -> None:
        """Hand over to the system what was logged."""
        self._file.flush()

    def finish(self) -> None:
        """Say that the run is over."""
        self._file.write(f'{{"end":{{"status":"finished","time":{time.time():.3f},"exit":0}}}}\n')
        self._file.close()


KINDS: dict[str, Callable[[Path, int, float], Writer]] = {
    "events": EventFile,
    "wandb": WandbFile,
    "lines": LinesFile,
}


def write(
    kind: str, directory: Path, runs: int, tags: int, steps: int, hertz: float = 0.0, *, mark: bool = False
) -> None:
    """Write the runs, and go on with them where there is a pace."""
    noise = random.Random(0)
    names = [f"{'train' if tag % 2 else 'val'}/metric{tag}" for tag in range(tags)]
    began = time.time() - (steps if hertz else 10 * 86_400 + steps)  # so old that ages do not change while we look
    logs = [KINDS[kind](directory, run, began) for run in range(runs)]

    def values(step: int) -> dict[str, float]:
        found = {tag: round((1 + at) / (1 + step / 99) + noise.random() / 9, 5) for at, tag in enumerate(names)}
        if mark:
            found[names[0]] = 10_000 + 7 * step
        return found

    for log in logs:
        for step in range(steps):
            log.row(step, began + step, values(step))
            if step % ROWS_AT_ONCE == 0:
                log.flush()
        log.flush()
        if not hertz:
            log.finish()
    step = steps
    while hertz:
        due = time.perf_counter() + 1 / hertz
        for log in logs:
            now = values(step)
            log.row(step, time.time(), now)
            log.flush()
            if mark:
                print(int(now[names[0]]), flush=True)
        step += 1
        time.sleep(max(due - time.perf_counter(), 0))


if __name__ == "__main__":
    kind, folder, runs, tags, steps, *rest = sys.argv[1:]
    write(kind, Path(folder), int(runs), int(tags), int(steps), float(rest[0]) if rest else 0.0, mark="mark" in rest)
