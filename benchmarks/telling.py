"""What it costs to know all formats, and to tell of each file in a tree of many whether it is a log, and of what.

Usage: ``python benchmarks/telling.py [files of a kind]``
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from probe import ROOT, table

from tuimon.discover import Discover
from tuimon.formats.registry import formats

IMPORT = """
import json, time
import tuimon.formats.registry, tuimon.formats.jsonl, tuimon.formats.tuimon_jsonl, pkgutil
began = time.process_time()
print(len(tuimon.formats.registry.formats()), 1000 * (time.process_time() - began))
"""


def known(rounds: int) -> tuple[int, float]:
    """The number of formats, and the CPU ms that it takes to know them where JSON lines are read already."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    found = []
    for _ in range(rounds):
        run = subprocess.run(
            [sys.executable, "-c", IMPORT], env=environment, check=True, capture_output=True, text=True
        )
        count, took = run.stdout.split()
        found.append(float(took))
    return int(count), min(found)


def kinds(rng: random.Random) -> dict[str, tuple[str, Callable[[], bytes]]]:
    """File names and contents, by what they are."""
    words = ["the", "model", "was", "trained", "on", "images", "that", "nobody", "had", "seen", "we", "find", "it"]

    def lines(count: int, line: Callable[[int], str]) -> Callable[[], bytes]:
        return lambda: "".join(line(i) + "\n" for i in range(count)).encode()

    return {
        "tuimon's log": ("log.jsonl", lines(100, lambda i: json.dumps({"step": i, "scalars": {"loss": rng.random()}}))),
        "JSON lines": ("train.jsonl", lines(100, lambda i: json.dumps({"step": i, "loss": rng.random()}))),
        "console output": ("train.log", lines(500, lambda i: f"step {i} loss: {rng.random():.4f} lr: 0.001")),
        "CSV": ("metrics.csv", lines(500, lambda i: f"{i},{rng.random()}" if i else "step,loss")),
        "prose": ("notes.txt", lines(500, lambda _: " ".join(rng.choices(words, k=12)))),
        "labels of boxes": (
            "image.txt",
            lines(20, lambda i: f"{i % 9} " + " ".join(f"{rng.random():.6f}" for _ in "xywh")),
        ),
        "annotations": ("image.json", lambda: json.dumps({"boxes": [[rng.random() for _ in "xywh"]] * 50}).encode()),
        "rows of a data set": ("data.csv", lines(500, lambda i: f"{rng.random()},{i % 3}" if i else "x,label")),
        "chats": ("chats.jsonl", lines(100, lambda _: json.dumps({"role": "user", "text": " ".join(words)}))),
        "arrays": ("array.dat", lambda: rng.randbytes(20_000)),
    }


def main(count: int) -> None:
    number, took = known(5)
    table("All formats, where JSON lines are known", ["formats", "CPU ms"], [[number, took]])
    formats()
    rows: list[list[object]] = []
    for what, (name, content) in kinds(random.Random(0)).items():
        with tempfile.TemporaryDirectory() as folder:
            for i in range(count):
                path = Path(folder, f"{i // 100}", f"{i}", name)
                path.parent.mkdir(parents=True)
                path.write_bytes(content())
            size = path.stat().st_size
            discover = Discover([folder])
            began = time.process_time()
            discover.find(full=True)
            took = time.process_time() - began
            rows.append([what, size, len(discover.files), 1e6 * took / count])
    table(f"{count} files of a kind", ["what", "bytes", "logs", "CPU us a file"], rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
