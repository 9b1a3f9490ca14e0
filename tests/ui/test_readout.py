"""The table of values at the cursor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import NO_VALUE
from tuimon.ui.roles import ansi_roles
from tuimon.ui.widgets.readout import Reading, ordered, readout_lines, readout_text

ROLES = ansi_roles(colors=True)


def reading(name: str, value: float | None, smoothed: float | None = None, step: float | None = 7) -> Reading:
    return Reading(name, "━", Style(color="green"), value, smoothed, step)


def text(lines: Sequence[Sequence[Segment]]) -> list[str]:
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


def test_the_better_value_comes_first_and_nan_last() -> None:
    """The order is by value in the direction that is better; what is no number comes after all numbers."""
    rows = [reading("a", 2.0), reading("b", math.nan), reading("c", 0.5), reading("d", None), reading("e", math.inf)]
    assert [r.name for r in ordered(rows, "min")] == ["c", "a", "e", "b", "d"]
    assert [r.name for r in ordered(rows, "max")] == ["e", "a", "c", "b", "d"]


def test_raw_comes_before_smoothed_and_neighbours_differ() -> None:
    """Values that differ only in a later digit show that digit (case E9); NaN is said and stands out."""
    rows = [reading("base", 5.54432, 5.5), reading("wide", 5.54433, 5.6, 12000), reading("bad", math.nan, None)]
    lines = readout_lines(rows, 60, 9, ROLES)
    assert text(lines) == [
        "  run     value  smoothed   step",
        "━ base  5.54432       5.5      7",
        "━ wide  5.54433       5.6  12000",
        f"━ bad       NaN         {NO_VALUE}      7",
    ]
    assert next(s.style for s in lines[3] if "NaN" in s.text) == ROLES.bad


def test_many_runs_scroll() -> None:
    """Fifty runs at the cursor can all be reached (case F24)."""
    rows = [reading(f"run{i}", float(i)) for i in range(50)]
    top = text(readout_lines(rows, 60, 6, ROLES))
    assert len(top) == 6
    assert top[-1].strip() == "… 46 more: ↑ ↓ scrolls"
    pages = [text(readout_lines(rows, 60, 6, ROLES, scroll=scroll))[1:] for scroll in range(50)]
    assert {f"run{i}" for i in range(50)} <= {line.split()[1] for page in pages for line in page}
    assert text(readout_lines(rows, 60, 6, ROLES, scroll=99))[-1].split()[1] == "run49"


def test_columns_that_do_not_fit_are_left_out() -> None:
    """A narrow table keeps name and value, and no line is wider than it may be, with wide characters too."""
    rest = (0.3, 100.0, 1e9, 60.0, (0.1, 5.0), (9.0, 1.0))
    rows = [Reading(f"实验/基线-{i}", "━", Style(), 0.25 + i, *rest) for i in range(3)]
    for columns in (20, 30, 45, 70, 120):
        lines = readout_lines(rows, columns, 5, ROLES)
        assert all(sum(cell_len(s.text) for s in line) <= columns for line in lines)
        assert "value" in text(lines)[0]
        assert "0.25" in text(lines)[1]
    assert "min" in text(lines)[0]
    assert "0.1 @5" in text(lines)[1]


def test_what_is_copied_has_whole_names() -> None:
    """The name of a run is not cut short for a spreadsheet; with several tags there is a column for them."""
    short = replace(reading("vit…s0 val", 0.5), run="vit/lr0.1-s0", tag="val/loss")
    alone = readout_text([short], ROLES)
    assert [line.split("\t")[:2] for line in alone.splitlines()] == [["run", "value"], ["vit/lr0.1-s0", "0.5"]]
    both = readout_text([short, replace(short, tag="train/loss")], ROLES)
    assert [line.split("\t")[1] for line in both.splitlines()] == ["tag", "val/loss", "train/loss"]
