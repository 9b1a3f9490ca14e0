"""Areas, F1 and best thresholds of curves, against scikit-learn where it is there and against worked examples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tuimon.analysis.classifier import COUNTS, average_precision, rate_curve, read_curves, roc_area

COUNTED = {"tp": [10, 9, 0], "fp": [10, 2, 0], "tn": [0, 8, 10], "fn": [0, 1, 10]}


def of_scores(truth, scores, thresholds):
    """(recall, precision, false positive rate) at thresholds, counted one by one."""
    recall, precision, false = [], [], []
    for threshold in thresholds:
        called = scores >= threshold
        tp, fp = int((called & truth).sum()), int((called & ~truth).sum())
        recall.append(tp / truth.sum())
        precision.append(tp / (tp + fp) if tp + fp else 1.0)
        false.append(fp / (~truth).sum())
    return np.array(recall), np.array(precision), np.array(false)


def test_areas_are_those_of_scikit_learn():
    """With a threshold at every score the areas are the exact ones, whichever way the curve runs."""
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    for _ in range(5):
        truth = rng.random(200) < 0.3
        scores = np.round(np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0, 1), 2)  # rounded, so that many are equal
        recall, precision, false = of_scores(truth, scores, np.unique(scores))
        wanted = metrics.average_precision_score(truth, scores)
        assert average_precision(recall, precision) == pytest.approx(wanted, abs=1e-12)
        assert average_precision(recall[::-1], precision[::-1]) == pytest.approx(wanted, abs=1e-12)
        assert roc_area(false, recall) == pytest.approx(metrics.roc_auc_score(truth, scores), abs=1e-12)


def test_areas_of_worked_examples():
    """A perfect classifier has 1, one that tells nothing has half of the ROC area."""
    assert average_precision(np.array([1.0, 1.0, 0.5]), np.array([0.5, 1.0, 1.0])) == 1
    assert roc_area(np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0])) == 1
    assert roc_area(np.array([0.5]), np.array([0.5])) == 0.5
    assert average_precision(np.array([0.5, 1.0]), np.array([1.0, 0.5])) == 0.75
    assert math.isnan(average_precision(np.empty(0), np.empty(0)))


def test_the_best_threshold_is_that_of_the_best_f1():
    """F1 comes from the counts, and the point of the best one is found, as is what the log says of the area."""
    body = {"kind": "pr", "lines": [{"name": "cat", "area": 0.81, "x": [1, 0.9, 0], "y": [0.5, 9 / 11, 1], **COUNTED}]}
    curve = read_curves(body)[0]
    assert curve.area == 0.81
    assert curve.f1.tolist() == pytest.approx([20 / 30, 18 / 21, 0.0])
    assert curve.best == 1
    assert curve.order.tolist() == [1, 0]  # at the highest threshold nothing is called positive: no precision
    assert curve.thresholds is not None
    assert curve.thresholds.tolist() == [0, 0.5, 1]
    bare = rate_curve("", "pr", curve.x, np.array([0.5, 9 / 11, 1]))
    assert bare.f1.tolist() == pytest.approx(curve.f1.tolist())


def test_a_roc_curve_without_counts_is_judged_by_youden():
    """The point farthest above the diagonal; precision cannot be known."""
    curve = rate_curve("", "roc", np.array([1, 0.2, 0.0]), np.array([1, 0.9, 0.5]))
    assert curve.best == 1
    assert np.isnan(curve.precision).all()
    assert curve.recall.tolist() == [1, 0.9, 0.5]


def test_what_cannot_be_a_curve_is_left_out():
    """Damaged bodies give fewer lines, and NaN in a curve is no point of it."""
    lines = [None, {"x": [1], "y": []}, {"x": "ab", "y": 3}, {"x": [0, "NaN", 1], "y": [0, 1, 1], "tp": [1]}]
    (curve,) = read_curves({"kind": "roc", "lines": lines})
    assert curve.order.tolist() == [0, 2]
    assert not curve.counts
    assert curve.area == 0.5
    assert read_curves({"lines": 3}) == []


@pytest.mark.parametrize("kind", ["pr", "roc", "line"])
def test_numbers_as_large_as_they_go(kind: str) -> None:
    """No sum of counts or rates overflows with a warning, and what is a share of such counts is right."""
    big = [1.7e308, 1.7e308, 0.5, -1e308]
    lines = [{"x": big, "y": big[::-1]}, {"x": big, "y": big[::-1], **dict.fromkeys(COUNTS, [1e308] * 4)}]
    plain, counted = read_curves({"kind": kind, "lines": lines})
    assert counted.f1.tolist() == [0.5] * 4
    assert counted.best == 0
    assert plain.best is None or plain.best < 4
    if kind == "roc":
        assert counted.precision.tolist() == [0.5] * 4
