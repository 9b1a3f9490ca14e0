"""Messages (alerts) of a training for the person who watches, the newest first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment

from tuimon.numbers import format_clock, format_step
from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind
from tuimon.ui.media.markdown import safe_lines
from tuimon.ui.screens.sheet import wrap

MOST = 500
"""Steps with messages that are listed."""


@dataclass
class MessageState:
    """What the keys change.

    Attributes:
        top: The first line on view.
    """

    top: int = 0


class Messages(MediaKind):
    """Messages."""

    name: ClassVar[str] = "messages"
    one: ClassVar[str] = "message"
    order: ClassVar[int] = 5
    section: ClassVar[str] = "Messages"
    wheel: ClassVar[str] = "scroll"
    pages_items: ClassVar[bool] = False

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort == "alert/"

    def new_state(self) -> MessageState:
        """See `MediaKind.new_state`."""
        return MessageState()

    def card(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """The newest messages, as many as there is room for."""
        return _listed(content, width, height, look)[:height]

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """All messages up to the step, from the line on that was scrolled to."""
        state = look.state
        assert isinstance(state, MessageState)
        lines = _listed(content, width, None, look)
        state.top = max(0, min(state.top, len(lines) - height))
        return lines[state.top : state.top + height]

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        item = content.items[-1]
        return clean(": ".join(filter(None, (item.text("title"), item.text("text")))))

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """Scroll."""
        assert isinstance(state, MessageState)
        if name == "scroll":
            state.top += value


def _listed(content: Content, width: int, most: int | None, look: Look) -> Lines:
    """Messages, the newest first, until there are as many lines as are wanted."""
    lines: Lines = []
    for back in range(min(content.place + 1, MOST)):
        there = content.earlier(back) if back else content
        if there is None:
            break
        for item in reversed(there.items):
            lines += _lines_of(item, width, look)
        if most is not None and len(lines) >= most:
            break
    return lines


def _lines_of(item: Item, width: int, look: Look) -> Lines:
    roles = look.roles
    style = {"error": roles.bad, "warn": roles.warn}.get(item.text("level").lower(), roles.accent)
    level = item.text("level").lower() or "info"
    when = "" if math.isnan(item.time) else f" {format_clock(item.time, look.now)}"
    right = f"  step {format_step(item.step)}{when}"
    right = right if cells(right) < width // 2 else ""
    title = item.text("title") or next(iter(item.text("text").splitlines()), "")
    head = fit(f"{level}: {title}", max(width - cells(right), 0))
    lines: Lines = [[Segment(head, style), Segment(right, roles.dim)]]
    text = item.text("text")
    if text and text != title:
        for line in safe_lines(text):
            lines += [[Segment("  "), *piece] for piece in wrap(line, max(width - 2, 1), roles.text)]
    return lines
