"""One metric of all runs, or groups, as bars, the best one first."""

from __future__ import annotations

import math
from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip

from tuimon.analysis.comparison import MISSING, Cell
from tuimon.charts.bars import bar_scale, thin_bar
from tuimon.numbers import format_value
from tuimon.text import elide_middle, fit, width
from tuimon.ui.compare.chart import metric_title
from tuimon.ui.compare.lead import LEAD, lead
from tuimon.ui.compare.lists import RunRows
from tuimon.ui.compare.model import CompareModel
from tuimon.ui.panels.base import Panel


class Bars(RunRows):
    """A line a run: its sign and name, the value, and a bar in its colour."""

    sign_width: ClassVar[int] = 3
    cursor_needs_focus: ClassVar[bool] = True
    DEFAULT_CSS: ClassVar[str] = """
    Bars { width: 1fr; height: 1fr; }
    """

    def __init__(self, panel: Panel, model: CompareModel) -> None:
        super().__init__(id="compare-bars")
        self.header_height = 1
        self._panel = panel
        self._model = model
        self.row_names: list[str] = []
        self._shown: dict[str, str] = {}
        self._cells: dict[str, Cell | None] = {}
        self._scale = (0.0, 1.0)
        self._value_width = 4

    def refresh_part(self) -> None:
        """Put the rows in order of the metric."""
        metric, model = self._model.metric, self._model
        current = self._panel.view.current
        self._cells = {name: model.cell(name, metric) if metric is not None else None for name in model.names}
        worst_first = metric is not None and metric.direction == "min"
        known = [name for name in model.names if math.isfinite(self._value(name))]
        known.sort(key=self._value, reverse=not worst_first)
        self.row_names = [*known, *(name for name in model.names if name not in set(known))]
        self._scale = bar_scale([self._value(name) for name in known])
        room = max(min(self.size.width // 3, 44), 6)
        self._shown = dict(zip(self.row_names, elide_middle(self.row_names, room), strict=True))
        self._value_width = max((width(self._text(name)) for name in self.row_names), default=4)
        self.set_count(len(self.row_names))
        at = next((at for at, name in enumerate(self.row_names) if current in model.runs_of(name)), None)
        if at is not None:
            self.cursor = at
        self.redraw()

    def _value(self, name: str) -> float:
        cell = self._cells.get(name)
        value = cell.value if cell is not None else None
        return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan

    def _text(self, name: str) -> str:
        cell = self._cells.get(name)
        return MISSING if cell is None else cell.text

    def told(self) -> list[str]:
        """The metric, and where the bars begin if that is not zero."""
        parts = [metric_title(self._model.metric), "best first" if self._direction() else "greatest first"]
        if self._scale[0] != 0:
            parts.append(f"bars begin at {format_value(self._scale[0])}")
        return parts

    def _direction(self) -> str | None:
        metric = self._model.metric
        return metric.direction if metric is not None else None

    def header_line(self, _y: int, width: int) -> Strip:
        """Titles of the columns."""
        roles, name = self._panel.roles, self._name_width()
        what = fit("group" if self._model.groups else "run", name)
        text = f"{' ' * LEAD}{what}  {fit(metric_title(self._model.metric), max(width - LEAD - name - 2, 0))}"
        return Strip([Segment(fit(text, width), roles.bar + roles.dim)])

    def _name_width(self) -> int:
        return max((width(shown) for shown in self._shown.values()), default=3)

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """One run."""
        app, roles = self._panel.monitor, self._panel.roles
        name = self.row_names[row]
        first = self._model.runs_of(name)[0]
        value, (low, high) = self._value(name), self._scale
        size = max(width - LEAD - self._name_width() - self._value_width - 5, 0)
        part = (value - low) / (high - low) if math.isfinite(value) else 0.0
        finite = math.isfinite(value) or self._cells.get(name) is None
        line = [
            *lead(app, self._model, name),
            Segment(fit(self._shown[name], self._name_width()), roles.strong if row == self.cursor else roles.text),
            Segment("  "),
            Segment(fit(self._text(name), self._value_width, "right"), roles.text if finite else roles.bad),
            Segment("  "),
            Segment(thin_bar(part, size, unicode=not app.view.ascii), app.run_colors.style(first)),
        ]
        strip = Strip(line).adjust_cell_length(width)
        return roles.under_cursor(strip) if under_cursor else strip
