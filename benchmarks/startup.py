"""Launch to first paint and to the first chart, beside a bare Textual app in the same rounds.

Usage: ``python benchmarks/startup.py [rounds]``
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from logs import finished
from probe import TUIMON, Program, has_chart, table

BARE = [sys.executable, "-c", "from textual.app import App\nfrom textual.widgets import Label\n"
        "class Bare(App):\n    def compose(self):\n        yield Label('ready')\nBare().run()"]  # fmt: skip


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small"), Path(folder, "large")
        finished(small, runs=4, steps=2000)
        finished(large, runs=10, steps=10_000)
        commands = {
            "tuimon --version": ([*TUIMON, "--version"], None),
            "bare Textual app": (BARE, None),
            "tuimon, 80 thousand points": ([*TUIMON, str(small)], "chart"),
            "tuimon, 1 million points": ([*TUIMON, str(large)], "chart"),
        }
        times: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in commands}
        for attempt in range(rounds + 1):  # the first round warms the caches
            for name, (command, want) in commands.items():
                with Program(command) as program:
                    first = program.pump(20, lambda screen: bool(screen.text().strip()))
                    chart = program.pump(20, has_chart) if want else first
                    row = (program.cpu(), program.peak_memory())
                    if attempt and first and chart:
                        times[name].append((first - program.started, chart - program.started, *row))
        head = ["what", "first paint ms", "of bare", "first chart ms", "of bare", "CPU s", "peak MB"]
        bare = statistics.median(row[0] for row in times["bare Textual app"])
        rows: list[list[object]] = []
        for name, found in times.items():
            first, chart, cpu, memory = (statistics.median(column) for column in zip(*found, strict=True))
            charted: list[object] = [chart * 1000, chart / bare] if commands[name][1] else ["", ""]
            rows.append([name, first * 1000, first / bare, *charted, cpu, memory])
        table(f"Start, 200x50, median of {rounds}", head, rows)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
