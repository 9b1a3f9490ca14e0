"""Which columns the comparison has, in which order, and how wide they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tuimon.analysis.comparison import Column

KEY_TAGS = 4
"""Tags whose results stand right after the settings that differ."""
GAP = 2
"""Cells between columns."""


def arranged(
    settings: Sequence[Column],
    differing: Collection[str],
    results: Sequence[Column],
    room: int,
    width_of: Callable[[Column], int],
) -> list[Column]:
    """The columns after the name, so that a narrow screen has both a setting and a result in sight.

    Settings that differ come first, but only so many (one at least) as leave room for the first tag; then come the
    results of the most telling tags, then the other settings, then all other results.

    Args:
        settings: Settings to show, in order.
        differing: Names of those that differ between the runs.
        results: Last and best of the tags, the most telling tag first.
        room: Cells for all of these columns.
        width_of: Cells of a column.
    """
    tags = list(dict.fromkeys(column.name for column in results))
    of_first = sum(width_of(column) + GAP for column in results if column.name == tags[0]) if tags else 0
    first: list[Column] = []
    used = of_first
    for column in settings:
        if column.name not in differing:
            continue
        used += width_of(column) + GAP
        if first and used > room:
            break
        first.append(column)
    key = set(tags[:KEY_TAGS])
    return [
        *first,
        *(column for column in results if column.name in key),
        *(column for column in settings if column not in first),
        *(column for column in results if column.name not in key),
    ]
