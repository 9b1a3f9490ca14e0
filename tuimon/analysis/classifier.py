"""Precision-recall and ROC curves: areas, F1 and the point under a cursor.

Curves are given at ascending thresholds, as logs have them; every figure here is the same whichever way they run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

COUNTS = ("tp", "fp", "tn", "fn")


@dataclass(frozen=True, slots=True, eq=False)
class RateCurve:
    """One line of a chart of curves.

    Attributes:
        name: Its class, or what else it is called; may be empty.
        kind: "pr", "roc" or "line".
        x: Recall, false positive rate, or whatever the chart says.
        y: Precision, true positive rate, or whatever the chart says; as many.
        area: Average precision or area under the curve; NaN for a "line".
        thresholds: Above which a sample is called positive, at each point; None where unknown.
        counts: True and false positives and negatives at each point ("tp", "fp", "tn", "fn"): all four or none.
    """

    name: str
    kind: str
    x: Floats
    y: Floats
    area: float
    thresholds: Floats | None
    counts: Mapping[str, Floats]

    @property
    def f1(self) -> Floats:
        """The F1 score at each point; NaN where it is not defined or cannot be known.

        2 tp / (2 tp + fp + fn), which is the harmonic mean of precision and recall.
        """
        if self.counts:  # by four, which is exact: sums of numbers as large as numbers go are none
            tp, fp, fn = (self.counts[key] / 4 for key in ("tp", "fp", "fn"))
            return _ratio(2 * tp, 2 * tp + fp + fn)
        if self.kind != "pr":
            return np.full(len(self.x), np.nan)
        with np.errstate(over="ignore"):
            return _ratio(2 * self.x * self.y, self.x + self.y)

    @property
    def precision(self) -> Floats:
        """The precision at each point; NaN where unknown."""
        if self.kind == "pr":
            return self.y
        if not self.counts:
            return np.full(len(self.x), np.nan)
        return _ratio(self.counts["tp"] / 2, self.counts["tp"] / 2 + self.counts["fp"] / 2)

    @property
    def recall(self) -> Floats:
        """The recall, which is the true positive rate, at each point; NaN for a "line"."""
        if self.kind == "line":
            return np.full(len(self.x), np.nan)
        return self.x if self.kind == "pr" else self.y

    @property
    def best(self) -> int | None:
        """The point of the best F1; of a ROC curve without counts, of the best Youden index (y - x)."""
        with np.errstate(over="ignore"):
            score = self.y - self.x if self.kind == "roc" and not self.counts else self.f1
        return int(np.nanargmax(score)) if np.isfinite(score).any() else None

    @property
    def order(self) -> NDArray[np.intp]:
        """The points from left to right; those of one x in the order in which the line passes them."""
        return _order(self.x, self.y, self.kind)


def read_curves(body: Mapping[str, object]) -> list[RateCurve]:
    """The lines of a "curve" record; those without points of equal number are left out."""
    kind = str(body.get("kind", "line"))
    lines = body.get("lines")
    found: list[RateCurve] = []
    for line in lines if isinstance(lines, Sequence) and not isinstance(lines, str) else ():
        if not isinstance(line, Mapping):
            continue
        x, y = numbers(line.get("x")), numbers(line.get("y"))
        if len(x) and len(x) == len(y):
            counts = {key: numbers(line.get(key)) for key in COUNTS}
            if not all(len(values) == len(x) for values in counts.values()):
                counts = {}
            if counts and kind == "pr":  # where nothing is called positive there is no precision
                y = np.where(counts["tp"] > -counts["fp"], y, np.nan)
            found.append(rate_curve(str(line.get("name") or ""), kind, x, y, line.get("area"), counts))
    return found


def rate_curve(
    name: str,
    kind: str,
    x: Floats,
    y: Floats,
    area: object = None,
    counts: Mapping[str, Floats] | None = None,
    *,
    even: bool = True,
) -> RateCurve:
    """A curve with its area, computed where it is not given.

    Args:
        name: What it is called.
        kind: "pr", "roc" or "line".
        x: See `RateCurve`.
        y: See `RateCurve`.
        area: What the log says of the area.
        counts: See `RateCurve`.
        even: Whether the points are at evenly spaced thresholds from 0 to 1.
    """
    size = float(area) if isinstance(area, (int, float)) and math.isfinite(area) else math.nan
    if math.isnan(size) and kind in ("pr", "roc"):
        size = average_precision(x, y) if kind == "pr" else roc_area(x, y)
    known = even and kind in ("pr", "roc") and len(x) > 1
    return RateCurve(name, kind, x, y, size, np.linspace(0.0, 1.0, len(x)) if known else None, counts or {})


def average_precision(recall: Floats, precision: Floats) -> float:
    """The area under a precision-recall curve: sum of (R[n] - R[n-1]) P[n], from recall 0 on.

    Steps and no trapezoids, as these are too optimistic: Davis and Goadrich, "The relationship between
    precision-recall and ROC curves" (2006); the same as scikit-learn's `average_precision_score`. NaN without points.
    """
    order = _order(recall, precision, "pr")
    if not order.size:
        return math.nan
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.sum(np.diff(recall[order], prepend=0.0) * precision[order]))


def roc_area(false_positive_rate: Floats, true_positive_rate: Floats) -> float:
    """The area under a ROC curve by the trapezoidal rule.

    Every ROC curve begins at (0, 0) and ends at (1, 1), where nothing and where all is called positive: Fawcett, "An
    introduction to ROC analysis" (2006). NaN without points.
    """
    order = _order(false_positive_rate, true_positive_rate, "roc")
    if not order.size:
        return math.nan
    x, y = np.r_[0.0, false_positive_rate[order], 1.0], np.r_[0.0, true_positive_rate[order], 1.0]
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


def numbers(values: object) -> Floats:
    """Numbers of a log as an array, NaN for what is none; empty for what is no list."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        return np.empty(0)
    try:
        found = np.array(values, np.float64)  # an order of magnitude faster than one by one
        if found.ndim == 1:
            return found
    except (ValueError, TypeError, OverflowError):
        pass
    return np.array([as_number(value) for value in values], np.float64)


def as_number(value: object) -> float:
    """A number of a log, also where it is written as a text such as "NaN"; NaN for what is none."""
    try:
        return float(value) if isinstance(value, (int, float, str)) else math.nan
    except (ValueError, OverflowError):
        return math.nan


def _order(x: Floats, y: Floats, kind: str) -> NDArray[np.intp]:
    """Finite points from left to right; of equal x, precision falls and a true positive rate rises."""
    finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    within = -y if kind == "pr" else y if kind == "roc" else np.arange(len(x))
    return finite[np.lexsort((within[finite], x[finite]))]


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(below > 0, above / below, np.nan)
