"""Histograms as they are drawn: taken from the store step by step, with the numbers that describe them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.segment import Segment

from tuimon.analysis.tensors import moments, zero_share
from tuimon.charts.bins import Bins
from tuimon.numbers import format_count, format_value
from tuimon.store import Floats, Histogram, HistogramSeries, Store
from tuimon.text import fit
from tuimon.ui.roles import Roles

MOST_STEPS = 1000
"""Steps of a heat map; of a series with more, every second, third… is taken, which the chart then says."""


def bins_of(histogram: Histogram, step: float) -> Bins:
    """A histogram of the store as the charts want it."""
    return Bins(
        histogram.edges,
        histogram.counts,
        x=step,
        nan=histogram.nan,
        inf=histogram.inf,
        zeros=histogram.zeros,
        minimum=histogram.minimum,
        maximum=histogram.maximum,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """One histogram tag of one run over its steps.

    Attributes:
        run: Its run.
        tag: Its tag.
        columns: The histograms, ascending in step.
        stride: Every how many-th step is there; 1 is all of them.
        spread: Standard deviation at each of ``columns``, NaN where unknown.
    """

    run: str
    tag: str
    columns: tuple[Bins, ...]
    stride: int
    spread: Floats

    @property
    def steps(self) -> Floats:
        """Steps of the columns."""
        return np.array([column.x for column in self.columns], np.float64)


class Distributions:
    """Takes histograms from a store and keeps those that are on screen until they change.

    Args:
        store: The store; its lock is taken for each query.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], tuple[int, HistogramSeries, Distribution]] = {}
        self._bins: dict[tuple[str, str], dict[int, tuple[Histogram, Bins]]] = {}

    def keep_only(self, tags: Sequence[str]) -> None:
        """Forget other tags; they went off the screen."""
        self._kept = {key: value for key, value in self._kept.items() if key[1] in tags}
        self._bins = {key: value for key, value in self._bins.items() if key[1] in tags}

    def get(self, run: str, tag: str) -> Distribution | None:
        """A tag of a run; None when it has none of that name."""
        with self._store.lock:
            series = self._series(run, tag)
            if series is None:
                return None
            kept = self._kept.get((run, tag))
            if kept is not None and kept[0] == series.version and kept[1] is series:
                return kept[2]
            steps = series.steps
            stride = -(-len(steps) // MOST_STEPS)
            places = sorted({*range(0, len(steps), max(stride, 1)), *range(max(len(steps) - 1, 0), len(steps))})
            found = [(float(steps[i]), series.at(i)) for i in places]
        known = [(step, histogram) for step, histogram in found if histogram is not None]
        spread = [h.std if h.std is not None else moments(h)[1] for _, h in known]
        columns = self._columns((run, tag), known)
        result = Distribution(run, tag, columns, max(stride, 1), np.array([*map(_or_nan, spread)], np.float64))
        self._kept[run, tag] = (series.version, series, result)
        return result

    def _columns(self, key: tuple[str, str], known: Sequence[tuple[float, Histogram]]) -> tuple[Bins, ...]:
        """The histograms for the charts; those of the last time are taken again, with what is known of them."""
        old = self._bins.get(key, {})
        new: dict[int, tuple[Histogram, Bins]] = {}
        for step, histogram in known:
            before = old.get(id(histogram))
            new[id(histogram)] = before if before and before[1].x == step else (histogram, bins_of(histogram, step))
        self._bins[key] = new
        return tuple(new[id(histogram)][1] for _, histogram in known)

    def at(self, run: str, tag: str, step: float | None) -> tuple[float, float, Histogram] | None:
        """Step, wall time and histogram nearest to a step (None: the last); None when there is none."""
        with self._store.lock:
            series = self._series(run, tag)
            if series is None or not len(series):
                return None
            place = len(series) - 1 if step is None else series.nearest(step)
            histogram = series.at(place)
            return None if histogram is None else (float(series.steps[place]), series.time(place), histogram)

    def steps(self, run: str, tag: str) -> Floats:
        """All steps of a tag."""
        with self._store.lock:
            series = self._series(run, tag)
            return np.empty(0) if series is None else series.steps

    def _series(self, run: str, tag: str) -> HistogramSeries | None:
        owner = self._store.runs.get(run)
        return None if owner is None else owner.histograms.get(tag)


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def facts(histogram: Histogram) -> list[tuple[str, str, bool]]:
    """Numbers that describe a histogram: (name, text, whether it is alarming), the most telling first.

    "~" marks those that are read from the bins, because the log does not give them.
    """
    total = histogram.total
    verdict = bins_of(histogram, 0.0).verdict
    found = [("", verdict, verdict != "empty")] if verdict else []
    found += [
        (name, f"×{format_count(count)}", True)
        for name, count in (("NaN", histogram.nan), ("Inf", histogram.inf))
        if count
    ]
    mean, std, estimated = moments(histogram)
    about = "~" if estimated else ""
    found += [
        (name, sign + (short(value) if 1e5 <= abs(value) < math.inf else format_value(value, 3)), False)
        for name, value, sign in (
            ("std", std, about),
            ("mean", mean, about),
            ("min", histogram.minimum, ""),
            ("max", histogram.maximum, ""),
        )
        if value is not None and total
    ]
    zeros, guessed = zero_share(histogram)
    if zeros is not None:
        found.append(("zero", ("~" if guessed else "") + percent(zeros), zeros == 1))
    return [*found, ("n", format_count(total), False)]


def percent(share: float) -> str:
    """A share in percent that is 0 % or 100 % only when it is exactly that."""
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{share * 100:.3g}%"


def short(value: float) -> str:
    """A number of at most nine cells that tells orders of magnitude apart."""
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.4g}" if abs(value) < 9999.5 else f"{value:.0f}"
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


def facts_line(histogram: Histogram, width: int, roles: Roles, lead: str = "") -> list[Segment]:
    """The numbers of a histogram on one line of exactly ``width`` cells; those that do not fit are left out."""
    line = [Segment(lead, roles.dim)] if lead else []
    used = len(lead)
    for name, text, alarming in facts(histogram):
        pieces = [Segment(f"{name} " if name else "", roles.dim), Segment(text, roles.bad if alarming else roles.text)]
        size = sum(piece.cell_length for piece in pieces) + (2 if used else 0)
        if used + size > width:
            break
        line += [Segment("  " if used else ""), *pieces]
        used += size
    if used > width:
        return [Segment(fit(lead, width), roles.dim)]
    return [*line, Segment(" " * (width - used))]
