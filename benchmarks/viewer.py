"""The live view beside W&B's LEET and terminalboard, on the same numbers, in one run: every view, every figure.

Usage: ``python benchmarks/viewer.py [PART ...] [--wandb PATH] [--terminalboard PATH] [--seconds S] [--minutes M]
[--folder DIR]``

Parts: ``launch`` (to first text and first chart), ``idle`` (bytes and processor time while nothing is logged),
``keys`` (from a key to the first change and to the last), ``live`` (bytes and processor time while four runs log),
``latency`` (from the log call to the screen), ``resize``; and without peers ``large`` (keys, and processor time an
update, with 20 runs of 50 tags of 100,000 points) and ``long`` (memory while 20 runs log). All but ``long`` by default.
Peers that are not there are left out. terminalboard reads event files, LEET `.wandb` files,
tuimon here event files, and the demo's logs in views of what these have not.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from probe import ROOT, TUIMON, Program, Screen, has_chart, quantile, table
from viewer_logs import write
from viewers import KEYS, Viewer, ours, pace, peers

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tuimon.ui.keys import VIEWS

HERE = Path(__file__).resolve().parent
NAMES = [title.lower() for _, title in VIEWS]
SETTLED = 0.6
"""Seconds without a change after which a screen has settled."""
PICTURES = """
import sys, time
import numpy as np
from tuimon_writer import SummaryWriter
noise = np.random.default_rng(0)
with SummaryWriter(sys.argv[1], system=0.2) as writer:
    for step in range(20):
        writer.add_image("samples", noise.random((3, 64, 64)), step)
        writer.add_image("masks", noise.random((1, 64, 64)), step)
        writer.add_text("answers", f"# Step {step}" + chr(10) + "words " * 50, step)
        writer.add_histogram("weights", noise.normal(size=1000), step)
        writer.add_scalar("loss", 1 / (step + 1), step)
        print("step", step)
        time.sleep(0.1)
"""
"""Logs what the demo does not."""


@contextmanager
def logs(runs: int, tags: int, steps: int) -> Iterator[dict[str, Path]]:
    """The same runs in a directory for each kind of log, and those of the demo, which have more than numbers."""
    with tempfile.TemporaryDirectory() as name:
        folders = {kind: Path(name) / kind for kind in ("events", "wandb")}
        for kind, folder in folders.items():
            folder.mkdir()
            write(kind, folder, runs, tags, steps)
        folders["demo"] = Path(name, "demo")
        words = ["-m", "tuimon_writer.demo", str(folders["demo"]), "--seconds", "1"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "writer")}
        subprocess.run([sys.executable, *words], env=environment, stderr=subprocess.DEVNULL, check=False)
        subprocess.run(
            [sys.executable, "-c", PICTURES, str(folders["demo"] / "pictures")],
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        yield folders


@contextmanager
def growing(
    kind: str, folder: Path, runs: int, tags: int, steps: int, hertz: float, mark: bool = False
) -> Iterator[subprocess.Popen[str]]:
    """Runs that go on while something else happens."""
    folder.mkdir(parents=True, exist_ok=True)
    words = [str(HERE / "viewer_logs.py"), kind, str(folder), *map(str, (runs, tags, steps, hertz)), *["mark"] * mark]
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE if mark else None, text=True)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def has_text(screen: Screen) -> bool:
    """Whether there is a word on the screen."""
    return re.search(r"\w\w\w", screen.text()) is not None


def settled(program: Program, at: float, longest: float = SETTLED) -> list[float]:
    """When the screen changed after a moment, in ms from then, until it has not for a while."""
    changes: list[float] = []
    before = program.screen.picture()
    while time.perf_counter() < at + (changes[-1] / 1000 if changes else 0) + longest:
        seen = program.pump(longest, lambda screen, before=before: screen.picture() != before)
        if seen is None:
            break
        changes.append((seen - at) * 1000)
        before = program.screen.picture()
    return changes


def launch(viewers: Sequence[Viewer]) -> None:
    """From the start of the program to the first text and to the first chart."""
    rows = []
    with logs(4, 10, 2000) as folders:
        for viewer in viewers:
            text, chart, cpu = [], [], []
            for _ in range(3):
                with Program(viewer.command(folders[viewer.kind])) as program:
                    seen = program.pump(20, has_text)
                    drawn = program.pump(5, has_chart)
                    text.append((seen or program.started) - program.started)
                    if drawn:
                        chart.append(drawn - program.started)
                    program.pump(1)
                    cpu.append(program.cpu())
            charts = quantile(chart, 0.5) if chart else "none"
            rows.append([viewer.name, quantile(text, 0.5), charts, quantile(cpu, 0.5)])
    table("Launch on 4 runs of 10 tags of 2,000 points, 200x50", ["", "first text s", "first chart s", "CPU s"], rows)


def idle(viewers: Sequence[Viewer], seconds: float) -> None:
    """Bytes and processor time while nothing is logged; all programs side by side, as they have nothing to do."""
    rows = []
    with logs(20, 10, 500) as folders, ExitStack() as stack, silent(folders["events"].parent / "lines"):
        folders["lines"] = folders["events"].parent / "lines"
        mine = [viewer for viewer in viewers if viewer.name.startswith("tuimon")]
        watched = [*viewers, *(replace(v, name=f"{v.name}, process alive", kind="lines") for v in mine)]
        programs = [stack.enter_context(Program(viewer.command(folders[viewer.kind]))) for viewer in watched]

        def pump(seconds: float) -> None:
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                for program in programs:
                    program.pump(0.01)
                time.sleep(0.2)

        pump(8 + 2 * len(programs))
        began, before = time.perf_counter(), [(program.bytes, program.cpu()) for program in programs]
        pump(seconds)
        for viewer, program, (sent, cpu) in zip(watched, programs, before, strict=True):
            share = 100 * (program.cpu() - cpu) / (time.perf_counter() - began)
            rows.append([viewer.name, program.bytes - sent, share, program.peak_memory()])
    table(f"Idle for {seconds:g} s, 20 runs of 10 tags of 500 points", ["", "bytes", "CPU %", "peak MB"], rows)


@contextmanager
def silent(folder: Path) -> Iterator[None]:
    """A run whose process lives and logs no more."""
    code = f"""if True:
        import time
        from tuimon_writer import SummaryWriter
        writer = SummaryWriter({str(folder / "run")!r})
        for step in range(500):
            for tag in range(10):
                writer.add_scalar(f"train/metric{{tag}}", tag / (step + 1), step)
        writer.flush()
        print("ready", flush=True)
        time.sleep(9999)"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "writer")}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def press(program: Program, keys: str) -> tuple[list[float], list[float]]:
    """Press keys one after the other; ms to the first change and to the last of those that change something."""
    first, last = [], []
    for key in keys:
        changes = settled(program, program.send(key))
        if changes:
            first.append(changes[0])
            last.append(changes[-1])
    return first, last


