"""Makes the pictures of the README: the real app, headless, on made-up logs that the real writer wrote.

Usage: ``python screenshots/make.py [NAME ...]``. It needs Chromium and the font DejaVu Sans Mono. The logs are the same
each time: seeded numbers and a clock of their own, so that a picture changes only when the app does.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
NOW = 1_772_722_800.0
"""The time in all pictures, in seconds since the epoch."""
WIDTH = 140
CELL = 12.2
"""Width of a cell in Textual's SVG, in its own units; twice that is its height."""
BLOCKS = {"▀": (0, 1), "▄": (1, 1), "█": (0, 2)}
"""Blocks, and which half of a cell they begin with and how many they fill."""
BASELINE = 18.5
"""From the top of a cell down to where its characters stand."""
SEAM = 0.6
"""By how much the background of a cell goes on below its neighbours, which are drawn later."""
PIXELS = 10
"""Width of a cell in the pictures; a whole number, so that neighbouring cells leave no gap."""
STEPS = 9000
EVERY = 20
"""Steps of a whole training, and between two records."""
VIEWS = {
    "overview": (1, 36, ()),
    "scalars": (2, 36, ()),
    "chart": (2, 36, ("enter", *["left"] * 34)),
    "distributions": (3, 36, ()),
    "compare": (4, 16, (*["right"] * 7, "s", "up")),
}
"""Number of the view, lines of the screen, and the keys to press."""


@dataclass(frozen=True)
class Training:
    """A made-up training, or the part of it that one process did.

    Attributes:
        name: Its run.
        lr: Learning rate, which bends the curves.
        width: Width of the network.
        ago: Seconds before `NOW` at which its last step was logged.
        start, stop: Steps that it went from and to.
        pace: Seconds a step.
        end: "finished", "failed", or "" for a process that goes on, or was killed, without a word.
        nan_from: Step from which on its loss is NaN.
    """

    name: str
    lr: float
    width: int
    ago: float
    start: int = 0
    stop: int = STEPS
    pace: float = 0.4
    end: str = ""
    nan_from: int = 1 << 60


TRAININGS = (
    Training("vit-s/lr1e-4", 1e-4, 384, 4 * 3600, end="finished"),
    Training("vit-s/lr3e-4", 3e-4, 384, 2.2 * 3600, end="finished"),
    Training("vit-b/lr3e-4-bs512", 3e-4, 768, 3900, stop=2340, pace=0.62, end="failed"),
    Training("vit-s/lr3e-3", 3e-3, 384, 6, stop=5900, nan_from=5480),
    Training("vit-s/lr1e-3-resumed", 1e-3, 384, 1500, stop=3480),
    Training("vit-s/lr1e-3-resumed", 1e-3, 384, 4, start=3000, stop=6240),
    Training("vit-b/lr3e-4-bs256", 3e-4, 768, 3, stop=4120, pace=0.6),
)
OUT_OF_MEMORY = "CUDA out of memory. Tried to allocate 3.38 GiB (GPU 0; 39.39 GiB total capacity; 36.12 GiB in use)"


# -- the logs ----------------------------------------------------------------------------------------------------------


def log(directory: Path, training: Training) -> None:
    """Write the log of a training, at its own time. It ends the process as the training would."""
    clock = NOW - training.ago - (training.stop - training.start) * training.pace - 9
    time.time = lambda: clock
    from tuimon_writer import SummaryWriter

    writer = SummaryWriter(directory / training.name, purge_step=training.start or None)
    settings = {"lr": training.lr, "batch_size": 512 if "512" in training.name else 256, "width": training.width}
    writer.add_hparams({**settings, "depth": 12, "optimizer": "adamw", "total_steps": STEPS, "seed": 0}, {})
    clock += 9
    noise = random.Random(f"{training.name} {training.start}")
    for step in range(training.start, training.stop + 1, EVERY):
        clock = NOW - training.ago - (training.stop - step) * training.pace
        for tag, value in numbers(training, step, noise):
            writer.add_scalar(tag, value, step)
        if step % 120 == 0:
            for layer, spread in (("patch_embed", 0.9), ("blocks.0.attn", 0.5), ("blocks.11.mlp", 0.35), ("head", 0.7)):
                writer.add_histogram(f"weights/{layer}", weights(training, step, spread, noise), step)
    if training.end == "failed":
        raise RuntimeError(OUT_OF_MEMORY)
    if training.end == "finished":
        writer.close()
    writer.flush()
    os._exit(0)


def numbers(training: Training, step: int, noise: random.Random) -> Iterator[tuple[str, float]]:
    """What a training logs at a step."""
    part = step / STEPS
    speed = 2.1 + 2.6 * math.log10(training.lr / 1e-4) + training.width / 500
    least = 0.2 + 0.12 * abs(math.log10(training.lr / 8e-4)) + (0 if training.width > 400 else 0.12)
    fit = math.exp(-speed * part) * (1 - 0.25 * part)
    rough = 0.05 + 30 * training.lr
    wild = math.exp(min((step - training.nan_from + 700) / 230, 3.2)) * 0.12 if training.lr > 2e-3 else 0.0
    broken = step >= training.nan_from
    gap = 0.05 + 0.16 * part * part + (0.1 if training.lr > 2e-3 else 0.0)
    loss = least + 2.05 * fit + wild + noise.gauss(0, 0.06 + rough * 0.2) * (0.35 + fit)
    lr = training.lr * min(1.0, (step + EVERY) / 600) * 0.5 * (1 + math.cos(math.pi * part))
    yield "train/loss", math.nan if broken else loss
    yield "train/lr", lr
    yield "train/grad_norm", math.nan if broken else abs(1.1 + fit + wild * 2 + noise.gauss(0, 0.22))
    if step % 120 == 0:
        yield "val/loss", math.nan if broken else least + 2.0 * fit + gap + wild + noise.gauss(0, 0.012)
        lost = 0.84 * fit + least * 0.25 + wild * 0.2
        yield "val/acc", 0.1 if broken else 0.995 - lost - gap * 0.2 + noise.gauss(0, 0.004)
        yield "train/acc", 0.1 if broken else 1.02 - lost + noise.gauss(0, 0.004)


