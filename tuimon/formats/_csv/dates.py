"""Dates with a time in the cells of a table, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tuimon.formats._csv.cells import date, minute_of
from tuimon.formats._csv.cut import Cut
from tuimon.formats._decimal import decimals

if TYPE_CHECKING:
    from tuimon.formats._decimal import Floats, Places

_MINUTE = len("2024-01-31 12:34")
_SECOND = len("2024-01-31 12:34:56")
_MARKS = 5
_COLON, _POINT = b":."


def dates(cells: Cut, which: Places) -> Floats:
    """The seconds since the epoch of the dates in some cells; NaN where there is none with a time.

    Those that are written as most programs do it are read all at once, and the minutes in them once for all the rows
    that follow each other within one.
    """
    starts, ends, firsts = cells.starts[which], cells.ends[which], cells.firsts[which]
    inside = cells.lasts[which] - firsts
    colons = np.minimum(firsts + _MARKS - 1, len(cells.marks) - 1)
    behind = np.minimum(firsts + _MARKS, len(cells.marks) - 1)
    points = cells.marks[behind]
    usual = (inside == _MARKS) | ((inside == _MARKS + 1) & (cells.kinds[behind] == _POINT))
    usual &= (cells.marks[colons] - starts == _MINUTE) & (cells.kinds[colons] == _COLON) & (points - starts == _SECOND)
    stamps = np.full(len(which), np.nan)
    rows = np.flatnonzero(usual)
    if len(rows):
        stamps[rows] = _usual(cells.text, starts[rows], points[rows], ends[rows])
    others = np.flatnonzero(np.isnan(stamps))
    if len(others):
        texts = cells.texts(which[others])
        if len(others) < len(which) or ":" in "".join(texts):
            stamps[others] = np.array([date(text) for text in texts], dtype=float)
    return stamps


def _usual(text: bytes, starts: Places, points: Places, ends: Places) -> Floats:
    """The dates that begin and end there, with their seconds up to a point or their end."""
    behind = ends - points
    behind -= behind > 0
    seconds, sure = decimals(text, points, ends, np.full(len(starts), _SECOND - _MINUTE - 1), behind)
    seconds[seconds >= 61] = np.nan
    if sure is not None:
        seconds[~sure] = np.nan
    window = np.ndarray((len(text) - _MINUTE + 1,), f"V{_MINUTE}", text, 0, (1,))
    words = window[starts].view(np.uint64).reshape(len(starts), -1)
    changes = np.flatnonzero((words[1:] != words[:-1]).any(axis=1)) + 1
    firsts = np.concatenate(([0], changes))
    minutes = [minute_of(text[start : start + _MINUTE].decode("utf-8", "replace")) for start in starts[firsts].tolist()]
    return np.repeat(np.array(minutes, dtype=float), np.diff(firsts, append=len(starts))) + seconds