def keys(viewers: Sequence[Viewer]) -> None:
    """From a key to the screen."""
    rows = []
    with logs(20, 10, 1000) as folders:
        for viewer in viewers:
            with Program(viewer.command(folders[viewer.kind])) as program:
                program.pump(8)
                cpu = program.cpu()
                first, last = press(program, viewer.keys * 2)
                each = (program.cpu() - cpu) / (2 * len(viewer.keys)) * 1000
            figures = [quantile(numbers, q) for numbers in (first, last) for q in (0.5, 0.95)]
            rows.append([viewer.name, *figures, each, f"{len(first)}/{2 * len(viewer.keys)}"])
    head = ["", "first p50 ms", "p95", "settled p50 ms", "p95", "CPU ms a key", "keys seen"]
    table("Key to screen, 20 runs of 10 tags of 1,000 points", head, rows)


def live(viewers: Sequence[Viewer], seconds: float) -> None:
    """Bytes and processor time while runs log."""
    rows = []
    for viewer in viewers:
        with tempfile.TemporaryDirectory() as name, growing(pace(viewer), Path(name), 4, 10, 2000, 5):
            time.sleep(2)
            with Program(viewer.command(Path(name))) as program:
                program.pump(8)
                sent, cpu, began = program.bytes, program.cpu(), time.perf_counter()
                program.pump(seconds)
                share = 100 * (program.cpu() - cpu) / (time.perf_counter() - began)
                rows.append([viewer.name, (program.bytes - sent) / 1000, share])
    table(f"4 runs of 10 tags at 5 Hz for {seconds:g} s", ["", "KB", "CPU %"], rows)


def latency(viewers: Sequence[Viewer], points: int = 25) -> None:
    """From the log call to the value on the screen, where a view shows it."""
    rows = []
    for viewer in viewers:
        with tempfile.TemporaryDirectory() as name, growing(pace(viewer), Path(name), 1, 2, 300, 1.3, True) as process:
            logged: list[tuple[str, float]] = []

            def read(process: subprocess.Popen[str] = process, logged: list[tuple[str, float]] = logged) -> None:
                assert process.stdout is not None
                logged.extend((line.strip(), time.perf_counter()) for line in process.stdout)

            threading.Thread(target=read, daemon=True).start()
            with Program(viewer.command(Path(name))) as program:
                program.pump(6)
                took: list[float] = []
                logged.clear()
                end = time.perf_counter() + points * 1.5
                while len(took) < points and time.perf_counter() < end:
                    program.pump(0.005)
                    text = re.sub(r"[\s,]", "", program.screen.text())
                    seen = [place for place, (mark, _) in enumerate(logged) if mark in text]
                    if seen:
                        took.append((time.perf_counter() - logged[seen[-1]][1]) * 1000)
                        del logged[: seen[-1] + 1]
        rows.append([viewer.name, len(took), quantile(took, 0.5), quantile(took, 0.95)])
    table("Log call to screen", ["", "values seen", "p50 ms", "p95 ms"], rows)


