"""What drawing costs: line charts, sparklines, heat maps and bars, and plotext on the same data in the same run.

Run ``python benchmarks/charts.py``. Times are CPU time, the best of several rounds, in milliseconds a drawing; bytes
are what Rich sends for a full drawing in 24-bit colour.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.segment import Segment, Segments

from tuimon.charts.bins import Bins
from tuimon.charts.heatmap import render_heatmap
from tuimon.charts.histogram import render_histogram
from tuimon.charts.line import ChartLine, ChartOptions, render_chart
from tuimon.charts.palette import series_color
from tuimon.charts.sparkline import sparkline

Rows = Sequence[Sequence[Segment]]


def best_ms(draw: Callable[[], object], *, rounds: int = 7, seconds: float = 0.15) -> float:
    start = time.process_time()
    draw()
    once = time.process_time() - start
    number = max(int(seconds / max(once, 1e-6)), 1)
    best = once
    for _ in range(rounds if once < 1 else 1):
        start = time.process_time()
        for _ in range(number):
            draw()
        best = min(best, (time.process_time() - start) / number)
    return best * 1e3


def full_bytes(rows: Rows) -> int:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="truecolor", width=250, legacy_windows=False)
    for row in rows:
        console.print(Segments([*row, Segment("\n")]), end="")
    return len(out.getvalue().encode())


def curves(count: int, points: int) -> list[ChartLine]:
    lines = []
    for i in range(count):
        rng = np.random.default_rng(i)
        x = np.arange(points, dtype=np.float64)
        y = (2 + i * 0.3) * np.exp(-x / points * (6 - i * 0.4)) + rng.normal(0, 0.05, points)
        lines.append(ChartLine(f"run-{i}", series_color(i), x, y, y))
    return lines


def with_plotext(lines: Sequence[ChartLine]) -> str:
    import plotext

    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(60, 15)
    for line in lines:
        plotext.plot(line.x.tolist(), line.low.tolist(), marker="braille", label=line.label)
    return str(plotext.build())


def histograms(steps: int) -> list[Bins]:
    out = []
    for step in range(steps):
        values = np.random.default_rng(step).normal(step / 1000, 1 + step / 500, 2000)
        counts, edges = np.histogram(values, bins=30)
        out.append(Bins(edges, counts, x=float(step)))
    return out


def main() -> None:
    print(f"{'60 x 15 cells unless said otherwise':42} {'ms':>8} {'plotext ms':>11} {'ratio':>7} {'bytes':>7}")
    for count, points in ((1, 1000), (5, 1000), (5, 10_000), (10, 100_000)):
        lines = curves(count, points)
        options = ChartOptions(title="train/loss")
        ours = best_ms(lambda lines=lines, options=options: render_chart(lines, 60, 15, options))
        theirs = best_ms(lambda lines=lines: with_plotext(lines), rounds=3)
        size = full_bytes(render_chart(lines, 60, 15, options))
        print(f"{f'{count} x {points:,} points':42} {ours:8.2f} {theirs:11.1f} {theirs / ours:6.0f}x {size:7,}")
    line = curves(1, 1000)[0]
    table = histograms(500)
    wide = curves(10, 1000)
    others: list[tuple[str, Callable[[], Rows]]] = [
        ("10 x 1,000 points, 250 x 60", lambda: render_chart(wide, 250, 60)),
        ("sparkline, 20 x 1, 1,000 points", lambda: sparkline(line.x, line.low, line.high, 20)),
        ("heat map, 50 steps of 30 bins", lambda: render_heatmap(table[:50], 60, 15)),
        ("heat map, 500 steps of 30 bins", lambda: render_heatmap(table, 60, 15)),
        ("bars of one step", lambda: render_histogram(table[0], 60, 15)),
    ]
    for name, draw in others:
        print(f"{name:42} {best_ms(draw):8.2f} {'':11} {'':7} {full_bytes(draw()):7,}")


if __name__ == "__main__":
    main()
