"""The first row of a chart: title, names of lines, and how many values could not be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.model import COUNTED, MARK_NAMES, MILD, ChartLine, MarkKind
from tuimon.charts.palette import ChartStyles
from tuimon.charts.xaxis import XKind, x_label
from tuimon.numbers import format_count
from tuimon.text import clean, fit

MarkTexts: TypeAlias = Sequence[tuple[str, MarkKind]]
"""What to say of values that cannot be drawn, and of which kind they are."""
_PLAIN = str.maketrans({"×": "x", "≤": "<=", "≥": ">=", "▲": "^", "▼": "v"})


class Entry(NamedTuple):
    """A name in the legend and the style of its line."""

    name: str
    style: Style
    sign: str


def mark_texts(lines: Sequence[ChartLine], x_kind: XKind) -> list[tuple[str, MarkKind]]:
    """For each kind that occurs: "NaN ×40 first @1", over all lines together."""
    out: list[tuple[str, MarkKind]] = []
    for kind in COUNTED:
        marked = [line for line in lines if line.marks.count(kind)]
        if not marked:
            continue
        total = sum(line.marks.count(kind) for line in marked)
        places = [float(line.marks.at(kind)[0]) for line in marked if len(line.marks.at(kind))]
        first = f" first @{x_label(min(places), x_kind)}" if places and kind != "behind" else ""
        among = f" in {len(marked)}" if len(marked) > 1 else ""
        out.append((f"{MARK_NAMES[kind]} ×{format_count(total)}{among}{first}", kind))
    return out


def legend_row(
    title: str,
    entries: Sequence[Entry],
    marks: MarkTexts,
    width: int,
    styles: ChartStyles,
    unicode: bool,
) -> list[Segment]:
    """One row of exactly `width` cells.

    The counts of what could not be drawn keep their place before anything else; then the title, then the names, of
    which those left out are counted.
    """
    ellipsis = "…" if unicode else "~"
    warnings = [
        (text if unicode else text.translate(_PLAIN), styles.warn if kind in MILD else styles.bad)
        for text, kind in marks
    ]
    taken = sum(cell_len(text) + 2 for text, _ in warnings)
    if warnings and taken > width - 4:  # no room for the first steps: the counts alone
        warnings = [(text.partition(" first")[0], style) for text, style in warnings]
        taken = sum(cell_len(text) + 2 for text, _ in warnings)
    title = clean(title)
    room = max(width - taken, 0)
    if cell_len(title) > room:
        title = fit(title, room, "middle-elide", ellipsis=ellipsis)
    parts: list[tuple[str, Style]] = [(title, styles.title)] if title else []
    parts += [(("  " if i or title.strip() else "") + text, style) for i, (text, style) in enumerate(warnings)]
    used = sum(cell_len(text) for text, _ in parts)
    for i, (name, style, sign) in enumerate(entries):
        left = len(entries) - i - 1
        lead = "  " if used else ""
        text = f"{lead}{sign} {clean(name)}"
        more = f"  +{left}" if left else ""
        if used + cell_len(text) + len(more) > width:
            rest = f"{lead}+{left + 1}"
            if len(entries) > 1 and used + len(rest) <= width:
                parts.append((rest, styles.label))
            break
        parts.append((text, style))
        used += cell_len(text)
    return fitted([Segment(text, style) for text, style in parts if text], width, ellipsis)


def fitted(row: Sequence[Segment], width: int, ellipsis: str) -> list[Segment]:
    """Segments cut or padded to exactly `width` cells."""
    out: list[Segment] = []
    used = 0
    for segment in row:
        size = cell_len(segment.text)
        if used + size > width:
            out.append(Segment(fit(segment.text, width - used, ellipsis=ellipsis), segment.style))
            used = width
            break
        out.append(segment)
        used += size
    if used < width:
        out.append(Segment(" " * (width - used)))
    return [segment for segment in out if segment.text]
