"""Curves, matrices, tables and models in a few words, for those who hear the screen or have no room for a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tuimon.analysis.classifier import RateCurve, read_curves
from tuimon.analysis.confusion import Matrix, read_matrix
from tuimon.analysis.parts import Part, read_parts
from tuimon.analysis.rows import read_rows
from tuimon.numbers import counted, format_count

AREAS = {"pr": "AP", "roc": "AUC"}
"""What the area under a curve of that kind is called."""


def said(kind: str, body: Mapping[str, object]) -> str:
    """What there is to say of a record; "" where its kind says it all.

    Args:
        kind: Kind of the record: "curve", "matrix", "table" and so on.
        body: What the log says of it.
    """
    if kind == "curve":
        return said_of_curves(read_curves(body))
    if kind == "matrix":
        matrix = read_matrix(body)
        return "no values" if matrix is None else said_of_matrix(matrix)
    if kind == "table" and body.get("kind") == "layers":
        return said_of_model(*read_parts(body))
    if kind == "table":
        table = read_rows(body)
        rows = counted(table.total, "row") if table.total < 2 else f"{format_count(table.total)} rows"
        return f"{rows} of {', '.join(table.columns)}"
    return ""


def said_of_curves(curves: list[RateCurve]) -> str:
    """Areas, and the best F1 with its threshold."""
    texts = []
    for curve in curves:
        area = "" if math.isnan(curve.area) else f"{AREAS.get(curve.kind, 'area')} {curve.area:.3f}"
        texts.append(" ".join(filter(None, (curve.name, area, f"best F1 {best_f1(curve)}" if best_f1(curve) else ""))))
    return ", ".join(filter(None, texts)) or counted(len(curves), "curve")


def best_f1(curve: RateCurve) -> str:
    """The best F1 and at which threshold it is; "" where it cannot be known."""
    best = curve.best
    if best is None or math.isnan(float(curve.f1[best])):
        return ""
    where = "" if curve.thresholds is None else f" at {curve.thresholds[best]:.3f}"
    return f"{curve.f1[best]:.3f}{where}"


def said_of_matrix(matrix: Matrix, *, worst: bool = True) -> str:
    """Size and accuracy, and which classes are taken for each other most."""
    if not matrix.confusion:
        return f"{len(matrix.rows)} × {len(matrix.columns)}"
    parts = [f"{len(matrix.rows)} classes", f"{format_count(matrix.total)} samples"]
    if not math.isnan(matrix.accuracy):
        parts.insert(0, f"accuracy {matrix.accuracy:.1%}")
    pairs = matrix.worst_pairs(1) if worst else []
    parts += [f"{matrix.rows[p.row]} taken for {matrix.columns[p.column]} {format_count(p.samples)}" for p in pairs]
    return " · ".join(parts)


def said_of_model(root: Part, counts: bool) -> str:
    """How many parameters there are, how many are trained, and in how many layers; or how many nodes."""
    parts = [root.label]
    if counts:
        parts.append(f"{format_count(root.total)} parameters")
        if root.total and root.total_trained != root.total:
            parts.append(f"{format_count(root.total_trained)} trained ({root.total_trained / root.total:.0%})")
        parts.append(counted(sum(1 for part in root.walk() if not part.children), "layer"))
    else:
        parts.append(counted(root.nodes, "node" if is_graph(root) else "layer"))
    return " · ".join(parts)


def is_graph(root: Part) -> bool:
    """Whether the parts are nodes of a graph, which say where their input comes from, and not layers."""
    return any("inputs" in part.facts for part in root.walk())
