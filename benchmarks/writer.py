"""What logging costs a training: a call, the processor, bytes, histograms, a loop of numpy, imports, way to the disk.

Other writers run in the same rounds, one after the other, so that the ratios are worth something on a busy machine.
Those are compared that are installed: tensorboardX, torch with tensorboard, visualdl, wandb (offline), trackio.

Usage: ``python benchmarks/writer.py [rounds] [--python PATH]``; PATH is a Python that has the other libraries.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CALLS = 100_000
FEW = 20_000
ROWS = 3_000
PAIRS = 80
TAGS = [f"train/metric{number}" for number in range(10)]
SLOW = {"tensorboardX", "torch", "visualdl", "wandb", "trackio"}
IMPORTS = {
    "tuimon_writer": "from tuimon_writer import SummaryWriter",
    "tensorboardX": "from tensorboardX import SummaryWriter",
    "torch": "from torch.utils.tensorboard import SummaryWriter",
    "visualdl": "from visualdl import LogWriter",
    "wandb": "import wandb",
    "trackio": "import trackio",
    "json": "import json",
}


class Writer:
    """What the loop itself costs; the others are of its form."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Log a number."""

    def row(self, values: dict[str, float], step: int) -> None:
        """Log the numbers of a step."""
        for tag, value in values.items():
            self.scalar(tag, value, step)

    def histogram(self, tag: str, values: Any, step: int) -> None:
        """Log a histogram."""

    def flush(self) -> None:
        """Have all written."""

    def close(self) -> None:
        """End."""


class Board(Writer):
    """A writer with the calls of TensorBoard's."""

    def __init__(self, folder: str, library: str, **options: Any) -> None:
        if library == "tensorboardX":
            from tensorboardX import SummaryWriter as Made
        elif library == "torch":
            from torch.utils.tensorboard import SummaryWriter as Made
        elif library == "visualdl":
            from visualdl import LogWriter as Made
        else:
            from tuimon_writer import SummaryWriter as Made
        writer = Made(folder, **options)
        self.scalar = writer.add_scalar
        self.histogram = writer.add_histogram
        self.flush = writer.flush
        self.close = writer.close


class Tracker(Writer):
    """A writer with the calls of wandb."""

    def __init__(self, folder: str, library: str) -> None:
        if library == "tuimon_writer":
            import tuimon_writer as made

            made.init(dir=folder)
        elif library == "wandb":
            import wandb as made

            os.environ["WANDB_SILENT"] = "true"
            made.init(project="p", dir=folder, mode="offline")
        else:
            os.environ["TRACKIO_DIR"] = folder
            import trackio as made

            made.init(project="p")
        log = self._log = made.log
        self.scalar = lambda tag, value, step: log({tag: value}, step=step)
        self.row = lambda values, step: log(values, step=step)
        self._kind = made.Histogram
        self.close = made.finish

    def histogram(self, tag: str, values: Any, step: int) -> None:
        """Log a histogram."""
        self._log({tag: self._kind(values)}, step=step)


class JsonLines(Writer):
    """What many scripts do: a JSON line for each value, flushed."""

    def __init__(self, folder: str) -> None:
        self.file = Path(folder, "log.jsonl").open("w")  # noqa: SIM115 - closed by close, as a script does

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Write one line."""
        self.file.write(json.dumps({"tag": tag, "step": step, "time": time.time(), "value": value}) + "\n")
        self.file.flush()

    def close(self) -> None:
        """Close the file."""
        self.file.close()


WRITERS: dict[str, Callable[[str], Writer]] = {
    "nothing": Writer,
    "tuimon_writer": lambda folder: Board(folder, "tuimon_writer"),
    "tuimon_writer, durable": lambda folder: Board(folder, "tuimon_writer", durable=True),
    "tuimon_writer as wandb": lambda folder: Tracker(folder, "tuimon_writer"),
    "json + flush": JsonLines,
    "tensorboardX": lambda folder: Board(folder, "tensorboardX"),
    "torch": lambda folder: Board(folder, "torch"),
    "visualdl": lambda folder: Board(folder, "visualdl"),
    "wandb": lambda folder: Tracker(folder, "wandb"),
    "trackio": lambda folder: Tracker(folder, "trackio"),
}


def processor_time() -> float:
    """Seconds of this process and of those that it started and saw end."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(it.ru_utime + it.ru_stime for it in used)


