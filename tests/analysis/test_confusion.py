"""Rates of a confusion matrix and its worst pairs, against scikit-learn and worked examples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tuimon.analysis.confusion import read_matrix


def confusion(values, names="abcdefgh"):
    return read_matrix({"kind": "confusion", "rows": list(names), "columns": list(names), "values": values})


def test_rates_are_those_of_scikit_learn():
    """Accuracy, and recall and precision of each class."""
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 6, 500)
    said = np.where(rng.random(500) < 0.7, truth, rng.integers(0, 6, 500))
    matrix = confusion(metrics.confusion_matrix(truth, said).tolist())
    assert matrix.accuracy == pytest.approx(metrics.accuracy_score(truth, said))
    assert matrix.recall == pytest.approx(metrics.recall_score(truth, said, average=None))
    assert matrix.precision == pytest.approx(metrics.precision_score(truth, said, average=None))


def test_worst_pairs_by_count_and_by_rate():
    """A rare class that is always missed is worst by rate, a frequent one with more mistakes by count."""
    matrix = confusion([[90, 10, 0], [0, 50, 0], [3, 1, 0]])
    by_count, by_rate = matrix.worst_pairs(9), matrix.worst_pairs(9, by_rate=True)
    assert [(p.row, p.column, p.samples, p.rate) for p in by_count] == [
        (0, 1, 10, 0.1),
        (2, 0, 3, 0.75),
        (2, 1, 1, 0.25),
    ]
    assert [(p.row, p.column) for p in by_rate] == [(2, 0), (2, 1), (0, 1)]
    assert len(matrix.worst_pairs(1)) == 1


def test_a_class_without_samples_has_no_recall():
    """Neither is one that was never predicted precise, and an empty matrix has no accuracy."""
    matrix = confusion([[5, 0], [0, 0]])
    assert matrix.recall.tolist()[0] == 1
    assert math.isnan(matrix.recall[1])
    assert math.isnan(matrix.precision[1])
    assert matrix.shares.tolist() == [[1, 0], [0, 0]]
    assert math.isnan(confusion([[0, 0], [0, 0]]).accuracy)


def test_damaged_matrices_are_filled_up():
    """Rows of different lengths, words for numbers and missing names; no values at all is no matrix."""
    matrix = read_matrix({"kind": "confusion", "rows": ["a"], "values": [[1, "NaN"], [2, 3, 4]]})
    assert matrix.values.shape == (2, 3)
    assert matrix.rows == ["a", "1"]
    assert not matrix.confusion
    assert matrix.total == 10
    assert read_matrix({"values": []}) is None
    assert read_matrix({"values": "no"}) is None