def weights(training: Training, step: int, spread: float, noise: random.Random) -> list[float]:
    """A tensor whose values spread, and drift apart, as the training goes on."""
    part = step / STEPS
    size = spread * (0.25 + 0.75 * part**0.5) * (1 + 90 * training.lr)
    shift = spread * 0.8 * part
    return [noise.gauss(shift if at % 3 else -1.6 * shift, size) for at in range(1500)]


def write_logs(directory: Path) -> None:
    """Write all logs, each in a process of its own."""
    for number in range(len(TRAININGS)):
        command = [sys.executable, str(Path(__file__).resolve()), "--log", str(directory), str(number)]
        subprocess.run(command, check=False, stderr=subprocess.DEVNULL)  # one of them is to fail


# -- the pictures ------------------------------------------------------------------------------------------------------


async def picture(directory: Path, view: int, lines: int, keys: tuple[str, ...]) -> str:
    """The app on these logs, as SVG."""
    from tuimon.ingest import Ingest
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.state import ViewState

    ingest = Ingest([str(directory)])
    ingest.load()
    app = TuimonApp(
        ["logs"], view=ViewState(view=view), store=ingest.store, now=lambda: NOW, pid_alive=lambda _pid: True
    )
    async with app.run_test(size=(WIDTH, lines), tooltips=False, notifications=False) as pilot:
        await app.loaded.wait()
        await pilot.pause(0.5)
        for key in keys:
            await pilot.press(key)
        await pilot.pause(0.5)
        return app.export_screenshot(title="tuimon logs")


def as_in_a_terminal(svg: str) -> str:
    """Textual's SVG with every character in its own cell, wide ones in two, and blocks that fill what they should."""
    from rich.cells import cell_len

    def placed(match: re.Match[str]) -> str:
        kind, x, y, more, written = match.groups()
        text, places, blocks, at = "", [], "", float(x)
        for char in html.unescape(written):
            if char in BLOCKS:
                first, halves = BLOCKS[char]
                place = f'x="{at:g}" y="{float(y) - BASELINE + first * CELL:g}"'
                size = f'width="{CELL + SEAM:g}" height="{halves * CELL + SEAM:g}"'
                blocks += f'<rect class="{kind}" {place} {size}{more}/>'
            else:
                text += char
                places.append(f"{at:g}")
            at += cell_len(char) * CELL
        if not text.strip("\xa0 "):
            return blocks
        return f'{blocks}<text class="{kind}" x="{" ".join(places)}" y="{y}"{more}>{html.escape(text)}</text>'

    def larger(match: re.Match[str]) -> str:  # so that no gap is left where cells meet
        return f'{match[1]}width="{float(match[2]) + SEAM:g}" height="{float(match[3]) + SEAM:g}"{match[4]}'

    svg = re.sub(r'(<rect [^>]*)width="([\d.]+)" height="([\d.]+)"([^>]*crispEdges)', larger, svg)
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg).replace("Fira Code", "DejaVu Sans Mono")
    pattern = r'<text class="([^"]*)" x="([\d.]+)" y="([\d.]+)" textLength="[\d.]+"([^>]*)>([^<]*)</text>'
    return re.sub(pattern, placed, svg)


def save(svg: str, target: Path, browser: str) -> None:
    """Draw an SVG into a PNG."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    if box is None:
        raise ValueError("an SVG without a viewBox")
    width, height = (float(side) * PIXELS / CELL for side in box.groups())
    with tempfile.TemporaryDirectory() as folder:
        source, page = Path(folder, "screen.svg"), Path(folder, "screen.html")
        source.write_text(svg, encoding="utf-8")
        page.write_text(f'<body style="margin:0;background:#0f1318"><img src="screen.svg" width="{width}">')
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             f"--window-size={math.ceil(width)},{math.ceil(height)}", f"--screenshot={target}", page.as_uri()],
            check=True, capture_output=True,
        )  # fmt: skip


def main() -> int:
    """Make the pictures that are asked for, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which pictures: {', '.join(VIEWS)}")
    parser.add_argument("--log", nargs=2, metavar=("DIR", "NUMBER"), help="write one of the logs only")
    args = parser.parse_args()
    if args.log:
        log(Path(args.log[0]), TRAININGS[int(args.log[1])])
        return 0
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        print("Chromium is needed to draw the pictures", file=sys.stderr)
        return 1
    os.environ.pop("NO_COLOR", None)
    os.environ |= {"TEXTUAL_COLOR_SYSTEM": "truecolor", "TZ": "UTC"}
    time.tzset()
    with tempfile.TemporaryDirectory() as folder:
        write_logs(Path(folder))
        for name in args.names or VIEWS:
            target = HERE / f"{name}.png"
            save(as_in_a_terminal(asyncio.run(picture(Path(folder), *VIEWS[name]))), target, browser)
            print(f"{target.name}: {target.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
