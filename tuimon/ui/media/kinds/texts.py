"""Texts, as Markdown or as they were logged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from rich.segment import Segment

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
KEPT = 8
"""Rendered texts that are kept."""


@dataclass
class TextState:
    """What the keys change.

    Attributes:
        top: The first line on view.
        kept: Rendered texts, the newest last.
    """

    top: int = 0
    kept: dict[tuple[object, ...], Lines] = field(default_factory=dict)


class Texts(MediaKind):
    """Texts."""

    name: ClassVar[str] = "texts"
    one: ClassVar[str] = "text"
    order: ClassVar[int] = 30
    section: ClassVar[str] = "Text"

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
        state.top = max(0, min(state.top, len(lines) - height))
        return lines[state.top : state.top + height]

    def summary(self, content: Content, look: Look) -> str:  # noqa: ARG002
        """The first line."""
        lines = (line.strip() for line in content.item.text("text")[:2000].splitlines())
        return next((clean(line) for line in lines if line), "")

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:  # noqa: ARG002
        """Scroll, or show the text in the other way."""
        assert isinstance(state, TextState)
        if name == "scroll":
            state.top += value
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
