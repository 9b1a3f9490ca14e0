"""Curves on one chart with a cursor, and a table of what each of them says there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style

from tuimon.analysis.classifier import COUNTS, RateCurve
from tuimon.analysis.said import AREAS, best_f1
from tuimon.charts.palette import series_color, series_glyph, style_of
from tuimon.charts.plane import Plane, PlaneLine, PlaneMark, PlaneOptions, PlanePoints, render_plane
from tuimon.numbers import format_count, format_step, format_values
from tuimon.text import fit
from tuimon.ui.media.base import Content, Lines, Look
from tuimon.ui.media.columns import Column, table_lines

UNIT = (0.0, 1.0)
_SHORT = {"false positive rate": "FPR", "true positive rate": "TPR"}
_NARROW, _NARROWEST = 72, 48
_LEAST_CHART = 8


class Named(NamedTuple):
    """A curve, what it is called, and its colour."""

    name: str
    color: str
    curve: RateCurve


@dataclass
class CurveState:
    """The cursor, for each tag.

    Attributes:
        line: The number of the line that it is on.
        at: How far along the line, from 0 to 1; for evenly spaced thresholds this is the threshold. None is the best
            point.
        points: Points of the line as drawn last; a step of the cursor is one of them.
        drawn: The chart as drawn last.
        lines: The lines as drawn last.
    """

    tag: str = ""
    line: int = 0
    at: float | None = None
    points: int = 2
    drawn: Plane | None = None
    lines: Sequence[Named] = field(default_factory=tuple)

    def of(self, tag: str) -> CurveState:
        """This state, as it is at first where it was of another tag."""
        if tag != self.tag:
            self.tag, self.line, self.at = tag, 0, None
        return self

    def move(self, points: int) -> None:
        """Move the cursor along its line."""
        here = self.lines[self.line].curve if self.line < len(self.lines) else None
        at = self.at if self.at is not None else 0.0 if here is None else fraction(here, best_of(here))
        self.at = min(max(at + points / max(self.points - 1, 1), 0.0), 1.0)

    def turn(self, lines: int) -> None:
        """Put the cursor on another line."""
        self.line = (self.line + lines) % max(len(self.lines), 1)

    def point(self, x: int, y: int) -> None:
        """Put the cursor on the point nearest to a cell."""
        place = self.drawn.place(x, y) if self.drawn is not None else None
        if place is None or self.drawn is None or self.drawn.frame is None:
            return
        (left, right), (low, high) = self.drawn.frame.x_range, self.drawn.frame.y_range
        found: list[tuple[float, int, float]] = []
        for number, line in enumerate(self.lines):
            curve = line.curve
            far = ((curve.x - place[0]) / (right - left)) ** 2 + ((curve.y - place[1]) / (high - low)) ** 2
            if np.isfinite(far).any():
                at = int(np.nanargmin(far))
                found.append((float(far[at]), number, fraction(curve, at)))
        if found:
            _, self.line, self.at = min(found)


def fraction(curve: RateCurve, index: int) -> float:
    """How far along a curve a point is, from 0 to 1."""
    order = _along(curve)
    place = np.flatnonzero(order == index)
    return float(place[0]) / max(len(order) - 1, 1) if place.size else 0.0


def index_at(curve: RateCurve, part: float) -> int:
    """The point so far along a curve."""
    order = _along(curve)
    return int(order[min(max(round(part * (len(order) - 1)), 0), len(order) - 1)]) if order.size else 0


def _along(curve: RateCurve) -> NDArray[np.intp]:
    """The points in the order in which the cursor passes them: by threshold, or from left to right."""
    return np.arange(len(curve.x), dtype=np.intp) if curve.thresholds is not None else curve.order


def best_of(curve: RateCurve) -> int:
    """The point that the cursor is on at first."""
    found = curve.best
    return found if found is not None else index_at(curve, 1.0)


def named(groups: Sequence[tuple[Content, Sequence[RateCurve]]], look: Look) -> list[Named]:
    """Give the curves of one or more runs their names and colours."""
    several = len(groups) > 1
    lines: list[Named] = []
    for content, curves in groups:
        run = content.run if several else ""
        if content.step != groups[0][0].step:
            run += f" @{format_step(content.step)}"
        for curve in curves:
            name = " · ".join(filter(None, (run, curve.name)))
            own = several and len(curves) == 1
            color = look.run_color(content.run) if own else series_color(len(lines), look.colors)
            lines.append(Named(name, color, curve))
    return lines


def draw_curves(
    lines: Sequence[Named], kind: str, axes: tuple[str, str], width: int, height: int, look: Look, state: CurveState
) -> Lines:
    """Draw curves, for a card or for the whole panel.

    Args:
        lines: The curves.
        kind: "pr", "roc" or "line".
        axes: Names of x and y.
        width: Cells across.
        height: Lines.
        look: How to draw.
        state: The cursor; only used where it is for the whole panel.
    """
    if not lines:
        return [[Segment(fit("no points", width), look.roles.dim)]]
    table = min(len(lines) + 1, max(height - _LEAST_CHART, 0) // 2 + 1) if look.full and height >= 10 else 0
    unicode = not look.ascii
    state.lines = lines
    state.line = min(state.line, len(lines) - 1)
    selected = lines[state.line]
    state.points = len(_along(selected.curve))
    part = state.at if state.at is not None else fraction(selected.curve, best_of(selected.curve))
    here = index_at(selected.curve, part)
    drawn = [_line(line) for line in lines]
    marks = [_mark(line, line.curve.best, "◆" if unicode else "D") for line in lines if line.curve.best is not None]
    if look.full:
        marks.append(_mark(selected, here, "●" if unicode else "O", Style(bold=True)))
    rates = kind in AREAS
    if width < _NARROW:
        axes = (_SHORT.get(axes[0], axes[0]), _SHORT.get(axes[1], axes[1]))
    behind = [PlaneLine("", "default", np.array(UNIT), np.array(UNIT), dim=True)] if kind == "roc" else []
    options = PlaneOptions(
        x_name=axes[0] if width >= _NARROWEST or not rates else "",
        y_name=axes[1],
        x_range=UNIT if rates else None,
        y_range=UNIT if rates else None,
        cursor_x=float(selected.curve.x[here]) if look.full else None,
        unicode=unicode,
        colors=look.colors,
        empty="no finite point",
    )
    state.drawn = render_plane([*drawn, *behind], list[PlanePoints](), marks, width, height - table, options)
    out: Lines = [*state.drawn.rows]
    return [*out, *_readout(lines, kind, axes, part, width, table, look, state.line)]


def _line(line: Named) -> PlaneLine:
    curve = line.curve
    area = "" if math.isnan(curve.area) else f"{AREAS.get(curve.kind, 'area')} {curve.area:.3f}"
    label = " ".join(filter(None, (line.name, area)))
    return PlaneLine(label, line.color, curve.x[curve.order], curve.y[curve.order])


def _mark(line: Named, at: int | None, sign: str, more: Style | None = None) -> PlaneMark:
    index = at or 0
    style = style_of(line.color) + (more or Style())
    return PlaneMark(float(line.curve.x[index]), float(line.curve.y[index]), sign, style)


def _readout(
    lines: Sequence[Named],
    kind: str,
    axes: tuple[str, str],
    part: float,
    width: int,
    height: int,
    look: Look,
    marked: int,
) -> Lines:
    """What each curve says at the cursor, and at its own best point."""
    roles = look.roles
    found = [(line.curve, index_at(line.curve, part)) for line in lines]
    columns: list[Column] = []
    if kind in AREAS:
        columns.append(Column(AREAS[kind], [_share(curve.area) for curve, _ in found], roles.strong))
        columns.append(Column("threshold", [_threshold(curve, at) for curve, at in found], roles.text))
        for head in ("precision", "recall", *(("fpr",) if kind == "roc" else ()), "f1"):
            values = [curve.x if head == "fpr" else getattr(curve, head) for curve, _ in found]
            texts = [_share(float(of[at])) for of, (_, at) in zip(values, found, strict=True)]
            columns.append(Column(head.upper() if len(head) < 4 else head, texts, roles.text))
        for key in COUNTS:
            texts = [format_count(float(curve.counts[key][at])) if curve.counts else "" for curve, at in found]
            columns.append(Column(key.upper(), texts, roles.dim))
        columns.append(Column("best F1", [best_f1(curve) for curve, _ in found], roles.dim))
    else:
        for axis, name in zip(("x", "y"), axes, strict=True):
            numbers = [float(getattr(curve, axis)[at]) for curve, at in found]
            columns.append(Column(name or axis, format_values(numbers), roles.text))
    names = [line.name or "curve" for line in lines]
    signs = [
        Segment("━" if not look.ascii else series_glyph(number, ascii=True), style_of(line.color))
        for number, line in enumerate(lines)
    ]
    first = max(marked - max(height - 3, 0), 0)
    return table_lines("", names, columns, width, height, roles, signs=signs, first=first, marked=marked)


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"


def _threshold(curve: RateCurve, at: int) -> str:
    return "" if curve.thresholds is None else f"{curve.thresholds[at]:.3f}"
