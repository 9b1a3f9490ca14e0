"""What the log panel says around the lines of an output: which it is, how far down one is, the error of the run."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

from rich.cells import cell_len
from rich.segment import Segment

from tuimon.console.find import Output
from tuimon.console.lines import FileLines, Lines, Place
from tuimon.console.search import Count, Search
from tuimon.numbers import counted, format_bytes, format_clock
from tuimon.text import clean, fit
from tuimon.ui.roles import Roles
from tuimon.ui.screens.sheet import wrap

Rows: TypeAlias = "list[list[Segment]]"

_UNDERLINES = re.compile(r"[\s~^]+")
"""Lines of a traceback that only point at a part of the line above."""
LEAST_ERROR = 5
"""Rows for the error of a failed run, at least."""
HOW = (
    "To keep it from now on:",
    "  SummaryWriter(…, console=True), LogWriter(…, console=True) or init(console=True) of tuimon_writer",
    "  or, for any program: python train.py 2>&1 | tee {folder}/train.log",
    "W&B keeps it by itself, in files/output.log.",
)


def error_rows(text: str, roles: Roles, width: int, height: int, *, alone: bool) -> Rows:
    """The error of a failed run: its last rows, which say what it was, above a rule.

    Args:
        text: The error.
        roles: Styles.
        width: Cells.
        height: Rows of the panel.
        alone: Whether there are no lines below that want the space.
    """
    width = max(width, 1)
    told = [line for line in text.split("\n") if not _UNDERLINES.fullmatch(line)]
    rows = [row for line in told for row in wrap(clean(line), width, roles.bad, indent=4)]
    room = max(height // 3, LEAST_ERROR) - 2
    if alone:
        room = max(height - len(HOW) - 4, room)
    title = "error" if len(rows) <= room else f"error · its last {counted(room, 'row')}; 8 has all"
    return [[Segment(fit(title, width), roles.strong)], *rows[-room:], [Segment("─" * width, roles.faint)]]


def nothing_rows(folders: Collection[str] | None, roles: Roles, width: int) -> Rows:
    """What to say where nothing was kept, and how to keep it.

    Args:
        folders: The directories of the run; None if it is gone.
        roles: Styles.
        width: Cells.
    """
    width = max(width, 1)
    if folders is None:
        return [[Segment(fit("this run is gone: its files were deleted", width).rstrip(), roles.warn)]]
    rows: Rows = [*wrap("nothing that this run printed was kept", width, roles.text), []]
    folder = clean(min(folders, key=len, default="") or ".")
    for text in HOW:
        rows += wrap(text.format(folder=folder), width, roles.dim, indent=4)
    return rows


def output_text(output: Output, all_of_them: Sequence[Output]) -> str:
    """Which output it is: "stderr.txt · standard error · 2 of 3"."""
    parts = [output.name]
    if output.errors:
        parts.append("standard error")
    if len(all_of_them) > 1:
        parts.append(f"{all_of_them.index(output) + 1} of {len(all_of_them)}")
    return " · ".join(parts)


def where_text(
    lines: Lines, count: Count | None, first: Place | None, last: Place | None, now: float, *, roomy: bool
) -> str:
    """How far down one is: the numbers of the lines on screen, or a percentage where they are not known.

    Args:
        lines: The lines.
        count: Who numbers them.
        first: The first line on screen; None without any.
        last: The last line on screen.
        now: Wall time in seconds.
        roomy: Whether there is room to say of how many.
    """
    if isinstance(lines, FileLines) and lines.error:
        return f"cannot be read: {lines.error}"
    if first is None or last is None:
        return "empty so far"
    clock = format_clock(lines.time(last.block), now)
    place = ""
    if count is not None and count.total is not None:
        low, high = count.number(first), count.number(last)
        if low is not None and high is not None:
            place = f"{low:,}–{high:,}" + (f" of {count.total:,}" if roomy else "")
    elif lines.size:
        of = f" of {format_bytes(lines.size)}" if isinstance(lines, FileLines) else ""
        place = f"{100 * lines.offset(last.block + 1) / lines.size:.0f} %{of}"
    return " · ".join(filter(None, (clock, place)))


def found_text(search: Search | None, sought: str, hit: Place | None) -> str:
    """What a search found: "“loss” 3 of 120, searching 40 %"; empty while nothing is looked for.

    Args:
        search: The search.
        sought: What is looked for, to be repeated; empty where there is no room for it.
        hit: The line that is marked.
    """
    if search is None:
        return ""
    found = search.places
    hits = "no line" if not found and search.done else f"{len(found):,}{'+' if search.full else ''}"
    number = search.number(hit) if hit is not None else None
    if number:
        hits = f"{number:,} of {hits}"
    more = "" if search.done else f", searching {100 * search.progress:.0f} %"
    return (f"“{sought}” " if sought else "") + hits + more


def status_row(left: str, right: str, roles: Roles, width: int) -> list[Segment]:
    """The line above the lines: which output at the left, where in it at the right, which stays longest."""
    right = fit(right, min(cell_len(clean(right)), width))
    room = width - cell_len(right) - 2
    name = fit(left, room, "middle-elide") + "  " if room >= 8 else " " * (width - cell_len(right))
    return [Segment(name, roles.strong), Segment(right, roles.dim)]
