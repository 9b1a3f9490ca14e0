"""What the charts of the comparison have in common: a metric, and a run that is brought out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.events import Resize

from tuimon.analysis.comparison import Column
from tuimon.numbers import format_value
from tuimon.text import clean
from tuimon.ui.compare.model import CompareModel
from tuimon.ui.compare.scale import Scale, scale
from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.cells import CellView


def metric_title(column: Column | None) -> str:
    """How a metric is called: "val/acc best ↑"."""
    if column is None:
        return "no metric"
    arrow = {"min": " ↓", "max": " ↑", None: ""}[column.direction]
    return f"{clean(column.name)} {column.kind}{arrow}"


def setting_scale(model: CompareModel, name: str) -> Scale:
    """Where the runs are along a setting."""
    column = model.column(f"setting:{name}")
    values = {}
    for run in model.runs if column is not None else ():
        cell = model.run_cell(run, column) if column is not None else None
        if cell is not None:
            values[run] = cell.value
    return scale(values, model.choices.log_x.get(name))


class ChartPart(CellView, can_focus=True):
    """A chart of the runs in cells; one run is brought out, which is the current one of the whole view."""

    DEFAULT_CSS: ClassVar[str] = """
    ChartPart { width: 1fr; height: 1fr; margin: 0 1; }
    """

    def __init__(self, panel: Panel, model: CompareModel, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.panel = panel
        self.model = model
        self.values: dict[str, float] = {}

    @property
    def current_run(self) -> str | None:
        """The run that is brought out: the current one, or the first with a value."""
        current = self.panel.view.current
        if current in self.values:
            return current
        return next(iter(self.values), None)

    def on_resize(self, _event: Resize) -> None:
        """Draw for the new size."""
        self.refresh_part()

    def refresh_part(self) -> None:
        """Draw what the model holds now."""
        metric = self.model.metric
        numbers = self.model.numbers(metric, self.model.runs) if metric is not None else []
        found = zip(self.model.runs, numbers, strict=False)
        self.values = {run: value for run, value in found if value is not None and value - value == 0}
        if self.size.width and self.size.height:
            self.show(self.draw(self.size.width, self.size.height))

    def draw(self, width: int, height: int) -> Sequence[Sequence[Segment]]:
        """The chart for so many cells."""
        raise NotImplementedError

    def ordered(self, _axis: int) -> list[str]:
        """The runs in the order in which the arrow keys of an axis (0 across, 1 upwards) go through them."""
        return sorted(self.values, key=lambda run: (self.values[run], run))

    def move(self, across: int, down: int) -> None:
        """Bring out another run."""
        axis, steps = (0, across) if across else (1, -down)
        order = self.ordered(axis)
        if not order:
            return
        current = self.current_run
        at = order.index(current) if current in order else -steps
        self.panel.view.current = order[max(0, min(at + steps, len(order) - 1))]
        self.refresh_part()

    def told_value(self) -> str:
        """The run that is brought out and its value."""
        run = self.current_run
        return "" if run is None else f"{clean(run)}: {format_value(self.values[run])}"

    def missing(self) -> str:
        """How many runs are not in the chart."""
        lacking = len(self.model.runs) - len(self.values)
        return f"{lacking} without a value" if lacking else ""
