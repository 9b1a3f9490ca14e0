"""Sorting and searching rows of any values, and tables that hold curves or a matrix."""

from __future__ import annotations

import numpy as np

from tuimon.analysis.rows import cell_text, curves_of, known_curves, known_matrix, read_rows


def table(columns, *rows, **more):
    return read_rows({"columns": list(columns), "rows": [list(row) for row in rows], **more})


def test_numbers_come_before_texts_and_missing_cells_last():
    """Both ways; numbers written as texts count as numbers, and equal rows keep their order."""
    found = table("ab", [10, 0], ["b", 1], [None, 2], ["9", 3], ["A", 4], [10, 5])
    assert found.order(0) == [3, 0, 5, 4, 1, 2]
    assert found.order(0, falling=True) == [0, 5, 3, 1, 4, 2]
    assert found.order(None) == list(range(6))


def test_search_looks_into_every_cell():
    """Whatever the case, and together with sorting."""
    found = table("ab", [2, "Cat"], [1, "concatenate"], [0, "dog"])
    assert found.order(0, wanted="CAT") == [1, 0]


def test_rows_of_any_length():
    """Columns that have no name get their number, cells that are missing are empty, and the number of all is said."""
    found = table("a", [1], [1, 2, 3], total=50)
    assert found.columns == ["a", "1", "2"]
    assert found.cell(0, 2) is None
    assert found.total == 50
    assert read_rows({"rows": [3, "x"], "columns": None}).rows == []


def test_cells_are_written_for_people():
    """Numbers without noise, pictures by their file, long lists with an ellipsis."""
    cells = [0.1 + 0.2, 12345678901, True, None, {"_type": "image-file", "path": "a.png"}, [1, 2], list(range(9))]
    texts = ["0.3", "12345678901", "yes", "", "[image-file a.png]", "[1, 2]", "[0, 1, 2, 3, 4, 5, 6, 7, …]"]
    assert [cell_text(cell) for cell in cells] == texts


def test_curves_by_stroke():
    """One for each value of the column; without names the first columns of numbers are taken."""
    found = table(["t", "x", "y"], ["a", 2, 20], ["b", 1, 5], ["a", 1, 10])
    a, b = curves_of(found, "line", "x", "y", "t")
    assert (a.name, a.x[a.order].tolist(), a.y[a.order].tolist()) == ("a", [1, 2], [10, 20])
    assert b.name == "b"
    assert curves_of(found, "line", "", "", "")[0].y.tolist() == [20, 5, 10]
    assert curves_of(table("a", ["x"]), "line", "", "", "") == []


def test_tables_of_wandb_plots():
    """Its PR and ROC curves have no thresholds and get their areas; its confusion matrix is one."""
    kind, (curve,) = known_curves(table(["class", "precision", "recall"], ["cat", 1, 0.5], ["cat", 0.5, 1]))
    assert (kind, curve.name, curve.area, curve.thresholds) == ("pr", "cat", 0.75, None)
    assert known_curves(table(["class", "fpr", "tpr"], ["cat", 0.5, 1.0]))[0] == "roc"
    assert known_curves(table("ab", [1, 2])) is None
    cells = ["cat", "cat", 5], ["cat", "dog", 1], ["dog", "cat", 0], ["dog", "dog", 2]
    matrix = known_matrix(table(["Actual", "Predicted", "nPredictions"], *cells))
    assert matrix.rows == ["cat", "dog"]
    assert np.array_equal(matrix.values, [[5, 1], [0, 2]])
    assert known_matrix(table("abc", [1, 2, 3])) is None
