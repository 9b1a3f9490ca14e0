"""A setting against a metric, a point a run."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.events import Click

from tuimon.analysis.comparison import setting_text
from tuimon.charts.scatter import ScatterOptions, ScatterPoint, nearest, render_scatter
from tuimon.text import clean
from tuimon.ui.compare.chart import ChartPart, metric_title, setting_scale
from tuimon.ui.compare.model import CompareModel
from tuimon.ui.compare.scale import Scale
from tuimon.ui.panels.base import Panel


class Scatter(ChartPart):
    """The chart."""

    def __init__(self, panel: Panel, model: CompareModel) -> None:
        super().__init__(panel, model, "compare-scatter")
        self._scale = Scale({}, (), False)
        self._setting = ""
        self._runs: list[str] = []
        self._points: list[ScatterPoint] = []

    @property
    def setting(self) -> str:
        """The setting that it is over: the chosen one, or the one that has most to do with the metric."""
        names = self.model.setting_names()
        chosen = self.model.choices.setting
        if chosen in names or not names:
            return chosen if names else ""
        found = self.model.importances(without_seeds=True)
        ranked = [one.setting for one in found if one.setting in names]
        known = [name for name in names if any(name in self.model.configs[run] for run in self.values)]
        return [*ranked, *known, names[0]][0]

    def ordered(self, axis: int) -> list[str]:
        """Across by setting, upwards by metric."""
        if axis:
            return sorted(self._runs, key=lambda run: (self.values[run], self._scale.at[run], run))
        return sorted(self._runs, key=lambda run: (self._scale.at[run], self.values[run], run))

    def draw(self, width: int, height: int) -> Sequence[Sequence[Segment]]:
        """The points."""
        self._setting = self.setting
        self._scale = setting_scale(self.model, self._setting)
        self._runs = [run for run in self.values if run in self._scale.at]
        colors = self.panel.run_colors
        self._points = [
            ScatterPoint(self._scale.at[run], self.values[run], colors.glyph(run), colors.color(run))
            for run in self._runs
        ]
        return render_scatter(self._points, width, height, self._options())

    def _options(self) -> ScatterOptions:
        app, current = self.panel.monitor, self.current_run
        empty = "no run has this setting and this metric"
        if not self._setting:
            empty = "no settings in these logs"
        elif self.model.choices.log_y or self._scale.log:
            empty = "no positive value for a log axis" if self._points else empty
        return ScatterOptions(
            words=self._scale.words,
            log_x=self._scale.log,
            log_y=self.model.choices.log_y,
            current=self._runs.index(current) if current in self._runs else None,
            unicode=not app.view.ascii,
            colors=app.run_colors.system,
            empty=empty,
        )

    def next_setting(self, steps: int) -> None:
        """Go on to another setting."""
        names = self.model.setting_names()
        if names:
            at = names.index(self._setting) if self._setting in names else -steps
            self.model.choices.setting = names[(at + steps) % len(names)]

    def toggle_log(self) -> None:
        """Switch the x axis between linear and logarithmic."""
        if not self._scale.words:
            self.model.choices.log_x[self._setting] = not self._scale.log

    def on_click(self, event: Click) -> None:
        """Bring out the run that was clicked."""
        found = nearest(self._points, event.x, event.y, self.size.width, self.size.height, self._options())
        if found is not None:
            self.panel.view.current = self._runs[found]
            self.panel.refresh_view()

    def told(self) -> list[str]:
        """What is against what, and the run that is brought out."""
        logs = [f"log {axis}" for axis, on in (("x", self._scale.log), ("y", self.model.choices.log_y)) if on]
        parts = [f"{metric_title(self.model.metric)} over {clean(self._setting) or 'no setting'}", *logs]
        run = self.current_run
        column = self.model.column(f"setting:{self._setting}")
        if run is not None and column is not None:
            cell = self.model.run_cell(run, column)
            value = setting_text(cell.value) if cell is not None else "–"
            parts.append(f"{self.told_value()} at {clean(value)}")
        lacking = len(self.model.runs) - len(self._runs)
        return [*parts, f"{lacking} without a value"] if lacking else parts
