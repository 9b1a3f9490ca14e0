"""Precision-recall and ROC curves of other programs' logs, as the body of a "curve" record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

_NAMES = {"pr": ("recall", "precision"), "roc": ("false positive rate", "true positive rate")}


def curve(
    kind: str, x: Sequence[float], y: Sequence[float], counts: Mapping[str, Sequence[float]], name: str = ""
) -> dict[str, object]:
    """The body for one line.

    Args:
        kind: "pr" or "roc".
        x: Recall, or false positive rate, at evenly spaced thresholds from 0 to 1.
        y: Precision, or true positive rate, as many.
        counts: True and false positives and negatives by "tp", "fp", "tn" and "fn"; those of another length are left
            out.
        name: Name of the line.
    """
    line: dict[str, object] = {"name": name, "area": _average_precision(x, y) if kind == "pr" else _area(x, y)}
    line |= {"x": list(x), "y": list(y)}
    line |= {key: list(found) for key, found in counts.items() if len(found) == len(x)}
    x_name, y_name = _NAMES[kind]
    return {"kind": kind, "x_name": x_name, "y_name": y_name, "lines": [line]}


def _area(x: Sequence[float], y: Sequence[float]) -> float:
    """The area under a curve by the trapezoidal rule, whichever way it runs."""
    return abs(sum((a - b) * (c + d) / 2 for (a, b), (c, d) in zip(pairwise(x), pairwise(y), strict=True)))


def _average_precision(recall: Sequence[float], precision: Sequence[float]) -> float:
    """The mean of the precision over the steps of the recall, from the lowest threshold to the highest."""
    return sum((high - low) * it for (high, low), it in zip(pairwise([*recall, 0.0]), precision, strict=True))
