"""Tables in the output of a training: a line with the names of the columns, and below it a line of numbers a step.

scikit-learn, skorch, spaCy and fastai print such tables, each row when it is known.
"""

from __future__ import annotations

import re

from tuimon.formats._axes import is_step

MAX_COLUMNS = 60
"""Tables of more columns are data."""

_NAME = re.compile(r"[^\W\d][^|=:;{}\"']{0,40}|#")
_GAP = re.compile(r"\s{2,}|\t")
_NUMBER = re.compile(
    r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:nan|inf))(?:%|/\d+)?", re.ASCII | re.IGNORECASE
)
_NO_NUMBER = re.compile(r"[\d.]+(?:ms|s|m|h|min)|\d+(?::\d\d)+(?:\.\d+)?|[-+*]|none|n/a", re.ASCII | re.IGNORECASE)
_COUNTERS = {"gen": "iteration", "round": "iteration", "it": "iter", "itr": "iter", "epochs": "epoch", "ep": "epoch"}
_MARK = "cp"
"""skorch says in this column that it kept a checkpoint, and else leaves it empty."""

_SPACY = {"E": "epoch", "#": "step"}


def heading(text: str) -> tuple[str, ...]:
    """The names of the columns when a line is a heading of such a table, else nothing; one of them counts steps."""
    cells = _cells(text, heading=True)
    if not 2 <= len(cells) <= MAX_COLUMNS or not all(map(_NAME.fullmatch, cells)):
        return ()
    if cells[:2] == [*_SPACY]:
        names = [_SPACY.get(cell, cell) for cell in cells]
    else:
        names = [_COUNTERS.get(cell.lower(), cell) for cell in cells]
    return tuple(names) if any(map(is_step, names)) and len(set(names)) == len(names) else ()


def row(text: str, names: tuple[str, ...]) -> dict[str, float] | None:
    """The numbers of a line below a heading by their names; durations and marks are left out. None for another line."""
    if text.lstrip(" |")[:1] not in "0123456789":
        return None
    cells = _cells(text, heading=False)
    if len(cells) == len(names) - 1 and _MARK in names:  # there is no mark in this row
        names = tuple(name for name in names if name != _MARK)
    if len(cells) != len(names):
        return None
    found: dict[str, float] = {}
    for name, cell in zip(names, cells, strict=True):
        number = _NUMBER.fullmatch(cell)
        if number is not None:
            found[name] = float(number[1])
        elif not _NO_NUMBER.fullmatch(cell):
            return None
    return found if any(map(is_step, found)) else None


def _cells(text: str, *, heading: bool) -> list[str]:
    inner = text.strip().strip("|")
    if "|" in inner:
        return [cell.strip() for cell in inner.split("|")]
    return _GAP.split(text.strip()) if heading else text.split()