def quantiles(taken: list[int]) -> dict[str, float]:
    """The middle and the tail of times in nanoseconds, as microseconds."""
    taken.sort()
    return {"p50": taken[len(taken) // 2] / 1e3, "p99.9": taken[len(taken) * 999 // 1000] / 1e3}


def burst(name: str, folder: str) -> dict[str, float]:
    """Log ten scalars a step as fast as it goes."""
    writer = WRITERS[name](folder)
    calls = FEW if name in SLOW else CALLS
    clock, add, taken = time.perf_counter_ns, writer.scalar, [0] * calls
    cpu = processor_time()
    at = 0
    for step in range(calls // len(TAGS)):
        for tag in TAGS:
            start = clock()
            add(tag, 0.1 * at, step)
            taken[at] = clock() - start
            at += 1
    writer.close()
    cpu = processor_time() - cpu
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return {**quantiles(taken), "cpu": cpu / calls * 1e6, "bytes": size / calls}


def rows(name: str, folder: str) -> dict[str, float]:
    """Log rows of ten numbers, and let the writer keep up, as a quick training does."""
    writer = WRITERS[name](folder)
    clock, log, taken = time.perf_counter_ns, writer.row, [0] * ROWS
    values = {tag: 0.1 * at for at, tag in enumerate(TAGS)}
    cpu = processor_time()
    for step in range(ROWS):
        start = clock()
        log(values, step)
        taken[step] = clock() - start
        if not step % 100:
            time.sleep(0.01)
    writer.close()
    return {**quantiles(taken), "cpu": (processor_time() - cpu) / ROWS / len(TAGS) * 1e6}


def histograms(name: str, folder: str) -> dict[str, float]:
    """Log the weights of a ResNet18: seconds of the calls, until all is written, and of the processor."""
    import numpy as np

    rng = np.random.default_rng(1)
    weights = [rng.normal(0, 0.05, shape).astype(np.float32) for shape in resnet18()]
    writer = WRITERS[name](folder)
    cpu, start = processor_time(), time.perf_counter()
    for number, values in enumerate(weights):
        writer.histogram(f"weights/{number}", values, 1)
    calls = time.perf_counter() - start
    writer.close()
    return {"calls": calls, "all": time.perf_counter() - start, "cpu": processor_time() - cpu}


def resnet18() -> list[tuple[int, ...]]:
    """The shapes of its parameters: 62, with 11.7 million numbers."""
    shapes: list[tuple[int, ...]] = [(64, 3, 7, 7), (64,), (64,)]
    before = 64
    for width in (64, 128, 256, 512):
        for block in range(2):
            shapes += [(width, before, 3, 3), (width,), (width,), (width, width, 3, 3), (width,), (width,)]
            if block == 0 and width != 64:
                shapes += [(width, before, 1, 1), (width,), (width,)]
            before = width
    return [*shapes, (1000, 512), (1000,)]


def loop(name: str, folder: str, size: int = 400, steps: int = 50) -> dict[str, float]:
    """By how many percent a loop of numpy with ten scalars a step is slower with logging than without.

    A step multiplies matrices of that size: 2 ms for 400, 20 ms for 900.

    Stretches with and without take turns in one process, in random order within a pair, and each stretch with logging
    ends with a flush, so that all of its cost is in it. The middle of the pairs counts, with the interval that holds
    the true middle with a probability of 95 %; for the time that passes, and for that of the processor in all threads.
    """
    import numpy as np

    writer = WRITERS[name](folder)
    left = np.random.default_rng(1).normal(size=(size, size))
    rng, at = random.Random(1), 0

    def stretch(logs: bool) -> tuple[float, float]:
        nonlocal at
        start = time.perf_counter(), time.process_time()
        for _ in range(steps):
            value = float((left @ left)[0, 0])
            if logs:
                at += 1
                for tag in TAGS:
                    writer.scalar(tag, value, at)
        if logs:
            writer.flush()
        return time.perf_counter() - start[0], time.process_time() - start[1]

    stretch(True)
    pairs = []
    for _ in range(PAIRS // 2 if name in SLOW else PAIRS):
        first = rng.random() < 0.5
        one, two = stretch(first), stretch(not first)
        pairs.append((one, two) if first else (two, one))
    writer.close()
    found: dict[str, float] = {}
    reach = 0.98 * math.sqrt(len(pairs))
    for place, clock in enumerate(("wall", "cpu")):
        slower = sorted(100 * (logging[place] / plain[place] - 1) for logging, plain in pairs)
        found[clock] = statistics.median(slower)
        found[f"{clock} low"] = slower[math.floor(len(slower) / 2 - reach)]
        found[f"{clock} high"] = slower[min(math.ceil(len(slower) / 2 + reach), len(slower) - 1)]
    return found


def delay(_: str, folder: str) -> dict[str, float]:
    """Milliseconds from a call, after 0.2 s of quiet, to its line in the file."""
    from tuimon_writer import SummaryWriter

    writer = SummaryWriter(folder)
    writer.flush()
    (path,) = Path(folder).iterdir()
    taken = []
    for step in range(25):
        time.sleep(0.2)
        size, start = path.stat().st_size, time.perf_counter()
        writer.add_scalar("loss", 0.5, step)
        while path.stat().st_size == size:
            time.sleep(0.0005)
        taken.append((time.perf_counter() - start) * 1e3)
    taken.sort()
    return {"p50": taken[12], "max": taken[-1]}


TASKS = {"burst": burst, "rows": rows, "histograms": histograms, "loop": loop, "delay": delay}
TASKS["long loop"] = partial(loop, size=900, steps=6)


def run(python: str, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(ROOT / "writer"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([python, *arguments], check=True, capture_output=True, text=True, env=environment)
    return done.stdout.splitlines()[-1]


def measured(python: str, task: str, name: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        found: dict[str, float] = json.loads(run(python, __file__, "--worker", task, name, folder))
    return found


def imported(python: str, statement: str) -> float:
    return float(
        run(python, "-c", f"import time\nt = time.perf_counter()\n{statement}\nprint((time.perf_counter() - t) * 1e3)")
    )


def installed(python: str) -> list[str]:
    """The other libraries that this Python has."""
    found: list[str] = json.loads(run(python, __file__, "--installed"))
    return found


def middle(python: str, task: str, names: list[str], rounds: int) -> dict[str, dict[str, float]]:
    """The medians of all rounds, in which the writers take turns."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            with contextlib.suppress(subprocess.CalledProcessError):  # one that does not run here is left out
                found[name].append(measured(python, task, name))
    return {
        name: {key: statistics.median(one[key] for one in several) for key in several[0]}
        for name, several in found.items()
        if several
    }


def main(rounds: int, python: str) -> None:
    from probe import table

    peers = installed(python)
    names = ["nothing", "tuimon_writer", "tuimon_writer, durable", "json + flush", *peers]
    one = middle(python, "burst", names, rounds)
    ours, nothing = one["tuimon_writer"], one["nothing"]

    def net(other: dict[str, float], key: str) -> float:
        return other[key] - nothing[key]

    table(
        f"{CALLS:,} calls of add_scalar ({FEW:,} of the slow ones); net and ratios without what an empty call costs",
        ["writer", "p50 us", "net", "p99.9 us", "CPU us", "net", "bytes", "x p50", "x CPU"],
        [
            [name, it["p50"], net(it, "p50"), it["p99.9"], it["cpu"], net(it, "cpu"), it["bytes"]]
            + [net(it, key) / max(net(ours, key), 1e-3) for key in ("p50", "cpu")]
            for name, it in one.items()
        ],
    )
    ten = middle(python, "rows", ["nothing", "tuimon_writer as wandb", "tuimon_writer", *peers], rounds)
    table(
        "Ten numbers of a step: one call of log, or ten of add_scalar",
        ["writer", "p50 us", "p99.9 us", "CPU us a number"],
        [[name, it["p50"], it["p99.9"], it["cpu"]] for name, it in ten.items()],
    )
    if find_spec("numpy"):
        many = middle(python, "histograms", ["tuimon_writer", "tuimon_writer as wandb", *peers], rounds)
        table(
            f"Histograms of {len(resnet18())} parameters (ResNet18), seconds",
            ["writer", "calls", "until written", "CPU", "x CPU"],
            [
                [name, it["calls"], it["all"], it["cpu"], it["cpu"] / many["tuimon_writer"]["cpu"]]
                for name, it in many.items()
            ],
        )
        loops = {"loop": ("2 ms", ["nothing", "tuimon_writer", *peers]), "long loop": ("20 ms", ["tuimon_writer"])}
        for task, (step, several) in loops.items():
            slow = middle(python, task, several, 1)
            table(
                f"A loop of numpy ({step}, ten scalars a step): % slower with logging, and where that lies with 95 %",
                ["writer", "%", "from", "to", "CPU %", "from", "to"],
                [[name, *it.values()] for name, it in slow.items()],
            )
    imports = {
        name: statistics.median(imported(python, IMPORTS[name]) for _ in range(rounds))
        for name in IMPORTS
        if name in peers or name in ("tuimon_writer", "json")
    }
    table(
        "Import",
        ["statement", "ms", "x"],
        [[IMPORTS[name], taken, taken / imports["tuimon_writer"]] for name, taken in imports.items()],
    )
    disk = measured(python, "delay", "")
    table("From the call to the file, 5 calls a second", ["p50 ms", "max ms"], [[disk["p50"], disk["max"]]])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        with contextlib.redirect_stdout(sys.stderr):
            result = TASKS[sys.argv[2]](sys.argv[3], sys.argv[4])
        print(json.dumps(result))
    elif sys.argv[1:2] == ["--installed"]:
        known = {name: "tensorboard" if name == "torch" else name for name in sorted(SLOW)}
        print(json.dumps([name for name, module in known.items() if find_spec(name) and find_spec(module)]))
    else:
        options = sys.argv[1:]
        chosen = options.pop(options.index("--python") + 1) if "--python" in options else sys.executable
        numbers = [int(option) for option in options if option.isdecimal()]
        main(numbers[0] if numbers else 5, chosen)