def resize(viewers: Sequence[Viewer]) -> None:
    """From a new size of the terminal to a screen that has settled."""
    rows = []
    with logs(20, 10, 1000) as folders:
        for viewer in viewers:
            with Program(viewer.command(folders[viewer.kind])) as program:
                program.pump(8)
                last = []
                for size in ((120, 36), (200, 50), (80, 24), (200, 50)) * 2:
                    changes = settled(program, program.resize(*size))
                    last += changes[-1:]
            rows.append([viewer.name, quantile(last, 0.5), quantile(last, 0.95)])
    table("Resize to settled, 20 runs of 10 tags of 1,000 points", ["", "p50 ms", "p95 ms"], rows)


def large(views: Sequence[str], kept: str, runs: int = 20, tags: int = 50, steps: int = 100_000) -> None:
    """Keys and updates with a hundred million points, and a run like the others that goes on; loaded once.

    Args:
        views: The views to measure.
        kept: A directory for the logs, written where it is empty; by default one that is gone afterwards.
        runs: How many runs there are.
        tags: How many tags a run has.
        steps: How many points a tag has.
    """
    values = [f"{'train' if tag % 2 else 'val'}/metric{tag}" for tag in range(tags)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(kept or name)
        if not any(folder.iterdir()):
            write("lines", folder, runs, tags, steps)
        live = Path(folder, f"run-{runs:03}", "log.jsonl")  # so that what is kept stays as it is
        live.parent.mkdir(exist_ok=True)
        live.write_bytes((folder / "run-000" / "log.jsonl").read_bytes().rpartition(b'{"end"')[0])
        rows: list[list[object]] = []
        with Program([*TUIMON, str(folder), "--fresh"]) as program, live.open("a") as file:
            program.pump(5)
            program.pump(900, loaded)
            took, cpu = time.perf_counter() - program.started, program.cpu()
            peak = program.peak_memory()
            program.pump(20)
            print(f"\nLoaded after {took:.0f} s, {cpu:.0f} s of CPU; peak {peak:.0f} MB", flush=True)
            step = steps
            for view in views:
                shown = settled(program, program.send(str(NAMES.index(view) + 1)))
                program.pump(3)
                first, last = press(program, KEYS[view] * 2)
                program.pump(3)
                cpu, sent, updates = program.cpu(), program.bytes, 40
                for _ in range(updates):
                    scalars = {tag: step % 7 + at for at, tag in enumerate(values)}
                    file.write(json.dumps({"step": step, "time": time.time(), "scalars": scalars}) + "\n")
                    file.flush()
                    program.pump(0.5)
                    step += 1
                each = [(program.cpu() - cpu) / updates * 1000, (program.bytes - sent) / updates]
                figures = [quantile(numbers, q) for numbers in (first, last) for q in (0.5, 0.95)]
                rows.append([view, *[shown[-1] if shown else "none"], *figures, *each, program.memory()])
        shutil.rmtree(live.parent)
        head = ["view", "shown ms", "key p50 ms", "p95", "settled p50", "p95", "row CPU ms", "row bytes", "MB"]
        table(f"{runs + 1} runs of {tags} tags of {steps:,} points; a row of one every 0.5 s", head, rows)


def loaded(screen: Screen) -> bool:
    """Whether all logs have been read."""
    return "loading" not in screen.text()


def long(minutes: float) -> None:
    """Memory while 20 runs of 10 tags log twice a second."""
    rows = []
    with tempfile.TemporaryDirectory() as name, growing("lines", Path(name), 20, 10, 1000, 2):
        time.sleep(5)
        with Program([*TUIMON, name, "--view", "scalars"]) as program:
            program.pump(20)
            for part in range(7):
                rows.append([f"{part * minutes / 6:.0f} min", program.memory(), program.bytes / 1e6, program.cpu()])
                if part < 6:
                    program.pump(minutes * 10)
    table("20 runs of 10 tags at 2 Hz in the scalars view", ["after", "MB", "MB sent", "CPU s"], rows)


PARTS = ("launch", "idle", "keys", "live", "latency", "resize", "large")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", metavar="PART", default=PARTS)
    options.add_argument("--views", nargs="+", choices=NAMES, default=NAMES)
    options.add_argument("--wandb", default="wandb", help="the command of an environment that has W&B")
    options.add_argument("--terminalboard", default="terminalboard", help="the command of the other peer")
    options.add_argument("--seconds", type=float, default=60.0, help="for idle and live")
    options.add_argument("--minutes", type=float, default=60.0, help="for long")
    options.add_argument("--folder", default="", help="for large: where the logs are, or are to be, and are kept")
    given = options.parse_args()
    viewers = [*ours(given.views), *peers(given.wandb, given.terminalboard)]
    parts: dict[str, Callable[[], None]] = {
        "launch": lambda: launch(viewers),
        "idle": lambda: idle(viewers, given.seconds),
        "keys": lambda: keys(viewers),
        "live": lambda: live(viewers, given.seconds / 2),
        "latency": lambda: latency([v for v in viewers if v.name not in ("tuimon log", "tuimon media")]),
        "resize": lambda: resize(viewers),
        "large": lambda: large(given.views, given.folder),
        "long": lambda: long(given.minutes),
    }
    for part in given.parts:
        parts[part]()


if __name__ == "__main__":
    main()
