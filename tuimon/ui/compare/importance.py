"""What each setting has to do with a metric, as bars, the most important one first."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip

from tuimon.analysis.importance import ENOUGH, Importance
from tuimon.charts.bars import thin_bar
from tuimon.numbers import counted
from tuimon.text import elide_middle, fit, width
from tuimon.ui.compare.chart import metric_title
from tuimon.ui.compare.lists import PartList
from tuimon.ui.compare.model import CompareModel
from tuimon.ui.panels.base import Panel

MEANS = {1: "grows with it", -1: "falls with it", 0: "depends on it"}
"""What the metric does as the setting grows."""


class ImportanceList(PartList):
    """A line a setting: its name, the correlation, a bar, the number of runs and what that means."""

    cursor_needs_focus: ClassVar[bool] = True
    DEFAULT_CSS: ClassVar[str] = """
    ImportanceList { width: 1fr; height: 1fr; }
    """

    def __init__(self, panel: Panel, model: CompareModel) -> None:
        super().__init__(id="compare-importance")
        self.header_height = 1
        self._panel = panel
        self._model = model
        self.found: list[Importance] = []
        self._names: list[str] = []
        self._runs = 0

    @property
    def current_run(self) -> str | None:
        """The current run of the view, as no row here is a run."""
        current = self._panel.view.current
        return current if current in self._model.runs else None

    def watch_cursor(self) -> None:
        """The scatter chart shows the setting under the cursor."""
        super().watch_cursor()
        if self.cursor < len(self.found) and self.has_focus:
            self._model.choices.setting = self.found[self.cursor].setting

    def refresh_part(self) -> None:
        """Work it out again."""
        metric = self._model.metric
        numbers = self._model.numbers(metric, self._model.runs) if metric is not None else []
        self._runs = sum(value is not None and value - value == 0 for value in numbers)
        self.found = self._model.importances()
        room = max(self.size.width // 3, 8)
        self._names = elide_middle([one.setting for one in self.found], room)
        self.set_count(len(self.found))
        self.redraw()

    def told(self) -> list[str]:
        """The metric, how it is measured, and whether there are runs enough."""
        parts = [f"what {metric_title(self._model.metric)} has to do with each setting", "rank correlation"]
        few = f"{counted(self._runs, 'run')} with both: too few to tell"
        return [*parts, few] if self._runs < ENOUGH else parts

    def header_line(self, _y: int, width: int) -> Strip:
        """Titles of the columns."""
        roles = self._panel.roles
        if not self.found:
            return Strip([Segment(fit(" no setting differs between runs that have this metric", width), roles.dim)])
        name = max(map(_cells, self._names))
        text = f" {fit('setting', name)}  {'ρ, η':>6}  {fit('', self._bar(width, name))}  runs  the metric"
        return Strip([Segment(fit(text, width), roles.bar + roles.dim)])

    def _bar(self, width: int, name: int) -> int:
        return max(width - name - 36, 4)

    def row_line(self, row: int, _line: int, width: int, under_cursor: bool) -> Strip:
        """One setting."""
        roles, one = self._panel.roles, self.found[row]
        name = max(map(_cells, self._names))
        size = self._bar(width, name)
        sign = {1: "+", -1: "-", 0: " "}[one.sign]
        style = roles.accent if one.likely else roles.dim
        note = MEANS[one.sign] if one.likely else "too few runs" if one.n < ENOUGH else "within chance"
        line = [
            Segment(f" {fit(self._names[row], name)}", roles.text if one.likely else roles.dim),
            Segment(f"  {sign}{one.size:5.2f}  ", style),
            Segment(thin_bar(one.size, size, unicode=not self._panel.view.ascii), style),
            Segment(f"  {one.n:4}  ", roles.dim),
        ]
        room = width - sum(segment.cell_length for segment in line)
        line.append(Segment(fit(note, max(room, 0)), roles.text if one.likely else roles.dim))
        strip = Strip(line).adjust_cell_length(width)
        return roles.under_cursor(strip) if under_cursor else strip


def _cells(text: str) -> int:
    return max(width(text), 7)
