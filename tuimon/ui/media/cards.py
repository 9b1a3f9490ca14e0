"""Draws the cards of the media panel: a line with tag and step, and what the kind makes of it below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import format_step
from tuimon.text import fit
from tuimon.text import width as cells
from tuimon.ui.media.base import Content, Item, Lines, Loaded, Look, MediaKind
from tuimon.ui.media.library import Library, Subject
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.card_layout import Card, Grid

LOST = "cannot be read from the log any more"

Looks = Callable[[MediaKind, bool, Callable[[Item], Loaded]], Look]
"""Gives the look for a kind: whether it has the whole panel, and how bytes are asked for."""


class MediaCards:
    """The artist of the media panel.

    Args:
        library: Where the media are.
        roles: Text styles by meaning.
        looks: Gives the look for a kind.
        load: Asks for the bytes of an item.

    Attributes:
        run: The run that is shown.
        subjects: What the cards stand for, by their key.
        waiting: Keys of the cards that were drawn without bytes that are still being read.
    """

    def __init__(self, library: Library, roles: Roles, looks: Looks, load: Callable[[MediaKind, Item], Loaded]) -> None:
        self._library = library
        self._looks = looks
        self._load = load
        self._names = 0
        self.roles = roles
        self.run = ""
        self.subjects: Mapping[str, Subject] = {}
        self.waiting: set[str] = set()
        self._complete: dict[str, tuple[tuple[object, ...], Lines]] = {}

    def prepare(self, cards: Sequence[Card], grid: Grid) -> None:
        """Find the common width of names on a page of single lines, and forget what other pages wait for."""
        self.waiting.clear()
        keys = {card.key for card in cards}
        self._complete = {key: found for key, found in self._complete.items() if key in keys}
        tags = [self.subjects[card.key].tag for card in cards if card.key in self.subjects]
        self._names = min(max(map(cells, tags), default=0), max(grid.width * 2 // 5, 8))

    def draw(self, card: Card, width: int, height: int, focused: bool) -> Lines:
        """Draw a card; a height of 1 gives tag, step and a summary."""
        self.waiting.discard(card.key)
        subject = self.subjects.get(card.key)
        content = None if subject is None else self._library.content(self.run, subject, None)
        if subject is None or content is None:
            return [[Segment(fit(card.key, width), self.roles.strong)], [Segment("nothing that can be read")]][:height]
        look = self._looks(subject.kind, False, lambda item: self._noted(card.key, self._load(subject.kind, item)))
        work = look.work
        look = replace(look, work=lambda name, job: self._noted(card.key, work(name, job)))
        if height == 1:
            return [self._line(subject, content, width, look, focused)]
        lines = [self._head(subject, content, width, focused), *body(subject.kind, content, width, height - 1, look)]
        shape = (self.run, width, height, focused, self.roles)
        before = self._complete.get(card.key)
        if card.key in self.waiting and before is not None and before[0] == shape:
            return before[1]  # what is new comes when it has been read, so that nothing flickers
        self._complete[card.key] = (shape, lines)
        return lines

    def _noted(self, key: str, loaded: Loaded) -> Loaded:
        if loaded.waiting:
            self.waiting.add(key)
        return loaded

    def _head(self, subject: Subject, content: Content, width: int, focused: bool) -> list[Segment]:
        number = format_step(content.step)
        ways = [f" step {number}", f" {number}"]
        if len(content.items) > 1 and subject.kind.pages_items:
            ways.insert(0, f"{ways[0]} · {len(content.items)} {subject.kind.pieces[1]}")
        room = max(width // 2, width - cells(subject.tag))
        right = next((way for way in ways if cells(way) <= room), ways[-1])
        title = fit(subject.tag, max(width - cells(right), 0), "middle-elide")
        style = self.roles.strong + self.roles.cursor if focused else self.roles.strong
        return [Segment(title, style), Segment(right, self.roles.dim + (self.roles.cursor if focused else Style()))]

    def _line(self, subject: Subject, content: Content, width: int, look: Look, focused: bool) -> list[Segment]:
        name = fit(subject.tag, self._names, "middle-elide")
        rest = f"  step {format_step(content.step)}"
        said = subject.kind.summary(content, look) if content.item.sort else LOST
        rest = f"{rest}  {subject.kind.one}{': ' if said else ''}{said}"
        cursor = self.roles.cursor if focused else Style()
        return [
            Segment(name, self.roles.text + cursor),
            Segment(fit(rest, max(width - cells(name), 0)), self.roles.dim + cursor),
        ]


def body(kind: MediaKind, content: Content, width: int, height: int, look: Look) -> Lines:
    """What a kind draws, cut to the size; a sentence where it cannot draw it."""
    if width <= 0 or height <= 0:
        return []
    if not content.item.sort:
        return [[Segment(fit(LOST, width), look.roles.warn)]]
    draw = kind.lines if look.full else kind.card
    try:
        return draw(content, width, height, look)[:height]
    except Exception as error:
        # One item that cannot be drawn must not take the others with it; it says so where it would have been.
        texts = [f"this {kind.one} cannot be drawn", f"{type(error).__name__}: {error}"]
        return [[Segment(fit(text, width), look.roles.bad)] for text in texts[:height]]
