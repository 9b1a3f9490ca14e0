"""One gauge on the whole panel: a chart of its values over wall time, with a cursor."""

from __future__ import annotations

import numpy as np
from rich.segment import Segment

from tuimon.charts.gauges import format_amount
from tuimon.charts.line import render_chart
from tuimon.charts.model import ChartLine, ChartOptions
from tuimon.charts.xaxis import x_label
from tuimon.text import clean, fit
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.system_data import Measure

SCALES: dict[str, tuple[tuple[float, str], ...]] = {"B": ((2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"))}
SCALES["B/s"] = tuple((size, f"{unit}/s") for size, unit in SCALES["B"])


class SystemFocus(CellView):
    """A maximised gauge.

    Attributes:
        measure: What it shows.
        title: Its name.
        cursor: Where the cursor is on the x axis; None is the newest value.
        color: Of the run.
    """

    DEFAULT_CSS = """
    SystemFocus { width: 1fr; height: 1fr; }
    """

    def __init__(self, colors: RunColors) -> None:
        super().__init__(id="gauge")
        self._colors = colors
        self.roles: Roles
        self.measure: Measure | None = None
        self.title = ""
        self.color = "default"
        self.cursor: float | None = None

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.draw()

    def read(self, points: int) -> None:
        """Move the cursor by logged values."""
        if self.measure is None or not len(self.measure.x):
            return
        x = self.measure.x
        at = len(x) - 1 if self.cursor is None else int(np.abs(x - self.cursor).argmin())
        at = min(max(at + points, 0), len(x) - 1)
        self.cursor = None if at == len(x) - 1 else float(x[at])
        self.draw()

    def draw(self) -> None:
        """Draw the chart and the value under the cursor."""
        width, height = self.size
        measure = self.measure
        if not width or not height or not self.display or measure is None:
            return
        unit = measure.gauge.unit
        largest = max(abs(measure.least or 0.0), abs(measure.most or 0.0))
        scale, shown = next(((s, u) for s, u in SCALES.get(unit, ()) if largest >= s), (1.0, unit))
        low, high = measure.low / scale, measure.high / scale
        line = ChartLine("", self.color, measure.x, low, low if measure.low is measure.high else high, sign="*")
        options = ChartOptions(
            title=f"{self.title}{f' in {shown}' if shown else ''}",
            x_kind="wall" if measure.timed else "step",
            y_range=(0.0, 100.0) if unit == "%" and largest <= 100 else None,
            unicode=not self._colors.ascii,
            cursor_x=self.cursor,
            colors=self._colors.system,
            legend="none",
            empty="nothing logged yet",
        )
        self.show([*render_chart([line], width, height - 1, options), self._readout(measure, width)])

    def _readout(self, measure: Measure, width: int) -> list[Segment]:
        unit, roles = measure.gauge.unit, self.roles
        if self.cursor is not None and len(measure.x):
            at = int(np.abs(measure.x - self.cursor).argmin())
            place = x_label(float(measure.x[at]), "wall" if measure.timed else "step")
            now, value = place, measure.high[at]
        else:
            now, value = (
                "live" if measure.live else "last",
                measure.value if measure.value is not None else float("nan"),
            )
        parts = [(now, format_amount(value, unit))]
        parts += [("min", format_amount(measure.least, unit)), ("max", format_amount(measure.most, unit))]
        if measure.total is not None and unit in ("B", "W"):
            parts.append(("of", format_amount(measure.total, unit)))
        parts.append(("n", str(len(measure.x))))
        if measure.gauge.amount:
            parts.append(("tag", clean(measure.gauge.amount)))
        line: list[Segment] = []
        used = 0
        for name, text in parts:
            size = len(name) + len(text) + 3
            if used + size > width + 2:
                break
            line += [Segment(f"{name} ", roles.dim), Segment(text, roles.text), Segment("  ")]
            used += size
        return line or [Segment(fit(parts[0][1], width), roles.text)]
