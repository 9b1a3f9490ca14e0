"""Which columns the comparison has, in which order, and how wide they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import groupby

from rich.cells import cell_len

from tuimon.analysis.comparison import Column
from tuimon.ui.widgets.line_table import Column as TableColumn

KEY_TAGS = 4
"""Tags whose results stand right after the settings that differ."""
GAP = 2
"""Cells between columns."""
SETTINGS, SHORT = "settings", "set."
"""The title above settings, and what stands there for it above a narrow one."""


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


def titled(columns: Sequence[TableColumn], room: int) -> list[TableColumn]:
    """The columns with settings as wide as the title above them where all columns fit, else with a shorter title.

    Args:
        columns: All columns of the table, in order.
        room: Cells for them.
    """
    spare = room - sum(column.width + GAP for column in columns) + GAP
    found: list[TableColumn] = []
    for group, members in groupby(columns, key=lambda column: column.group):
        beside = list(members)
        lacking = cell_len(group) - sum(column.width + GAP for column in beside) + GAP
        if group == SETTINGS and lacking > 0:
            if lacking <= spare:
                spare -= lacking
                beside[-1] = replace(beside[-1], width=beside[-1].width + lacking)
            else:
                beside = [replace(column, group=SHORT) for column in beside]
        found += beside
    return found
