"""Media in words, which say the figures that a picture of them would."""

from __future__ import annotations

import pytest

from tuimon.analysis.said import said

CURVE = {"kind": "pr", "lines": [{"name": "cat", "area": 0.81, "x": [1, 0.9], "y": [0.5, 0.9]}]}
ROC = {"kind": "roc", "lines": [{"x": [0.5], "y": [0.5]}]}
MATRIX = {"kind": "confusion", "rows": ["a", "b"], "columns": ["a", "b"], "values": [[9, 1], [3, 7]]}
LAYERS = {"kind": "layers", "title": "Net", "columns": ["layer", "type", "parameters", "trainable"]}
ROWS = [["", "Net", 0, 0], ["fc", "Linear", 1200, 600]]


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("curve", CURVE, "cat AP 0.810 best F1 0.900 at 1.000"),
        ("curve", ROC, "AUC 0.500"),
        ("curve", {"kind": "line", "lines": [{"x": [1], "y": [2]}]}, "1 curve"),
        ("matrix", MATRIX, "accuracy 80.0% · 2 classes · 20 samples · b taken for a 3"),
        ("matrix", {"kind": "matrix", "values": [[1, 2, 3]]}, "1 × 3"),
        ("matrix", {}, "no values"),
        ("table", {"kind": "table", "columns": ["x", "y"], "rows": [[1, 2]], "total": 2000}, "2,000 rows of x, y"),
        ("table", {**LAYERS, "rows": ROWS}, "Net · 1,200 parameters · 600 trained (50%) · 1 layer"),
        ("media", {"kind": "mesh"}, ""),
    ],
)
def test_words(kind, body, words):
    """Areas and the best threshold, accuracy and the worst pair, sizes."""
    assert said(kind, body) == words
