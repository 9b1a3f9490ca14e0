"""Helpers of the chart tests: text of rows, exact widths, and golden files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len
from rich.segment import Segment

from tuimon.charts.line import ChartLine

Rows = Sequence[Sequence[Segment]]
GOLDENS = Path(__file__).parent / "goldens"


@pytest.fixture
def text() -> Callable[[Rows], list[str]]:
    """The rows of a chart as plain text."""
    return lambda rows: ["".join(segment.text for segment in row) for row in rows]


@pytest.fixture
def assert_box() -> Callable[[Rows, int, int], None]:
    """Checks that a chart fills its box exactly and holds nothing but one-line text."""

    def check(rows: Rows, width: int, height: int) -> None:
        assert len(rows) == height
        for row in rows:
            line = "".join(segment.text for segment in row)
            assert cell_len(line) == width, line
            assert not set(line) & set("\n\r\t\x1b\0")

    return check


@pytest.fixture
def line() -> Callable[..., ChartLine]:
    """Makes a line of plain points."""

    def make(
        x: Sequence[float], y: Sequence[float], label: str = "", color: str = "#00afff", **more: object
    ) -> ChartLine:
        values = np.asarray(y, np.float64)
        return ChartLine(label, color, np.asarray(x, np.float64), values, values, **more)  # type: ignore[arg-type]

    return make


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Rows], None]:
    """Compares a chart with goldens/<name>.txt; with UPDATE_GOLDENS=1 in the environment, writes that file."""

    def compare(name: str, rows: Rows) -> None:
        drawn = "".join("".join(segment.text for segment in row).rstrip() + "\n" for row in rows)
        path = GOLDENS / f"{name}.txt"
        if os.environ.get("UPDATE_GOLDENS"):
            path.write_text(drawn, encoding="utf-8")
        assert drawn == path.read_text(encoding="utf-8")

    return compare
