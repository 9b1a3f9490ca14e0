"""The first line of a chart: its tag, what cannot be drawn, and a value at the right end."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from tuimon.analysis.families import member_names
from tuimon.charts.model import MILD
from tuimon.text import clean, fit, take
from tuimon.text import width as cells
from tuimon.ui.roles import Roles


def title_line(
    tags: Sequence[str],
    value: Sequence[Segment],
    marks: Sequence[tuple[str, str]],
    width: int,
    roles: Roles,
    focused: bool,
    name: str = "",
) -> list[Segment]:
    """The first line of a card: the tag, counts of what cannot be drawn, and at the right end the last value.

    Args:
        tags: Tags of the card.
        value: The last value.
        marks: What to say of NaN and the like, with its kind; shortened to the counts, then to the first of them, where
            it does not fit.
        width: Cells of the line.
        roles: Text styles.
        focused: Whether keys act on this card.
        name: What it is called; by default its tags.
    """
    size = sum(segment.cell_length for segment in value)
    name = clean(name) if name else " + ".join([clean(tags[0]), *map(clean, member_names(tuple(tags))[1:])])
    room = width - size - 1
    texts = [(text, kind in MILD) for text, kind in marks]
    if _size(texts) + min(cells(name), 12) > room:
        texts = [(text.partition(" first")[0], mild) for text, mild in texts]
    if _size(texts) + min(cells(name), 12) > room:
        texts = texts[:1]
    taken = _size(texts)
    head = min(cells(name), max(room - taken, 4))
    group, rest = shortened(name, head)
    line = [Segment(group, roles.dim), Segment(rest, roles.accent if focused else roles.strong)]
    line += [Segment(f"  {text}", roles.warn if mild else roles.bad) for text, mild in texts]
    used = sum(segment.cell_length for segment in line)
    line += [Segment(" " * max(width - used - size, 1)), *value]
    return [Segment(s.text, (s.style or Style()) + roles.cursor) for s in line] if focused else line


def _size(texts: Sequence[tuple[str, bool]]) -> int:
    return sum(cells(text) + 2 for text, _ in texts)


def shortened(name: str, room: int) -> tuple[str, str]:
    """The group and the rest of a tag's clean name in at most ``room`` cells; of a long one the group goes first."""
    group, slash, rest = name.rpartition("/")
    group += slash
    if cells(rest) + min(cells(group), 3) > room:
        return "", fit(rest if cells(rest) <= room else name, min(cells(name), room), "middle-elide").rstrip()
    if cells(group) + cells(rest) > room:
        group = f"{take(group, room - cells(rest) - 2)}…/"
    return group, rest
