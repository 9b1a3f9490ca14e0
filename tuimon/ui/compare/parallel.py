"""Parallel coordinates: the settings that have most to do with a metric, and the metric; a line a run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.segment import Segment

from tuimon.charts.parallel import MOST_AXES, ParallelAxis, ParallelLine, render_parallel
from tuimon.numbers import format_value
from tuimon.text import clean
from tuimon.ui.compare.chart import ChartPart, metric_title, setting_scale
from tuimon.ui.compare.model import CompareModel
from tuimon.ui.panels.base import Panel

LEAST_WIDTH = 14
"""Cells between two axes, at least."""
MOST_LINES = 150
"""More lines than this are a blot; the best ones are drawn."""


class Parallel(ChartPart):
    """The chart."""

    def __init__(self, panel: Panel, model: CompareModel) -> None:
        super().__init__(panel, model, "compare-parallel")
        self._shown: list[str] = []

    def _settings(self, most: int) -> list[str]:
        """The settings to have axes of, the most important one next to the metric."""
        names = self.model.setting_names()
        ranked = [one.setting for one in self.model.importances(without_seeds=True) if one.setting in names]
        if not ranked:
            ranked = [name for name in names if name in self.model.differing]
        return ranked[:most][::-1]

    def draw(self, width: int, height: int) -> Sequence[Sequence[Segment]]:
        """The axes and lines."""
        app, metric = self.panel.monitor, self.model.metric
        self._shown = self._settings(min(MOST_AXES, max(width // LEAST_WIDTH, 2)) - 1)
        scales = [setting_scale(self.model, name) for name in self._shown]
        axes = []
        for name, of in zip(self._shown, scales, strict=True):
            low, high = of.ends
            last = max(len(of.words) - 1, 1)
            words = [(at / last if len(of.words) > 1 else 0.5, word) for at, word in enumerate(of.words)]
            ends = ("", "") if words else (format_value(low), format_value(high))
            axes.append(ParallelAxis(clean(name) + (" (log)" if of.log else ""), *ends, words))
        low, high = min(self.values.values(), default=0.0), max(self.values.values(), default=0.0)
        axes.append(ParallelAxis(metric_title(metric), format_value(low), format_value(high)))
        runs = sorted(self.values, key=self.values.__getitem__)
        if metric is not None and metric.direction == "min":
            runs.reverse()
        current = self.current_run
        runs = [run for run in runs[-MOST_LINES:] if run != current] + ([current] if current else [])
        lines = []
        for run in runs:
            part = (self.values[run] - low) / (high - low) if high > low else 0.5
            places = [*(of.part(run) for of in scales), part if math.isfinite(part) else math.nan]
            lines.append(ParallelLine(places, app.run_colors.color(run), app.run_colors.glyph(run)))
        return render_parallel(
            axes, lines, width, height, current=len(lines) - 1, unicode=not app.view.ascii, colors=app.run_colors.system
        )

    def told(self) -> list[str]:
        """The metric and the run that is brought out, with its settings."""
        parts = [f"{metric_title(self.model.metric)}", self.told_value()]
        run = self.current_run
        for name in self._shown if run is not None else ():
            column = self.model.column(f"setting:{name}")
            cell = self.model.run_cell(run or "", column) if column is not None else None
            parts.append(f"{clean(name.rpartition('/')[2])} {clean(cell.text) if cell is not None else '–'}")
        return [part for part in (*parts, self.missing()) if part]
