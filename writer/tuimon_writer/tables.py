"""Tables and matrices as the log holds them."""

from __future__ import annotations

from tuimon_writer.values import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from tuimon_writer.values import Json

ROWS = 1_000
"""Rows of a table that the log holds; the number of all is beside them."""

CELL = 500
"""Characters of a text in a cell that the log holds."""

CLASSES = 200
"""Most classes of a confusion matrix."""


def table(
    columns: Sequence[Any], rows: Iterable[Sequence[Any]], *, kind: str = "table", **facts: Json
) -> dict[str, Json]:
    """A table.

    Args:
        columns: Names of the columns.
        rows: The rows; cells of any kind. Beyond `ROWS` they are counted only.
        kind: What it is to be shown as: "table", "line", "scatter", "bar"…
        facts: More to say of it.
    """
    kept: list[Json] = []
    total = 0
    for row in rows:
        total += 1
        if total <= ROWS:
            kept.append([_cell(value) for value in row])
    body: dict[str, Json] = {"kind": kind, **facts, "columns": [str(name) for name in columns], "rows": kept}
    if total > len(kept):
        body["total"] = total
    return body


def _cell(value: Any) -> Json:
    found = plain(value, 14)
    return f"{found[:CELL]}…" if isinstance(found, str) and len(found) > CELL else found


def confusion(
    truths: Sequence[Any], predictions: Sequence[Any], names: Sequence[Any] | None = None, title: str = ""
) -> dict[str, Json]:
    """A confusion matrix.

    Args:
        truths: The true class of each sample: a number, or anything else that can be compared.
        predictions: The class that was predicted for each.
        names: Names of the classes by their numbers; None where the classes are their own names.
        title: What to write above it.

    Returns:
        A matrix with a row for each true class and a column for each predicted one.

    Raises:
        ValueError: They differ in number, or there are too many classes.
    """
    if len(truths) != len(predictions):
        raise ValueError(f"{len(truths)} true classes do not go with {len(predictions)} predicted ones")
    known: list[Any] = [*range(len(names))] if names is not None else []
    others = {*truths, *predictions}.difference(known)
    classes = known + (sorted(others) if len({type(one) for one in others}) < 2 else sorted(others, key=repr))
    if len(classes) > CLASSES:
        raise ValueError(f"{len(classes)} classes are too many for a matrix")
    shown = [str(names[at]) if names is not None and at < len(names) else str(one) for at, one in enumerate(classes)]
    place = {one: at for at, one in enumerate(classes)}
    counts = [[0] * len(classes) for _ in classes]
    for truth, prediction in zip(truths, predictions, strict=True):
        counts[place[truth]][place[prediction]] += 1
    return matrix(counts, shown, shown, kind="confusion", title=title, row_name="actual", column_name="predicted")


def matrix(
    values: Sequence[Sequence[Any]], rows: Sequence[str], columns: Sequence[str], *, kind: str = "matrix", **facts: Json
) -> dict[str, Json]:
    """A matrix with named rows and columns."""
    numbers: list[Json] = [[plain(value) for value in row] for row in values]
    return {"kind": kind, **facts, "rows": [*rows], "columns": [*columns], "values": numbers}
