"""Lines that several kinds of media draw alike."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment

from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.media.base import Item, Lines, Look


def sentence(problem: str, width: int, look: Look) -> Lines:
    """Why there is nothing to see, on as many lines as it takes; what is still being read is dim."""
    style = look.roles.dim if problem == "reading…" else look.roles.warn
    lines: list[str] = [""]
    for word in clean(problem).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cells(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return [[Segment(fit(line, width, "middle-elide"), style)] for line in lines]


def facts_line(said: Sequence[tuple[str, bool]], width: int, look: Look) -> list[Segment]:
    """Texts on one line, warnings in their colour; those that do not fit are left out."""
    line: list[Segment] = []
    used = 0
    for text, warns in said:
        style = look.roles.warn if warns else look.roles.dim
        gap = "  " if line else ""
        size = len(gap) + cells(text)
        if used + size > width:
            if not line:
                line.append(Segment(fit(text, width), style))
            break
        line += [Segment(gap), Segment(clean(text), style)]
        used += size
    return line


def path_of(item: Item) -> str:
    """The file of an item, where it has one of its own; empty for bytes that lie in the log."""
    return item.file.path if item.file is not None and item.file.length is None else ""
