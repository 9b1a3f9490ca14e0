"""Small tables under or beside a drawing: a column of names and columns of facts, as many as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tuimon.text import elide_middle, fit
from tuimon.text import width as cells
from tuimon.ui.media.base import Lines
from tuimon.ui.roles import Roles

GAP = 2
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Column:
    """A column of facts.

    Attributes:
        head: What stands above it.
        texts: One for each row.
        style: Of the texts.
    """

    head: str
    texts: Sequence[str]
    style: Style


def table_lines(
    head: str,
    names: Sequence[str],
    columns: Sequence[Column],
    width: int,
    height: int,
    roles: Roles,
    *,
    signs: Sequence[Segment] = (),
    first: int = 0,
    marked: int | None = None,
) -> Lines:
    """Draw a table: a head and a line for each row.

    Columns that do not fit are left out from the right. Where there are more rows than lines, the last line counts
    those left out.

    Args:
        head: What stands above the names.
        names: Of the rows.
        columns: The facts.
        width: Cells across.
        height: Lines, the head included.
        roles: Text styles.
        signs: One cell wide, before each name.
        first: The first row to show, moved so that the lines are filled.
        marked: The row under the cursor.
    """
    if height < 1 or width < 1:
        return []
    lead = 2 if signs else 0
    widest = max([*(cells(name) for name in names), cells(head)])
    sizes = [max([cells(column.head), *map(cells, column.texts)]) + GAP for column in columns]
    space = max(min(widest, _LONGEST_NAME, width - lead - sum(sizes[:2])), min(widest, 8))
    kept: list[tuple[Column, int]] = []
    used = lead + space
    for column, size in zip(columns, sizes, strict=True):
        if not any(column.texts):
            continue
        if used + size > width:
            break
        kept.append((column, size))
        used += size
    line = [Segment(" " * lead + fit(head, space), roles.dim)]
    line += [Segment(fit(column.head, size, "right"), roles.dim) for column, size in kept]
    lines: Lines = [line]
    room = height - 1
    first = max(min(first, len(names) - room), 0)
    hidden = len(names) - first - room
    short = elide_middle(names, space)
    for row in range(first, min(first + room, len(names))):
        if row == first + room - 1 and hidden > 0:
            lines.append([Segment(fit(f"{' ' * lead}… {hidden + 1} more", width), roles.dim)])
            break
        line = [signs[row], Segment(" ")] if signs else []
        line.append(Segment(fit(short[row], space), roles.strong if row == marked else roles.text))
        line += [Segment(fit(column.texts[row], size, "right"), column.style) for column, size in kept]
        if row == marked:
            line = list(roles.under_cursor(Strip(line).adjust_cell_length(width)))
        lines.append(line)
    return lines
