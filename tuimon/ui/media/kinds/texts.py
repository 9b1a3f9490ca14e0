"""Texts, as Markdown or as they were logged."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import format_count
from tuimon.text import clean, fit
from tuimon.ui.media.base import Content, Lines, Look, MediaKind
from tuimon.ui.media.library import TEXT
from tuimon.ui.media.markdown import render, safe_lines
from tuimon.ui.roles import Roles
from tuimon.ui.screens.sheet import wrap

MOST_MARKDOWN = 40_000
"""Characters up to which a text is rendered as Markdown, which takes long."""
MOST_SHOWN = 400_000
"""Characters of a text that are shown."""
KEPT = 32
"""Rendered texts that are kept."""


@dataclass
class TextState:
    """What the keys change.

    Attributes:
        top: The first line on view.
        query: What is searched for.
        match: Which of the lines that have it is gone to; -1 before one is.
        kept: Rendered texts, the newest last.
    """

    top: int = 0
    query: str = ""
    match: int = -1
    kept: dict[tuple[object, ...], Lines] = field(default_factory=dict)


class Texts(MediaKind):
    """Texts."""

    name: ClassVar[str] = "texts"
    one: ClassVar[str] = "text"
    order: ClassVar[int] = 30
    section: ClassVar[str] = "Text"
    wheel: ClassVar[str] = "scroll"

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort == TEXT

    def new_state(self) -> TextState:
        """See `MediaKind.new_state`."""
        return TextState()

    def card(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """The beginning of the text."""
        text = content.item.text("text")
        start = text[: 2 * width * height]
        lines = _rendered(start, width, look)
        cut = len(lines) > height or len(start) < len(text)
        lines = lines[:height]
        if cut and lines:
            lines[-1] = [Segment(fit("…", width), look.roles.dim)]
        return lines

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """The text, from the line on that was scrolled to."""
        state = look.state
        assert isinstance(state, TextState)
        lines = _rendered(content.item.text("text"), width, look)
        found = _lines_with(lines, state.query)
        room = height - 1 if state.query or len(lines) > height else height
        if found and state.match >= 0:
            state.match %= len(found)
            if not state.top <= found[state.match] < state.top + room:
                state.top = found[state.match] - room // 3
        state.top = max(0, min(state.top, len(lines) - room))
        shown = lines[state.top : state.top + room]
        if state.query:
            shown = [marked(line, state.query, look.roles.cursor) for line in shown]
            place = f"line {max(state.match, 0) + 1} of {len(found)} with" if found else "nothing like"
            foot = f"{place} “{clean(state.query)}”"
        else:
            foot = f"lines {state.top + 1}–{state.top + len(shown)} of {len(lines)}"
        if room < height:
            shown += [[]] * (room - len(shown))
            shown.append([Segment(fit(foot, width), look.roles.dim if found or not state.query else look.roles.warn)])
        return shown

    def summary(self, content: Content, look: Look) -> str:
        """The first line."""
        lines = (line.strip() for line in content.item.text("text")[:2000].splitlines())
        return next((clean(line) for line in lines if line), "")

    def searched(self, state: object) -> str:
        """See `MediaKind.searched`."""
        assert isinstance(state, TextState)
        return state.query

    def search(self, text: str, state: object) -> None:
        """Search for a part of the text, whatever its case."""
        assert isinstance(state, TextState)
        state.query, state.match = text, 0 if text else -1

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """Scroll, or show the text in the other way."""
        assert isinstance(state, TextState)
        if name == "scroll":
            state.top += value
            state.match = -1
        elif name == "match":
            state.match = max(state.match, -1 if value > 0 else 0) + value
        elif name == "raw":
            look.choices.raw_texts = not look.choices.raw_texts


def _rendered(text: str, width: int, look: Look) -> Lines:
    state = look.state
    assert isinstance(state, TextState)
    key = (text, width, look.choices.raw_texts, look.roles)
    if key not in state.kept:
        state.kept[key] = _lines(text, width, look.roles, raw=look.choices.raw_texts)
        while len(state.kept) > KEPT:
            del state.kept[next(iter(state.kept))]
    return list(state.kept[key])


def _lines(text: str, width: int, roles: Roles, *, raw: bool) -> Lines:
    if not text.strip():
        return [[Segment(fit("an empty text" if not text else "only blanks", width), roles.dim)]]
    if not raw and len(text) <= MOST_MARKDOWN:
        return render(text, width, roles)
    lines: Lines = []
    for line in safe_lines(text[:MOST_SHOWN]):
        lines += wrap(line, width, roles.text)
    if len(text) > MOST_SHOWN:
        lines.append([Segment(fit(f"… {format_count(len(text) - MOST_SHOWN)} more characters", width), roles.dim)])
    return lines


def _lines_with(lines: Lines, query: str) -> list[int]:
    """Which lines hold a part of the text."""
    if not query:
        return []
    wanted = query.casefold()
    return [y for y, line in enumerate(lines) if wanted in "".join(piece.text for piece in line).casefold()]


def marked(line: list[Segment], query: str, style: Style) -> list[Segment]:
    """A line with every place of a part of it in another style."""
    text, wanted = "".join(piece.text for piece in line).lower(), query.lower()
    ends: list[tuple[int, int]] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        ends.append((at, at + len(wanted)))
        at = text.find(wanted, at + len(wanted))
    out: list[Segment] = []
    start = 0
    for piece in line:
        inner = {edge - start for pair in ends for edge in pair}
        cuts = {0, len(piece.text)} | {cut for cut in inner if 0 < cut < len(piece.text)}
        for left, right in pairwise(sorted(cuts)):
            inside = any(first <= start + left < last for first, last in ends)
            found = (piece.style or Style()) + style if inside else piece.style
            out.append(Segment(piece.text[left:right], found))
        start += len(piece.text)
    return out
