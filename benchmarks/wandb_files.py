"""Loading a `.wandb` file: processor time of tuimon against LEET, W&B's own viewer, in the same rounds.

The file is laid out as W&B 0.31 writes it: for each step a summary and a row of the history with ten tags, keys in
any order. tuimon loads it whole into its store; ``wandb leet inspect --summary`` reads it once and draws nothing. With
``--screen`` both viewers are run in a terminal, each until it comes to rest.

    python benchmarks/wandb_files.py [--points 1000000] [--rounds 3] [--wandb wandb] [--screen]
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import random
import resource
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib
from pathlib import Path

from probe import ROOT, table

TAGS = 10
BLOCK = 1 << 15
SIZE = (50, 200)
AT_REST = 0.2
"""Share of a core; LEET takes 0.05 to 0.13 when nothing happens."""
LOAD = """
import sys
from tuimon.ingest import Ingest
ingest = Ingest([sys.argv[1]])
ingest.load()
assert sum(run.points for run in ingest.store.runs.values()) == int(sys.argv[2])
"""


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def message(field: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def item(key: str, value: float) -> bytes:
    return message(1, message(2, key.encode()), message(16, repr(value).encode()))


class Log:
    """A file in which records stand as W&B has them."""

    def __init__(self, path: Path) -> None:
        self._data = bytearray(b":W&B\xe1\xbe\0")
        self._file = path.open("wb")
        self._size = self._count = 0

    def add(self, record: bytes) -> None:
        """Add a record, in as many frames as it takes."""
        self._count += 1
        body = b"\x08" + varint(self._count) + record
        first = True
        while body or first:
            left = BLOCK - (self._size + len(self._data)) % BLOCK
            if left < 7:
                self._data += bytes(left)
                left = BLOCK
            part, body = body[: left - 7], body[left - 7 :]
            kind = (1 if first else 4) if not body else (2 if first else 3)
            self._data += struct.pack("<IHB", zlib.crc32(bytes([kind]) + part), len(part), kind) + part
            first = False

    def flush(self) -> None:
        """Write what has been added."""
        self._file.write(self._data)
        self._file.flush()
        self._size += len(self._data)
        self._data.clear()

    def close(self) -> None:
        """Write the rest."""
        self.flush()
        self._file.close()


def write(path: Path, points: int, random_: random.Random) -> None:
    """A file of a run that finished."""
    log = Log(path)
    log.add(message(17, message(1, b"bench"), message(3, b"p"), message(17, b"\x08" + varint(1_700_000_000))))
    for step in range(points // TAGS):
        row = {f"train/metric_{tag}": random_.random() for tag in range(TAGS)}
        row |= {"_step": step, "_timestamp": 1.7e9 + step / 10, "_runtime": step / 10}
        keys = random_.sample([*row], len(row))
        items = [item(key, row[key]) for key in keys]
        log.add(message(3, *items))
        log.add(message(2, *items, message(2, b"\x08" + varint(step) if step else b"")))
    log.add(message(18))
    log.close()


def processor_time(command: list[str]) -> tuple[float, float]:
    """Seconds in all and of processor time that a command and its children take."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    env = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, env={**env, "PYTHONPATH": str(ROOT)}, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:3])}: {done.stderr.decode()[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def group_time(group: int) -> float:
    """Seconds of processor time of a process group so far."""
    ticks = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                facts = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(facts[2]) == group:
                ticks += sum(map(int, facts[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def on_screen(command: list[str], most: float = 180.0) -> tuple[float, float]:
    """Seconds in all and of processor time until a program in a terminal comes to rest."""
    pid, handle = pty.fork()
    if not pid:
        os.environ |= {"TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.execvp(command[0], command)
    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    began = looked = time.perf_counter()
    taken = [0.0]
    try:
        while looked - began < most:
            if select.select([handle], [], [], 0.2)[0]:
                data = os.read(handle, 1 << 16)
                if b"\x1b[6n" in data:
                    os.write(handle, b"\x1b[1;1R")
            now = time.perf_counter()
            if now - looked >= 1:
                taken.append(group_time(pid))
                looked = now
                if len(taken) > 6 and taken[-1] - taken[-4] < 3 * AT_REST:
                    break
    finally:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return looked - began, taken[-1]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--points", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--wandb", default="wandb", help="the command of an environment that has W&B")
    options.add_argument("--screen", action="store_true", help="measure both viewers as well, which takes minutes")
    given = options.parse_args()
    os.environ["WANDB_SILENT"] = "true"
    wandb = shutil.which(given.wandb)
    with tempfile.TemporaryDirectory() as name:
        run = Path(name) / "wandb" / "run-20231114_221320-bench"
        run.mkdir(parents=True)
        path = run / "run-bench.wandb"
        write(path, given.points, random.Random(0))
        print(f"{given.points:,} points, {path.stat().st_size / 1e6:.0f} MB")
        ways = {"tuimon, loaded": lambda: processor_time([sys.executable, "-c", LOAD, name, str(given.points)])}
        if given.screen:
            ways["tuimon, at rest"] = lambda: on_screen([sys.executable, "-m", "tuimon", name])
        if wandb:
            ways["leet inspect"] = lambda: processor_time([wandb, "leet", "inspect", "--summary", str(run)])
            if given.screen:
                ways["leet, at rest"] = lambda: on_screen([wandb, "leet", "run", str(run)])
        figures: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(given.rounds):
            for way, measure in ways.items():
                figures[way].append(measure())
        ours = statistics.median(cpu for _, cpu in figures["tuimon, loaded"])
        rows: list[list[object]] = []
        for way, found in figures.items():
            wall, cpu = (statistics.median(column) for column in zip(*found, strict=True))
            rows.append([way, f"{wall:.2f}", f"{cpu:.2f}", f"{cpu / ours:.1f}"])
        table("loading", ["", "s", "CPU s", "x tuimon"], rows)


if __name__ == "__main__":
    main()
