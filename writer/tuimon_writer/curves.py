"""Precision-recall and ROC curves as numbers."""

from __future__ import annotations

import sys
from itertools import accumulate, pairwise
from math import floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tuimon_writer.values import Json

THRESHOLDS = 127
_LEAST = 1e-7


class Rates:
    """How a classifier does at each of evenly spaced thresholds, from 0 to 1.

    Attributes:
        tp, fp, tn, fn: True positives, false positives, true negatives and false negatives, weighted.
    """

    __slots__ = ("fn", "fp", "tn", "tp")

    def __init__(self, tp: Sequence[float], fp: Sequence[float], tn: Sequence[float], fn: Sequence[float]) -> None:
        self.tp, self.fp, self.tn, self.fn = ([float(value) for value in values] for values in (tp, fp, tn, fn))

    @property
    def precision(self) -> list[float]:
        """True positives of all that were called positive; 0 where none was."""
        return [tp / max(_LEAST, tp + fp) for tp, fp in zip(self.tp, self.fp, strict=True)]

    @property
    def recall(self) -> list[float]:
        """True positives of all that are positive; 0 where none is."""
        return [tp / max(_LEAST, tp + fn) for tp, fn in zip(self.tp, self.fn, strict=True)]

    @property
    def false_alarms(self) -> list[float]:
        """False positives of all that are negative; 0 where none is."""
        return [fp / max(_LEAST, fp + tn) for fp, tn in zip(self.fp, self.tn, strict=True)]


def rates(labels: Any, predictions: Any, thresholds: int = THRESHOLDS, weights: Any = None) -> Rates:
    """Count how a classifier does at evenly spaced thresholds, as TensorBoard's summaries do.

    Args:
        labels: 1 for positive, 0 for negative; what `tuimon_writer.values.flat` gives.
        predictions: Probability of positive for each, from 0 to 1.
        thresholds: How many thresholds, at least 2.
        weights: Of each; None for 1.

    Raises:
        ValueError: They differ in number.
    """
    count = max(2, int(thresholds))
    if len(labels) != len(predictions) or (weights is not None and len(weights) not in (1, len(labels))):
        raise ValueError(f"{len(labels)} labels do not go with {len(predictions)} predictions")
    numpy = sys.modules.get("numpy")
    if numpy is not None and not isinstance(labels, list):
        at = numpy.floor(numpy.nan_to_num(predictions.astype(numpy.float64)) * (count - 1))
        at = numpy.clip(at, 0, count - 1).astype(numpy.int64)
        positive = labels.astype(numpy.float64)
        weight = 1.0 if weights is None else weights.astype(numpy.float64)
        hits = numpy.bincount(at, weights=positive * weight, minlength=count).tolist()
        misses = numpy.bincount(at, weights=(1.0 - positive) * weight, minlength=count).tolist()
    else:
        hits, misses = [0.0] * count, [0.0] * count
        for number, (label, prediction) in enumerate(zip(labels, predictions, strict=True)):
            value = float(prediction) * (count - 1)
            place = min(max(floor(value), 0), count - 1) if value == value else 0
            weight = 1.0 if weights is None else weights[number % len(weights)]
            hits[place] += label * weight
            misses[place] += (1.0 - label) * weight
    tp, fp = [[*accumulate(reversed(counts))][::-1] for counts in (hits, misses)]
    return Rates(tp, fp, [fp[0] - value for value in fp], [tp[0] - value for value in tp])


def precision_recall(found: Sequence[tuple[str, Rates]]) -> dict[str, Json]:
    """What the log says of precision-recall curves: (name, rates) of each class."""
    return _body("pr", "recall", "precision", [(name, it, it.recall, it.precision) for name, it in found])


def roc(found: Sequence[tuple[str, Rates]]) -> dict[str, Json]:
    """What the log says of ROC curves: (name, rates) of each class."""
    return _body(
        "roc",
        "false positive rate",
        "true positive rate",
        [(name, it, it.false_alarms, it.recall) for name, it in found],
    )


def counted_precision_recall(it: Rates, recall: list[float], precision: list[float]) -> dict[str, Json]:
    """What the log says of a precision-recall curve that was made elsewhere."""
    return _body("pr", "recall", "precision", [("", it, recall, precision)])


def _body(
    kind: str, x_name: str, y_name: str, found: Sequence[tuple[str, Rates, list[float], list[float]]]
) -> dict[str, Json]:
    lines: list[Json] = []
    measure = average_precision if kind == "pr" else area
    for name, it, x, y in found:
        line: dict[str, Json] = {"name": name, "area": measure(x, y), "x": _short(x), "y": _short(y)}
        for key in ("tp", "fp", "tn", "fn"):
            line[key] = _short(getattr(it, key))
        lines.append(line)
    return {"kind": kind, "x_name": x_name, "y_name": y_name, "lines": lines}


def _short(values: Sequence[float]) -> list[Json]:
    """Numbers with the six digits that a drawing needs."""
    return [int(value) if value.is_integer() else float(f"{value:.6g}") for value in map(float, values)]


def area(x: Sequence[float], y: Sequence[float]) -> float:
    """The area under a curve by the trapezoidal rule, whichever way it runs."""
    points = [*zip(x, y, strict=True)]
    return abs(sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points)))


def average_precision(recall: Sequence[float], precision: Sequence[float]) -> float:
    """The mean of the precision over the steps of the recall, from the lowest threshold to the highest."""
    points = [*zip(recall, precision, strict=True)]
    last = points[-1][0] * points[-1][1] if points else 0.0
    return sum((x0 - x1) * y0 for (x0, y0), (x1, _) in pairwise(points)) + last
