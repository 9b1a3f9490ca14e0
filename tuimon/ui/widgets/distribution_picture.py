"""Pictures of a histogram over its steps, in the form that was chosen, and of two histograms over each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.segment import Segment

from tuimon.charts.bands import render_bands
from tuimon.charts.heatmap import render_heatmap
from tuimon.charts.histogram import render_histogram
from tuimon.charts.model import ChartOptions
from tuimon.charts.overlay import Shape, render_overlay
from tuimon.charts.ranges import grow_range
from tuimon.charts.ridgeline import render_ridgeline
from tuimon.numbers import format_step
from tuimon.store import Histogram
from tuimon.ui.colors import RunColors
from tuimon.ui.widgets.distribution import Distribution, bins_of
from tuimon.ui.widgets.ruler import Range

BARS_FROM = 90
"""From so many columns on, the bars of a step stand beside its picture."""

Lines = list[list[Segment]]


class Look(NamedTuple):
    """A histogram that is looked at.

    Attributes:
        run, step: Where it is from.
        histogram: The histogram.
        label: What it is called beside another one.
    """

    run: str
    step: float
    histogram: Histogram
    label: str


class Pictures:
    """Draws pictures of distributions.

    Args:
        colors: Of the runs.
    """

    def __init__(self, colors: RunColors) -> None:
        self._colors = colors
        self._ranges: dict[tuple[str, str], Range] = {}

    def draw(
        self, found: Distribution, width: int, height: int, form: str, step: float | None = None, title: str = ""
    ) -> Lines:
        """A distribution over its steps.

        Args:
            found: The distribution.
            width: Cells across.
            height: Rows.
            form: One of `tuimon.ui.choices.distributions.FORMS` but bars, which are of one step; see ``bars``.
            step: The step under the cursor, if any.
            title: Its name; by default its tag.
        """
        title = title or found.tag
        title += f"  every {found.stride}. step" if found.stride > 1 else ""
        options = ChartOptions(
            title=title,
            x_range=None if form == "ridgeline" else self._x_range(found),
            cursor_x=step,
            colors=self._colors.system,
            unicode=not self._colors.ascii,
            empty="no histogram yet",
        )
        if form == "ridgeline":
            return render_ridgeline(found.columns, width, height, options, color=self._colors.color(found.run))
        return (render_bands if form == "bands" else render_heatmap)(found.columns, width, height, options)

    def x_at(self, found: Distribution, lines: Sequence[str], column: int, width: int) -> float | None:
        """What x a column of a picture of so many cells stands for, by its drawn lines; None beside the plot."""
        shown = self._ranges.get((found.run, found.tag))
        corner = next((line.index(sign) for line in lines for sign in ("└", "+-") if sign in line[:width]), None)
        if shown is None or corner is None or not corner < column < width:
            return None
        return shown[0] + (shown[1] - shown[0]) * (column - corner - 1) / max(width - corner - 2, 1)

    def bars(self, look: Look, width: int, height: int, name: str = "") -> Lines:
        """The bars of one histogram, with its step, and its name where that is given."""
        return render_histogram(
            bins_of(look.histogram, look.step),
            width,
            height,
            title=f"{name}  step {format_step(look.step)}".strip(),
            unicode=not self._colors.ascii,
            color=self._colors.color(look.run),
            colors=self._colors.system,
        )

    def overlay(self, looks: Sequence[Look], width: int, height: int) -> Lines:
        """Histograms over one another; of two of one run the first is the mark, in a colour of its own."""
        colors = [self._colors.color(look.run) for look in looks]
        if len(set(colors)) < len(colors):
            colors[0] = "default"
        shapes = [
            Shape(look.label, color, bins_of(look.histogram, look.step), "*+"[at % 2])
            for at, (look, color) in enumerate(zip(looks, colors, strict=True))
        ]
        options = ChartOptions(colors=self._colors.system, unicode=not self._colors.ascii)
        return render_overlay(shapes, width, height, options)

    def _x_range(self, found: Distribution) -> Range | None:
        if not found.columns:
            return None
        key = (found.run, found.tag)
        low, high = found.columns[0].x, found.columns[-1].x
        self._ranges[key] = grow_range(self._ranges.get(key), low, high)
        return self._ranges[key]


def beside(left: Lines, right: Lines) -> Lines:
    """Two pictures of the same height side by side."""
    return [[*one, Segment("  "), *other] for one, other in zip(left, right, strict=True)]
