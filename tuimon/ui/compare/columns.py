"""Which columns the comparison has, in which order, and how wide they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import groupby

from rich.cells import cell_len

from tuimon.analysis.comparison import Column
from tuimon.analysis.grouping import names_the_run
from tuimon.ui.compare.model import RESULTS, CompareModel
from tuimon.ui.widgets.line_table import Column as TableColumn

KEY_TAGS = 4
"""Tags whose results stand right after the settings that differ."""
GAP = 2
"""Cells between columns."""
SETTINGS, SHORT = "settings", "set."
"""The title above settings, and what stands there for it above a narrow one."""


def shown_columns(model: CompareModel, room: int, width_of: Callable[[Column], int]) -> list[Column]:
    """The columns to show, in their order: the name, those that were put in order by hand, then the others.

    Args:
        model: What is compared.
        room: Cells beside the names.
        width_of: Cells of a column.
    """
    choices = model.choices
    settings = [column for column in model.columns if column.kind == "setting"]
    if not choices.all_settings and model.total > 1:
        settings = [c for c in settings if c.name in model.differing or c.key in choices.kept]
    if model.groups:
        settings = [column for column in settings if column.key in choices.kept or tells_groups_apart(model, column)]
    settings = [column for column in settings if column.key not in choices.hidden]
    settings.sort(key=lambda column: model.is_rare(column.name))
    results = [column for column in model.columns if column.kind in RESULTS and column.key not in choices.hidden]
    telling = {name for name in model.differing if not names_the_run(name)}
    rest = arranged(settings, telling, results, room, width_of)
    place = {key: at for at, key in enumerate(choices.order)}
    rest.sort(key=lambda column: place.get(column.key, len(place)))
    return [*(column for column in model.columns if column.kind == "name"), *model.with_deltas(rest)]


def tells_groups_apart(model: CompareModel, column: Column) -> bool:
    """Whether a setting is the same in all runs of a group of several, so that it says something of it."""
    for title, group in model.groups.items():
        cell = model.cell(title, column)
        if cell is not None and cell.value is not None and len(group.runs) > 1:
            return True
    return all(len(group.runs) == 1 for group in model.groups.values())


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
