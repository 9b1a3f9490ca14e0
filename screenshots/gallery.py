"""Makes the gallery in docs/gallery: every view of the real app, on small trainings that are run for it.

Usage: ``python screenshots/gallery.py [NAME ...] [--size 120x36] [--theme dark] [--to DIR] [--logs DIR]``

It needs numpy, Chromium and the font DejaVu Sans Mono. The trainings are those of ``examples/glyphs.py`` with several
settings and seeds, two of them bad on purpose; with ``--logs`` they are kept, and used again where they are there.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from make import as_in_a_terminal, save

ROOT = Path(__file__).resolve().parent.parent
TRAININGS = (
    ("--lr", "0.5"),
    ("--lr", "0.5", "--seed", "1"),
    ("--lr", "0.5", "--seed", "2"),
    ("--lr", "0.1"),
    ("--lr", "0.1", "--seed", "1"),
    ("--lr", "0.2", "--width", "32"),
    ("--lr", "1.0", "--width", "128", "--noise", "0.3"),
    ("--lr", "30", "--name", "too-high"),
    ("--lr", "0.5", "--scale", "0.02", "--name", "bad-start"),
    ("--lr", "0.2", "--fail-at", "700", "--name", "broken"),
)
"""Options of the trainings; the last one breaks."""


@dataclass(frozen=True)
class Shot:
    """A picture of the gallery.

    Attributes:
        title: What it shows.
        view: The number of the view.
        keys: Keys to press.
        runs: Filter on runs.
        tags: Filter on tags.
        lines: Lines of the screen where it needs fewer than the others; 0 for as many.
        columns: Columns of the screen, likewise.
        theme: Its colours where they are others than asked for.
    """

    title: str
    view: int
    keys: tuple[str, ...] = ()
    runs: str = ""
    tags: str = ""
    lines: int = 0
    columns: int = 0
    theme: str = ""


KEYS = {" ": "space", "<": "less_than_sign", ".": "full_stop"}
"""Names of keys by what they type."""
SIGNS = {"exclamation_mark": "!", "question_mark": "?", "colon": ":", "asterisk": "*", " ": "space",
         "left": "←", "right": "→", "up": "↑", "down": "↓"}  # fmt: skip
"""How keys are told."""
WELL = "glyphs-"
"""The runs that went well."""
ONE = "lr0.5-w64-s0"
"""One of them."""
SHOTS = {
    "overview": Shot("Every run at a glance", 1),
    "findings": Shot("What is going wrong, since when, and what people usually try", 1, ("exclamation_mark",)),
    "scalars": Shot("A chart a tag, training and validation on one", 2, ("v",), WELL),
    "cursor": Shot("A cursor, a second one, and a table of what lies between them", 2,
                   ("v", "enter", *["left"] * 40, "c", *["right"] * 25), WELL),
    "two-axes": Shot("The loss and the learning rate, each with an axis of its own", 2,
                     ("m", "right", "m", "enter"), ONE),
    "groups": Shot("Means over seeds, with bands", 2, ("4", "g", "down", "enter", "2"), WELL),
    "heat-maps": Shot("Histograms over time", 3, (), ONE),
    "ridgeline": Shot("A histogram over time as a ridgeline", 3, ("v", "down", "right", "enter"), ONE),
    "bands": Shot("A histogram over time as percentiles", 3, ("v", "v", "down", "right", "enter"), ONE),
    "tensors": Shot("Which layer died, vanished or exploded", 3, ("t",), "too-high", "", 18),
    "compare": Shot("Settings and results in one table, against a baseline", 4, ("asterisk",), "", "", 20),
    "scatter": Shot("A setting against a result", 4, ("v",), WELL),
    "importance": Shot("Which setting has to do with the result", 4, ("v", "v"), WELL, "", 18),
    "parallel": Shot("Parallel coordinates", 4, ("v", "v", "v"), WELL),
    "media": Shot("Whatever else was logged", 5, (), ONE),
    "picture": Shot("A picture, step by step", 5, ("enter",), ONE, "filters"),
    "precision-recall": Shot("Precision and recall, by threshold", 5, ("enter", *["down"] * 12), ONE, "pr"),
    "confusion": Shot("What is taken for what", 5, ("enter",), ONE, "confusion"),
    "sound": Shot("A sound as waveform and spectrogram", 5, ("enter",), ONE, "tone"),
    "embedding": Shot("An embedding by its principal components", 5, ("enter",), ONE, "hidden2"),
    "system": Shot("The machine, from the log or live", 6, (), ONE),
    "log": Shot("What a run printed, and why it ended", 7, (), "broken"),
    "run": Shot("All that is known of a run", 8, (), ONE),
    "filter": Shot("Only runs with a setting or a result, with completion", 2, ("f", *"lr<0.3 and ")),
    "commands": Shot("Every command by a few letters of its name", 2, ("colon", *"axis"), WELL),
    "help": Shot("The keys of a view", 2, ("question_mark",)),
    "scalars-light": Shot("On a light background", 2, ("v",), WELL, theme="light"),
    "media-light": Shot("Media on a light background", 5, (), ONE, theme="light"),
    "contrast": Shot("High contrast", 1, theme="contrast-dark"),
    "overview-80x24": Shot("In a terminal of 80 columns and 24 lines", 1, columns=80, lines=24),
    "chart-80x24": Shot("A maximised chart in 80 columns and 24 lines", 2,
                        ("v", "enter", *["left"] * 20), WELL, columns=80, lines=24),
}  # fmt: skip


def train(logs: Path) -> None:
    """Run the trainings, a few at a time."""

    def one(options: tuple[str, ...]) -> None:
        command = [sys.executable, str(ROOT / "examples" / "glyphs.py"), "--dir", str(logs), "--pause", "0.002"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "writer"), "OPENBLAS_NUM_THREADS": "1"}
        subprocess.run(
            [*command, *options],
            check="--fail-at" not in options,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, TRAININGS))


async def picture(logs: Path, shot: Shot, size: tuple[int, int], theme: str) -> str:
    """The app on these logs, as SVG."""
    from tuimon.ingest import Ingest
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.frame import settle
    from tuimon.ui.state import ViewState

    ingest = Ingest([str(logs)])
    ingest.load()
    view = ViewState(view=shot.view)
    view.run_filter, view.tag_filter = shot.runs, shot.tags
    theme = shot.theme or theme
    app = TuimonApp(["runs"], view=view, store=ingest.store, theme=theme, light=theme.endswith("light"))
    async with app.run_test(
        size=(shot.columns or size[0], shot.lines or size[1]), tooltips=False, notifications=False
    ) as pilot:
        await app.loaded.wait()
        await settle(app, pilot)
        for key in shot.keys:
            await pilot.press(KEYS.get(key, key))
            await settle(app, pilot)
        return app.export_screenshot(title=f"tuimon · {shot.title}")


def page() -> str:
    """The page with all pictures."""
    lines = ["# Gallery", "", "Every view of tuimon on small trainings of `examples/glyphs.py`, some bad on purpose."]
    lines += ["`screenshots/gallery.py` runs them and takes the pictures anew.", ""]
    for name, shot in SHOTS.items():
        lines += [f"## {shot.title}", "", f"![{shot.title}](gallery/{name}.png)", ""]
        if shot.keys:
            lines += [f"Keys: {_told(shot)}" + (f", with `/` *{shot.tags}*" if shot.tags else ""), ""]
    return "\n".join(lines).rstrip() + "\n"


def _told(shot: Shot) -> str:
    """The keys of a picture as a person would press them, from the key of its view on."""
    told: list[list[str]] = []
    for key in (str(shot.view), *shot.keys):
        if told and told[-1][0] == key:
            told[-1].append(key)
        else:
            told.append([key])
    return ", ".join(f"`{SIGNS.get(keys[0], keys[0])}`" + (f" ×{len(keys)}" if len(keys) > 1 else "") for keys in told)


def main() -> int:
    """Make the pictures that are asked for, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which pictures: {', '.join(SHOTS)}")
    parser.add_argument("--size", default="120x36", help="columns and lines (default: 120x36)")
    parser.add_argument("--theme", default="dark", help="default: dark")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "gallery", help="default: docs/gallery")
    parser.add_argument("--logs", type=Path, help="where the trainings log, or have logged")
    args = parser.parse_args()
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        print("Chromium is needed to draw the pictures", file=sys.stderr)
        return 1
    os.environ.pop("NO_COLOR", None)
    os.environ |= {"TEXTUAL_COLOR_SYSTEM": "truecolor"}
    width, height = map(int, args.size.split("x"))
    args.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        logs = args.logs or Path(folder)
        if not logs.is_dir() or not any(logs.iterdir()):
            train(logs)
        for name in args.names or SHOTS:
            svg = asyncio.run(picture(logs, SHOTS[name], (width, height), args.theme)).replace(str(ROOT), "~/training")
            target = args.to / f"{name}.png"
            save(as_in_a_terminal(svg), target, browser)
            print(f"{target.name}: {target.stat().st_size / 1000:.0f} kB", flush=True)
    if not args.names:
        Path(f"{args.to}.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
