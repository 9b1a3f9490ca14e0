"""Points as text: how ``tuimon export`` writes rows of scalars as JSON lines or as CSV, fast enough for long logs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Protocol

import numpy as np

from tuimon.records import ScalarRows
from tuimon.store.types import Bools, Floats, Ints
from tuimon.strict_json import harmless

COLUMNS = ("run", "tag", "step", "time", "value", "attempt")
"""The fields of a point, in the order in which both formats have them."""

EXACT = 2.0**53
"""Up to here every whole float64 is exactly that integer."""


class Layout(Protocol):
    """A text format: what stands before a point's numbers, between them and after them."""

    header: str
    missing: str

    def head(self, run: str, tag: str) -> str:
        """What comes before the step."""
        ...

    def infinite(self, text: str) -> str:
        """A value that is not finite."""
        ...

    separators: tuple[str, str, str, str]
    """Before the time, before the value, before the attempt, and at the end."""


class JsonLines:
    """One JSON object a line."""

    header = ""
    missing = "null"
    separators = (', "time": ', ', "value": ', ', "attempt": ', "}\n")

    def head(self, run: str, tag: str) -> str:
        """What comes before the step."""
        names = harmless(json.dumps({"run": run, "tag": tag}, ensure_ascii=False))
        return f'{names[:-1]}, "step": '

    def infinite(self, text: str) -> str:
        """A value that is not finite, as a string, since JSON has no number for it."""
        return f'"{text}"'


class Csv:
    """Comma-separated values with a header line; nothing between two commas where something is unknown."""

    header = ",".join(COLUMNS) + "\n"
    missing = ""
    separators = (",", ",", ",", "\n")

    def head(self, run: str, tag: str) -> str:
        """What comes before the step."""
        text = io.StringIO()
        csv.writer(text).writerow((run, tag))
        return text.getvalue().removesuffix("\r\n") + ","

    def infinite(self, text: str) -> str:
        """A value that is not finite."""
        return text


LAYOUTS: dict[str, Callable[[], Layout]] = {"jsonl": JsonLines, "csv": Csv}


def row_lines(
    layout: Layout, rows: ScalarRows, columns: Sequence[int], heads: Sequence[str], attempts: Sequence[Ints]
) -> str:
    """The lines of some columns of rows of scalars, row after row.

    Args:
        layout: The text format.
        rows: The rows.
        columns: Which of their tags.
        heads: What `Layout.head` gives for each of these.
        attempts: For each tag of the rows the number of the attempt of each row.
    """
    values = np.frombuffer(rows.values).reshape(-1, len(rows.tags))
    numbers = np.stack(attempts, axis=1)
    if len(columns) < len(rows.tags):
        values, numbers = values[:, columns], numbers[:, columns]
    return point_lines(layout, heads, np.frombuffer(rows.steps), np.frombuffer(rows.times), values, numbers)


def point_lines(
    layout: Layout, heads: Sequence[str], steps: Floats, times: Floats, values: Floats, attempts: Ints
) -> str:
    """The lines of some rows of scalars, row after row.

    Args:
        layout: The text format.
        heads: What `Layout.head` gives for each column.
        steps: Step of each row; NaN where unknown.
        times: Wall time of each row in seconds; NaN where unknown.
        values: Of shape (rows, columns).
        attempts: Number of the attempt of each value, of the same shape.
    """
    before_time, before_value, before_attempt, end = layout.separators
    middles = [
        f"{step}{before_time}{time}{before_value}"
        for step, time in zip(_steps(steps, layout), _numbers(times, layout), strict=True)
    ]
    width = len(heads)
    texts = _values(values.ravel(), layout)
    first = int(attempts.flat[0]) if attempts.size else 1
    if (attempts == first).all():
        tail = f"{before_attempt}{first}{end}"
        lines = [
            f"{head}{middle}{text}{tail}"
            for row, middle in enumerate(middles)
            for head, text in zip(heads, texts[row * width : (row + 1) * width], strict=True)
        ]
    else:
        tails = [f"{before_attempt}{number}{end}" for number in attempts.ravel().tolist()]
        lines = [f"{heads[i % width]}{middles[i // width]}{texts[i]}{tails[i]}" for i in range(len(texts))]
    return "".join(lines)


def null_line(layout: Layout, head: str, step: float | None, time: float | None, attempt: int) -> str:
    """The line of a point without a value."""
    row = np.array([[np.nan if step is None else step, np.nan if time is None else time]])
    before_time, before_value, before_attempt, end = layout.separators
    step_text, time_text = _steps(row[:, 0], layout)[0], _numbers(row[:, 1], layout)[0]
    return f"{head}{step_text}{before_time}{time_text}{before_value}{layout.missing}{before_attempt}{attempt}{end}"


def _steps(steps: Floats, layout: Layout) -> list[str]:
    """Whole steps as integers."""
    whole: Bools = (steps == np.floor(steps)) & (np.abs(steps) <= EXACT)
    if whole.all():
        return list(map(str, steps.astype(np.int64).tolist()))
    texts = _numbers(steps, layout)
    for i in np.flatnonzero(whole).tolist():
        texts[i] = str(int(steps[i]))
    return texts


def _numbers(numbers: Floats, layout: Layout) -> list[str]:
    """Numbers in full precision, NaN as missing."""
    return [repr(number) if isfinite(number) else layout.missing for number in numbers.tolist()]


def _values(values: Floats, layout: Layout) -> list[str]:
    """Values in full precision, those that are not finite by name."""
    texts = list(map(repr, values.tolist()))
    for i in np.flatnonzero(~np.isfinite(values)).tolist():
        value = values[i]
        texts[i] = layout.infinite("NaN" if value != value else "Infinity" if value > 0 else "-Infinity")
    return texts
